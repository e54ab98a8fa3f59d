/* The repository through libgit2: blobs, trees, ancestors, history, differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/base/kept.h"
#include "site-gen/git/git.h"
#include "tests/unit/help/synthetic_repo.h"

static void no_repository_is_fine(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, false);
	struct err e = ERR_NONE;
	struct git *g = (struct git *)1;
	assert_true(git_open(r.dir, &g, &e));
	assert_null(g);
	repo_free(&r);
}

/* A repository that cannot be opened is an error; as "no repository", all would be previews. */
static void a_broken_repository_is_an_error(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct git *g;
	repo_make(&r, false);
	repo_write(&r, ".git/HEAD", STR("nonsense\n"));
	assert_false(git_open(r.dir, &g, &e));
	assert_null(g);
	assert_non_null(strstr(e.text, "cannot open the git repository"));
	repo_free(&r);
}

static void the_repository_of_another_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip(); /* only root may give a folder away */
	struct repo r;
	struct err e = ERR_NONE;
	struct git *g;
	repo_make(&r, false);
	repo_git(&r, "init -q -b main");
	const char *git = arena_printf(&r.arena, "%s/.git", r.dir);
	assert_int_equal(chown(r.dir, 65534, 65534), 0);
	assert_int_equal(chown(git, 65534, 65534), 0);
	setenv("HOME", r.dir, 1); /* without a safe.directory */
	assert_false(git_open(r.dir, &g, &e));
	assert_non_null(strstr(e.text, "belongs to another user"));
	repo_free(&r);
}

static void no_commit_yet(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct git *g;
	struct git_file *f;
	size_t n;
	repo_make(&r, false);
	repo_git(&r, "init -q -b main");
	assert_true(git_open(r.dir, &g, &e));
	assert_null(git_head(g));
	assert_int_equal(git_head_time(g), 0);
	assert_true(git_files(g, "data", &r.arena, &f, &n, &e));
	assert_int_equal(n, 0);
	git_close(g);
	repo_free(&r);
}

static void reads_head_not_the_work_tree(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct str text;
	bool found;
	char id[HASH_GIT_HEX + 1];
	repo_ready(&r);
	const char *path = "kernels/transpose/tile.cu";
	hash_git_blob(synthetic_source("transpose", "tile", &r.arena), id);
	repo_write(&r, path, STR("edited\n"));
	assert_string_equal(git_blob_at(r.git, NULL, path, &r.arena), id);
	assert_true(git_bytes(r.git, id, &r.arena, &text, &found, &e));
	assert_true(found);
	assert_true(str_starts(text, "// SYNTHETIC source of transpose/tile"));
	assert_null(git_blob_at(r.git, NULL, "kernels/none.cu", &r.arena));
	assert_null(git_blob_at(r.git, NULL, "kernels/transpose", &r.arena));
	assert_true(git_bytes(r.git, "0123456789012345678901234567890123456789", &r.arena, &text,
	                      &found, &e));
	assert_false(found);
	assert_false(git_bytes(r.git, "12", &r.arena, &text, &found, &e));
	repo_free(&r);
}

static void files_are_sorted_and_regular(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct git_file *f;
	size_t n;
	repo_ready(&r);
	assert_true(git_files(r.git, "kernels", &r.arena, &f, &n, &e));
	assert_true(n > 5);
	for (size_t i = 1; i < n; i++)
		assert_true(strcmp(f[i - 1].path, f[i].path) < 0);
	assert_true(git_files(r.git, "nothing", &r.arena, &f, &n, &e));
	assert_int_equal(n, 0);
	const char *link = arena_printf(&r.arena, "%s/kernels/link.cu", r.dir);
	assert_int_equal(symlink("/etc/passwd", link), 0);
	repo_commit(&r);
	git_close(r.git);
	assert_true(git_open(r.dir, &r.git, &e));
	assert_false(git_files(r.git, "kernels", &r.arena, &f, &n, &e));
	assert_non_null(strstr(e.text, "kernels/link.cu: is a symbolic link"));
	repo_free(&r);
}

