#include "site-gen/git/git.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "site-gen/git/inner.h"

enum {
	/* The largest blob that can be read: a record of 64 MiB. */
	GIT_MAX_BLOB = 64 << 20,
};

const char *git_why(void)
{
	const git_error *g = git_error_last();
	return g && g->message ? g->message : "unknown reason";
}

bool git_fail(struct git *g, struct err *e, const char *fmt, ...)
{
	char text[sizeof e->text];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(&g->failed, "%s", text);
	return err_set(e, "%s", text);
}

bool git_sound(const struct git *g, struct err *e)
{
	return !g || !g->failed.set || err_set(e, "%s", g->failed.text);
}

/*
 * Explains why a repository could not be opened, with a remedy, which libgit2's
 * own messages lack.
 */
static bool open_failed(const char *root, int rc, struct err *e)
{
	if (rc == GIT_EOWNER || strstr(git_why(), "safe.directory"))
		return err_set(e,
		               "%s: the repository belongs to another user; allow it with "
		               "'git config --global --add safe.directory \"$(realpath %s)\"'",
		               root, root);
	if (strstr(git_why(), "extension"))
		return err_set(e,
		               "%s: the repository uses a git extension that cannot be read here "
		               "(sparse checkout, partial clone or SHA-256): %s; use a plain clone",
		               root, git_why());
	return err_set(e, "%s: cannot open the git repository: %s", root, git_why());
}

/*
 * Is there really no repository? GIT_ENOTFOUND does not prove it: libgit2 1.5
 * returns it also for a repository of another user if no safe.directory is
 * configured. A site must not silently turn into a preview.
 */
static bool no_repository(const char *root)
{
	struct sb path = {0};
	sb_printf(&path, "%s/.git", root);
	bool none = !file_exists(path.p);
	sb_free(&path);
	return none;
}

static bool open_head(struct git *g, const char *root, struct err *e)
{
	git_reference *ref = NULL;
	bool unborn;
	int rc = git_repository_head(&ref, g->repo);
	if (rc == GIT_EUNBORNBRANCH || rc == GIT_ENOTFOUND)
		return git_is_unborn(git_repository_path(g->repo), &unborn, e) &&
		       (unborn || err_set(e, "%s: HEAD cannot be read just now; run again", root));
	git_object *o = NULL;
	if (rc == 0)
		rc = git_reference_peel(&o, ref, GIT_OBJECT_COMMIT);
	git_reference_free(ref);
	if (rc != 0)
		return err_set(e, "%s: cannot read HEAD: %s", root, git_why());
	g->head = (git_commit *)o;
	git_oid_tostr(g->head_hex, sizeof g->head_hex, git_commit_id(g->head));
	if (git_commit_tree(&g->tree, g->head) != 0)
		return err_set(e, "%s: cannot read the tree of HEAD: %s", root, git_why());
	return true;
}

