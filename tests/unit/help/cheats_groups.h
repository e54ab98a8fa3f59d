/*
 * tests/unit/help/cheats_groups.h - products of groups of rows (struct kernel_groups) on the CPU,
 * with the faults of kernels that find their tiles by where groups begin. The honest variant is
 * right; each other is wrong in one group. tests/unit/runner/measure/test_products.c says which
 * check must find each.
 */
#ifndef TESTS_UNIT_HELP_CHEATS_GROUPS_H
#define TESTS_UNIT_HELP_CHEATS_GROUPS_H

#include <string.h>

#include "kernels/made.h"
#include "kernels/product.h"
#include "lib/array.h"
#include "runner/device/element.h"

enum { G_A, G_B, G_OUT, G_BEGIN, G_ROW };
enum { G_GROUPS = 6, G_ROWS = 100, G_TOKENS = 25, G_TILE = 16, G_HERE = 2 };

/* The group in the middle, where the faults are, ends within a tile. */
static const int32_t g_begin[G_GROUPS + 1] = {0, 16, 16, 49, 50, 70, 100};
static int32_t g_row[G_ROWS];

enum group_fault {
	G_HONEST,
	G_TILE_SKIPPED, /* a group's last tile */
	G_OFF_BY_ONE,   /* a group begins a row too early */
	G_SLICE,        /* a slice of k is left out */
	G_NEIGHBOUR,    /* a tile is stored whole, over the rows of the next group */
	G_TAIL,         /* the next group's weights, in the last tile */
	G_TOKEN,        /* two rows of a group have each other's tokens */
	G_ROUTING,      /* the routing itself is changed */
};

static bool g_gathers(const struct kernel_case *c)
{
	return kernel_num(c, "gathers") != 0;
}

static struct kernel_product groups_product_of(const struct kernel_case *c)
{
	const size_t n = (size_t)kernel_num(c, "n"), k = (size_t)kernel_num(c, "k"),
	             rows = g_gathers(c) ? G_TOKENS : G_ROWS;
	struct kernel_product p = {.a = product_rows(G_A, rows, k),
	                           .b = product_rows(G_B, n, k),
	                           .out = product_rows(G_OUT, rows, n),
	                           .count = G_GROUPS,
	                           .rows = rows,
	                           .cols = n,
	                           .depth = k,
	                           .times = 1,
	                           .sum_bits = 23};
	p.a.next = 0;
	return p;
}

static bool groups_of(const struct kernel_case *c, struct kernel_groups *g)
{
	if (strcmp(c->param[0].name, "gathers") != 0)
		return false;
	for (int i = 0; i < G_ROWS; i++)
		g_row[i] = i * 7 % G_TOKENS;
	*g = (struct kernel_groups){g_begin, g_gathers(c) ? g_row : NULL, G_BEGIN, G_ROW};
	return true;
}

/* Output (i, j) with the weights of group t, from k on; the way a device would find its row. */
static void g_put(const struct kernel_case *c, void *const *buf, size_t t, size_t i, size_t j,
                  size_t without)
{
	const struct kernel_product p = groups_product_of(c);
	const size_t row = g_gathers(c) ? (size_t)((const int32_t *)buf[G_ROW])[i] : i;
	float sum = 0;
	uint32_t bits;
	for (size_t k = 0; k < p.depth; k++)
		if (k / G_TILE != without)
			sum += (float)(element_get(KERNEL_BF16, buf[G_A], row * p.depth + k) *
			               element_get(KERNEL_BF16, buf[G_B],
			                           t * p.b.next + j * p.depth + k));
	memcpy(&bits, &sum, sizeof bits);
	bits += 0x7fff + (bits >> 16 & 1);
	((uint16_t *)buf[G_OUT])[i * p.cols + j] = (uint16_t)(bits >> 16);
}

/* One group, tile by tile. */
static void g_group(const struct kernel_case *c, void *const *buf, size_t t, enum group_fault fault)
{
	const int32_t *begin = buf[G_BEGIN];
	const size_t cols = (size_t)kernel_num(c, "n"), end = (size_t)begin[t + 1];
	const size_t first = (size_t)begin[t] - (fault == G_OFF_BY_ONE);
	for (size_t i = first; i < end || (fault == G_NEIGHBOUR && (i - first) % G_TILE); i++) {
		const bool last = (i - first) / G_TILE == (end - 1 - first) / G_TILE;
		if (fault == G_TILE_SKIPPED && last)
			continue;
		for (size_t j = 0; j < cols; j++)
			g_put(c, buf, fault == G_TAIL && last ? t + 1 : t, i, j,
			      fault == G_SLICE ? 1 : ~(size_t)0);
	}
}

static void g_swap_rows(void *const *buf, size_t i)
{
	int32_t *row = buf[G_ROW], was = row[i];
	row[i] = row[i + 1];
	row[i + 1] = was;
}

