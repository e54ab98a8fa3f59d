/*
 * Digests: a run from the cache is the run from its record, and a file in the cache may be
 * lost, but never breaks anything.
 */
#include "site-gen/records/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/record_file.h"
#include "lib/sass.h"
#include "site-gen/base/kept.h"
#include "site-gen/build/kept_pages.h"
#include "site-gen/records/builds.h"
#include "site-gen/records/listing_digest.h"
#include "site-gen/records/run.h"
#include "tests/unit/help/synthetic_repo.h"

#define TILE "transpose/tile:"

/* --- the tables --- */

static bool is_name(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

/* The header without its comments. */
static char *code_of(const char *path, struct arena *a)
{
	struct str text;
	struct err e = ERR_NONE;
	must(file_read(path, 1 << 20, a, &text, &e), &e);
	char *out = arena_strndup(a, text.p, text.n), *to = out;
	for (const char *p = text.p; *p;) {
		const char *end = strncmp(p, "/*", 2) == 0 ? strstr(p, "*/") : NULL;
		if (end)
			p = end + 2;
		else
			*to++ = *p++;
	}
	*to = '\0';
	return out;
}

/* The members of a struct in a header: " a b c ", from its declarations. NULL: no such struct. */
static char *members_of(const char *path, const char *name, struct arena *a)
{
	const char *p = strstr(code_of(path, a), arena_printf(a, "\nstruct %s {", name));
	struct sb all = {0};
	const char *end = p ? strstr(p, "\n};") : NULL;
	if (!end)
		return NULL;
	p = strchr(p, '{') + 1;
	sb_char(&all, ' ');
	for (const char *last = p; p < end; p++) {
		if (is_name(*p) && !is_name(p[-1]))
			last = p;
		const char *q = p + 1;
		while (*q == ' ')
			q++;
		if (!is_name(*p) || is_name(p[1]) || !strchr(",;[", *q))
			continue;
		sb_put(&all, last, (size_t)(p + 1 - last));
		sb_char(&all, ' ');
		if (*q == '[')
			p = strchr(q, ']');
	}
	return sb_take(a, &all);
}

/* Has the member the size of what its row says? */
static bool fits(const struct pack_member *m)
{
	switch (m->kind) {
	case PACK_INT:
		return m->size == sizeof(int64_t) || m->size == sizeof(int32_t);
	case PACK_BOOL:
		return m->size == sizeof(bool);
	case PACK_INSIDE:
		return m->size % m->type->size == 0;
	case PACK_CHARS:
	case PACK_LATER:
		return true;
	default:
		return m->size == sizeof(void *);
	}
}

/* The members of a struct in whichever header has it. */
static char *find_members(const char *name, struct arena *a)
{
	static const char *const headers[] = {"lib/record.h",
	                                      "lib/record_trace.h",
	                                      "lib/record_foreign.h",
	                                      "lib/sass.h",
	                                      "lib/stats.h",
	                                      "site-gen/git/git.h",
	                                      "site-gen/records/builds.h",
	                                      "site-gen/records/data.h",
	                                      "site-gen/records/reason.h",
	                                      "lib/err.h",
	                                      "site-gen/base/image.h",
	                                      "site-gen/build/kept_pages.h",
	                                      "site-gen/markdown/markdown.h",
	                                      "site-gen/records/context.h",
	                                      "site-gen/site/page.h"};
	char *all = NULL;
	for (size_t i = 0; i < ARRAY_LEN(headers) && !all; i++)
		all = members_of(headers[i], name, a);
	return all;
}

static void have_rows(const struct pack_type *const *type)
{
	struct arena a = {0};
	for (size_t i = 0; type[i]; i++) {
		const struct pack_type *t = type[i];
		char *want = find_members(t->name, &a);
		size_t n = 0;
		if (!want)
			fail_msg("struct %s is in no header", t->name);
		for (char *p = want + 1; *p; p++)
			n += *p == ' ';
		for (size_t m = 0; m < t->n; m++)
			if (!strstr(want, arena_printf(&a, " %s ", t->member[m].name)))
				fail_msg("struct %s has no %s", t->name, t->member[m].name);
		for (size_t m = 0; m < t->n; m++)
			if (!fits(&t->member[m]))
				fail_msg("%s.%s is of another size", t->name, t->member[m].name);
		if (n != t->n)
			fail_msg("struct %s has %zu members (%s), the table has %zu", t->name, n,
			         want, t->n);
	}
	arena_free(&a);
}

/* A struct that gains a member needs a row for it, or what comes from the cache would lack it. */
static void each_member_has_a_row(void **state)
{
	(void)state;
	have_rows(digest_types);
	have_rows(listing_digest_types);
	have_rows(builds_types);
	have_rows(git_history_types);
	have_rows(kept_pages_types);
}

/* --- from the record and from the cache --- */

static struct repo repo;
static struct kept_by kept;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	kept = (struct kept_by){.folder = arena_printf(&repo.arena, "%s/cache/records", repo.dir),
	                        .program = kept_program(&repo.arena)};
	return kept.program ? 0 : 1;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static struct data load(bool renew)
{
	struct data d;
	struct err e = ERR_NONE;
	const struct data_cache c = {.folder = arena_printf(&repo.arena, "%s/cache", repo.dir),
	                             .renew = renew};
	must(data_load(repo.dir, repo.git, &c, "h200", &repo.arena, &d, &e), &e);
	return d;
}

static struct str digest_of(const struct data_run *r)
{
	struct sb to = {0};
	digest_put(r, &to);
	struct str s = str_keep(&repo.arena, sb_view(&to));
	sb_free(&to);
	return s;
}

static const char *kept_path(const struct data *d)
{
	return arena_printf(&repo.arena, "%s/%s", kept.folder, d->runs[0].blob);
}

static struct data_case *tile(const struct data_run *r)
{
	for (size_t i = 0; i < r->run.ncases; i++)
		if (strncmp(r->run.cases[i].id, TILE, strlen(TILE)) == 0)
			return &r->cases[i];
	abort();
}

/* Reads a record as loading does, and its digest, which must give the same digest again. */
static void comes_back(const char *path)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str stored;
	size_t n;
	struct data_run full = {.path = path}, back = {.path = path}, other = {.path = "else"};
	must(file_read(path, RECORD_MAX_BYTES, &a, &stored, &e) &&
	             run_lines(&full, stored, &a, &n, &e) && run_derive(&full, &a, &e),
	     &e);
	struct str one = digest_of(&full);
	if (!digest_take(one, NULL, &a, &back) || !str_eq(one, digest_of(&back)))
		fail_msg("%s: its digest is another one when read back", path);
	assert_false(digest_take(one, NULL, &a, &other));
	assert_int_equal(back.run.nlaunches, full.run.nlaunches);
	assert_null(back.run.launches);
	for (size_t i = 0; i < full.run.ncases; i++) {
		assert_ptr_equal(back.cases[i].c, &back.run.cases[i]);
		assert_string_equal(back.run.cases[i].id, full.run.cases[i].id);
		assert_memory_equal(&back.cases[i].time, &full.cases[i].time,
		                    sizeof full.cases[i].time);
	}
	arena_free(&a);
}

