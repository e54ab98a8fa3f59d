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
	if (!c->merge && s.common < s.before.n && s.after.n > 0)
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

static struct str first_line(struct str log)
{
	struct str line, rest;
	str_cut(log, '\n', &line, &rest);
	return line;
}

/* The log after a change begins anew, and is another one than before. */
static const char *begun_anew(const struct sides *s, struct arena *a)
{
	return s->common > 0 || str_eq(first_line(s->now), first_line(s->old))
	               ? NULL
	               : published_parts_begun(s->now, a);
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
	const char *anew = begun_anew(&s, a);
	bool fine = c->merge ? begun && (anew || has_lines(s.now, s.old))
	                     : begins(&s) || (anew && c->parent && strcmp(anew, c->parent) == 0);
	return fine || refuse(c, &s, a, e);
}

/*
 * The commit at which HEAD's log was begun anew; NULL: it never was. A log that cannot be read
 * counts as not begun: then all of history is compared, which reports it.
 */
static const char *begun_at_head(struct git *g, struct arena *a)
{
	struct str log;
	struct err unread = ERR_NONE;
	struct published_blobs b = published_blobs_at(g, NULL, a);
	return published_blobs_lines(g, &b, 0, a, &log, &unread) ? published_parts_begun(log, a)
	                                                         : NULL;
}

/* Is the commit older than the log of HEAD? */
static bool is_older(struct git *g, const char *commit, const char *begun, bool *out, struct err *e)
{
	bool known = true;
	*out = begun && git_is_before(g, commit, begun, &known, e);
	return !e->set;
}

static bool check_all(struct git *g, const struct git_history *h, struct arena *whole,
                      struct err *e)
{
	const struct git_change *last = NULL;
	const char *begun = begun_at_head(g, whole);
	bool ok = true;
	for (size_t i = 0; ok && (i = next_pair(h, i, last)) < h->n; i++) {
		struct arena a = {0}; /* two whole logs: too much to keep for each commit */
		bool older;
		last = &h->change[i];
		ok = is_older(g, last->commit, begun, &older, e) &&
		     (older || check_pair(g, h, last, &a, e));
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
	bool begun;
	if (!published_parts_begun_here(d->git, a, &begun, e))
		return false;
	if (begun) /* at HEAD, so all of its history is older */
		return true;
	return check_all(d->git, &d->history, a, e) &&
	       (!cache || file_write(stamp_path(cache, a), str_of(head), e));
}
