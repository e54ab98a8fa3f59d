/* Rule `noted` over history: from commit to commit, the log of published numbers only grows. */
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/rules.h"
#include "site-gen/numbers/published.h"

enum { MAX_STAMP_BYTES = 256 };

/* Does `whole` have every line of `part`, in the same order? */
static bool has_lines(struct str whole, struct str part)
{
	struct str want, have;
	while (part.n > 0) {
		str_cut(part, '\n', &want, &part);
		do {
			if (whole.n == 0)
				return false;
			str_cut(whole, '\n', &have, &whole);
		} while (!str_eq(want, have));
	}
	return true;
}

/* The log on both sides of a change, without the closed parts that both sides have. */
struct sides {
	struct published_blobs before, after;
	size_t common; /* so many closed parts, from the first */
	struct str old, now;
};

static bool read_sides(struct git *g, const struct git_change *c, struct arena *a,
                       struct sides *out, struct err *e)
{
	struct sides s = {.after = published_blobs_at(g, c->commit, a)};
	if (c->parent)
		s.before = published_blobs_at(g, c->parent, a);
	while (s.common < s.before.n && s.common < s.after.n &&
	       strcmp(s.before.closed[s.common], s.after.closed[s.common]) == 0)
		s.common++;
	*out = s;
	if (!c->merge && s.common < s.before.n)
		return true; /* refused in any case, so its lines are not needed */
	return published_blobs_lines(g, &s.before, s.common, a, &out->old, e) &&
	       published_blobs_lines(g, &s.after, s.common, a, &out->now, e);
}

static bool is_same(const char *x, const char *y)
{
	return x == y || (x && y && strcmp(x, y) == 0);
}

/* The first change of the log between the same two commits, at or after change i; h->n: none. */
static size_t next_pair(const struct git_history *h, size_t i, const struct git_change *last)
{
	while (i < h->n && (!published_parts_has(h->change[i].path) ||
	                    (last && is_same(h->change[i].commit, last->commit) &&
	                     is_same(h->change[i].parent, last->parent))))
		i++;
	return i;
}

static bool begins(const struct sides *s)
{
	return s->common == s->before.n && str_begins(s->now, s->old);
}

/*
 * Git lists a merge once for each parent that it differs from. Listed once, it
 * equals its other parent. Listed twice, it must begin with the log of one of
 * them. A parent without a log does not count, since any text begins with it.
 */
static bool begins_with_a_side(struct git *g, const struct git_history *h,
                               const struct git_change *c, struct arena *a, bool *out,
                               struct err *e)
{
	size_t sides = 0, logs = 0;
	const struct git_change *last = NULL;
	*out = false;
	for (size_t i = 0; (i = next_pair(h, i, last)) < h->n; i++) {
		struct sides s;
		last = &h->change[i];
		if (!is_same(last->commit, c->commit))
			continue;
		if (!read_sides(g, last, a, &s, e))
			return false;
		bool has_log = s.before.n > 0 || s.old.n > 0;
		*out = *out || (has_log && begins(&s));
		logs += has_log;
		sides++;
	}
	*out = *out || sides == 1 || logs == 0;
	return true;
}

static bool refuse(const struct git_change *c, const struct sides *s, struct arena *a,
                   struct err *e)
{
	if (s->common < s->before.n)
		return rule_err(
		        e, RULE_NOTED, (struct loc){.path = published_parts_path(s->common + 1, a)},
		        "commit %.12s %s it; a closed part of the log of published numbers never "
		        "changes",
		        c->commit, s->common < s->after.n ? "changed" : "removed");
	return rule_err(e, RULE_NOTED, (struct loc){.path = PUBLISHED_PATH},
	                "commit %.12s %s; the log of published numbers only ever grows", c->commit,
	                s->after.open ? "changed or removed lines of it" : "removed it");
}

/* Checks the log between a commit and one of its parents. */
static bool check_pair(struct git *g, const struct git_history *h, const struct git_change *c,
                       struct arena *a, struct err *e)
{
	struct sides s;
	bool begun = true;
	if (!read_sides(g, c, a, &s, e) || (c->merge && !begins_with_a_side(g, h, c, a, &begun, e)))
		return false;
	bool fine = c->merge ? begun && has_lines(s.now, s.old) : begins(&s);
	return fine || refuse(c, &s, a, e);
}

static bool check_all(struct git *g, const struct git_history *h, struct err *e)
{
	const struct git_change *last = NULL;
	bool ok = true;
	for (size_t i = 0; ok && (i = next_pair(h, i, last)) < h->n; i++) {
		struct arena a = {0}; /* two whole logs: too much to keep for each commit */
		last = &h->change[i];
		ok = check_pair(g, h, last, &a, e);
		arena_free(&a);
	}
	return ok;
}

/* The file that names the last HEAD whose history passed. */
static const char *stamp_path(const char *cache, struct arena *a)
{
	return arena_printf(a, "%s/noted", cache);
}

static bool stamp_is(const char *cache, const char *head, struct arena *a)
{
	struct err ignored = ERR_NONE;
	struct str said;
	return cache && file_exists(stamp_path(cache, a)) &&
	       file_read(stamp_path(cache, a), MAX_STAMP_BYTES, a, &said, &ignored) &&
	       str_is(said, head);
}

bool published_check_history(const struct data *d, const char *cache, struct arena *a,
                             struct err *e)
{
	const char *head = d->git ? git_head(d->git) : NULL;
	/* a shallow clone has nothing to check, so its HEAD has not passed either */
	if (!head || d->history.shallow || stamp_is(cache, head, a))
		return true;
	return check_all(d->git, &d->history, e) &&
	       (!cache || file_write(stamp_path(cache, a), str_of(head), e));
}
