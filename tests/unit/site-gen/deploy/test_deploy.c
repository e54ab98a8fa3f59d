/* Deployment: what goes where, with compressed forms that hold the same bytes, or nothing at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/gzip.h"
#include "site-gen/deploy/deploy.h"
#include "site-gen/output/compress.h"
#include "site-gen/output/manifest.h"
#include "tests/unit/help/folder.h"

enum { LONG = 4096 };

/* Would compress well, but is too short for it to pay. */
#define SHORT "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static struct deploy_options options(struct folder *f, const char *target)
{
	return (struct deploy_options){.from = folder_path(f, "site"),
	                               .target = target,
	                               .stage = folder_path(f, "stage"),
	                               .cache = folder_path(f, "cache"),
	                               .quiet = true};
}

static const char *long_text(struct folder *f, char letter)
{
	char *text = arena_alloc(&f->arena, LONG + 1);
	memset(text, letter, LONG);
	text[LONG] = 0;
	return text;
}

/* Bytes in which no compression finds a pattern. */
static const char *noise(struct folder *f)
{
	char *text = arena_alloc(&f->arena, LONG + 1);
	unsigned seed = 1;
	for (int i = 0; i < LONG; i++) {
		seed = seed * 1664525u + 1013904223u;
		text[i] = (char)(1 + (seed >> 16) % 255);
	}
	text[LONG] = 0;
	return text;
}

/* A built site: a long page, a short one, a picture, and one that does not compress. */
static void build(struct folder *f, char letter)
{
	const char *const file[][2] = {{"index.html", long_text(f, letter)},
	                               {"about/index.html", SHORT},
	                               {"noise.txt", noise(f)},
	                               {"picture.png", long_text(f, 'p')}};
	struct output_file list[ARRAY_LEN(file)];
	struct sb manifest = {0};
	for (size_t i = 0; i < ARRAY_LEN(file); i++) {
		list[i] = (struct output_file){.path = file[i][0],
		                               .size = (int64_t)strlen(file[i][1])};
		hash_sha256(str_of(file[i][1]), list[i].sha256);
		folder_put(f, arena_printf(&f->arena, "site/%s", file[i][0]), file[i][1]);
	}
	manifest_put(&manifest, &(struct manifest_origin){"test", "1", ""}, list, ARRAY_LEN(file));
	folder_put(f, "site/" MANIFEST_FILE, manifest.p);
	sb_free(&manifest);
}

static struct str bytes_of(struct folder *f, const char *name)
{
	struct str got;
	struct err e = ERR_NONE;
	if (!file_read(folder_path(f, name), 1 << 20, &f->arena, &got, &e))
		fail_msg("%s", e.text);
	return got;
}

static bool there(struct folder *f, const char *name)
{
	return file_exists(folder_path(f, name));
}

static void holds(struct folder *f, const char *name, const char *text)
{
	assert_true(str_eq(bytes_of(f, name), str_of(text)));
}

static void deploys(const struct deploy_options *o)
{
	struct err e = ERR_NONE;
	if (!deploy_site(o, &e))
		fail_msg("%s", e.text);
}

static void refuses(const struct deploy_options *o, const char *says)
{
	struct err e = ERR_NONE;
	assert_false(deploy_site(o, &e));
	if (!strstr(e.text, says))
		fail_msg("'%s' is not in '%s'", says, e.text);
}

static void forms_hold_the_bytes(struct folder *f, const char *at, const char *text)
{
	size_t n;
	const struct compress_form *form = compress_forms(&n);
	for (size_t i = 0; i < n; i++) {
		const char *name = arena_printf(&f->arena, "%s%s", at, form[i].extension);
		assert_true(form[i].holds(bytes_of(f, name), str_of(text)));
	}
}

