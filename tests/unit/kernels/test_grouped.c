/* Routings of the family `grouped`: how many rows each expert has, and of which tokens. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/grouped/gated.h"
#include "kernels/grouped/routing.h"
#include "kernels/made.h"

extern const struct kernel_family grouped_family;

static struct kernel_case case_of(int64_t t, int64_t e, const char *word)
{
	return (struct kernel_case){
	        {{"t", t, NULL}, {"e", e, NULL}, {"routing", 0, word}}, 3, KERNEL_BF16, 0};
}

/* What holds of every routing. */
static void assert_sound(const struct routing *r)
{
	int active = 0, most = 0;
	assert_int_equal(r->begin[0], 0);
	assert_int_equal(r->begin[r->e], r->rows);
	for (int g = 0; g < r->e; g++) {
		const int size = r->begin[g + 1] - r->begin[g];
		assert_true(size >= 0);
		active += size > 0;
		most = size > most ? size : most;
	}
	for (int i = 0; i < r->rows; i++)
		assert_true(r->token[i] >= 0 && r->token[i] < r->t);
	assert_int_equal(r->active, active);
	assert_int_equal(r->most, most);
}

/* Each token goes to so many different experts. */
static void assert_drawn(const struct routing *r, int top)
{
	int *experts = calloc((size_t)r->t, sizeof *experts);
	assert_non_null(experts);
	for (int g = 0; g < r->e; g++)
		for (int i = r->begin[g]; i < r->begin[g + 1]; i++) {
			experts[r->token[i]]++;
			assert_true(i == r->begin[g] || r->token[i] > r->token[i - 1]);
		}
	for (int t = 0; t < r->t; t++)
		assert_int_equal(experts[t], top);
	free(experts);
}

static void tokens_go_to_different_experts(void **state)
{
	(void)state;
	static const struct {
		int t, e, top;
	} drawn[] = {{1, 256, 8}, {4096, 256, 8}, {64, 128, 8}, {3, 5, 5}, {7, 1, 1}};
	static const char *const words[] = {"uniform", "zipf"};
	for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
		for (int w = 0; w < 2; w++) {
			const struct kernel_case c = case_of(drawn[i].t, drawn[i].e, words[w]);
			const struct routing *r = routing_of(&c);
			assert_int_equal(r->rows, drawn[i].t * drawn[i].top);
			assert_sound(r);
			assert_drawn(r, drawn[i].top);
		}
}

/* The shares of experts are those of their weights, as far as 8 different ones a token allow. */
static void popular_experts_have_more_rows(void **state)
{
	(void)state;
	const struct kernel_case even = case_of(4096, 256, "uniform");
	const struct kernel_case skewed = case_of(4096, 256, "zipf");
	const struct routing *u = routing_of(&even), *z = routing_of(&skewed);
	assert_true(u->most < 128 * 3 / 2 && u->active == 256);
	assert_true(z->most > 4096 / 2 && z->most <= 4096);
	/* the expected number of experts that 64 tokens ask for: 256 (1 - (1 - 8/256)^64) = 222 */
	const struct kernel_case few = case_of(64, 256, "uniform");
	assert_in_range(routing_of(&few)->active, 210, 234);
}

static void given_sizes_are_those(void **state)
{
	(void)state;
	const struct kernel_case even = case_of(2048, 32, "even");
	const struct kernel_case one = case_of(20, 9, "one");
	const struct kernel_case edges = case_of(75, 12, "edges");
	const struct routing *r = routing_of(&even);
	assert_sound(r);
	for (int g = 0; g < 32; g++)
		assert_int_equal(r->begin[g + 1] - r->begin[g], 512);
	r = routing_of(&one);
	assert_sound(r);
	assert_int_equal(r->active, 1);
	assert_int_equal(r->begin[5] - r->begin[4], 160);
	static const int sizes[] = {1, 0, 127, 128, 129, 0, 64, 65, 63, 8, 9, 6};
	r = routing_of(&edges);
	assert_sound(r);
	for (int g = 0; g < 12; g++)
		assert_int_equal(r->begin[g + 1] - r->begin[g], sizes[g]);
}

/* It is made once: buffers point to it for as long as the process lives. */
static void a_routing_stays(void **state)
{
	(void)state;
	const struct kernel_case a = case_of(64, 128, "zipf"), b = case_of(64, 128, "zipf");
	assert_ptr_equal(routing_of(&a), routing_of(&b));
}

/* Weights count only if somebody asks for their expert. */
static void the_model_counts_active_experts(void **state)
{
	(void)state;
	const struct kernel_family *f = &grouped_family;
	for (size_t i = 0; i < f->ncases; i++) {
		const struct kernel_case *c = &f->cases[i];
		const struct routing *r = routing_of(c);
		const int64_t n = kernel_num(c, "n"), k = kernel_num(c, "k");
		struct kernel_buffer b[KERNEL_MAX_BUFFERS];
		struct kernel_model m = {0};
		const size_t nbuf = f->buffers(c, b);
		f->model(c, &m);
		assert_int_equal(m.flop, 2 * r->rows * n * k);
		int64_t read = (int64_t)kernel_dtype_bytes(c->dtype) * r->active * n * k;
		for (size_t j = 0; j < nbuf; j++)
			if (b[j].access == KERNEL_IN && strcmp(b[j].name, "b") != 0)
				read += (int64_t)(b[j].count * kernel_dtype_bytes(b[j].dtype));
		assert_int_equal(m.bytes_read, read);
		assert_int_equal(m.bytes_written, 2 * r->rows * n / (gated_is(c) ? 2 : 1));
		assert_true(r->e <= ROUTING_EXPERTS);
		for (size_t j = 0; j < nbuf; j++)
			assert_true(!kernel_made_is(&b[j]) || b[j].count <= KERNEL_MADE_MOST);
	}
}

/* Of each sixteen columns the first eight are gates: silu(1) 3 and silu(-2) 5. */
static void a_gate_has_its_up(void **state)
{
	(void)state;
	double v, off, wide;
	assert_int_equal(gated_gate(7), 7);
	assert_int_equal(gated_gate(8), 16);
	assert_int_equal(gated_gate(8 * 100 + 3), 16 * 100 + 3);
	gated_output((struct gated_sum){1, 0}, (struct gated_sum){3, 0}, &v, &off);
	assert_true(fabs(v - 3 * 0.7310585786300049) < 1e-12 && off > v && off < 1.3 * v);
	gated_output((struct gated_sum){1, 0.1}, (struct gated_sum){3, 0}, &v, &wide);
	assert_true(wide > 10 * off); /* what the gate is off counts */
	gated_output((struct gated_sum){-2, 0}, (struct gated_sum){5, 0}, &v, &off);
	assert_true(fabs(v + 10 * 0.11920292202211755) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(tokens_go_to_different_experts),
	        cmocka_unit_test(popular_experts_have_more_rows),
	        cmocka_unit_test(given_sizes_are_those),
	        cmocka_unit_test(a_routing_stays),
	        cmocka_unit_test(the_model_counts_active_experts),
	        cmocka_unit_test(a_gate_has_its_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
