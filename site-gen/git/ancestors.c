/* Which commits of HEAD's history are before which: one walk, then a bit for each pair. */
#include <stdlib.h>
#include <string.h>

#include "site-gen/git/inner.h"

enum { COMMITS_MAX = 1 << 13 }; /* their bits take 8 MiB; libgit2 walks longer histories */

struct git_ancestors {
	git_oid *id; /* parents before children */
	size_t n, words;
	uint32_t *at;   /* open table of ids: 1 + the commit's position, or 0 */
	size_t cap;     /* of `at`, a power of two */
	uint64_t *bits; /* [child × words]: its ancestors, and itself */
};

void git_ancestors_free(struct git_ancestors *t)
{
	if (!t)
		return;
	free(t->id);
	free(t->at);
	free(t->bits);
	free(t);
}

static uint32_t *slot_of(const struct git_ancestors *t, const git_oid *id)
{
	size_t i;
	memcpy(&i, id->id, sizeof i);
	for (;; i++) {
		uint32_t *at = &t->at[i & (t->cap - 1)];
		if (!*at || git_oid_equal(&t->id[*at - 1], id))
			return at;
	}
}

/* Lists the commits of HEAD's history. False if there are too many, or one cannot be read. */
static bool list(struct git_ancestors *t, struct git *g)
{
	git_revwalk *w = NULL;
	git_oid id;
	t->id = calloc(COMMITS_MAX, sizeof *t->id);
	bool ok = t->id && git_revwalk_new(&w, g->repo) == 0 &&
	          git_revwalk_sorting(w, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE) == 0 &&
	          git_revwalk_push(w, git_commit_id(g->head)) == 0;
	int rc = ok ? 0 : -1;
	while (rc == 0 && (rc = git_revwalk_next(&id, w)) == 0) {
		if (t->n == COMMITS_MAX)
			rc = -1;
		else
			t->id[t->n++] = id;
	}
	git_revwalk_free(w);
	return rc == GIT_ITEROVER;
}

static bool make_tables(struct git_ancestors *t)
{
	t->words = (t->n + 63) / 64;
	for (t->cap = 2; t->cap < 2 * t->n;)
		t->cap *= 2;
	t->at = calloc(t->cap, sizeof *t->at);
	t->bits = calloc(t->n * t->words + 1, sizeof *t->bits);
	return t->at && t->bits;
}

static uint64_t *row(const struct git_ancestors *t, size_t i)
{
	return t->bits + i * t->words;
}

/* Adds commit i, whose parents were added before. False if it cannot be read, or a parent is not
 * here. */
static bool add(struct git_ancestors *t, struct git *g, size_t i)
{
	git_commit *c = NULL;
	bool ok = git_commit_lookup(&c, g->repo, &t->id[i]) == 0;
	for (unsigned k = 0; ok && k < git_commit_parentcount(c); k++) {
		uint32_t at = *slot_of(t, git_commit_parent_id(c, k));
		ok = at > 0;
		for (size_t w = 0; ok && w < t->words; w++)
			row(t, i)[w] |= row(t, at - 1)[w];
	}
	row(t, i)[i / 64] |= (uint64_t)1 << i % 64;
	*slot_of(t, &t->id[i]) = (uint32_t)(i + 1);
	git_commit_free(c);
	return ok;
}

static struct git_ancestors *ancestors_new(struct git *g)
{
	struct git_ancestors *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	bool ok = list(t, g) && make_tables(t);
	for (size_t i = 0; ok && i < t->n; i++)
		ok = add(t, g, i);
	if (ok)
		return t;
	git_ancestors_free(t);
	return NULL;
}

bool git_ancestors_know(struct git *g, const git_oid *commit, const git_oid *of, bool *before)
{
	if (!g->walked && g->head)
		g->ancestors = ancestors_new(g);
	g->walked = true;
	const struct git_ancestors *t = g->ancestors;
	uint32_t a = t ? *slot_of(t, commit) : 0, b = t ? *slot_of(t, of) : 0;
	if (!a || !b)
		return false;
	*before = row(t, b - 1)[(a - 1) / 64] >> (a - 1) % 64 & 1;
	return true;
}
