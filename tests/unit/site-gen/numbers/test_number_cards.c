/* Values over cards. SYNTHETIC; each figure is held against a plain second computation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/audit/number.h"
#include "site-gen/audit/trust.h"
#include "site-gen/numbers/number.h"
#include "site-gen/numbers/trust.h"
#include "tests/unit/help/synthetic_repo.h"

#define WARP "gemv/warp:layer=ffn,m=4,dtype=bf16,cache=cold"
#define NAIVE "gemv/naive:layer=ffn,m=4,dtype=bf16,cache=cold"
#define CASE "gemv/warp m=4"

struct one {
	const char *card;
	double slower;
	unsigned code;
	void (*twist)(struct run_launch *l);
};

/* The id of run i; later ones are newer. */
static const char *id_of(struct repo *r, size_t i)
{
	return arena_printf(&r->arena, "20260101T00000%zuZ-synthetic-0000000a", i);
}

static void with_runs(struct repo *r, const struct one *one, size_t n)
{
	repo_make(r, true);
	for (size_t i = 0; i < n; i++) {
		struct synthetic s = repo_run(r, id_of(r, i));
		s.start = arena_printf(&r->arena, "2026-01-01T00:00:0%zuZ", i);
		s.brief = true;
		s.card = one[i].card;
		s.slower = one[i].slower;
		s.code = one[i].code;
		s.twist = one[i].twist;
		repo_add_run(r, &s);
	}
	repo_commit(r);
	repo_load(r);
}

static const struct data_number *number_with(const struct repo *r, const char *id)
{
	for (size_t i = 0; i < r->data.nnumbers; i++)
		if (strcmp(r->data.numbers[i].id, id) == 0)
			return &r->data.numbers[i];
	fail_msg("no number %s", id);
	return NULL;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%s", part, text);
}

static const struct one four[] = {
        {"GPU-aaaaaaaa-1", 1.30, 1, NULL}, /* this card ran again below */
        {"GPU-aaaaaaaa-1", 1.00, 1, NULL},
        {"GPU-bbbbbbbb-2", 1.02, 1, NULL},
        {"GPU-cccccccc-3", 0.99, 1, NULL},
};

static void it_is_the_mean_of_the_newest_run_of_each_card(void **state)
{
	(void)state;
	struct repo r;
	with_runs(&r, four, ARRAY_LEN(four));
	const struct data_number *n = number_with(&r, WARP);
	assert_int_equal(n->ncards, 3);
	struct number x;
	assert_true(number_over_cards(n, METRIC_BANDWIDTH, &x));
	double sum = 0, ss = 0, y[3];
	for (size_t i = 0; i < 3; i++) {
		const struct run_case *c = n->in[i]->c;
		y[i] = log((double)(c->model.bytes_read + c->model.bytes_written) /
		           n->in[i]->time.typical);
		sum += y[i];
	}
	for (size_t i = 0; i < 3; i++)
		ss += (y[i] - sum / 3) * (y[i] - sum / 3);
	double sd = sqrt(ss / 2), half = 4.302652729749464 * sd / sqrt(3);
	assert_true(fabs(x.value / exp(sum / 3) - 1) < 1e-12);
	assert_true(fabs(x.lo / exp(sum / 3 - half) - 1) < 1e-6);
	assert_true(fabs(x.hi / exp(sum / 3 + half) - 1) < 1e-6);
	assert_true(fabs(x.between / sd - 1) < 1e-9);
	assert_int_equal(number_case(&x)->state, DATA_OK); /* no card's run is superseded here */
	assert_false(number_over_cards(n, METRIC_INTENSITY, &x));
	assert_false(number_over_cards(n, METRIC_CLOCK, &x)); /* nobody counted cycles */
	repo_free(&r);
}

static void a_page_says_over_how_many_cards(void **state)
{
	(void)state;
	struct repo r;
	with_runs(&r, four, ARRAY_LEN(four));
	const char *html = repo_expand(&r, "value " CASE " over=cards", true);
	contains(html, "#bandwidth-over-cards\" data-state=\"ok\"");
	contains(html, arena_printf(&r.arena, "data-cards=\"%s %s %s\"", id_of(&r, 3), id_of(&r, 2),
	                            id_of(&r, 1)));
	contains(html, "; over 3 cards; Synthetic GPU; 2026-01-01\">");
	contains(html, "</a><span class=\"over-cards visually-hidden\"> (over 3 cards)</span>");
	contains(repo_expand(&r, "value " CASE " over=cards", false), "TB/s (over 3 cards)");
	lacks(repo_expand(&r, "value " CASE, true), "cards");
	contains(repo_expand(&r, "percent " CASE " of=spec:hbm over=cards", true),
	         "#bandwidth-of-hbm-over-cards\"");
	const char *table = repo_expand(&r, "table gemv/{naive,warp} m=4 over=cards", true);
	contains(table, "bandwidth over cards");
	contains(table, "over 3 cards");
	repo_free(&r);
}

