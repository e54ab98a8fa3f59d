/* The placeholder syntax: what is found, what is parsed, where errors point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/base/placeholder.h"

static struct err parse(const char *text, struct placeholder *p)
{
	struct err e = ERR_NONE;
	unchecked(placeholder_parse(str_of(text), (struct loc){"a.md", 7, 5}, p,
	                            &e)); /* the caller reads e */
	return e;
}

static void words_and_keys(void **state)
{
	(void)state;
	struct placeholder p;
	struct err e = parse(
	        "<<bench:table reduce/{a,b} rows=n  title=\"two words >> here\" n=2^28>>", &p);
	assert_false(e.set);
	assert_true(str_is(p.kind, "table"));
	assert_int_equal(p.nwords, 1);
	assert_true(str_is(p.word[0], "reduce/{a,b}"));
	assert_int_equal(p.nkeys, 3);
	assert_true(str_is(placeholder_key(&p, "title"), "two words >> here"));
	assert_true(str_is(placeholder_key(&p, "n"), "2^28"));
	assert_null(placeholder_key(&p, "m").p);
}

static void words_with_equals_inside(void **state)
{
	(void)state;
	struct placeholder p;
	struct err e = parse("<<bench:ratio a/b:n=4,m=2 over=a/c:n=8>>", &p);
	assert_false(e.set);
	assert_true(str_is(p.word[0], "a/b:n=4,m=2"));
	assert_true(str_is(placeholder_key(&p, "over"), "a/c:n=8"));
}

static void errors_point_at_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} bad[] = {
	        {"<<bench:value a|b>>", "a.md:7:20: '|' inside a placeholder"},
	        {"<<bench:value a b=>>", "a.md:7:23: key 'b' has no value after '='"},
	        {"<<bench:value a b=1 b=2>>", "a.md:7:25: key 'b' is given twice"},
	        {"<<bench:value é b=\"x>>", "a.md:7:23: quote is not closed"},
	        {"<<bench:>>", "a.md:7:13: expected the name of a kind"},
	        {"<<bench:Value a>>", "a.md:7:13: expected the name of a kind"},
	        {"<<bench:value a", "a.md:7:5: placeholder is not closed"},
	        {"<</bench:claim>>", "a.md:7:5: '<</bench:claim>>' closes nothing"},
	        {"<<bench:value b=\"x\"y>>", "a.md:7:24: expected a space"},
	        {"<<bench:value x\"y>>", "a.md:7:20: unexpected '\"'"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct placeholder p;
		struct err e = parse(bad[i].text, &p);
		assert_true(e.set);
		if (strncmp(e.text, bad[i].error, strlen(bad[i].error)) != 0)
			fail_msg("%s: got '%s'", bad[i].text, e.text);
	}
}

static void too_much_is_refused(void **state)
{
	(void)state;
	struct placeholder p;
	struct sb s = {0};
	sb_cstr(&s, "<<bench:value");
	for (int i = 0; i <= PLACEHOLDER_MAX_KEYS; i++)
		sb_printf(&s, " k%d=1", i);
	sb_cstr(&s, ">>");
	assert_true(parse(s.p, &p).set);
	sb_clear(&s);
	sb_cstr(&s, "<<bench:value");
	for (int i = 0; i <= PLACEHOLDER_MAX_WORDS; i++)
		sb_printf(&s, " w%d", i);
	sb_cstr(&s, ">>");
	assert_true(parse(s.p, &p).set);
	sb_free(&s);
}

static void finding(void **state)
{
	(void)state;
	struct str src = STR("k<<<grid, block>>>(x) <<bench:a>> << bench:b>> <<bench:c\n>> "
	                     "<<<bench:d \"x>>\">>");
	size_t start, end;
	assert_true(placeholder_next(src, 0, &start, &end));
	assert_true(str_is(str_sub(src, start, end), "<<bench:a>>"));
	assert_true(placeholder_next(src, end, &start, &end));
	assert_int_equal(start, end); /* not closed on its line */
	assert_true(str_starts(str_sub(src, start, src.n), "<<bench:c"));
	assert_true(placeholder_next(src, start + 2, &start, &end));
	assert_true(str_is(str_sub(src, start, end), "<<bench:d \"x>>\">>"));
	assert_false(placeholder_next(src, end, &start, &end));
}

static void places_of_parts(void **state)
{
	(void)state;
	struct placeholder p;
	assert_false(parse("<<bench:value µ/b n=4>>", &p).set);
	struct loc at = placeholder_loc(&p, placeholder_key(&p, "n"));
	assert_int_equal(at.line, 7);
	assert_int_equal(at.col, 5 + 20); /* characters, not bytes */
	assert_int_equal(placeholder_loc(&p, STR("elsewhere")).col, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(words_and_keys),
	        cmocka_unit_test(words_with_equals_inside),
	        cmocka_unit_test(errors_point_at_the_place),
	        cmocka_unit_test(too_much_is_refused),
	        cmocka_unit_test(finding),
	        cmocka_unit_test(places_of_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
