/*
 * Rule `whole` over history: a committed record never changes. Only its container may
 * change once, from plain lines to gzip. git_history() reads the history of data/ once;
 * this file queries it.
 */
#include <string.h>

#include "lib/record_file.h"
#include "site-gen/records/judge.h"
#include "site-gen/records/run.h"

const struct git_change *judge_recorded(const struct data *d, const char *path)
{
	const struct git_history *h = &d->history;
	for (size_t i = 0; i < h->n; i++)
		if (h->change[i].after && record_file_same(h->change[i].path, path))
			return &h->change[i];
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
	return r ? r : run_among(d->profiles, d->nprofiles, path);
}

/* True if the blob has the record's bytes, or was plain and has its lines. */
static bool is_same(const struct data_run *r, const struct git_change *first)
{
	bool plain = !str_ends(str_of(first->path), ".gz");
	return strcmp(r->blob, first->after) == 0 ||
	       (plain && strcmp(r->lines_blob, first->after) == 0);
}

/* The list beside the records may grow; records may not. */
static bool is_record(struct str path)
{
	return (str_starts(path, DATA_RUNS_FOLDER "/") ||
	        str_starts(path, DATA_PROFILES_FOLDER "/")) &&
	       record_file_is(path);
}

bool judge_packed(const struct data *d, const struct git_change *c)
{
	const struct data_run *r = at_head(d, c->path);
	return !c->after && r && strcmp(r->path, c->path) != 0 &&
	       strcmp(r->lines_blob, c->before) == 0;
}

bool judge_history(struct data *d, struct err *e)
{
	if (!d->git || !git_history(d->git, "data", d->arena, &d->history, e))
		return !e->set;
	for (size_t i = d->history.n; i-- > 0;) { /* name the last commit that broke it */
		const struct git_change *c = &d->history.change[i];
		if (!c->before || !is_record(str_of(c->path)))
			continue;
		const struct git_change *first = judge_recorded(d, c->path);
		const struct data_run *now = at_head(d, c->path);
		if (!now || !is_same(now, first))
			return say(c, first, e);
	}
	return true;
}