bool git_open(const char *root, struct git **out, struct err *e)
{
	*out = NULL;
	if (git_libgit2_init() < 0)
		return err_set(e, "libgit2 does not start: %s", git_why());
	struct git *g = calloc(1, sizeof *g);
	if (!g)
		arena_die("out of memory");
	int rc = git_repository_open_ext(&g->repo, root, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (rc == GIT_ENOTFOUND && no_repository(root)) {
		git_close(g);
		return true;
	}
	bool ok = rc == 0 || open_failed(root, rc, e);
	if (ok && git_repository_odb(&g->odb, g->repo) != 0)
		ok = err_set(e, "%s: cannot open the object database: %s", root, git_why());
	ok = ok && open_head(g, root, e);
	if (!ok) {
		git_close(g);
		return false;
	}
	*out = g;
	return true;
}

void git_close(struct git *g)
{
	if (!g)
		return;
	git_blobs_leave(g);
	git_ancestors_free(g->ancestors);
	git_tree_free(g->tree);
	git_commit_free(g->head);
	git_odb_free(g->odb);
	git_repository_free(g->repo);
	arena_free(&g->arena);
	free(g);
	git_libgit2_shutdown();
}

void git_keep(struct git *g, const struct kept_by *kept)
{
	if (!kept->folder || !kept->program)
		return;
	g->kept = (struct kept_by){arena_strdup(&g->arena, kept->folder),
	                           arena_strdup(&g->arena, kept->program), kept->renew};
}

const char *git_head(const struct git *g)
{
	return g->head ? g->head_hex : NULL;
}

int64_t git_head_time(const struct git *g)
{
	return g->head ? git_commit_time(g->head) : 0;
}

/* --- trees --- */

struct walk {
	struct git *g;
	struct arena *a;
	struct git_file *files;
	size_t n, cap;
	struct err *e;
};

static void add_file(struct walk *w, const char *path, const git_oid *id)
{
	w->files = arena_grow(w->a, w->files, w->n, &w->cap, sizeof *w->files);
	char *hex = arena_alloc(w->a, GIT_OID_HEXSZ + 1);
	git_oid_tostr(hex, GIT_OID_HEXSZ + 1, id);
	w->files[w->n++] = (struct git_file){path, hex};
}

static bool walk_folder(struct walk *w, const char *folder, const git_oid *id);

/* Takes one entry of a folder's tree: the folders below it are walked, too. */
static bool visit(struct walk *w, const char *mode, const char *path, const git_oid *id)
{
	if (strcmp(mode, "40000") == 0)
		return walk_folder(w, path, id);
	if (strncmp(mode, "100", 3) != 0)
		return err_set(w->e, "%s: is a %s in HEAD, expected a regular file", path,
		               strcmp(mode, "120000") == 0 ? "symbolic link" : "submodule");
	add_file(w, path, id);
	return true;
}

/*
 * Reads the entries of a tree, each its mode, a space, its name, a NUL and 20 bytes of an id.
 * libgit2's own reader of trees may lose entries without an error when it gets no memory.
 */
static bool walk_entries(struct walk *w, const char *folder, struct str raw)
{
	while (raw.n > 0) {
		const char *space = memchr(raw.p, ' ', raw.n), *nul = memchr(raw.p, 0, raw.n);
		git_oid id;
		if (!space || !nul || nul < space ||
		    (size_t)(nul - raw.p) + 1 + GIT_OID_RAWSZ > raw.n)
			return err_set(w->e, "%s: is a damaged folder in HEAD; run 'git fsck'",
			               folder);
		git_oid_fromraw(&id, (const unsigned char *)nul + 1);
		const char *mode = arena_strndup(w->a, raw.p, (size_t)(space - raw.p));
		if (!visit(w, mode, arena_printf(w->a, "%s/%s", folder, space + 1), &id))
			return false;
		raw = str_sub(raw, (size_t)(nul - raw.p) + 1 + GIT_OID_RAWSZ, raw.n);
	}
	return true;
}

static bool walk_folder(struct walk *w, const char *folder, const git_oid *id)
{
	git_odb_object *o = NULL;
	if (git_odb_read(&o, w->g->odb, id) != 0)
		return git_fail(w->g, w->e, "%s: cannot read the folder in HEAD: %s", folder,
		                git_why());
	bool ok = walk_entries(w, folder,
	                       (struct str){git_odb_object_data(o), git_odb_object_size(o)});
	git_odb_object_free(o);
	return ok;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct git_file *)a)->path, ((const struct git_file *)b)->path);
}

bool git_entry_at(struct git *g, const git_tree *tree, const char *path, git_tree_entry **out,
                  struct err *e)
{
	struct str name, rest = str_of(path);
	git_tree *held = NULL;
	char part[256];
	bool ok = true, more = true;
	*out = NULL;
	while (ok && more) {
		more = str_cut(rest, '/', &name, &rest);
		if (name.n >= sizeof part)
			break; /* longer than any file system allows */
		snprintf(part, sizeof part, STR_FMT, STR_ARG(name));
		const git_tree_entry *entry = git_tree_entry_byname(tree, part);
		if (!entry || (more && git_tree_entry_type(entry) != GIT_OBJECT_TREE))
			break;
		git_tree *below = NULL;
		if (more ? git_tree_lookup(&below, g->repo, git_tree_entry_id(entry))
		         : git_tree_entry_dup(out, entry))
			ok = git_fail(g, e, "%s: cannot be read in git: %s; run 'git fsck'", path,
			              git_why());
		git_tree_free(held);
		tree = held = below;
	}
	git_tree_free(held);
	return ok;
}

