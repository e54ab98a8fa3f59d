/*
 * The history of a folder. Trees with equal ids are equal, so most commits cost one
 * look-up. If ids differ, only the subtrees that differ are read, and both sides are
 * walked in step because their entries are sorted.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "site-gen/base/pack.h"
#include "site-gen/git/inner.h"

struct walk {
	struct git *g;
	struct arena *a;
	struct git_history *out;
	size_t cap;
	const char *commit, *parent; /* those being compared; no parent: NULL */
	int64_t time;
	bool merge;
};

static const char *hex_of(const git_oid *id, struct arena *a)
{
	char *hex = arena_alloc(a, GIT_OID_HEXSZ + 1);
	git_oid_tostr(hex, GIT_OID_HEXSZ + 1, id);
	return hex;
}

static bool is_tree(const git_tree_entry *t)
{
	return t && git_tree_entry_type(t) == GIT_OBJECT_TREE;
}

static bool is_file(const git_tree_entry *t)
{
	git_filemode_t m = t ? git_tree_entry_filemode(t) : GIT_FILEMODE_UNREADABLE;
	return m == GIT_FILEMODE_BLOB || m == GIT_FILEMODE_BLOB_EXECUTABLE;
}

static void add(struct walk *w, const char *path, const git_tree_entry *before,
                const git_tree_entry *after)
{
	struct git_history *h = w->out;
	if (!is_file(before) && !is_file(after))
		return;
	h->change = arena_grow(w->a, h->change, h->n, &w->cap, sizeof *h->change);
	h->change[h->n++] = (struct git_change){
	        .path = path,
	        .commit = w->commit,
	        .parent = w->parent,
	        .before = is_file(before) ? hex_of(git_tree_entry_id(before), w->a) : NULL,
	        .after = is_file(after) ? hex_of(git_tree_entry_id(after), w->a) : NULL,
	        .time = w->time,
	        .merge = w->merge,
	};
}

static int compare_trees(struct walk *w, const char *folder, const git_oid *before,
                         const git_oid *after);

/* Compares a name that is in one tree or in both. */
static int compare_entries(struct walk *w, const char *folder, const git_tree_entry *b,
                           const git_tree_entry *c)
{
	bool same = b && c && git_oid_equal(git_tree_entry_id(b), git_tree_entry_id(c));
	if (same && is_file(b) == is_file(c))
		return 0;
	const char *name = git_tree_entry_name(b ? b : c);
	const char *path = arena_printf(w->a, "%s%s%s", folder, *folder ? "/" : "", name);
	if (!is_tree(b) || !is_tree(c))
		add(w, path, b, c);
	if (!is_tree(b) && !is_tree(c))
		return 0;
	return compare_trees(w, path, is_tree(b) ? git_tree_entry_id(b) : NULL,
	                     is_tree(c) ? git_tree_entry_id(c) : NULL);
}

/* Entries are sorted by name; a folder's name counts as ending in '/'. */
static int entry_order(const git_tree_entry *a, const git_tree_entry *b)
{
	return strcmp(git_tree_entry_name(a), git_tree_entry_name(b)) ? git_tree_entry_cmp(a, b)
	                                                              : 0;
}

static int compare_sorted(struct walk *w, const char *folder, const git_tree *b, const git_tree *c)
{
	size_t i = 0, k = 0, nb = b ? git_tree_entrycount(b) : 0,
	       nc = c ? git_tree_entrycount(c) : 0;
	int rc = 0;
	while (rc == 0 && (i < nb || k < nc)) {
		const git_tree_entry *x = i < nb ? git_tree_entry_byindex(b, i) : NULL;
		const git_tree_entry *y = k < nc ? git_tree_entry_byindex(c, k) : NULL;
		int d = !x ? 1 : !y ? -1 : entry_order(x, y);
		rc = compare_entries(w, folder, d <= 0 ? x : NULL, d >= 0 ? y : NULL);
		i += d <= 0;
		k += d >= 0;
	}
	return rc;
}