static void ancestors(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	bool known;
	repo_ready(&r);
	assert_true(git_is_ancestor(r.git, git_head(r.git), &known, &e));
	assert_true(git_is_ancestor(r.git, r.commit, &known, &e));
	assert_false(
	        git_is_ancestor(r.git, "0123456789012345678901234567890123456789", &known, &e));
	assert_false(known);
	char main_head[41];
	memcpy(main_head, git_head(r.git), 41);
	repo_git(&r, "checkout -q --orphan other");
	repo_git(&r, "commit -q -m other");
	git_close(r.git);
	assert_true(git_open(r.dir, &r.git, &e));
	assert_false(git_is_ancestor(r.git, main_head, &known, &e));
	assert_true(known);
	assert_false(e.set);
	repo_free(&r);
}

static const struct git_change *change_of(const struct git_history *h, const char *path, size_t nth)
{
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->change[i].path, path) == 0 && nth-- == 0)
			return &h->change[i];
	return NULL;
}

static void load_history(struct repo *r, struct git_history *h)
{
	struct err e = ERR_NONE;
	git_close(r->git);
	must(git_open(r->dir, &r->git, &e), &e);
	must(git_history(r->git, "kernels", &r->arena, h, &e), &e);
}

static void history(void **state)
{
	(void)state;
	static const char tile[] = "kernels/transpose/tile.cu";
	struct repo r;
	struct git_history h;
	repo_ready(&r);
	load_history(&r, &h);
	size_t first = h.n;
	assert_null(change_of(&h, "data/specs/h200.json", 0));
	const struct git_change *added = change_of(&h, tile, 0);
	assert_null(added->before);
	assert_string_equal(added->after, git_blob_at(r.git, NULL, tile, &r.arena));
	assert_string_equal(added->commit, r.commit);
	assert_int_equal(added->time, 1767229200 /* 2026-01-01, 01:00 */);
	repo_write(&r, tile, STR("second\n"));
	repo_commit(&r);
	repo_git(&r, "rm -q -r kernels/transpose");
	repo_write(&r, "kernels/transpose", STR("now a file\n"));
	repo_commit(&r);
	load_history(&r, &h);
	assert_true(h.n > first);
	const struct git_change *edit = change_of(&h, tile, 1), *gone = change_of(&h, tile, 2);
	assert_string_equal(edit->before, added->after);
	assert_string_equal(gone->before, edit->after);
	assert_null(added->parent);
	assert_string_equal(gone->parent, edit->commit);
	assert_null(gone->after);
	assert_string_equal(change_of(&h, "kernels/transpose", 0)->commit, gone->commit);
	assert_null(change_of(&h, tile, 3));
	repo_free(&r);
}

/* A merge is compared with each side: files that a side lacks are new to it, dropped ones are
 * reported. */
static void history_through_merges(void **state)
{
	(void)state;
	struct repo r;
	struct git_history h;
	repo_ready(&r);
	repo_git(&r, "checkout -q -b side");
	repo_write(&r, "kernels/side.cu", STR("side\n"));
	repo_commit(&r);
	repo_git(&r, "checkout -q main");
	repo_write(&r, "kernels/main.cu", STR("main\n"));
	repo_commit(&r);
	repo_git(&r, "merge -q --no-commit -s ours side > /dev/null");
	repo_git(&r, "commit -q -m merge");
	load_history(&r, &h);
	assert_null(change_of(&h, "kernels/side.cu", 0)->before);
	assert_string_equal(change_of(&h, "kernels/side.cu", 1)->parent,
	                    change_of(&h, "kernels/side.cu", 0)->commit);
	assert_string_equal(change_of(&h, "kernels/main.cu", 1)->parent,
	                    change_of(&h, "kernels/side.cu", 0)->commit);
	assert_null(change_of(&h, "kernels/side.cu", 1)->after);
	assert_non_null(change_of(&h, "kernels/main.cu", 1)->after);
	repo_free(&r);
}

static void a_shallow_clone_says_so(void **state)
{
	(void)state;
	struct repo r;
	struct git_history h;
	repo_ready(&r);
	repo_git(&r, "clone -q --depth 1 file://$PWD shallow");
	char *full = arena_strdup(&r.arena, r.dir);
	strcat(r.dir, "/shallow");
	load_history(&r, &h);
	assert_true(h.shallow);
	assert_int_equal(h.n, 0);
	strcpy(r.dir, full);
	repo_free(&r);
}