bool git_files(struct git *g, const char *folder, struct arena *a, struct git_file **out, size_t *n,
               struct err *e)
{
	*out = NULL;
	*n = 0;
	git_tree_entry *entry = NULL;
	if (!g->tree)
		return true;
	if (!git_entry_at(g, g->tree, folder, &entry, e))
		return false;
	if (!entry)
		return true;
	struct walk w = {.g = g, .a = a, .e = e};
	bool ok = walk_folder(&w, folder, git_tree_entry_id(entry));
	git_tree_entry_free(entry);
	if (!ok)
		return false;
	if (w.n > 0)
		qsort(w.files, w.n, sizeof *w.files, by_path);
	*out = w.files;
	*n = w.n;
	return true;
}

/* --- blobs --- */

bool git_bytes(struct git *g, const char *id, struct arena *a, struct str *out, bool *found,
               struct err *e)
{
	*found = false;
	git_oid oid;
	if (strlen(id) != GIT_OID_HEXSZ || git_oid_fromstr(&oid, id) != 0)
		return err_set(e, "'%s' is not a blob id, expected 40 hex digits", id);
	git_odb_object *o = NULL;
	bool has = true;
	int rc = git_odb_read(&o, g->odb, &oid);
	if (rc == GIT_ENOTFOUND && !git_has_object(g, &oid, &has, e))
		return false;
	if (!has)
		return true;
	if (rc != 0)
		return git_fail(g, e, "blob %s cannot be read: %s; run 'git fsck'", id, git_why());
	if (git_odb_object_type(o) == GIT_OBJECT_BLOB && git_odb_object_size(o) <= GIT_MAX_BLOB) {
		size_t n = git_odb_object_size(o);
		*out = (struct str){arena_strndup(a, git_odb_object_data(o), n), n};
		*found = true;
	}
	git_odb_object_free(o);
	return *found ||
	       err_set(e, "object %s is not a blob of at most %d bytes", id, GIT_MAX_BLOB);
}

/* The tree of a commit; NULL if this repository has no such commit. */
static bool tree_of(struct git *g, const char *commit, git_tree **out, struct err *e)
{
	git_oid oid;
	git_commit *c = NULL;
	bool has;
	*out = NULL;
	if (strlen(commit) != GIT_OID_HEXSZ || git_oid_fromstr(&oid, commit) != 0)
		return true;
	if (!git_has_object(g, &oid, &has, e) || !has)
		return !has;
	bool ok = (git_commit_lookup(&c, g->repo, &oid) == 0 && git_commit_tree(out, c) == 0) ||
	          git_fail(g, e, "commit %s cannot be read: %s; run 'git fsck'", commit, git_why());
	git_commit_free(c);
	return ok;
}

static const char *regular_file(const git_tree_entry *entry, struct arena *a)
{
	git_filemode_t mode = git_tree_entry_filemode(entry);
	if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE)
		return NULL;
	char *hex = arena_alloc(a, GIT_OID_HEXSZ + 1);
	return git_oid_tostr(hex, GIT_OID_HEXSZ + 1, git_tree_entry_id(entry));
}

static bool parse_id(const char *hex, git_oid *id)
{
	return strlen(hex) == GIT_OID_HEXSZ && git_oid_fromstr(id, hex) == 0;
}

/* git_blob_at(), as read; *ok is false if a read failed. */
static const char *read_blob_at(struct git *g, const char *commit, const char *path,
                                struct arena *a, bool *ok)
{
	struct err kept_in_g = ERR_NONE;
	git_tree *t = g->tree;
	git_tree_entry *entry = NULL;
	*ok = !commit || tree_of(g, commit, &t, &kept_in_g);
	if (*ok && t)
		*ok = git_entry_at(g, t, path, &entry, &kept_in_g);
	const char *hex = entry ? regular_file(entry, a) : NULL;
	git_tree_entry_free(entry);
	if (commit)
		git_tree_free(t);
	return hex;
}

/* Is it HEAD, or in HEAD's history? Other commits may come and go. */
static bool is_of_history(struct git *g, const char *commit)
{
	git_oid id;
	bool before = false;
	return strcmp(commit, g->head_hex) == 0 ||
	       (parse_id(commit, &id) &&
	        git_ancestors_know(g, &id, git_commit_id(g->head), &before) && before);
}

const char *git_blob_at(struct git *g, const char *commit, const char *path, struct arena *a)
{
	const char *at = commit ? commit : git_head(g), *blob;
	bool ok;
	if (!at || !is_of_history(g, at))
		return read_blob_at(g, commit, path, a, &ok);
	if (git_blobs_know(g, at, path, &blob))
		return blob ? arena_strdup(a, blob) : NULL;
	blob = read_blob_at(g, commit, path, a, &ok);
	if (ok)
		git_blobs_learn(g, at, path, blob);
	return blob;
}

