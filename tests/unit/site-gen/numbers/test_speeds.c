/* A case of two speeds shows both, and no mean. SYNTHETIC. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/audit/number.h"
#include "site-gen/numbers/number.h"
#include "tests/unit/help/synthetic_repo.h"

#define WARP "gemv/warp:layer=ffn,m=4,dtype=bf16,cache=cold"

/* Three of ten processes take a tenth longer. */
static void slower_in_three(struct run_launch *l)
{
	for (size_t i = 0; i < l->nsamples && l->i < 3; i++)
		l->sample_ns[i] += l->sample_ns[i] / 10;
}

static void make(struct repo *r, void (*twist)(struct run_launch *l))
{
	repo_make(r, true);
	struct synthetic s = repo_run(r, RUN_A);
	s.brief = true;
	s.twist = twist;
	repo_add_run(r, &s);
	repo_commit(r);
	repo_load(r);
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static struct number number(struct repo *r, const char *inside)
{
	repo_expand(r, inside, true);
	assert_non_null(r->ctx.quotes);
	return r->ctx.quotes->n;
}

static void both_are_printed(void **state)
{
	(void)state;
	struct repo r;
	make(&r, slower_in_three);
	struct number n = number(&r, "value gemv/warp m=4 metric=time");
	assert_int_equal(n.at_speed[0], 7);
	assert_int_equal(n.at_speed[1], 3);
	assert_true(fabs(n.speed[1] / n.speed[0] - 1.1) < 0.002);
	assert_false(number_has_interval(&n));
	const char *html = repo_expand(&r, "value gemv/warp m=4 metric=time", true);
	contains(html, " / ");
	contains(html, "<sup class=\"mark\" data-state=\"unsteady\">noisy</sup>");
	contains(html, "its processes have two speeds: 7 took the faster, 3 the slower");
	assert_null(strstr(html, "95\xC2\xA0% interval "));
	assert_null(strstr(repo_expand(&r, "table gemv/warp m=4", true), "class=\"ci\""));
	n = number(&r, "value gemv/warp m=4"); /* a bandwidth: the faster one is higher */
	assert_true(n.speed[0] > n.speed[1]);
	struct number share = number(&r, "percent gemv/warp m=4 of=spec:hbm");
	assert_true(fabs(share.speed[0] / (100 * n.speed[0] / 4.8e12) - 1) < 1e-9);
	n = number(&r, "ratio gemv/warp over=gemv/naive m=4"); /* paired: a process has one speed */
	assert_int_equal(n.at_speed[0], 0);
	repo_free(&r);
}

static void the_audit_prints_both_again(void **state)
{
	(void)state;
	struct repo r;
	struct audit_records records;
	struct audit_number a;
	struct err e = ERR_NONE;
	struct sb mine = {0}, its = {0};
	make(&r, slower_in_three);
	audit_records_init(&records, &r.data, &r.arena);
	static const char *const said[] = {"value gemv/warp m=4 metric=time", "value gemv/warp m=4",
	                                   "percent gemv/warp m=4 of=spec:hbm"};
	for (size_t i = 0; i < ARRAY_LEN(said); i++) {
		struct number n = number(&r, said[i]);
		assert_true(audit_number_keyed(&records, str_of(number_key(&n, &r.arena)),
		                               STR(RUN_A), STR(""), &a, &e));
		sb_clear(&mine);
		sb_clear(&its);
		number_text(&n, &mine);
		audit_number_text(&a, &its);
		assert_string_equal(mine.p, its.p);
		contains(mine.p, " / ");
	}
	records.one_speed = true; /* as old lines of the log have it */
	assert_true(audit_number_keyed(&records, STR("h200 " WARP " time"), STR(RUN_A), STR(""), &a,
	                               &e));
	assert_int_equal(a.at_speed[0], 0);
	sb_free(&mine);
	sb_free(&its);
	arena_free(&records.scratch);
	repo_free(&r);
}

static void one_speed_has_an_interval(void **state)
{
	(void)state;
	struct repo r;
	make(&r, NULL);
	struct number n = number(&r, "value gemv/warp m=4 metric=time");
	assert_int_equal(n.at_speed[0], 0);
	assert_true(number_has_interval(&n));
	assert_null(strstr(repo_expand(&r, "value gemv/warp m=4", false), " / "));
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(both_are_printed),
	        cmocka_unit_test(the_audit_prints_both_again),
	        cmocka_unit_test(one_speed_has_an_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