/* Forms stand beside a file only where they save something. */
static void test_folder(void **state)
{
	static const char *const none[] = {"about/index.html.gz", "about/index.html.br",
	                                   "noise.txt.gz",        "noise.txt.br",
	                                   "picture.png.gz",      "picture.png.br"};
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	build(f, 'a');
	deploys(&o);
	holds(f, "www/index.html", long_text(f, 'a'));
	holds(f, "www/about/index.html", SHORT);
	holds(f, "www/picture.png", long_text(f, 'p'));
	assert_true(there(f, "www/" MANIFEST_FILE));
	forms_hold_the_bytes(f, "www/index.html", long_text(f, 'a'));
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_false(there(f, arena_printf(&f->arena, "www/%s", none[i])));
	assert_false(there(f, "stage"));
	build(f, 'b'); /* the same names, other bytes */
	deploys(&o);
	holds(f, "www/index.html", long_text(f, 'b'));
	forms_hold_the_bytes(f, "www/index.html", long_text(f, 'b'));
}

static void test_dry_run(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	build(f, 'a');
	o.dry_run = true;
	deploys(&o);
	assert_false(there(f, "www"));
	o.dry_run = false;
	deploys(&o);
	build(f, 'b');
	o.dry_run = true;
	deploys(&o);
	holds(f, "www/index.html", long_text(f, 'a'));
}

static void test_nothing_built(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	refuses(&o, "/site: there is no site; build it first");
	assert_false(there(f, "www"));
	struct err e = ERR_NONE;
	assert_true(file_mkdirs(o.from, &e));
	refuses(&o, "/site: there is no site; build it first");
}

/* Files that no build made are never lost. */
static void test_foreign_files(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	build(f, 'a');
	folder_put(f, "www/letter.txt", "mine");
	for (int dry = 0; dry <= 1; dry++) {
		o.dry_run = dry;
		refuses(&o, "www: holds files that no build made (letter.txt; 1 in all)");
		holds(f, "www/letter.txt", "mine");
		assert_false(there(f, "www/index.html"));
	}
}

/* A dry run refuses what stands beside the site, as the deployment does. */
static void test_foreign_files_beside(void **state)
{
	static const char *const beside[][2] = {
	        {"www.new/letter.txt", "www.new: holds files that no build made"},
	        {"www.replaced/letter.txt", "www.replaced: holds files that no build made"},
	        {"www.lock", "www.lock: is in the way: it is not the lock of a build"}};
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	build(f, 'a');
	deploys(&o); /* what is .replaced is put back only where there is no site */
	for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
		const char *path = folder_put(f, beside[i][0], "mine");
		for (int dry = 0; dry <= 1; dry++) {
			o.dry_run = dry;
			refuses(&o, beside[i][1]);
			holds(f, beside[i][0], "mine");
		}
		assert_int_equal(remove(path), 0);
	}
}

/* What the cache holds counts only if it is a form of these bytes. */
static void test_poisoned_cache(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	char hex[HASH_SHA256_HEX + 1];
	build(f, 'a');
	hash_sha256(str_of(long_text(f, 'a')), hex);
	const char *gzip = arena_printf(&f->arena, "cache/compressed/%s.gz", hex);
	struct sb other = {0};
	assert_true(gzip_pack(str_of(long_text(f, 'x')), &other));
	folder_put(f, gzip, "x"); /* makes the folder */
	struct err e = ERR_NONE;
	assert_true(file_write(folder_path(f, gzip), sb_view(&other), &e));
	sb_free(&other);
	folder_put(f, arena_printf(&f->arena, "cache/compressed/%s.br", hex), "not brotli");
	deploys(&o);
	forms_hold_the_bytes(f, "www/index.html", long_text(f, 'a'));
	assert_true(gzip_holds(bytes_of(f, gzip), str_of(long_text(f, 'a'))));
}

