/* Statements about machine code: reading them, and what they prove. */
#include "site-gen/records/builds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/gzip.h"
#include "tests/unit/help/synthetic_repo.h"

#define BLOB_1 "1111111111111111111111111111111111111111"
#define BLOB_2 "2222222222222222222222222222222222222222"
#define CODE_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define CODE_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* --- what they prove --- */

/* A case that was measured from BLOB_1 while HEAD has BLOB_2, and a unit for either. */
struct proof {
	struct run_pair tools[3];
	struct run_head head;
	struct run_source then[2], today[2];
	struct run_case c;
	struct build_unit unit[3];
	struct builds builds;
	const struct build_unit *now;
};

static void proof_make(struct proof *p, const char *file)
{
	*p = (struct proof){
	        .tools = {{"nvcc", "13.0", 0}, {"cc", "gcc 12", 0}, {"flags_c", "-O2", 0}},
	        .head = {.ntoolchain = 3},
	        .then = {{file, BLOB_1}, {"scan.h", BLOB_1}},
	        .today = {{file, BLOB_2}, {"scan.h", BLOB_1}},
	        .c = {.nsource = 2, .build = {.flags = "-O3"}},
	};
	p->head.toolchain = p->tools;
	p->c.source = p->then;
	for (int i = 0; i < 2; i++)
		p->unit[i] = (struct build_unit){.file = file,
		                                 .compiler = "13.0",
		                                 .flags = "-O3",
		                                 .code = CODE_A,
		                                 .source = i ? p->today : p->then,
		                                 .nsource = 2};
	p->builds = (struct builds){p->unit, 2};
}

/* HEAD's blob of a path, from the sources of today; the context is the proof. */
static const char *at_head(void *ctx, const char *path)
{
	const struct proof *p = ctx;
	for (size_t i = 0; i < ARRAY_LEN(p->today); i++)
		if (p->today[i].blob && strcmp(p->today[i].path, path) == 0)
			return p->today[i].blob;
	return NULL;
}

static bool holds(struct proof *p)
{
	p->now = NULL;
	return builds_same_code(&p->builds, &p->head, &p->c, at_head, p, &p->now);
}

static void two_statements_prove_equal_code(void **state)
{
	(void)state;
	struct proof p;
	proof_make(&p, "scan.cu");
	assert_true(holds(&p));
	assert_ptr_equal(p.now, &p.unit[1]);
	p.unit[1].code = CODE_B;
	assert_false(holds(&p));
	p.builds.n = 1; /* nothing is stated about HEAD's sources */
	assert_false(holds(&p));
	p.builds.n = 0;
	assert_false(holds(&p));
}

/* The record's own hash needs no statement beside it, and none may contradict it. */
static void the_code_that_the_record_names(void **state)
{
	(void)state;
	struct proof p;
	proof_make(&p, "scan.cu");
	p.builds = (struct builds){&p.unit[1], 1};
	assert_false(holds(&p));
	p.c.build.code_sha256 = CODE_A;
	assert_true(holds(&p));
	p.c.build.code_sha256 = CODE_B;
	assert_false(holds(&p));
	p.unit[1].code = CODE_B;
	assert_true(holds(&p));
	p.builds = (struct builds){p.unit, 2}; /* unit[0] says CODE_A */
	assert_false(holds(&p));
}

static void every_source_counts(void **state)
{
	(void)state;
	struct proof p;
	proof_make(&p, "scan.cu");
	p.today[1].blob = BLOB_2; /* in HEAD and in the statement */
	assert_true(holds(&p));
	p.unit[1].source = (struct run_source[]){{"scan.cu", BLOB_2}, {"scan.h", BLOB_1}};
	assert_false(holds(&p));
	proof_make(&p, "scan.cu");
	p.unit[1].source = (struct run_source[]){{"scan.cu", BLOB_2}, {"gone.h", BLOB_1}};
	assert_false(holds(&p)); /* HEAD lacks a source of the statement */
	proof_make(&p, "scan.cu");
	p.unit[0].nsource = 1;
	assert_false(holds(&p)); /* built from other sources than were measured */
	proof_make(&p, "scan.cu");
	p.unit[1].nsource = 0;
	assert_false(holds(&p)); /* a statement about nothing holds for no HEAD */
	proof_make(&p, "scan.cu");
	p.c.nsource = 0;
	assert_false(holds(&p));
}

