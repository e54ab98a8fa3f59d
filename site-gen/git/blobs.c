/*
 * The blobs of files at commits of HEAD's history, each looked up once. They never change, so they
 * outlive the process (git_keep()).
 */
#include <string.h>

#include "site-gen/base/pack.h"
#include "site-gen/git/inner.h"

enum { MAX_KEPT_BYTES = 64 << 20 };

static const struct pack_member blob_members[] = {
        PACK(struct git_blob_known, commit, PACK_TEXT),
        PACK(struct git_blob_known, path, PACK_TEXT),
        PACK(struct git_blob_known, blob, PACK_MAYBE),
};
static const struct pack_type blob_type = PACK_TYPE("", struct git_blob_known, blob_members);

/* What is kept. */
struct list {
	struct git_blob_known *all;
	size_t n;
};
static const struct pack_member list_members[] = {
        PACK(struct list, n, PACK_INT),
        PACK_LIST_OF(struct list, all, n, PACK_LIST, blob_type),
};
static const struct pack_type list_type = PACK_TYPE("", struct list, list_members);

static uint64_t hash_of(const char *commit, const char *path)
{
	uint64_t h = 0xcbf29ce484222325u;
	memcpy(&h, commit, sizeof h); /* hex digits, and so more than 8 bytes */
	for (; *path; path++)
		h = (h ^ (unsigned char)*path) * 0x100000001b3u;
	return h ^ h >> 32;
}

/* Where the blob is, or the free place where it belongs. */
static struct git_blob_known *place_of(const struct git_blobs *b, const char *commit,
                                       const char *path)
{
	for (size_t i = hash_of(commit, path);; i++) {
		struct git_blob_known *k = &b->at[i & (b->cap - 1)];
		if (!k->path || (strcmp(k->path, path) == 0 && strcmp(k->commit, commit) == 0))
			return k;
	}
}

/* Doubles the table when it is half full. */
static void make_room(struct git_blobs *b, struct arena *a)
{
	const struct git_blobs old = *b;
	if (2 * (b->n + 1) <= b->cap)
		return;
	b->cap = old.cap ? 2 * old.cap : 1024;
	b->at = ARENA_ARRAY(a, struct git_blob_known, b->cap);
	for (size_t i = 0; i < old.cap; i++)
		if (old.at[i].path)
			*place_of(b, old.at[i].commit, old.at[i].path) = old.at[i];
}

static void add(struct git_blobs *b, const struct git_blob_known *k, struct arena *a)
{
	make_room(b, a);
	*place_of(b, k->commit, k->path) = *k;
	b->n++;
}

/* Takes what an earlier process has left. */
static void take(struct git *g)
{
	struct arena scratch = {0};
	struct str bytes;
	struct list got = {0};
	if (kept_take(&g->kept, "blobs", g->head_hex, MAX_KEPT_BYTES, &scratch, &bytes) &&
	    pack_take(&list_type, bytes, &g->arena, &got))
		for (size_t i = 0; i < got.n; i++)
			if (strlen(got.all[i].commit) == GIT_OID_HEXSZ)
				add(&g->blobs, &got.all[i], &g->arena);
	g->blobs.left = g->blobs.n;
	g->blobs.taken = true;
	arena_free(&scratch);
}

bool git_blobs_know(struct git *g, const char *commit, const char *path, const char **blob)
{
	if (!g->blobs.taken)
		take(g);
	make_room(&g->blobs, &g->arena);
	const struct git_blob_known *k = place_of(&g->blobs, commit, path);
	*blob = k->blob;
	return k->path;
}

void git_blobs_learn(struct git *g, const char *commit, const char *path, const char *blob)
{
	const struct git_blob_known k = {arena_strdup(&g->arena, commit),
	                                 arena_strdup(&g->arena, path),
	                                 blob ? arena_strdup(&g->arena, blob) : NULL};
	add(&g->blobs, &k, &g->arena);
}

void git_blobs_leave(const struct git *g)
{
	const struct git_blobs *b = &g->blobs;
	struct arena scratch = {0};
	struct sb bytes = {0};
	if (b->n == b->left)
		return;
	struct list all = {.all = ARENA_ARRAY(&scratch, struct git_blob_known, b->n)};
	for (size_t i = 0; i < b->cap; i++)
		if (b->at[i].path)
			all.all[all.n++] = b->at[i];
	pack_put(&list_type, &all, &bytes);
	kept_leave(&g->kept, "blobs", g->head_hex, sb_view(&bytes));
	sb_free(&bytes);
	arena_free(&scratch);
}