static bool has_commit(struct git *g, const char *hex, git_oid *id, bool *has, struct err *e)
{
	*has = false;
	return !parse_id(hex, id) || git_has_object(g, id, has, e);
}

bool git_is_before(struct git *g, const char *commit, const char *of, bool *known, struct err *e)
{
	git_oid oid, end;
	bool has_one, has_end;
	*known = false;
	if (!parse_id(commit, &oid) || !parse_id(of, &end))
		return false;
	bool before;
	*known = git_ancestors_know(g, &oid, &end, &before);
	if (*known)
		return before;
	if (!has_commit(g, commit, &oid, &has_one, e) || !has_commit(g, of, &end, &has_end, e) ||
	    !has_one || !has_end)
		return false;
	*known = true;
	if (git_oid_equal(&oid, &end))
		return true;
	int rc = git_graph_descendant_of(g->repo, &end, &oid);
	if (rc < 0)
		return git_fail(g, e, "cannot walk from commit %s to %s: %s", of, commit,
		                git_why());
	return rc == 1;
}

bool git_is_ancestor(struct git *g, const char *commit, bool *known, struct err *e)
{
	*known = false;
	return g->head && git_is_before(g, commit, g->head_hex, known, e);
}

int64_t git_time_of(struct git *g, const char *commit)
{
	git_oid oid;
	git_commit *c = NULL;
	bool has;
	struct err kept_in_g = ERR_NONE;
	if (!has_commit(g, commit, &oid, &has, &kept_in_g) || !has)
		return 0;
	if (git_commit_lookup(&c, g->repo, &oid) != 0) {
		git_fail(g, &kept_in_g, "commit %s cannot be read: %s; run 'git fsck'", commit,
		         git_why());
		return 0;
	}
	int64_t time = git_commit_time(c);
	git_commit_free(c);
	return time;
}

/* --- differences --- */

struct diff_call {
	void (*line)(void *ctx, char kind, struct str text);
	void *ctx;
	size_t added, removed;
};

static int on_hunk(const git_diff_delta *d, const git_diff_hunk *h, void *payload)
{
	(void)d;
	const struct diff_call *c = payload;
	c->line(c->ctx, '@', (struct str){h->header, h->header_len});
	return 0;
}

static int on_line(const git_diff_delta *d, const git_diff_hunk *h, const git_diff_line *l,
                   void *payload)
{
	(void)d;
	(void)h;
	struct diff_call *c = payload;
	if (l->origin == ' ' || l->origin == '+' || l->origin == '-') {
		struct str text = {l->content, l->content_len};
		if (text.n > 0 && text.p[text.n - 1] == '\n')
			text.n--;
		c->line(c->ctx, l->origin, text);
		c->added += l->origin == '+';
		c->removed += l->origin == '-';
	}
	return 0;
}

static size_t count_lines(struct str s)
{
	size_t n = s.n > 0 && s.p[s.n - 1] != '\n';
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

/*
 * libgit2 1.5 may report success without any line when a comparison runs out of
 * memory. Different sources have at least one line, and the lines must add up.
 */
static bool adds_up(const struct diff_call *c, struct str before, struct str after)
{
	return (str_eq(before, after) || c->added + c->removed > 0) &&
	       count_lines(before) + c->added == count_lines(after) + c->removed;
}

bool git_diff_lines(struct str before, struct str after, unsigned context,
                    void (*line)(void *ctx, char kind, struct str text), void *ctx, struct err *e)
{
	/* git_diff() may be called without an open repository */
	if (git_libgit2_init() < 0)
		return err_set(e, "libgit2 does not start: %s", git_why());
	git_diff_options opts;
	git_diff_options_init(&opts, GIT_DIFF_OPTIONS_VERSION);
	opts.context_lines = context;
	opts.flags = GIT_DIFF_FORCE_TEXT;
	struct diff_call call = {.line = line, .ctx = ctx};
	int rc = git_diff_buffers(before.p, before.n, NULL, after.p, after.n, NULL, &opts, NULL,
	                          NULL, on_hunk, on_line, &call);
	bool ok = rc == 0 || err_set(e, "cannot compare two sources: %s", git_why());
	if (ok && !adds_up(&call, before, after))
		ok = err_set(e, "cannot compare two sources: lines are missing, as when memory is "
		                "out; build again");
	git_libgit2_shutdown();
	return ok;
}