/* A NULL tree: there is no such folder on that side. */
static int compare_trees(struct walk *w, const char *folder, const git_oid *before,
                         const git_oid *after)
{
	git_tree *b = NULL, *c = NULL;
	if (before && after && git_oid_equal(before, after))
		return 0;
	int rc = before ? git_tree_lookup(&b, w->g->repo, before) : 0;
	if (rc == 0 && after)
		rc = git_tree_lookup(&c, w->g->repo, after);
	if (rc == 0)
		rc = compare_sorted(w, folder, b, c);
	git_tree_free(b);
	git_tree_free(c);
	return rc;
}

/* The id of the folder in a commit's tree; *found is false if it has none. */
static int folder_of(struct git *g, const git_commit *c, const char *folder, git_oid *id,
                     bool *found)
{
	struct err kept_in_g = ERR_NONE;
	git_tree *t = NULL;
	git_tree_entry *entry = NULL;
	int rc = git_commit_tree(&t, c);
	if (rc == 0 && *folder && !git_entry_at(g, t, folder, &entry, &kept_in_g))
		rc = -1;
	*found = rc == 0 && (!*folder || is_tree(entry));
	if (*found)
		*id = *folder ? *git_tree_entry_id(entry) : *git_tree_id(t);
	git_tree_entry_free(entry);
	git_tree_free(t);
	return rc;
}

static int compare_with_parent(struct walk *w, const char *folder, const git_commit *c, unsigned i,
                               const git_oid *after)
{
	git_commit *parent = NULL;
	git_oid before;
	bool found = false;
	int rc = git_commit_parent(&parent, c, i);
	if (rc == 0)
		rc = folder_of(w->g, parent, folder, &before, &found);
	if (rc == 0) {
		w->parent = hex_of(git_commit_parent_id(c, i), w->a);
		rc = compare_trees(w, folder, found ? &before : NULL, after);
	}
	git_commit_free(parent);
	return rc;
}

static int see_commit(struct walk *w, const char *folder, const git_oid *id)
{
	git_commit *c = NULL;
	git_oid after;
	bool found = false;
	int rc = git_commit_lookup(&c, w->g->repo, id);
	if (rc == 0)
		rc = folder_of(w->g, c, folder, &after, &found);
	if (rc == 0) {
		unsigned n = git_commit_parentcount(c);
		w->commit = hex_of(id, w->a);
		w->time = git_commit_time(c);
		w->merge = n > 1;
		w->parent = NULL;
		if (n == 0 && found)
			rc = compare_trees(w, folder, NULL, &after);
		for (unsigned i = 0; rc == 0 && i < n; i++)
			rc = compare_with_parent(w, folder, c, i, found ? &after : NULL);
	}
	git_commit_free(c);
	return rc;
}