static void contradictions_do_not_count(void **state)
{
	(void)state;
	struct proof p;
	for (int i = 0; i < 2; i++) { /* about the sources as measured, and about HEAD's */
		proof_make(&p, "scan.cu");
		p.unit[2] = p.unit[i];
		p.builds.n = 3;
		assert_true(holds(&p)); /* the same said twice */
		p.unit[2].code = CODE_B;
		assert_false(holds(&p));
		p.unit[i].code = CODE_B; /* whichever comes last */
		p.unit[2].code = CODE_A;
		assert_false(holds(&p));
		p.unit[i].code = CODE_A;
		p.unit[2].code = CODE_B;
		p.unit[2].flags = "-O1"; /* about another build, so no contradiction */
		assert_true(holds(&p));
	}
}

/* A CUDA source is built by nvcc with the case's flags, a C source by cc with the run's. */
static void the_recipe_follows_the_file(void **state)
{
	(void)state;
	struct proof p;
	proof_make(&p, "scan.c");
	assert_false(holds(&p));
	p.unit[0].compiler = p.unit[1].compiler = "gcc 12";
	assert_false(holds(&p));
	p.unit[0].flags = p.unit[1].flags = "-O2";
	assert_true(holds(&p));
	p.head.ntoolchain = 2; /* a run that names no flags of C: the case's own */
	assert_false(holds(&p));
	p.unit[0].flags = p.unit[1].flags = "-O3";
	assert_true(holds(&p));
	p.head.ntoolchain = 1; /* no compiler of C */
	assert_false(holds(&p));
	proof_make(&p, "scan.cu");
	p.unit[0].file = p.unit[1].file = "other.cu";
	assert_false(holds(&p));
	proof_make(&p, "scan.cu");
	p.c.build.flags = NULL; /* the record does not say */
	assert_false(holds(&p));
}

/* --- reading --- */

#define HEAD_1 "{\"schema\":\"ridgepoint-build/1.0\",\"units\":["
#define UNIT(source, code)                                                          \
	"{\"file\":\"scan.cu\",\"compiler\":\"13.0\",\"flags\":\"-O3\",\"source\":" \
	"[" source "],\"code_sha256\":\"" code "\"}"
#define PAIR "[\"scan.cu\",\"" BLOB_1 "\"]"

static const struct kept_by none = {.folder = NULL};

/* Commits this text as data/builds/b.json, and reads all statements. */
static bool read_text(struct repo *r, const char *text, struct builds *b, struct err *e)
{
	repo_write(r, "data/builds/b.json", str_of(text));
	repo_commit(r);
	git_close(r->git);
	r->git = NULL;
	*e = ERR_NONE;
	must(git_open(r->dir, &r->git, e), e);
	return builds_load(r->git, &none, &r->arena, b, e);
}

static void statements_of_all_files(void **state)
{
	(void)state;
	struct repo r;
	struct builds b;
	struct err e;
	repo_make(&r, true);
	repo_write(&r, "data/builds/README.md", STR("# not a statement\n"));
	repo_write(&r, "data/builds/a.json", STR(HEAD_1 UNIT(PAIR, CODE_A) "]}"));
	assert_true(read_text(&r,
	                      HEAD_1 UNIT(PAIR "," PAIR, CODE_B) "," UNIT("", CODE_A) "],"
	                                                                              "\"x\":1}",
	                      &b, &e));
	assert_int_equal(b.n, 3);
	assert_string_equal(b.unit[0].path, "data/builds/a.json");
	assert_string_equal(b.unit[1].path, "data/builds/b.json");
	assert_string_equal(b.unit[0].file, "scan.cu");
	assert_string_equal(b.unit[0].compiler, "13.0");
	assert_string_equal(b.unit[0].flags, "-O3");
	assert_string_equal(b.unit[0].code, CODE_A);
	assert_string_equal(b.unit[1].code, CODE_B);
	assert_int_equal(b.unit[1].nsource, 2);
	assert_int_equal(b.unit[2].nsource, 0);
	assert_string_equal(b.unit[1].source[1].path, "scan.cu");
	assert_string_equal(b.unit[1].source[1].blob, BLOB_1);
	struct sb small = {0};
	assert_true(gzip_pack(STR(HEAD_1 UNIT(PAIR, CODE_B) "]}"), &small));
	repo_write(&r, "data/builds/c.json.gz", sb_view(&small));
	sb_free(&small);
	assert_true(read_text(&r, HEAD_1 "]}", &b, &e));
	assert_int_equal(b.n, 2);
	assert_string_equal(b.unit[1].path, "data/builds/c.json.gz");
	assert_string_equal(b.unit[1].code, CODE_B);
	repo_write(&r, "data/builds/d.json", STR("not committed, so not read"));
	assert_true(builds_load(r.git, &none, &r.arena, &b, &e));
	repo_free(&r);
}