static void tags(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct git_tag *t;
	size_t n;
	bool known;
	repo_ready(&r);
	repo_git(&r, "tag light");
	repo_git(&r, "tag -a -m 'on the record' v1");
	repo_git(&r, "tag -a -m '-----BEGIN SSH SIGNATURE-----' v0");
	assert_true(git_tags(r.git, &r.arena, &t, &n, &e));
	assert_int_equal(n, 2);
	assert_string_equal(t[0].name, "v0");
	assert_true(t[0].is_signed);
	assert_false(t[1].is_signed);
	assert_string_equal(t[1].commit, git_head(r.git));
	assert_non_null(strstr(t[1].tagger, "Test <test@example.org>"));
	for (int again = 0; again < 2; again++) { /* kept answers are those that were found */
		assert_true(git_is_before(r.git, r.commit, t[1].commit, &known, &e));
		assert_true(known);
		known = false;
		assert_false(git_is_before(r.git, t[1].commit, r.commit, &known, &e));
		assert_true(known);
	}
	repo_free(&r);
}

/* The file of an object, below the repository. */
static const char *object_file(struct repo *r, const char *id)
{
	return arena_printf(&r->arena, "%s/.git/objects/%.2s/%s", r->dir, id, id + 2);
}

static const char *id_of(struct repo *r, const char *name)
{
	struct err e = ERR_NONE;
	struct str id;
	repo_git(r, arena_printf(&r->arena, "rev-parse %s >id", name));
	must(file_read(arena_printf(&r->arena, "%s/id", r->dir), 100, &r->arena, &id, &e), &e);
	return arena_strndup(&r->arena, id.p, 40);
}

/* Of a history with many merges, every pair of commits is told as git itself tells it. */
static void ancestors_of_a_tangle(void **state)
{
	enum { N = 20, HEX = 40 };
	struct repo r;
	struct err e = ERR_NONE;
	const char *id[N], *before[N];
	struct str text;
	bool known;
	(void)state;
	repo_ready(&r);
	id[0] = id_of(&r, "HEAD");
	for (int i = 1; i < N; i++) { /* one or two parents, at most six commits back */
		int one = i - 1 - i * i % (i < 6 ? i : 6), two = i - 1 - i * 5 % (i < 6 ? i : 6);
		const char *also = one != two ? arena_printf(&r.arena, "-p %s", id[two]) : "";
		repo_git(&r, arena_printf(&r.arena,
		                          "update-ref refs/heads/c%d $(git -c user.name=Test -c "
		                          "user.email=t@example.org commit-tree -m %d -p %s %s "
		                          "HEAD^{tree})",
		                          i, i, id[one], also));
		id[i] = id_of(&r, arena_printf(&r.arena, "c%d", i));
	}
	repo_git(&r,
	         "merge -q -s ours -m all $(git for-each-ref --format='%(refname)' refs/heads)");
	for (int i = 0; i < N; i++) {
		repo_git(&r, arena_printf(&r.arena, "rev-list %s >list", id[i]));
		must(file_read(arena_printf(&r.arena, "%s/list", r.dir), 1 << 16, &r.arena, &text,
		               &e),
		     &e);
		before[i] = str_dup(&r.arena, text);
	}
	git_close(r.git);
	assert_true(git_open(r.dir, &r.git, &e));
	for (int i = 0; i < N * N; i++) {
		const char *a = id[i / N], *b = id[i % N];
		assert_int_equal(git_is_before(r.git, a, b, &known, &e),
		                 strstr(before[i % N], a) != NULL);
		assert_true(known);
	}
	repo_free(&r);
}

/* A link to itself: neither there nor absent, also for root. */
static void make_unreadable(struct repo *r, const char *path)
{
	if (rename(path, arena_printf(&r->arena, "%s.away", path)) != 0 ||
	    symlink(strrchr(path, '/') + 1, path) != 0)
		abort();
}

