/*
 * Planted faults of matrix products (tests/unit/help/cheats_products.h) and of products of groups
 * of rows (tests/unit/help/cheats_groups.h). Faults of place are found
 * bit for bit on the grid, by every measurement, though no sampled output shows them. Faults of
 * precision are found on full inputs, by the bound that is derived for them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "runner/base/clock.h"
#include "runner/measure/walk.h"
#include "runner/plan/method.h"
#include "runner/records/head.h"
#include "tests/unit/help/cheats_groups.h"
#include "tests/unit/help/cheats_products.h"

static const struct kernel_family *const table_families[] = {&product_family, &groups_family};

#define TABLE_PRODUCT(c) \
	(strcmp((c)->param[0].name, "gathers") == 0 ? groups_product_of(c) : product_of(c))
#define TABLE_GROUPS(c, g) groups_of(c, g)
#include "tests/unit/help/kernel_table.h"

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1 << 30,
                                     .threads = 2};

/* So few outputs are sampled that the faulty tile is not among them. */
enum { FEW_TERMS = 1 << 17 };

/*
 * What a measurement says of each variant, for bf16 and for FP8; NULL: nothing, it is right. Of
 * groups: for sorted rows, and for gathered ones.
 */
static const struct finding {
	const char *variant, *first, *second;
} findings[] = {
        {"honest", NULL, NULL},
        {"tile_skipped", "timing: 256 output elements never written",
         "timing: 256 output elements never written"},
        {"tile_repeated", "timing: 25", "timing: 2"},
        {"slice_dropped", "timing: 25", "timing: 2"},
        {"stale_sums", "timing: 25", "timing: 2"},
        {"swizzled", "timing: 6", "timing: "},
        {"truncates", "error", "not exact"},
        {"tail_read", "error", "error"},
        {"short_sums", "error", "error"},
        {"early_read", "timing: ", "timing: "},
        {"groups_honest", NULL, NULL},
        {"groups_skipped", "timing: 2 output elements never written",
         "timing: 2 output elements never written"},
        {"groups_off_by_one", "timing: 38 of 3800 outputs", "timing: 38 of 3800 outputs"},
        {"groups_slice", "timing: 12", "timing: 12"},
        {"groups_neighbour", "timing: 5", "timing: 5"},
        {"groups_tail", "timing: 38 of 3800", "timing: 38 of 3800"},
        {"groups_token", NULL, "timing: 76 of 3800"},
        {"groups_routing", "timing: 1 input elements changed", "timing: 1 input elements changed"},
};

struct seen {
	const struct plan *plan;
	char status[64][STATUS_SIZE], why[64][240];
	struct run_check before[64];
	size_t samples;
};

static void note(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct seen *seen = ctx;
	size_t i = (size_t)(s->item - seen->plan->item);
	memcpy(seen->status[i], s->out.status, sizeof seen->status[0]);
	memcpy(seen->why[i], s->out.why, sizeof seen->why[0]);
	seen->before[i] = s->out.before.check;
	seen->samples += s->line && !strstr(s->line, "\"above_base\":[]");
}

static void walk_all(enum walk_mode mode, const char *selector, struct arena *a, struct plan *p,
                     struct seen *seen)
{
	struct err e = ERR_NONE;
	struct signals none = {.fd = -1};
	struct selector sel;
	bool check = mode == WALK_CHECK;
	if (!select_parse(selector, &sel, &e) ||
	    !plan_make(KERNEL_CPU, check ? PLAN_CHECK : PLAN_MEASURE, &machine, &sel, 1, a, p, &e))
		fail_msg("%s", e.text);
	p->set.seed = 7;
	p->set.timeout_s = 20;
	p->tick_ns = 1;
	size_t *order = ARENA_ARRAY(a, size_t, p->n);
	for (size_t i = 0; i < p->n; i++) {
		order[i] = i;
		p->item[i].call_ns = 20000000;
		method_choose_timer(&p->item[i], KERNEL_CPU);
	}
	*seen = (struct seen){.plan = p};
	assert_true(p->n <= ARRAY_LEN(seen->why));
	struct walk w = {.mode = mode,
	                 .plan = p,
	                 .expected = expected_make(p, 0, FEW_TERMS, 2, a),
	                 .order = order,
	                 .n = p->n,
	                 .start_ns = clock_ns(),
	                 .signals = &none,
	                 .done = note,
	                 .ctx = seen};
	if (!walk_run(&w, &e))
		fail_msg("%s", e.text);
}

static bool is_second(const struct kernel_case *c)
{
	return c->dtype == KERNEL_E4M3 ||
	       (strcmp(c->param[0].name, "gathers") == 0 && kernel_num(c, "gathers"));
}

static const char *finding_of(const struct item *it)
{
	for (size_t i = 0; i < ARRAY_LEN(findings); i++)
		if (strcmp(findings[i].variant, it->variant->id) == 0)
			return is_second(it->kcase) ? findings[i].second : findings[i].first;
	fail_msg("%s: planted, but nothing is said of it", it->variant->id);
	return NULL;
}

static void compare(const struct seen *s)
{
	for (size_t i = 0; i < s->plan->n; i++) {
		const struct item *it = &s->plan->item[i];
		const char *want = finding_of(it);
		print_message("%s: %s %s\n", it->id, s->status[i], s->why[i]);
		if (strcmp(s->status[i], want ? "wrong" : "ok") != 0 ||
		    (want && !strstr(s->why[i], want)))
			fail_msg("%s: got '%s' (%s), expected %s", it->id, s->status[i], s->why[i],
			         want ? want : "ok");
	}
}

static void a_measurement_finds_them(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen *s = ARENA_ARRAY(&a, struct seen, 1);
	walk_all(WALK_MEASURE, "product", &a, &p, s);
	compare(s);
	arena_free(&a);
}

static void a_measurement_finds_those_of_groups(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen *s = ARENA_ARRAY(&a, struct seen, 1);
	walk_all(WALK_MEASURE, "groups", &a, &p, s);
	compare(s);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_measurement_finds_them),
	        cmocka_unit_test(a_measurement_finds_those_of_groups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
