/*
 * runner/commands/compare_builds.c - the comparison of this program with another build of
 * it, launch by launch. Each launch is a separate run with its own file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "runner/base/rng.h"
#include "runner/commands/commands.h"
#include "runner/commands/compare.h"
#include "runner/compare/other_runner.h"

static const char self[] = "/proc/self/exe";

/* The launches so far, by [block], of A, B and the null control. */
struct builds {
	const char *b, *device;
	uint64_t seed;
	struct run *arm[3];
	const char *null[COMPARE_NULLS];
	int nnull;
};

/* Chooses the first, the middle and the last measured case as null controls. */
static void choose_nulls(struct builds *k, const struct run *a, struct arena *arena)
{
	const char **id = ARENA_ARRAY(arena, const char *, a->nlaunches + 1);
	size_t n = 0;
	for (size_t i = 0; i < a->nlaunches; i++)
		if (record_launch_ok(&a->launches[i]))
			id[n++] = a->launches[i].of->id;
	k->nnull = n < COMPARE_NULLS ? (int)n : COMPARE_NULLS;
	for (int i = 0; i < k->nnull; i++)
		k->null[i] = id[k->nnull > 1 ? (size_t)i * (n - 1) / (size_t)(k->nnull - 1) : 0];
}

static bool one(struct comparing *c, struct builds *k, int64_t block, int arm)
{
	const char *const *sel = arm == 2 ? k->null : c->args->arg;
	int nsel = arm == 2 ? k->nnull : c->args->nargs;
	struct run *r = &k->arm[arm][block];
	if (arm == 2 && nsel == 0)
		return true;
	if (!other_runner_launch(arm == 1 ? k->b : self, c->out, k->device,
	                         rng_derive(k->seed, 9, (uint64_t)block), sel, nsel, &c->s->arena,
	                         r, c->e))
		return false;
	if (!r->whole || strcmp(r->status, "complete") != 0)
		return err_set(c->e, "interrupted in process %" PRId64, block + 1);
	if (arm == 0 && block == 0)
		choose_nulls(k, r, &c->s->arena);
	return true;
}

/* True if every case that both have is the same machine code, so nothing is left to measure. */
static bool all_same(const struct run *a, const struct run *b)
{
	size_t n = 0;
	for (size_t i = 0; i < a->ncases; i++) {
		const struct run_case *mine = compare_case(a, a->cases[i].id),
		                      *other = compare_case(b, a->cases[i].id);
		if (mine && other && !compare_same_code(mine, other))
			return false;
		n += mine && other;
	}
	return n > 0;
}

static bool measure(struct comparing *c, struct builds *k, int64_t *done)
{
	for (*done = 0; *done < c->blocks; ++*done) {
		for (int i = 0; i < 3; i++)
			if (!one(c, k, *done, *done % 2 ? 2 - i : i))
				return false;
		fprintf(stderr, "launch %" PRId64 "/%" PRId64 " of each side\n", *done + 1,
		        c->blocks);
		if (*done == 0 && all_same(&k->arm[0][0], &k->arm[1][0])) {
			++*done;
			break;
		}
	}
	return true;
}

/* The only launch of a case in a run, if it passed; or NULL. */
static const struct run_launch *launch_of(const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->nlaunches; i++)
		if (strcmp(r->launches[i].of->id, id) == 0 && record_launch_ok(&r->launches[i]))
			return &r->launches[i];
	return NULL;
}

/* Collects pairs of medians from the blocks in which both sides passed. */
static size_t pair(const struct builds *k, int x, int y, int64_t blocks, const char *id, double *mx,
                   double *my, bool *timers_differ)
{
	size_t n = 0;
	for (int64_t i = 0; i < blocks; i++) {
		const struct run_launch *lx = launch_of(&k->arm[x][i], id),
		                        *ly = launch_of(&k->arm[y][i], id);
		if (!lx || !ly)
			continue;
		*timers_differ |= strcmp(lx->timer, ly->timer) != 0;
		mx[n] = record_launch_median(lx);
		my[n++] = record_launch_median(ly);
	}
	return n;
}

