/* Derivations over measured numbers, and the audit's own computation of them. SYNTHETIC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/audit/derived.h"
#include "tests/unit/help/synthetic_repo.h"

#define NAIVE "transpose/naive:rows=16384,cols=16384,dtype=f32,cache=cold time"
#define TILE "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold time"
#define KEYS " rows=16384 dtype=f32"

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.3000s", part, text);
}

static const char *derive(const char *expression, const char *keys, bool html)
{
	return repo_expand(&repo,
	                   arena_printf(&repo.arena, "derived \"%s\"%s%s", expression, KEYS, keys),
	                   html);
}

/* --- on a page --- */

static void a_page_has_the_number(void **state)
{
	(void)state;
	const char *html =
	        derive("([transpose/naive] - [transpose/tile]) / 2", " metric=time unit=s", true);
	contains(html, "<a class=\"num derived\" href=\"/numbers/h200/transpose-naive-rows-16384");
	contains(html, "#time\" data-state=\"ok\" data-runs=\"" RUN_A "\"");
	contains(html, "title=\"Computed from measured numbers: (");
	contains(html, ") / 2; 95\xC2\xA0% interval ");
	contains(html, "data-n=\"derived h200 ([h200 " NAIVE "] - [h200 " TILE "]) / 2 s\">");
	contains(derive("[transpose/naive bandwidth] * [transpose/naive time]", " unit=B", false),
	         "GB");
	contains(derive("[transpose/tile bandwidth] / spec:hbm", " unit=%", false), "%");
	contains(derive("2 * 4 B * 16384 * 16384 / [transpose/tile bandwidth]", " unit=s", false),
	         "s");
}

/* The same number twice moves together: its interval cancels. */
static void an_interval_knows_equal_numbers(void **state)
{
	(void)state;
	const char *alone =
	        derive("[transpose/naive time] * 2 - [transpose/naive time]", " unit=s", true);
	const char *value = repo_expand(&repo, "value transpose/naive metric=time" KEYS, true);
	const char *from = strstr(value, "interval "), *to = from ? strchr(from, ';') : NULL;
	assert_non_null(to);
	contains(alone, arena_printf(&repo.arena, "%.*s", (int)(to - from), from));
}

static void what_cannot_be_derived_is_an_error(void **state)
{
	(void)state;
	contains(derive("[transpose/naive time", " unit=s", true), "']' after a measured number");
	contains(derive("[transpose/naive speed]", " unit=s", true), "no metric 'speed'");
	contains(derive("[transpose/none time]", " unit=s", true), "none");
	contains(derive("[transpose/* time]", " unit=s", true), "post.md:3:");
	contains(derive("[transpose/naive power]", " unit=W", true), "has no power");
	contains(derive("[transpose/naive time]", " unit=B", true), "which is not 'B'");
	contains(derive("[transpose/naive time] + [transpose/naive bandwidth]", " unit=s", true),
	         "both sides of + and - in the same unit");
	contains(derive("[transpose/naive time] / [transpose/naive time]", " unit=×", true),
	         "a derivation that looks nothing up");
	contains(derive("[transpose/naive:dtype=bf16 time]", " unit=s", true),
	         "'dtype' is given twice");
	contains(derive("8 B / spec:hbm", " unit=s", true), "'rows' is for measured numbers");
	contains(repo_expand(&repo, "derived \"4096 FLOP\" unit=FLOP/clk/SM", true), "[traced]");
}

/* One more than it holds is an error, and no fault. */
static void too_many_numbers_are_an_error(void **state)
{
	(void)state;
	struct sb sum = {0};
	for (int i = 0; i < 24; i++)
		sb_printf(&sum, "%s[transpose/naive time]", i ? " + " : "");
	contains(derive(sum.p, " unit=s", false), "ms");
	sb_cstr(&sum, " + [transpose/naive time]");
	contains(derive(sum.p, " unit=s", false), "more than 24 measured numbers");
	sb_free(&sum);
}

/* Three digits at most, however narrow the interval. */
static void a_derivation_is_short(void **state)
{
	(void)state;
	const char *whole = repo_expand(&repo, "value transpose/naive metric=time" KEYS, false);
	assert_int_equal(strlen(whole), strlen("1.445\xC2\xA0ms"));
	assert_int_equal(strlen(derive("1 * [transpose/naive time]", " unit=s", false)),
	                 strlen("1.45\xC2\xA0ms"));
}