static void the_audit_derives_it_again(void **state)
{
	(void)state;
	struct repo r;
	struct audit_records records;
	struct audit_number a;
	struct number x;
	struct err e = ERR_NONE;
	with_runs(&r, four, ARRAY_LEN(four));
	audit_records_init(&records, &r.data, &r.arena);
	assert_true(number_over_cards(number_with(&r, WARP), METRIC_TIME, &x));
	const char *key = number_key(&x, &r.arena);
	assert_string_equal(key, "h200 " WARP " time over cards");
	if (!audit_number_keyed(&records, str_of(key), str_of(id_of(&r, 3)), STR(""), &a, &e))
		fail_msg("%s", e.text);
	assert_true(fabs(a.value / x.value - 1) < 1e-12 && fabs(a.lo / x.lo - 1) < 1e-12);
	assert_true(fabs(a.between / x.between - 1) < 1e-9);
	assert_true(
	        audit_cards_are(&a.cards, str_of(arena_printf(&r.arena, "%s %s %s", id_of(&r, 3),
	                                                      id_of(&r, 2), id_of(&r, 1)))));
	assert_false(audit_cards_are(&a.cards, str_of(id_of(&r, 3))));
	assert_false(audit_cards_are(&a.cards, STR("")));
	/* as of the third run there were two cards */
	assert_false(
	        audit_number_keyed(&records, str_of(key), str_of(id_of(&r, 2)), STR(""), &a, &e));
	contains(e.text, "the records have 2 of at least 3");
	arena_free(&records.scratch);
	repo_free(&r);
}

static void other_code_and_unknown_cards_do_not_count(void **state)
{
	(void)state;
	static const struct one mixed[] = {
	        {"GPU-aaaaaaaa-1", 1, 2, NULL}, /* other code */
	        {NULL, 1, 1, NULL},             /* no card */
	        {"GPU-bbbbbbbb-2", 1, 1, NULL},
	        {"GPU-cccccccc-3", 1, 1, NULL},
	};
	struct repo r;
	with_runs(&r, mixed, ARRAY_LEN(mixed));
	assert_int_equal(number_with(&r, WARP)->ncards, 2);
	const char *text = repo_expand(&r, "value " CASE " over=cards", false);
	contains(text, "post.md:3:34: " WARP " was measured with the same machine code on 2 of the "
	               "3 cards that a value over cards needs (GPU-cccccccc-3, GPU-bbbbbbbb-2)");
	contains(repo_expand(&r, "table gemv/* m=4 over=cards", true),
	         "no case of this table was measured with the same machine code on 3 cards");
	contains(repo_expand(&r, "value " CASE " over=nodes", false), "over=nodes, expected cards");
	contains(repo_expand(&r, "value " CASE " over=cards run=20260101", false),
	         "run= has no place here");
	contains(repo_expand(&r, "value " CASE " over=cards metric=intensity", false),
	         "on 2 of the 3 cards");
	contains(repo_expand(&r, "percent " CASE " of=measured:gemv/naive over=cards", false),
	         "expected of=spec:KEY");
	repo_free(&r);
}

static void hot(struct run_launch *l)
{
	l->throttle_reasons = 0x40; /* thermal */
}

static void it_is_as_unsteady_as_its_worst_card(void **state)
{
	(void)state;
	static const struct one unsteady[] = {
	        {"GPU-aaaaaaaa-1", 1, 1, NULL},
	        {"GPU-bbbbbbbb-2", 1, 1, hot},
	        {"GPU-cccccccc-3", 1, 1, NULL},
	};
	struct repo r;
	with_runs(&r, unsteady, ARRAY_LEN(unsteady));
	const char *html = repo_expand(&r, "value " CASE " over=cards", true);
	contains(html, "data-state=\"unsteady\"");
	contains(html, "<sup class=\"mark\" data-state=\"unsteady\">noisy</sup>");
	contains(repo_expand(&r, "value " CASE, true), "data-state=\"ok\"");
	struct number x;
	assert_true(number_over_cards(number_with(&r, WARP), METRIC_TIME, &x));
	assert_string_equal(number_case_run(&x)->run.head.id, id_of(&r, 1));
	assert_true(number_is_of(&x, number_with(&r, WARP)->in[2]));
	assert_false(number_is_of(&x, number_with(&r, NAIVE)->in[0]));
	repo_free(&r);
}

