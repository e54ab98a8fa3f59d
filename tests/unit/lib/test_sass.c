/* Listings of machine code: written, read back, refused. The listings are SYNTHETIC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/hash.h"
#include "tests/unit/help/listing.h"

#define BLOB "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define CODE "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void what_is_written_is_read(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sass s;
	const char *text = listing_text("kernels/x.cu", BLOB, CODE, &a);
	assert_true(sass_is(str_of(text)));
	if (!sass_read(str_of(text), "f", &a, &s, &e))
		fail_msg("%s", e.text);
	assert_string_equal(s.schema, SASS_SCHEMA);
	assert_string_equal(s.id, LISTING_ID);
	assert_string_equal(s.reason, "SYNTHETIC");
	assert_null(s.commit);
	assert_int_equal(s.nargv, 2);
	assert_int_equal(s.nunits, 1);
	assert_string_equal(s.unit[0].code_sha256, CODE);
	assert_string_equal(s.unit[0].source[0].blob, BLOB);
	assert_int_equal(s.nfunctions, 2);
	const struct sass_function *f = &s.function[0];
	assert_string_equal(f->title, "copy(float*)");
	assert_int_equal(f->n, 8);
	assert_int_equal(f->code[1].nplaces, 2);
	assert_string_equal(f->code[1].place[0].file, "kernels/kernel.h");
	assert_int_equal(f->code[1].place[1].line, 5);
	assert_null(f->code[1].control);
	assert_string_equal(f->code[4].control, "?trans1");
	assert_int_equal(f->code[4].nplaces, 1);
	assert_int_equal(f->code[6].nplaces, 0);
	assert_string_equal(f->label[0].name, ".L_x_1");
	struct sb again = {0};
	sass_put_function(&again, f);
	assert_non_null(strstr(text, again.p));
	sb_free(&again);
	arena_free(&a);
}

/* Replaces a part of the text, and its end record unless `stale`. */
static void refused(const char *from, const char *to, bool stale, const char *why)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sass s;
	struct sb b = {0};
	const char *text = listing_text("kernels/x.cu", BLOB, CODE, &a);
	const char *at = strstr(text, from), *end = strstr(text, "{\"type\":\"end\"");
	if (!at)
		fail_msg("'%s' is not in the listing", from);
	sb_put(&b, text, (size_t)(at - text));
	sb_cstr(&b, to);
	at += strlen(from);
	if (at < end)
		sb_put(&b, at, (size_t)(end - at));
	if (stale)
		sb_cstr(&b, at < end ? end : at);
	else
		record_put_end(&b, "complete", "2026-01-03T00:00:00Z", 0, sb_view(&b));
	assert_false(sass_read(sb_view(&b), "f", &a, &s, &e));
	if (!strstr(e.text, why))
		fail_msg("got '%s', expected '%s'", e.text, why);
	sb_free(&b);
	arena_free(&a);
}

static void what_is_malformed_is_refused(void **state)
{
	(void)state;
	refused("ridgepoint-sass/1.0", "ridgepoint-sass/2.0", false, "f:1: schema");
	refused("\"unit\":0,\"object\":\"kernels/x.cu\",\"name\":\"_Z4copyPd\"",
	        "\"unit\":1,\"object\":\"kernels/x.cu\",\"name\":\"_Z4copyPd\"", false,
	        "f:4: 'unit' is 1");
	refused("[16,", "[0,", false, "'code[1]' does not follow");
	refused("\"EXIT\"", "\"\"", false, "'code[6]' is no [offset");
	refused("[16,\".L_x_1\"]", "[17,\".L_x_1\"]", false, "'labels[0]' names no instruction");
	refused("R2.64]\",1,3", "R2.64]\",7,3", false, "is no [file, line]");
	refused("\"code_sha256\":\"" CODE, "\"code_sha256\":\"x", false, "code_sha256");
}

static void what_is_not_whole_is_refused(void **state)
{
	(void)state;
	refused("LDG.E.128", "LDG.E.64", true, "not whole: its end record");
	refused("\"complete\"", "\"partial\"", true, "not whole");
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sass s;
	const char *text = listing_text("kernels/x.cu", BLOB, CODE, &a);
	size_t n = (size_t)(strstr(text, "{\"type\":\"end\"") - text);
	assert_false(sass_read((struct str){text, n}, "f", &a, &s, &e));
	assert_non_null(strstr(e.text, "it has no end record"));
	e = ERR_NONE;
	assert_false(sass_read((struct str){text, n - 1}, "f", &a, &s, &e));
	assert_non_null(strstr(e.text, "its last line is cut short"));
	e = ERR_NONE;
	assert_false(sass_read(STR(""), "f", &a, &s, &e));
	arena_free(&a);
}

static void opcodes_and_targets(void **state)
{
	(void)state;
	static const char *const opcode[][2] = {{"EXIT", "EXIT"},
	                                        {"LDG.E.128 R4, desc[UR4][R2.64]", "LDG.E.128"},
	                                        {"@!P0 BRA `(.L_x_1)", "BRA"},
	                                        {"@P0  @UP1 FADD R1, R2, R3", "FADD"}};
	for (size_t i = 0; i < ARRAY_LEN(opcode); i++)
		assert_true(str_is(sass_opcode(opcode[i][0]), opcode[i][1]));
	assert_true(str_is(sass_target("@P1 BRA `(.L_x_1)"), ".L_x_1"));
	assert_int_equal(sass_target("EXIT").n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_written_is_read),
	        cmocka_unit_test(what_is_malformed_is_refused),
	        cmocka_unit_test(what_is_not_whole_is_refused),
	        cmocka_unit_test(opcodes_and_targets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