/* A difference whose sign its intervals leave open is no number. */
static void noise_is_no_difference(void **state)
{
	(void)state;
	const char *ratio =
	        derive("[transpose/naive time] / [transpose/tile time]", " unit=×", true);
	char *hi;
	double lo = strtod(strstr(ratio, "interval ") + strlen("interval "), &hi);
	double times = (lo + strtod(hi + strlen("–"), NULL)) / 2;
	assert_true(times > 1);
	contains(derive(arena_printf(&repo.arena,
	                             "[transpose/naive time] - %.4f * "
	                             "[transpose/tile time]",
	                             times),
	                " unit=s", true),
	         "leave the sign of this derivation open");
}

/* The middle of the interval of transpose/naive's time, in seconds. */
static double middle(void)
{
	const char *value = repo_expand(&repo, "value transpose/naive metric=time" KEYS, true);
	char *hi;
	double lo = strtod(strstr(value, "interval ") + strlen("interval "), &hi);
	return (lo + strtod(hi + strlen("–"), NULL)) / 2 / 1e3;
}

/* Divided by noise, the ends lie on one side of the value and near each other. */
static void noise_is_no_divisor(void **state)
{
	(void)state;
	const char *noise =
	        arena_printf(&repo.arena, "([transpose/naive time] - %.8f s)", middle());
	contains(derive(arena_printf(&repo.arena, "16384 B / %s", noise), " unit=B/s", true),
	         "expected a divisor that cannot be zero");
	contains(derive(arena_printf(&repo.arena, "2 + 1 s / %s", noise), " unit=×", true),
	         "expected a divisor that cannot be zero");
}

/* --- the audit --- */

static const char *audited(const char *key, const char *runs)
{
	struct audit audit;
	struct problems found = {.arena = &repo.arena};
	struct sb to = {0};
	struct err e = ERR_NONE;
	struct audit_derived d;
	audit_init(&audit, &repo.data, &repo.arena, &found);
	bool ok = audit_derived(&audit, str_of(key), str_of(runs), &to, &d, &e);
	const char *text = arena_strdup(&repo.arena, ok ? to.p : e.text);
	sb_free(&to);
	arena_free(&audit.records.scratch);
	return text;
}

static void the_audit_computes_again(void **state)
{
	(void)state;
	static const char key[] = "h200 ([h200 " NAIVE "] - [h200 " TILE "]) / 2 s";
	const char *said =
	        derive("([transpose/naive] - [transpose/tile]) / 2", " metric=time unit=s", false);
	assert_string_equal(audited(key, RUN_A), said);
	assert_string_equal(audited(key, RUN_A " " RUN_A), said);
	contains(audited(key, RUN_A " " RUN_A " " RUN_A), "more runs than numbers");
	contains(audited(key, ""), "without the runs of its numbers");
	contains(audited(key, "20200101T000000Z-h200-00000000"), "is no number of run");
	contains(audited("h200 1 / 0 s", ""), "is no derivation");
	contains(audited("h200 8 B / spec:hbm s", RUN_A), "more runs than numbers");
}

/* A unit that does not follow, or a number of another device, is no derivation. */
static void the_audit_checks_what_is_computed(void **state)
{
	(void)state;
	contains(audited("h200 2 * [h200 " NAIVE "] s", RUN_A), "ms");
	contains(audited("h200 2 * [h200 " NAIVE "] J", RUN_A), "is no derivation");
	contains(audited("h200 2 * [h200 " NAIVE "] furlongs", RUN_A), "has no unit");
	contains(audited("h200 8 B + [h200 " NAIVE "] s", RUN_A), "is no derivation");
	contains(audited("h200 2 * [h100 " NAIVE "] s", RUN_A), "is no value of run");
	contains(audited(arena_printf(&repo.arena, "h200 [h200 " NAIVE "] - %.8f s s", middle()),
	                 RUN_A),
	         "leave the sign of");
	contains(audited("h200 1 * [h200 " NAIVE " over h200 " TILE "] ×", RUN_A),
	         "is no value of run");
	assert_string_equal(
	        audited("h200 [h200 " NAIVE "] / [h200 " TILE "] ppm", RUN_A),
	        derive("[transpose/naive time] / [transpose/tile time]", " unit=ppm", false));
	assert_string_equal(
	        audited("h200 spec:bf16-clock / 2 FLOP/clk/SM", ""),
	        repo_expand(&repo, "derived \"spec:bf16-clock / 2\" unit=FLOP/clk/SM", false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_page_has_the_number),
	        cmocka_unit_test(an_interval_knows_equal_numbers),
	        cmocka_unit_test(what_cannot_be_derived_is_an_error),
	        cmocka_unit_test(too_many_numbers_are_an_error),
	        cmocka_unit_test(a_derivation_is_short),
	        cmocka_unit_test(noise_is_no_difference),
	        cmocka_unit_test(noise_is_no_divisor),
	        cmocka_unit_test(the_audit_computes_again),
	        cmocka_unit_test(the_audit_checks_what_is_computed),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