/* A missing committed object is damage; taken for "not committed", all would be a preview. */
static void a_tree_that_cannot_be_read_is_an_error(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE, f = ERR_NONE;
	struct git_file *file;
	size_t n;
	repo_ready(&r);
	make_unreadable(&r, object_file(&r, id_of(&r, "HEAD:data/specs")));
	git_close(r.git);
	assert_true(git_open(r.dir, &r.git, &e));
	assert_true(git_sound(r.git, &e));
	assert_null(git_blob_at(r.git, NULL, "data/specs/h200.json", &r.arena));
	assert_false(git_sound(r.git, &e));
	assert_non_null(strstr(e.text, "data/specs/h200.json: cannot be read in git"));
	assert_false(git_files(r.git, "data/specs", &r.arena, &file, &n, &f));
	repo_free(&r);
}

static void what_cannot_be_read_is_not_absent(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE, f = ERR_NONE;
	struct str text;
	bool found, known;
	repo_ready(&r);
	const char *blob = id_of(&r, "HEAD:data/specs/h200.json");
	make_unreadable(&r, object_file(&r, blob));
	make_unreadable(&r, object_file(&r, r.commit));
	git_close(r.git);
	assert_true(git_open(r.dir, &r.git, &e));
	assert_false(git_bytes(r.git, blob, &r.arena, &text, &found, &e));
	assert_non_null(strstr(e.text, "is there, but cannot be read"));
	assert_false(git_is_ancestor(r.git, r.commit, &known, &f));
	assert_true(f.set);
	assert_false(git_sound(r.git, &f));
	repo_free(&r);
}

/* The date says whether a run began before its commit: unread, any run would have begun after. */
static void the_date_of_a_commit_that_cannot_be_read_is_not_none(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	repo_ready(&r);
	assert_int_equal(git_time_of(r.git, "0123456789012345678901234567890123456789"), 0);
	assert_int_equal(git_time_of(r.git, "no id"), 0);
	assert_true(git_sound(r.git, &e));
	assert_true(git_time_of(r.git, r.commit) > 0);
	make_unreadable(&r, object_file(&r, r.commit));
	git_close(r.git);
	assert_true(git_open(r.dir, &r.git, &e));
	assert_int_equal(git_time_of(r.git, r.commit), 0);
	assert_false(git_sound(r.git, &e));
	repo_free(&r);
}

static void a_branch_that_cannot_be_read_is_not_unborn(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct git *g;
	repo_ready(&r);
	repo_git(&r, "pack-refs --all");
	make_unreadable(&r, arena_printf(&r.arena, "%s/.git/packed-refs", r.dir));
	assert_false(git_open(r.dir, &g, &e));
	repo_free(&r);
}

static void collect(void *ctx, char kind, struct str text)
{
	sb_printf(ctx, "%c%s" STR_FMT "\n", kind, kind == '@' ? "" : ":",
	          (int)(kind == '@' ? 0 : text.n), text.p);
}

static void differences(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct sb out = {0};
	assert_true(git_diff_lines(STR("a\nb\nc\n"), STR("a\nx\nc\n"), GIT_DIFF_CONTEXT, collect,
	                           &out, &e));
	assert_string_equal(out.p, "@\n :a\n-:b\n+:x\n :c\n");
	sb_clear(&out);
	assert_true(git_diff_lines(STR("same\n"), STR("same\n"), GIT_DIFF_ALL, collect, &out, &e));
	assert_int_equal(out.n, 0);
	sb_free(&out);
}

/* --- what outlives the process --- */

static bool same_changes(const struct git_history *a, const struct git_history *b)
{
	bool same = a->n == b->n && a->shallow == b->shallow;
	for (size_t i = 0; same && i < a->n; i++) {
		const struct git_change *x = &a->change[i], *y = &b->change[i];
		same = strcmp(x->path, y->path) == 0 && strcmp(x->commit, y->commit) == 0 &&
		       !x->before == !y->before && !x->after == !y->after &&
		       (!x->after || strcmp(x->after, y->after) == 0) && x->time == y->time &&
		       x->merge == y->merge;
	}
	return same;
}

/* Opens the repository anew, with what earlier processes kept in it. */
static void open_keeping(struct repo *r)
{
	struct err e = ERR_NONE;
	const struct kept_by kept = {.folder = arena_printf(&r->arena, "%s/kept", r->dir),
	                             .program = "p"};
	git_close(r->git);
	must(file_mkdirs(kept.folder, &e) && git_open(r->dir, &r->git, &e), &e);
	git_keep(r->git, &kept);
}