/* What is kept of statements counts for the same files alone. */
static void kept_statements_are_those_of_the_files(void **state)
{
	(void)state;
	struct repo r;
	struct builds b, again;
	struct err e;
	repo_make(&r, true);
	assert_true(read_text(&r, HEAD_1 UNIT(PAIR, CODE_A) "]}", &b, &e));
	struct kept_by kept = {.folder = r.dir, .program = "p"};
	for (int i = 0; i < 2; i++) { /* the second time from what was kept */
		assert_true(builds_load(r.git, &kept, &r.arena, &again, &e));
		assert_int_equal(again.n, 1);
		assert_string_equal(again.unit[0].code, CODE_A);
		assert_string_equal(again.unit[0].source[0].blob, BLOB_1);
		assert_string_equal(again.unit[0].path, "data/builds/b.json");
		assert_true(file_exists(arena_printf(&r.arena, "%s/builds", r.dir)));
	}
	assert_true(read_text(&r, HEAD_1 UNIT(PAIR, CODE_B) "]}", &b, &e));
	assert_true(builds_load(r.git, &kept, &r.arena, &again, &e));
	assert_string_equal(again.unit[0].code, CODE_B);
	repo_free(&r);
}

static void malformed_statements_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *said;
	} bad[] = {
	        {"[]", "expected an object"},
	        {"{\"schema\":\"ridgepoint-build/2.0\",\"units\":[]}",
	         "schema 'ridgepoint-build/2.0', expected 'ridgepoint-build/1.0'"},
	        {HEAD_1 "[]]}", "each of 'units' must be an object"},
	        {HEAD_1 UNIT(PAIR, "12") "]}",
	         "'code_sha256' of 'scan.cu' is '12', expected 64 hex digits"},
	        {HEAD_1 UNIT("[\"scan.h\",\"" BLOB_1 "\",\"x\"]", CODE_A) "]}",
	         "'source[0]' of 'scan.cu' is not [path, blob id]"},
	        {HEAD_1 UNIT(PAIR ",[\"scan.h\",7]", CODE_A) "]}",
	         "'source[1]' of 'scan.cu' is not [path, blob id]"},
	        {HEAD_1 UNIT("[\"scan.cu\",\"" CODE_A "\"]", CODE_A) "]}",
	         "'source[0]' of 'scan.cu' has no blob id of 40 hex digits"},
	};
	struct repo r;
	struct builds b;
	struct err e;
	repo_make(&r, true);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_false(read_text(&r, bad[i].text, &b, &e));
		assert_string_equal(e.text,
		                    arena_printf(&r.arena, "data/builds/b.json: %s", bad[i].said));
	}
	repo_write(&r, "data/builds/c.json.gz", STR(HEAD_1 "]} but not in gzip"));
	assert_false(read_text(&r, HEAD_1 "]}", &b, &e));
	assert_true(str_starts(str_of(e.text), "data/builds/c.json.gz: "));
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(two_statements_prove_equal_code),
	        cmocka_unit_test(the_code_that_the_record_names),
	        cmocka_unit_test(every_source_counts),
	        cmocka_unit_test(contradictions_do_not_count),
	        cmocka_unit_test(the_recipe_follows_the_file),
	        cmocka_unit_test(statements_of_all_files),
	        cmocka_unit_test(kept_statements_are_those_of_the_files),
	        cmocka_unit_test(malformed_statements_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