static bool walk_history(struct git *g, const char *folder, struct arena *a,
                         struct git_history *out, struct err *e)
{
	struct walk w = {.g = g, .a = a, .out = out};
	git_revwalk *revs = NULL;
	git_oid id;
	int rc = git_revwalk_new(&revs, g->repo);
	if (rc == 0)
		rc = git_revwalk_sorting(revs, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
	if (rc == 0)
		rc = git_revwalk_push_head(revs);
	while (rc == 0 && (rc = git_revwalk_next(&id, revs)) == 0)
		rc = see_commit(&w, folder, &id);
	git_revwalk_free(revs);
	return rc == GIT_ITEROVER ||
	       git_fail(g, e, "%s: cannot walk its history: %s", folder, git_why());
}

/* --- what an earlier walk found --- */

enum { MAX_KEPT_BYTES = 64 << 20 };

#define C struct git_change
static const struct pack_member change_members[] = {
        PACK(C, path, PACK_TEXT),    PACK(C, commit, PACK_TEXT), PACK(C, parent, PACK_MAYBE),
        PACK(C, before, PACK_MAYBE), PACK(C, after, PACK_MAYBE), PACK(C, time, PACK_INT),
        PACK(C, merge, PACK_BOOL),
};
static const struct pack_type change = PACK_TYPE("git_change", C, change_members);

#define H struct git_history
static const struct pack_member history_members[] = {
        PACK(H, n, PACK_INT),
        PACK_LIST_OF(H, change, n, PACK_LIST, change),
        PACK(H, shallow, PACK_BOOL),
};
static const struct pack_type history = PACK_TYPE("git_history", H, history_members);

const struct pack_type *const git_history_types[] = {&change, &history, NULL};

/* The name of what is kept of a folder. */
static const char *kept_name(const char *folder, struct arena *a)
{
	char hex[HASH_SHA256_HEX + 1];
	hash_sha256(str_of(folder), hex);
	return arena_printf(a, "history-%.12s", hex);
}

static bool take_history(struct git *g, const char *folder, struct arena *a,
                         struct git_history *out)
{
	struct arena scratch = {0};
	struct str bytes;
	struct git_history got = {0};
	bool ok = kept_take(&g->kept, kept_name(folder, &scratch), g->head_hex, MAX_KEPT_BYTES,
	                    &scratch, &bytes) &&
	          pack_take(&history, bytes, a, &got);
	if (ok)
		*out = got;
	arena_free(&scratch);
	return ok;
}

static void leave_history(const struct git *g, const char *folder, const struct git_history *h)
{
	struct arena scratch = {0};
	struct sb bytes = {0};
	pack_put(&history, h, &bytes);
	kept_leave(&g->kept, kept_name(folder, &scratch), g->head_hex, sb_view(&bytes));
	sb_free(&bytes);
	arena_free(&scratch);
}

bool git_history(struct git *g, const char *folder, struct arena *a, struct git_history *out,
                 struct err *e)
{
	*out = (struct git_history){.shallow = git_repository_is_shallow(g->repo) == 1};
	if (!g->head || out->shallow) /* libgit2 does not walk where parents are missing */
		return true;
	if (take_history(g, folder, a, out))
		return true;
	if (!walk_history(g, folder, a, out, e))
		return false;
	leave_history(g, folder, out);
	return true;
}

/* --- tags --- */

struct tags {
	struct git *g;
	struct arena *a;
	struct git_tag *tag;
	size_t n, cap;
};

static bool holds_signature(const char *message)
{
	return message && (strstr(message, "-----BEGIN PGP SIGNATURE-----") ||
	                   strstr(message, "-----BEGIN SSH SIGNATURE-----") ||
	                   strstr(message, "-----BEGIN SIGNED MESSAGE-----"));
}

static void add_tag(struct tags *t, const git_tag *tag, const git_oid *commit)
{
	const git_signature *by = git_tag_tagger(tag);
	t->tag = arena_grow(t->a, t->tag, t->n, &t->cap, sizeof *t->tag);
	t->tag[t->n++] = (struct git_tag){
	        .name = arena_strdup(t->a, git_tag_name(tag)),
	        .commit = hex_of(commit, t->a),
	        .tagger = by ? arena_printf(t->a, "%s <%s>", by->name, by->email) : NULL,
	        .time = by ? by->when.time : 0,
	        .is_signed = holds_signature(git_tag_message(tag)),
	};
}

/* Skips lightweight tags: they are not objects and have no date. */
static int see_tag(const char *name, git_oid *id, void *ctx)
{
	struct tags *t = ctx;
	git_object *tag = NULL, *end = NULL;
	(void)name;
	int rc = git_object_lookup(&tag, t->g->repo, id, GIT_OBJECT_ANY);
	bool annotated = rc == 0 && git_object_type(tag) == GIT_OBJECT_TAG;
	if (annotated)
		rc = git_tag_peel(&end, (git_tag *)tag);
	if (annotated && rc == 0 && git_object_type(end) == GIT_OBJECT_COMMIT)
		add_tag(t, (git_tag *)tag, git_object_id(end));
	git_object_free(end);
	git_object_free(tag);
	return rc;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct git_tag *)a)->name, ((const struct git_tag *)b)->name);
}

bool git_tags(struct git *g, struct arena *a, struct git_tag **out, size_t *n, struct err *e)
{
	struct tags t = {.g = g, .a = a};
	*out = NULL;
	*n = 0;
	if (git_tag_foreach(g->repo, see_tag, &t) != 0)
		return git_fail(g, e, "cannot list the tags: %s", git_why());
	if (t.n > 0)
		qsort(t.tag, t.n, sizeof *t.tag, by_name);
	*out = t.tag;
	*n = t.n;
	return true;
}