static void each_committed_record_comes_back(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	static const char *const folders[] = {"data/runs/h200", "data/profiles/h200"};
	for (size_t f = 0; f < 2; f++) {
		struct file_entry *in;
		size_t n;
		must(file_list(folders[f], &a, &in, &n, &e), &e);
		for (size_t i = 0; i < n; i++)
			comes_back(arena_printf(&a, "%s/%s", folders[f], in[i].name));
	}
	arena_free(&a);
}

static void the_cache_gives_the_same_run(void **state)
{
	(void)state;
	struct data cold = load(false), warm = load(false), renewed = load(true);
	assert_true(file_exists(kept_path(&cold)));
	assert_true(str_eq(digest_of(&cold.runs[0]), digest_of(&warm.runs[0])));
	assert_true(str_eq(digest_of(&cold.runs[0]), digest_of(&renewed.runs[0])));
	assert_true(tile(&warm.runs[0])->time.launches == 10);
}

/* Changes a number in the cache, with the right hash: only who reads the record can tell. */
static void plant(const struct data *d)
{
	struct data_run false_run = d->runs[0];
	struct data_case *k = tile(&false_run);
	struct stats_summary was = k->time;
	k->time.typical *= 2;
	digest_cache(&kept, d->runs[0].blob, digest_of(&false_run));
	k->time = was;
}

static void only_a_renewed_cache_is_proof(void **state)
{
	(void)state;
	struct data d = load(true);
	double honest = tile(&d.runs[0])->time.typical;
	plant(&d);
	d = load(false);
	assert_true(tile(&d.runs[0])->time.typical == 2 * honest); /* so the cache is read */
	d = load(true);
	assert_true(tile(&d.runs[0])->time.typical == honest);
	d = load(false); /* and it was made again */
	assert_true(tile(&d.runs[0])->time.typical == honest);
}

static void put(const char *path, const char *bytes, size_t n)
{
	struct err e = ERR_NONE;
	must(file_write(path, (struct str){bytes, n}, &e), &e);
}

