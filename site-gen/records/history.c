/*
 * Rule `whole` over history: the lines of a committed record never change. Their container
 * may: plain, gzip, or the gzip of another zlib. git_history() reads the history of data/
 * once; this file queries it.
 */
#include <string.h>

#include "lib/hash.h"
#include "lib/record_file.h"
#include "site-gen/records/judge.h"
#include "site-gen/records/run.h"

const struct git_change *judge_recorded(const struct data *d, const char *path)
{
	const struct git_history *h = &d->history;
	const struct str plain = record_file_plain(str_of(path));
	for (size_t i = 0; i < h->n; i++) {
		const struct git_change *c = &h->change[i];
		if (c->after && strncmp(c->path, plain.p, plain.n) == 0 &&
		    record_file_same(c->path, path))
			return c;
	}
	return NULL;
}

static bool say(const struct git_change *c, const struct git_change *first, struct err *e)
{
	struct loc at = {.path = c->path};
	return rule_err(e, RULE_WHOLE, at,
	                "commit %.12s %s this record, and a record stays as it is: bring back the "
	                "one that was measured with 'git cat-file blob %.12s > %s' and commit it; "
	                "to take back its numbers, add data/withdrawn/",
	                c->commit, c->after ? "changed" : "removed", first->after, first->path);
}

static const struct data_run *run_among(const struct data_run *r, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (r[i].committed && record_file_same(r[i].path, path))
			return &r[i];
	return NULL;
}

/* The record of this path in HEAD, in whatever container; NULL if there is none. */
static const struct data_run *at_head(const struct data *d, const char *path)
{
	const struct data_run *r = run_among(d->runs, d->nruns, path);
	r = r ? r : run_among(d->profiles, d->nprofiles, path);
	r = r ? r : run_among(d->traces, d->ntraces, path);
	for (size_t i = 0; !r && i < d->nsass; i++)
		r = run_among(&d->sass[i].file, 1, path);
	return r;
}

/* Inflates a blob of the record at `path`: the blob id of its lines. */
static bool inflated_id(struct git *g, const char *path, const char *blob,
                        char id[HASH_GIT_HEX + 1], struct err *e)
{
	struct arena a = {0};
	struct str stored, lines;
	bool found = true;
	bool ok = git_bytes(g, blob, &a, &stored, &found, e) &&
	          (found || err_set(e, "%s: blob %.12s is missing", path, blob)) &&
	          record_file_lines(stored, path, &a, &lines, e);
	if (ok)
		hash_git_blob(lines, id);
	arena_free(&a);
	return ok;
}

/* The blob id of the lines that the change gave its record; inflates only what HEAD lacks. */
static bool lines_of(const struct data *d, const struct git_change *c, char id[HASH_GIT_HEX + 1],
                     struct err *e)
{
	const struct data_run *now = at_head(d, c->path);
	const char *known = !str_ends(str_of(c->path), ".gz")         ? c->after
	                    : now && strcmp(now->blob, c->after) == 0 ? now->lines_blob
	                                                              : NULL;
	if (!known)
		return inflated_id(d->git, c->path, c->after, id, e);
	memcpy(id, known, HASH_GIT_HEX + 1);
	return true;
}

static bool has_lines(const struct data *d, const struct git_change *c, const char *want,
                      bool *same, struct err *e)
{
	char id[HASH_GIT_HEX + 1];
	if (!lines_of(d, c, id, e))
		return false;
	*same = strcmp(id, want) == 0;
	return true;
}

/* The list beside the records may grow; records may not. */
static bool is_record(struct str path)
{
	return (str_starts(path, DATA_RUNS_FOLDER "/") ||
	        str_starts(path, DATA_PROFILES_FOLDER "/") ||
	        str_starts(path, DATA_TRACES_FOLDER "/") ||
	        str_starts(path, DATA_SASS_FOLDER "/")) &&
	       record_file_is(path);
}

bool judge_packed(const struct data *d, const struct git_change *c)
{
	const struct data_run *r = at_head(d, c->path);
	return !c->after && r && strcmp(r->path, c->path) != 0 &&
	       strcmp(r->lines_blob, c->before) == 0;
}

/* A change to a record: HEAD must have the lines that were committed first. */
static bool judge_change(const struct data *d, const struct git_change *c, struct err *e)
{
	const struct git_change *first = judge_recorded(d, c->path);
	const struct data_run *now = at_head(d, c->path);
	bool same = false;
	if (now && !has_lines(d, first, now->lines_blob, &same, e))
		return false;
	return same || say(c, first, e);
}

/*
 * A record that is added again: either after its first form, and then judge_change() sees
 * how that one went, or beside it on another branch. There neither is the first one, so
 * both must have the same lines. A merge that brings a record from one side is like it.
 */
static bool judge_added(const struct data *d, const struct git_change *c, struct err *e)
{
	const struct git_change *first = judge_recorded(d, c->path);
	struct loc at = {.path = c->path};
	bool known, after, same;
	char id[HASH_GIT_HEX + 1];
	if (c == first ||
	    (strcmp(c->path, first->path) == 0 && strcmp(c->after, first->after) == 0))
		return true;
	after = git_is_before(d->git, first->commit, c->commit, &known, e);
	if (after || e->set)
		return !e->set;
	if (!lines_of(d, first, id, e) || !has_lines(d, c, id, &same, e))
		return false;
	return same || rule_err(e, RULE_WHOLE, at,
	                        "commits %.12s and %.12s, neither after the other, added this "
	                        "record with different lines: only one can have been measured; "
	                        "take the branch of the other out of the history",
	                        first->commit, c->commit);
}

bool judge_history(struct data *d, struct err *e)
{
	if (!d->git || !git_history(d->git, "data", d->arena, &d->history, e))
		return !e->set;
	const struct git_history *h = &d->history;
	for (size_t i = 0; i < h->n; i++)
		if (!h->change[i].before && is_record(str_of(h->change[i].path)) &&
		    !judge_added(d, &h->change[i], e))
			return false;
	for (size_t i = h->n; i-- > 0;) /* name the last commit that broke it */
		if (h->change[i].before && is_record(str_of(h->change[i].path)) &&
		    !judge_change(d, &h->change[i], e))
			return false;
	return true;
}
