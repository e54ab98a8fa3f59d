/*
 * Rule `whole` over history: a committed record never changes. git_history()
 * reads the history of data/ once; this file queries it.
 */
#include <string.h>

#include "site-gen/records/judge.h"
#include "site-gen/records/run.h"

/* The first blob of a path, or NULL. */
static const char *first_blob(const struct git_history *h, const char *path)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->change[i].after && strcmp(h->change[i].path, path) == 0)
			return h->change[i].after;
	return NULL;
}

static bool say(const struct git_change *c, const char *first, struct err *e)
{
	struct loc at = {.path = c->path};
	return rule_err(e, RULE_WHOLE, at,
	                "commit %.12s %s this record, and a record stays as it is: bring back the "
	                "one that was measured with 'git cat-file blob %.12s > %s' and commit it; "
	                "to take back its numbers, add data/withdrawn/",
	                c->commit, c->after ? "changed" : "removed", first, c->path);
}

static const char *blob_among(const struct data_run *r, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (r[i].committed && strcmp(r[i].path, path) == 0)
			return r[i].blob;
	return NULL;
}

static const char *blob_at_head(const struct data *d, const char *path)
{
	const char *blob = blob_among(d->runs, d->nruns, path);
	return blob ? blob : blob_among(d->profiles, d->nprofiles, path);
}

/* The list beside the records may grow; records may not. */
static bool is_record(struct str path)
{
	return (str_starts(path, DATA_RUNS_FOLDER "/") ||
	        str_starts(path, DATA_PROFILES_FOLDER "/")) &&
	       str_ends(path, ".jsonl");
}

bool judge_history(struct data *d, struct err *e)
{
	if (!d->git || !git_history(d->git, "data", d->arena, &d->history, e))
		return !e->set;
	for (size_t i = d->history.n; i-- > 0;) { /* name the last commit that broke it */
		const struct git_change *c = &d->history.change[i];
		if (!c->before || !is_record(str_of(c->path)))
			continue;
		const char *first = first_blob(&d->history, c->path);
		const char *now = blob_at_head(d, c->path);
		if (!now || strcmp(now, first) != 0)
			return say(c, first, e);
	}
	return true;
}