static bool is_kept(struct repo *r, const char *name)
{
	return file_exists(arena_printf(&r->arena, "%s/kept/%s", r->dir, name));
}

/* The answers of a process that walks, of the next one, and of one after another commit. */
static void what_is_kept_of_the_history_holds_for_its_head(void **state)
{
	(void)state;
	static const char tile[] = "kernels/transpose/tile.cu";
	struct repo r;
	struct git_history plain, kept;
	struct err e = ERR_NONE;
	bool known;
	char first[41], second[41];
	repo_ready(&r);
	repo_head(&r, first);
	const char *was = git_blob_at(r.git, first, tile, &r.arena);
	load_history(&r, &plain);
	for (int i = 0; i < 2; i++) {
		open_keeping(&r);
		must(git_history(r.git, "kernels", &r.arena, &kept, &e), &e);
		assert_true(same_changes(&plain, &kept));
		assert_true(git_is_before(r.git, r.commit, first, &known, &e) && known);
		assert_string_equal(git_blob_at(r.git, first, tile, &r.arena), was);
		assert_null(git_blob_at(r.git, r.commit, "kernels/none.cu", &r.arena));
	}
	git_close(r.git);
	r.git = NULL;
	assert_true(is_kept(&r, "commits") && is_kept(&r, "blobs"));
	repo_write(&r, tile, STR("second\n"));
	repo_write(&r, ".gitignore", STR("kept\n"));
	repo_commit(&r);
	repo_head(&r, second);
	open_keeping(&r);
	must(git_history(r.git, "kernels", &r.arena, &kept, &e), &e);
	assert_int_equal(kept.n, plain.n + 1);
	assert_true(git_is_before(r.git, first, second, &known, &e) && known);
	assert_false(git_is_before(r.git, second, first, &known, &e));
	assert_string_equal(git_blob_at(r.git, first, tile, &r.arena), was);
	assert_string_not_equal(git_blob_at(r.git, NULL, tile, &r.arena), was);
	assert_string_not_equal(git_blob_at(r.git, second, tile, &r.arena), was);
	repo_free(&r);
}

/* A commit beside the history may vanish, and come back. */
static void a_commit_beside_the_history_is_read_each_time(void **state)
{
	(void)state;
	static const char path[] = "kernels/side.cu";
	struct repo r;
	char side[41];
	repo_ready(&r);
	repo_git(&r, "checkout -q -b side");
	repo_write(&r, path, STR("side\n"));
	repo_commit(&r);
	repo_head(&r, side);
	repo_git(&r, "checkout -q main");
	open_keeping(&r);
	assert_non_null(git_blob_at(r.git, side, path, &r.arena));
	repo_git(&r, "branch -q -D side");
	repo_git(&r, "reflog expire --expire=now --all");
	repo_git(&r, "gc -q --prune=now");
	open_keeping(&r);
	assert_null(git_blob_at(r.git, side, path, &r.arena));
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(no_repository_is_fine),
	        cmocka_unit_test(a_broken_repository_is_an_error),
	        cmocka_unit_test(the_repository_of_another_user),
	        cmocka_unit_test(no_commit_yet),
	        cmocka_unit_test(reads_head_not_the_work_tree),
	        cmocka_unit_test(files_are_sorted_and_regular),
	        cmocka_unit_test(ancestors),
	        cmocka_unit_test(history),
	        cmocka_unit_test(history_through_merges),
	        cmocka_unit_test(a_shallow_clone_says_so),
	        cmocka_unit_test(tags),
	        cmocka_unit_test(ancestors_of_a_tangle),
	        cmocka_unit_test(a_tree_that_cannot_be_read_is_an_error),
	        cmocka_unit_test(what_cannot_be_read_is_not_absent),
	        cmocka_unit_test(the_date_of_a_commit_that_cannot_be_read_is_not_none),
	        cmocka_unit_test(a_branch_that_cannot_be_read_is_not_unborn),
	        cmocka_unit_test(what_is_kept_of_the_history_holds_for_its_head),
	        cmocka_unit_test(a_commit_beside_the_history_is_read_each_time),
	        cmocka_unit_test(differences),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