static void the_instrument_counts_the_card(void **state)
{
	(void)state;
	struct repo r;
	struct audit a = {0};
	struct trust_cards *t;
	double value, y[3], sum = 0, ss = 0;
	with_runs(&r, four, ARRAY_LEN(four));
	assert_int_equal(trust_cards(&r.data, "h200", &r.arena, &t), 2); /* all, and gemv */
	assert_int_equal(t[0].pairs, 3 * t[0].cases);
	assert_int_equal(t[0].alarms, t[0].pairs); /* these cards differ by more than ±0.2 % */
	assert_int_equal(t[0].different, t[0].pairs);
	for (size_t i = 0; i < 3; i++)
		sum += y[i] = log(number_with(&r, WARP)->in[i]->time.typical);
	for (size_t i = 0; i < 3; i++)
		ss += (y[i] - sum / 3) * (y[i] - sum / 3);
	assert_true(fabs(t[0].median / sqrt(ss / 2) - 1) < 0.01); /* nearly that of all cases */
	audit_init(&a, &r.data, &r.arena, NULL);
	assert_true(audit_card(&a, STR("h200 * median"), &value));
	assert_true(fabs(value / (100 * t[0].median) - 1) < 1e-9);
	assert_true(audit_card(&a, STR("h200 gemv p90"), &value));
	assert_true(fabs(value / (100 * t[1].p90) - 1) < 1e-9);
	assert_true(audit_card(&a, STR("h200 * alarms"), &value) && value == 100);
	assert_true(audit_card(&a, STR("h200 * verdict"), &value) && value == 100);
	assert_false(audit_card(&a, STR("h200 * luck"), &value));
	assert_false(audit_card(&a, STR("h100 * median"), &value));
	const char *html = repo_expand(&r, "cards", true);
	contains(html, "data-n=\"card h200 * median\">");
	contains(html, "data-n=\"card h200 gemv alarms\">100\xC2\xA0%</span>");
	contains(repo_expand(&r, "cards device=h100", true), "No two cards of this device");
	arena_free(&a.records.scratch);
	repo_free(&r);
}

static void equal_cards_are_not_called_different(void **state)
{
	(void)state;
	static const struct one equal[] = {{"GPU-a", 1, 1, NULL}, {"GPU-b", 1, 1, NULL}};
	struct repo r;
	struct trust_cards *t;
	with_runs(&r, equal, ARRAY_LEN(equal));
	assert_int_equal(trust_cards(&r.data, "h200", &r.arena, &t), 2);
	assert_int_equal(t[0].pairs, t[0].cases);
	assert_int_equal(t[0].alarms + t[0].different, 0);
	repo_free(&r);
}

/* --- two devices --- */

/* Runs of two devices: `na` of h200, then `nb` of h100, with a card each. */
static void with_devices(struct repo *r, size_t na, size_t nb)
{
	repo_make(r, true);
	for (size_t i = 0; i < na + nb; i++) {
		struct synthetic s = repo_run(r, id_of(r, i));
		s.start = arena_printf(&r->arena, "2026-01-01T00:00:0%zuZ", i);
		s.device = i < na ? "h200" : "h100";
		s.brief = true;
		s.card = arena_printf(&r->arena, "GPU-%zu", i);
		s.slower = (i < na ? 1 : 1.4) * (1 + 0.01 * (double)(i % 3));
		s.code = 1;
		repo_add_run(r, &s);
	}
	repo_commit(r);
	repo_load(r);
}

static const struct data_case *newest_on(const struct repo *r, const char *device)
{
	for (size_t i = 0; i < r->data.nnumbers; i++) {
		const struct data_number *n = &r->data.numbers[i];
		if (strcmp(n->id, WARP) == 0 && strcmp(n->device, device) == 0)
			return n->in[n->newest];
	}
	fail_msg("nothing on %s", device);
	return NULL;
}

static void two_devices_are_compared_unpaired(void **state)
{
	(void)state;
	struct repo r;
	with_devices(&r, 3, 1);
	const struct data_case *a = newest_on(&r, "h200"), *b = newest_on(&r, "h100");
	struct stats_summary s =
	        stats_unpaired_ratio(b->medians, b->time.launches, a->medians, a->time.launches);
	const char *html = repo_expand(&r, "ratio " CASE " over=gemv/warp:device=h100", true);
	contains(html, "bandwidth-over-h100--gemv-warp");
	contains(html, "10 and 10 processes");
	contains(html, "unpaired: no process ran both");
	contains(html, "</a><span class=\"over-cards cards-note\"> (one card each)</span>");
	lacks(html, "data-cards");
	const struct quote *q = r.ctx.quotes;
	assert_true(fabs(q->n.value / s.typical - 1) < 1e-12);
	assert_true(fabs(q->n.lo / s.lo - 1) < 1e-9 && fabs(q->n.hi / s.hi - 1) < 1e-9);
	contains(repo_expand(&r, "ratio " CASE " over=gemv/warp:device=h100", false),
	         "× (one card each)");
	contains(repo_expand(&r, "ratio " CASE " over=gemv/warp:device=h100 needs=cards", false),
	         "needs 3 cards on each side with the same machine code, and " WARP
	         " was measured on 3, " WARP " of h100 on 1");
	contains(repo_expand(&r, "ratio " CASE " over=gemv/naive needs=cards", false),
	         "needs=cards is for a ratio of two devices");
	contains(repo_expand(&r, "ratio " CASE " over=gemv/warp:device=h100 needs=luck", false),
	         "needs=luck, expected cards");
	repo_free(&r);
}