/* The faulty group comes last, so that nobody puts right what it does to its neighbours. */
static int g_run(const struct kernel_case *c, void *const *buf, enum group_fault fault)
{
	const bool tokens = fault == G_TOKEN && g_gathers(c);
	for (size_t t = 0; t < G_GROUPS; t++)
		g_group(c, buf, t, G_HONEST);
	if (tokens)
		g_swap_rows(buf, (size_t)g_begin[G_HERE]);
	g_group(c, buf, G_HERE, fault);
	if (tokens)
		g_swap_rows(buf, (size_t)g_begin[G_HERE]);
	if (fault == G_TILE_SKIPPED)
		memset((uint16_t *)buf[G_OUT] + (g_begin[G_HERE + 1] - 1) * kernel_num(c, "n"),
		       0xff, 4);
	if (fault == G_ROUTING)
		((int32_t *)buf[G_BEGIN])[G_GROUPS]++;
	return 0;
}

#define GROUPS_RUN(name, fault)                                                                 \
	static int run_groups_##name(const struct kernel_case *c, const struct kernel_env *env, \
	                             void *const *buf, void *state)                             \
	{                                                                                       \
		(void)env, (void)state;                                                         \
		return g_run(c, buf, fault);                                                    \
	}
GROUPS_RUN(honest, G_HONEST)
GROUPS_RUN(skipped, G_TILE_SKIPPED)
GROUPS_RUN(off_by_one, G_OFF_BY_ONE)
GROUPS_RUN(slice, G_SLICE)
GROUPS_RUN(neighbour, G_NEIGHBOUR)
GROUPS_RUN(tail, G_TAIL)
GROUPS_RUN(token, G_TOKEN)
GROUPS_RUN(routing, G_ROUTING)

#define GROUPS_ROW(name)                                                                      \
	{                                                                                     \
		.id = "groups_" #name, .title = #name, .idea = "a test", .where = KERNEL_CPU, \
		.file = "kernels/cheat/" #name ".c", .launch = run_groups_##name              \
	}

static const struct kernel_variant groups_variants[] = {
        GROUPS_ROW(honest),    GROUPS_ROW(skipped), GROUPS_ROW(off_by_one), GROUPS_ROW(slice),
        GROUPS_ROW(neighbour), GROUPS_ROW(tail),    GROUPS_ROW(token),      GROUPS_ROW(routing),
};

#define GROUPS_CASE(gathers, n, k)                                                            \
	{                                                                                     \
		{{"gathers", gathers, NULL}, {"n", n, NULL}, {"k", k, NULL}}, 3, KERNEL_BF16, \
		        KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_HOT | KERNEL_FULL          \
	}

static const struct kernel_case groups_cases[] = {
        GROUPS_CASE(0, 38, 1332),
        GROUPS_CASE(1, 38, 1332),
};

static size_t groups_buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	const struct kernel_product p = groups_product_of(c);
	struct kernel_groups g;
	groups_of(c, &g);
	b[G_A] = kernel_in("a", KERNEL_BF16, p.rows * p.depth);
	b[G_B] = kernel_in("b", KERNEL_BF16, G_GROUPS * p.cols * p.depth);
	b[G_OUT] = kernel_out("out", KERNEL_BF16, G_ROWS * p.cols);
	b[G_BEGIN] = kernel_made("begin", g_begin, G_GROUPS + 1);
	b[G_ROW] = kernel_made("row", g_row, G_ROWS);
	return G_ROW + 1;
}

static void groups_model(const struct kernel_case *c, struct kernel_model *m)
{
	const struct kernel_product p = groups_product_of(c);
	*m = (struct kernel_model){.flop = (int64_t)(2 * G_ROWS * p.cols * p.depth),
	                           .bytes_read = (int64_t)(2 * G_ROWS * p.depth),
	                           .bytes_written = (int64_t)(2 * G_ROWS * p.cols),
	                           .formula = "2 per term",
	                           .unit = "bf16",
	                           .level = "hbm"};
}

static void groups_expected(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                            double *value, double *magnitude)
{
	const struct kernel_product p = groups_product_of(c);
	const struct product_error e = {.sizes = product_rounds(p.depth, 24) * 0x1p8};
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	struct kernel_groups g;
	groups_buffers(c, b);
	groups_of(c, &g);
	groups_expect(&p, &g, b, seed, e, idx, n, value, magnitude);
}

static size_t groups_terms(const struct kernel_case *c)
{
	return (size_t)kernel_num(c, "k");
}

static double groups_tolerance(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "2^-8 for the rounding to bf16";
	return 0x1p-8;
}

static const struct kernel_family groups_family = {
        .id = "groups",
        .title = "Groups",
        .problem = "Multiply groups.",
        .metric = "throughput",
        .file = "kernels/cheat/groups.c",
        .cases = groups_cases,
        .ncases = ARRAY_LEN(groups_cases),
        .variants = groups_variants,
        .nvariants = ARRAY_LEN(groups_variants),
        .buffers = groups_buffers,
        .model = groups_model,
        .expect = groups_expected,
        .terms = groups_terms,
        .tolerance = groups_tolerance,
        .finite_only = "a test",
};

#endif