/* Whatever became of the file: it is made again, with the same contents. */
static void a_damaged_file_is_made_again(void **state)
{
	(void)state;
	struct data d = load(true);
	struct err e = ERR_NONE;
	struct str good, again;
	struct data_run r = {.path = d.runs[0].path};
	const char *path = kept_path(&d);
	must(file_read(path, 1 << 24, &repo.arena, &good, &e), &e);
	char *bad = arena_strndup(&repo.arena, good.p, good.n);
	for (size_t i = 0; i < good.n; i += 61) {
		put(path, bad, i);
		assert_false(digest_cached(&kept, d.runs[0].blob, NULL, &repo.arena, &r));
		bad[i] ^= 4;
		put(path, bad, good.n);
		assert_false(digest_cached(&kept, d.runs[0].blob, NULL, &repo.arena, &r));
		bad[i] ^= 4;
	}
	must(unlink(path) == 0 && mkdir(path, 0755) == 0, &e); /* not even a file */
	d = load(false);
	assert_true(rmdir(path) == 0);
	put(path, "", 0);
	d = load(false);
	must(file_read(path, 1 << 24, &repo.arena, &again, &e), &e);
	assert_true(str_eq(good, again));
}

/* With a right hash, too, bytes that are no digest are refused, and nothing strays. */
static void no_digest_makes_it_stray(void **state)
{
	(void)state;
	struct data d = load(false);
	struct str good = digest_of(&d.runs[0]);
	char *bad = arena_strndup(&repo.arena, good.p, good.n);
	size_t taken = 0;
	for (size_t i = 0; i < good.n; i += 7) {
		struct arena a = {0};
		struct data_run r = {.path = d.runs[0].path};
		bad[i] ^= (char)(1 << i % 8);
		taken += digest_take((struct str){bad, good.n}, NULL, &a, &r);
		assert_false(digest_take((struct str){good.p, i}, NULL, &a, &r));
		bad[i] = good.p[i];
		arena_free(&a);
	}
	assert_true(taken > 0 && taken < good.n / 7);
}

static void another_program_makes_its_own(void **state)
{
	(void)state;
	struct data d = load(false);
	struct data_run r = {.path = d.runs[0].path};
	char other[HASH_SHA256_HEX + 1];
	hash_sha256(STR("an older version"), other);
	const struct kept_by older = {.folder = kept.folder, .program = other};
	assert_true(digest_cached(&kept, d.runs[0].blob, NULL, &repo.arena, &r));
	assert_false(digest_cached(&older, d.runs[0].blob, NULL, &repo.arena, &r));
}

/* A folder that cannot be written costs speed only. */
static void no_cache_is_no_error(void **state)
{
	(void)state;
	struct data d;
	struct err e = ERR_NONE;
	const struct data_cache none = {.folder = "/dev/null/cache"};
	assert_true(data_load(repo.dir, repo.git, &none, "h200", &repo.arena, &d, &e));
	const struct kept_by nowhere = {.folder = "/dev/null/cache", .program = kept.program};
	digest_cache(&nowhere, d.runs[0].blob, STR("x"));
}

/* --- listings --- */

static struct str listing_bytes(const struct sass *s)
{
	struct sb to = {0};
	sass_put_head(&to, s);
	for (size_t i = 0; i < s->nunits; i++)
		sass_put_unit(&to, &s->unit[i]);
	for (size_t i = 0; i < s->nfunctions; i++)
		sass_put_function(&to, &s->function[i]);
	struct str all = str_keep(&repo.arena, sb_view(&to));
	sb_free(&to);
	return all;
}

static void each_committed_listing_comes_back(void **state)
{
	(void)state;
	struct file_entry *in;
	size_t n;
	struct err e = ERR_NONE;
	must(file_list("data/sass/sm_90a", &repo.arena, &in, &n, &e), &e);
	assert_true(n > 0);
	must(file_mkdirs(kept.folder, &e), &e);
	for (size_t i = 0; i < n; i++) {
		struct data_sass one = {.file.lines_blob = in[i].name}, back = {0};
		struct str lines;
		const char *path = arena_printf(&repo.arena, "data/sass/sm_90a/%s", in[i].name);
		must(record_file_read(path, &repo.arena, &lines, &e) &&
		             sass_read(lines, path, &repo.arena, &one.sass, &e),
		     &e);
		assert_false(listing_digest_cached(&kept, "listing", false, &repo.arena, &back) &&
		             i == 0);
		listing_digest_cache(&kept, "listing", &one);
		assert_true(listing_digest_cached(&kept, "listing", false, &repo.arena, &back));
		assert_string_equal(back.file.lines_blob, in[i].name);
		assert_true(str_eq(listing_bytes(&one.sass), listing_bytes(&back.sass)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_member_has_a_row),
	        cmocka_unit_test(each_committed_record_comes_back),
	        cmocka_unit_test(the_cache_gives_the_same_run),
	        cmocka_unit_test(only_a_renewed_cache_is_proof),
	        cmocka_unit_test(a_damaged_file_is_made_again),
	        cmocka_unit_test(no_digest_makes_it_stray),
	        cmocka_unit_test(another_program_makes_its_own),
	        cmocka_unit_test(no_cache_is_no_error),
	        cmocka_unit_test(each_committed_listing_comes_back),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