static void over_cards_where_both_devices_have_them(void **state)
{
	(void)state;
	struct repo r;
	struct audit_records records;
	struct audit_number n;
	struct err e = ERR_NONE;
	with_devices(&r, 3, 4);
	const char *html = repo_expand(&r, "ratio " CASE " over=gemv/warp:device=h100", true);
	contains(html, "-over-cards\"");
	contains(html, "data-over-cards=");
	contains(html, "over 3 and 4 cards; Synthetic GPU");
	lacks(html, "one card each");
	const struct number *x = &r.ctx.quotes->n;
	double a[4], b[4];
	for (size_t i = 0; i < 3; i++)
		a[i] = 1 / number_card(x->cards, i).d->time.typical;
	for (size_t i = 0; i < 4; i++)
		b[i] = 1 / number_card(x->over_cards, i).d->time.typical;
	struct stats_summary s = stats_unpaired_ratio(a, 3, b, 4);
	assert_true(fabs(x->value / s.typical - 1) < 1e-12 && fabs(x->lo / s.lo - 1) < 1e-9);
	audit_records_init(&records, &r.data, &r.arena);
	const char *key = number_key(x, &r.arena);
	if (!audit_number_keyed(&records, str_of(key), str_of(x->pick.run->run.head.id),
	                        str_of(x->over.run->run.head.id), &n, &e))
		fail_msg("%s", e.text);
	assert_true(fabs(n.value / x->value - 1) < 1e-12 && fabs(n.hi / x->hi - 1) < 1e-12);
	/* without its ending the key says "one card each", which is not so here */
	key = arena_strndup(&r.arena, key, strlen(key) - strlen(" over cards"));
	assert_true(audit_number_keyed(&records, str_of(key), str_of(x->pick.run->run.head.id),
	                               str_of(x->over.run->run.head.id), &n, &e));
	assert_true(audit_number_lacks_cards(&records, &n));
	arena_free(&records.scratch);
	repo_free(&r);
}

static void a_table_across_devices(void **state)
{
	(void)state;
	struct repo r;
	with_devices(&r, 3, 1);
	const char *html = repo_expand(&r, "across gemv/* m=4 devices=h200,h100", true);
	contains(html, "<figure class=\"bench across\"");
	contains(html, "data-label=\"H200 over h100\"");
	contains(html, "Unpaired ratios, one card each");
	static const struct {
		const char *said, *error;
	} bad[] = {
	        {"devices=h200", "needs two or more"},
	        {"", "needs two or more"},
	        {"devices=h200,h200", "post.md:3:43: device 'h200' is named twice"},
	        {"devices=h200,h300", "device 'h300' has no run"},
	        {"device=h200 devices=h200,h100", "names them all, expected devices=A,B"},
	        {"devices=h200,h100 run=2026", "takes the newest run of each"},
	        {"devices=h200,h100 over=cards", "on 3 cards of two of the devices"},
	        {"devices=h200,h100 over=days", "over=days, expected cards"},
	        {"devices=h200,h100 metric=joy", "no metric 'joy'"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		contains(repo_expand(&r,
		                     arena_printf(&r.arena, "across gemv/warp m=4 %s", bad[i].said),
		                     true),
		         bad[i].error);
	repo_free(&r);
	with_devices(&r, 3, 3);
	html = repo_expand(&r, "across gemv/warp devices=h200,h100 over=cards metric=time", true);
	contains(html, "time over cards");
	contains(html, "#time-over-cards");
	lacks(html, "one card each");
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(it_is_the_mean_of_the_newest_run_of_each_card),
	        cmocka_unit_test(a_page_says_over_how_many_cards),
	        cmocka_unit_test(the_audit_derives_it_again),
	        cmocka_unit_test(other_code_and_unknown_cards_do_not_count),
	        cmocka_unit_test(it_is_as_unsteady_as_its_worst_card),
	        cmocka_unit_test(the_instrument_counts_the_card),
	        cmocka_unit_test(equal_cards_are_not_called_different),
	        cmocka_unit_test(two_devices_are_compared_unpaired),
	        cmocka_unit_test(over_cards_where_both_devices_have_them),
	        cmocka_unit_test(a_table_across_devices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
