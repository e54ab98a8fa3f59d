/* Which commits of HEAD's history are before which: one walk, then a bit for each pair. */
#include <stdlib.h>
#include <string.h>

#include "site-gen/base/pack.h"
#include "site-gen/git/inner.h"

enum {
	COMMITS_MAX = 1 << 13, /* their bits take 8 MiB; libgit2 walks longer histories */
	MAX_KEPT_BYTES = 16 << 20,
};

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

/* --- commits and their parents, by a walk or as an earlier walk left them --- */

struct commit {
	char id[GIT_OID_HEXSZ + 1];
	size_t nparents;
	const char **parent; /* ids */
};

struct commits {
	struct commit *all; /* parents before children */
	size_t n;
};

static const struct pack_member commit_members[] = {
        PACK(struct commit, id, PACK_CHARS),
        PACK(struct commit, nparents, PACK_INT),
        PACK_LIST_OF(struct commit, parent, nparents, PACK_LIST, pack_text),
};
static const struct pack_type commit_type = PACK_TYPE("", struct commit, commit_members);
static const struct pack_member commits_members[] = {
        PACK(struct commits, n, PACK_INT),
        PACK_LIST_OF(struct commits, all, n, PACK_LIST, commit_type),
};
static const struct pack_type commits_type = PACK_TYPE("", struct commits, commits_members);

/* False if the commit cannot be read. */
static bool see(struct git *g, const git_oid *id, struct arena *a, struct commit *out)
{
	git_commit *c = NULL;
	if (git_commit_lookup(&c, g->repo, id) != 0)
		return false;
	git_oid_tostr(out->id, sizeof out->id, id);
	out->nparents = git_commit_parentcount(c);
	out->parent = ARENA_ARRAY(a, const char *, out->nparents);
	for (unsigned i = 0; i < out->nparents; i++) {
		char *hex = arena_alloc(a, GIT_OID_HEXSZ + 1);
		out->parent[i] = git_oid_tostr(hex, GIT_OID_HEXSZ + 1, git_commit_parent_id(c, i));
	}
	git_commit_free(c);
	return true;
}

/* Lists the commits of HEAD's history. False if there are too many, or one cannot be read. */
static bool list(struct git *g, struct arena *a, struct commits *out)
{
	git_revwalk *w = NULL;
	git_oid id;
	out->all = ARENA_ARRAY(a, struct commit, COMMITS_MAX);
	bool ok = git_revwalk_new(&w, g->repo) == 0 &&
	          git_revwalk_sorting(w, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE) == 0 &&
	          git_revwalk_push(w, git_commit_id(g->head)) == 0;
	int rc = ok ? 0 : -1;
	while (rc == 0 && (rc = git_revwalk_next(&id, w)) == 0)
		if (out->n == COMMITS_MAX || !see(g, &id, a, &out->all[out->n++]))
			rc = -1;
	git_revwalk_free(w);
	return rc == GIT_ITEROVER;
}

/* A shallow clone may be completed under the same HEAD. */
static bool is_final(const struct git *g)
{
	return git_repository_is_shallow(g->repo) == 0;
}

static bool take(struct git *g, struct arena *a, struct commits *out)
{
	struct str bytes;
	struct commits got = {0};
	if (!is_final(g) ||
	    !kept_take(&g->kept, "commits", g->head_hex, MAX_KEPT_BYTES, a, &bytes) ||
	    !pack_take(&commits_type, bytes, a, &got) || got.n > COMMITS_MAX)
		return false;
	*out = got;
	return true;
}

static void leave(const struct git *g, const struct commits *c)
{
	struct sb bytes = {0};
	if (!is_final(g))
		return;
	pack_put(&commits_type, c, &bytes);
	kept_leave(&g->kept, "commits", g->head_hex, sb_view(&bytes));
	sb_free(&bytes);
}

/* --- the table --- */

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

static bool make_tables(struct git_ancestors *t, size_t n)
{
	t->words = (n + 63) / 64;
	for (t->cap = 2; t->cap < 2 * n;)
		t->cap *= 2;
	t->id = calloc(n + 1, sizeof *t->id);
	t->at = calloc(t->cap, sizeof *t->at);
	t->bits = calloc(n * t->words + 1, sizeof *t->bits);
	return t->id && t->at && t->bits;
}

static uint64_t *row(const struct git_ancestors *t, size_t i)
{
	return t->bits + i * t->words;
}

/* Adds a commit, whose parents were added before. False if a parent is not here. */
static bool add(struct git_ancestors *t, const struct commit *c)
{
	size_t i = t->n;
	bool ok = git_oid_fromstr(&t->id[i], c->id) == 0;
	for (size_t k = 0; ok && k < c->nparents; k++) {
		git_oid parent;
		uint32_t at = git_oid_fromstr(&parent, c->parent[k]) ? 0 : *slot_of(t, &parent);
		ok = at > 0;
		for (size_t w = 0; ok && w < t->words; w++)
			row(t, i)[w] |= row(t, at - 1)[w];
	}
	row(t, i)[i / 64] |= (uint64_t)1 << i % 64;
	*slot_of(t, &t->id[i]) = (uint32_t)++t->n;
	return ok;
}

static struct git_ancestors *table_of(const struct commits *c)
{
	struct git_ancestors *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	bool ok = make_tables(t, c->n);
	for (size_t i = 0; ok && i < c->n; i++)
		ok = add(t, &c->all[i]);
	if (ok)
		return t;
	git_ancestors_free(t);
	return NULL;
}

static struct git_ancestors *ancestors_new(struct git *g)
{
	struct arena a = {0};
	struct commits kept, all = {0};
	struct git_ancestors *t = take(g, &a, &kept) ? table_of(&kept) : NULL;
	if (!t && list(g, &a, &all) && (t = table_of(&all)))
		leave(g, &all);
	arena_free(&a);
	return t;
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