/* A good form in the cache is taken as it is. */
static void test_cache_is_used(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "www"));
	char hex[HASH_SHA256_HEX + 1];
	struct err e = ERR_NONE;
	build(f, 'a');
	deploys(&o);
	hash_sha256(str_of(long_text(f, 'a')), hex);
	const char *gzip = arena_printf(&f->arena, "cache/compressed/%s.gz", hex);
	struct str made = bytes_of(f, gzip);
	char *marked = str_dup(&f->arena, made);
	marked[4] = 'T'; /* the time in its header, which means nothing for the content */
	assert_true(file_write(folder_path(f, gzip), (struct str){marked, made.n}, &e));
	deploys(&o);
	assert_true(str_eq(bytes_of(f, "www/index.html.gz"), (struct str){marked, made.n}));
}

/* An rsync that writes its arguments to a file, and ends with this status. */
static void pretend_rsync(struct folder *f, int status)
{
	const char *path =
	        folder_put(f, "bin/rsync",
	                   arena_printf(&f->arena, "#!/bin/sh\necho \"$*\" > %s/argv\nexit %d\n",
	                                f->path, status));
	assert_int_equal(chmod(path, 0755), 0);
	setenv("PATH", folder_path(f, "bin"), 1);
}

static void sends(struct folder *f, const char *target, const char *argv)
{
	struct deploy_options o = options(f, target);
	unlink(folder_path(f, "argv"));
	deploys(&o);
	holds(f, "argv",
	      arena_printf(&f->arena,
	                   "--recursive --checksum --times --delay-updates --delete-delay --quiet "
	                   "%s -- %s/ %s\n",
	                   argv, o.stage, target));
	forms_hold_the_bytes(f, "stage/index.html", long_text(f, 'a'));
}

static void test_rsync(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, "host:/srv/www");
	build(f, 'a');
	pretend_rsync(f, 0);
	sends(f, "host:/srv/www", "--chmod=D755,F644");
	sends(f, "me@host:blog", "--chmod=D755,F644");
	sends(f, "rsync://host/module", "--chmod=D755,F644");
	o.dry_run = true;
	deploys(&o);
	assert_non_null(strstr(bytes_of(f, "argv").p, " --dry-run -- "));
	pretend_rsync(f, 23);
	refuses(&o, "rsync failed; its own message stands above");
}

static void test_no_rsync(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, "host:/srv/www");
	build(f, 'a');
	setenv("PATH", folder_path(f, "empty"), 1);
	refuses(&o, "'rsync' is not installed");
}

/* A colon makes a host only before the first slash, and only after a name. */
static void test_folders_with_a_colon(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, folder_path(f, "a:b"));
	build(f, 'a');
	pretend_rsync(f, 0);
	deploys(&o);
	holds(f, "a:b/index.html", long_text(f, 'a'));
	assert_int_equal(chdir(f->path), 0);
	o.target = ":c";
	deploys(&o);
	holds(f, ":c/index.html", long_text(f, 'a'));
	assert_false(there(f, "argv"));
}

static void test_branch_needs_a_repository(void **state)
{
	struct folder *f = *state;
	struct deploy_options o = options(f, "git:pages");
	build(f, 'a');
	assert_int_equal(chdir(f->path), 0);
	refuses(&o, "there is no git repository here to hold branch 'pages'");
	o.dry_run = true;
	refuses(&o, "there is no git repository here to hold branch 'pages'");
}

static char here[4096], paths[4096];

/* Tests may change the folder and the PATH. */
static int leave(void **state)
{
	assert_int_equal(chdir(here), 0);
	setenv("PATH", paths, 1);
	return folder_teardown(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_setup, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(test_folder),
	        TEST(test_dry_run),
	        TEST(test_nothing_built),
	        TEST(test_foreign_files),
	        TEST(test_foreign_files_beside),
	        TEST(test_poisoned_cache),
	        TEST(test_cache_is_used),
	        TEST(test_rsync),
	        TEST(test_no_rsync),
	        TEST(test_folders_with_a_colon),
	        TEST(test_branch_needs_a_repository),
	};
	if (!getcwd(here, sizeof here))
		return 1;
	snprintf(paths, sizeof paths, "%s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