/* Why a case that A has cannot be compared, or NULL. */
static const char *broken(const struct builds *k, int64_t blocks, const char *id, struct arena *a)
{
	const struct run_case *b = record_case(&k->arm[1][0], id);
	const char *why = NULL;
	if (!b)
		return "B: no such case";
	if (b->unavailable)
		return arena_printf(a, "B: unavailable: %s", b->unavailable);
	for (int arm = 0; arm < 2 && !why; arm++) {
		struct compare_side side = {.name = arm ? "B" : "A"};
		for (int64_t i = 0; i < blocks; i++)
			compare_count(&side, &k->arm[arm][i], id);
		why = compare_broken(&side, (size_t)blocks, a);
	}
	return why;
}

static void fill_row(struct ab_test_row *r, const struct builds *k, int64_t blocks,
                     const struct run_case *mine, struct arena *a)
{
	const struct run_case *other = compare_case(&k->arm[1][0], mine->id);
	double *ma = ARENA_ARRAY(a, double, (size_t)blocks),
	       *mb = ARENA_ARRAY(a, double, (size_t)blocks);
	bool timers = false;
	size_t n = pair(k, 0, 1, blocks, mine->id, ma, mb, &timers);
	*r = (struct ab_test_row){
	        .a = mine->id,
	        .b = mine->id,
	        .ma = ma,
	        .mb = mb,
	        .na = n,
	        .nb = n,
	        .paired = true,
	        .same_code = other && compare_same_code(mine, other),
	        .broken = broken(k, blocks, mine->id, a),
	        .note = timers ? "timed in different ways" : NULL,
	};
}

static void fill_rows(struct comparing *c, const struct builds *k, int64_t blocks)
{
	const struct run *first = &k->arm[0][0], *second = &k->arm[1][0];
	c->v.row = ARENA_ARRAY(&c->s->arena, struct ab_test_row, first->ncases + 1);
	for (size_t i = 0; i < first->ncases; i++)
		if (!first->cases[i].unavailable)
			fill_row(&c->v.row[c->v.n++], k, blocks, &first->cases[i], &c->s->arena);
	for (size_t i = 0; i < second->ncases; i++)
		c->v.only_b +=
		        !second->cases[i].unavailable && !compare_case(first, second->cases[i].id);
}

static void fill_nulls(struct comparing *c, const struct builds *k, int64_t blocks)
{
	struct arena *a = &c->s->arena;
	double *own = ARENA_ARRAY(a, double, (size_t)blocks),
	       *null = ARENA_ARRAY(a, double, (size_t)blocks);
	bool ignored;
	c->v.null_ratio = ARENA_ARRAY(a, double, COMPARE_NULLS);
	for (int i = 0; i < k->nnull; i++) {
		size_t n = pair(k, 2, 0, blocks, k->null[i], null, own, &ignored);
		if (n > 1)
			c->v.null_ratio[c->v.nnull++] = stats_paired_ratio(null, own, n).typical;
	}
}

static const char *build_name(const struct run_head *h, const char *otherwise, struct arena *a)
{
	if (!h->commit)
		return otherwise;
	return h->dirty ? arena_printf(a, "%s, with changes", h->commit) : h->commit;
}

bool compare_builds(struct comparing *c, const char *program)
{
	enum kernel_where where;
	struct facts facts;
	struct builds k = {.b = program, .seed = settings_seed(c->seed)};
	int64_t done = 0;
	for (int arm = 0; arm < 3; arm++)
		k.arm[arm] = ARENA_ARRAY(&c->s->arena, struct run, (size_t)c->blocks);
	if (!command_device(c->device, 1, &where, &facts, c->e) || !file_mkdirs(c->out, c->e))
		return false;
	k.device = where == KERNEL_CUDA ? "cuda" : "cpu";
	if (!measure(c, &k, &done))
		return false;
	c->v.a = build_name(&k.arm[0][0].head, "this build", &c->s->arena);
	c->v.b = build_name(&k.arm[1][0].head, program, &c->s->arena);
	fill_rows(c, &k, done);
	fill_nulls(c, &k, done);
	return c->v.n || err_set(c->e, "the two builds have no case in common");
}
