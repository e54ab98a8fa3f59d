/*
 * runner/compare_builds.c - this program and another build of it, launch by
 * launch. Each launch is a run of its own, with its own file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "runner/compare.h"
#include "runner/other.h"
#include "runner/rng.h"

static const char self[] = "/proc/self/exe";

/* The launches so far: [block] of A, B and the control. */
struct builds {
	const char *b, *device;
	uint64_t seed;
	struct run *arm[3];
	const char *null[COMPARE_NULLS];
	int nnull;
};

/* The ids of the first, the middle and the last case that was measured. */
static void choose_nulls(struct builds *k, const struct run *a, struct arena *arena)
{
	const char **id = ARENA_ARRAY(arena, const char *, a->nlaunches + 1);
	size_t n = 0;
	for (size_t i = 0; i < a->nlaunches; i++)
		if (record_launch_ok(&a->launches[i]))
			id[n++] = a->launches[i].case_id;
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
	if (!other_launch(arm == 1 ? k->b : self, c->out, k->device,
	                  rng_derive(k->seed, 9, (uint64_t)block), sel, nsel, &c->s->arena, r,
	                  c->e))
		return false;
	if (!r->whole || strcmp(r->status, "complete") != 0)
		return err_set(c->e, "interrupted in launch %" PRId64, block + 1);
	if (arm == 0 && block == 0)
		choose_nulls(k, r, &c->s->arena);
	return true;
}

static bool same_code(const struct run_case *x, const struct run_case *y)
{
	return x->build.code_sha256 && y->build.code_sha256 &&
	       strcmp(x->build.code_sha256, y->build.code_sha256) == 0;
}

/* Nothing is left to measure: every case B has is the same machine code. */
static bool all_same(const struct run *a, const struct run *b)
{
	size_t n = 0;
	for (size_t i = 0; i < a->ncases; i++) {
		const struct run_case *other = record_case(b, a->cases[i].id);
		if (other && !same_code(&a->cases[i], other))
			return false;
		n += other != NULL;
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

/* The one launch of a case in a run, if it passed. */
static const struct run_launch *launch_of(const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->nlaunches; i++)
		if (strcmp(r->launches[i].case_id, id) == 0 && record_launch_ok(&r->launches[i]))
			return &r->launches[i];
	return NULL;
}

/* Pairs of medians over the blocks where both sides passed. */
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

static void fill_rows(struct comparing *c, const struct builds *k, int64_t blocks)
{
	struct arena *a = &c->s->arena;
	const struct run *first = &k->arm[0][0];
	c->v.row = ARENA_ARRAY(a, struct versus_row, first->ncases + 1);
	for (size_t i = 0; i < first->ncases; i++) {
		const struct run_case *mine = &first->cases[i],
		                      *other = record_case(&k->arm[1][0], mine->id);
		double *ma = ARENA_ARRAY(a, double, (size_t)blocks),
		       *mb = ARENA_ARRAY(a, double, (size_t)blocks);
		bool timers = false;
		if (!other)
			continue;
		size_t n = pair(k, 0, 1, blocks, mine->id, ma, mb, &timers);
		c->v.row[c->v.n++] = (struct versus_row){
		        .a = mine->id,
		        .b = other->id,
		        .ma = ma,
		        .mb = mb,
		        .na = n,
		        .nb = n,
		        .paired = true,
		        .same_code = same_code(mine, other),
		        .note = timers ? "timed in different ways" : NULL,
		};
	}
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

bool compare_builds(struct comparing *c, const char *program)
{
	enum kernel_where where;
	struct facts facts;
	struct builds k = {.b = program, .seed = settings_seed(c->seed)};
	int64_t done = 0;
	for (int arm = 0; arm < 3; arm++)
		k.arm[arm] = ARENA_ARRAY(&c->s->arena, struct run, (size_t)c->blocks);
	if (!choose_device(c->device, &where, &facts, c->e) || !file_mkdirs(c->out, c->e))
		return false;
	k.device = where == KERNEL_CUDA ? "cuda" : "cpu";
	if (!measure(c, &k, &done))
		return false;
	c->v.a = k.arm[0][0].head.commit ? k.arm[0][0].head.commit : "this build";
	c->v.b = k.arm[1][0].head.commit ? k.arm[1][0].head.commit : program;
	fill_rows(c, &k, done);
	fill_nulls(c, &k, done);
	return c->v.n || err_set(c->e, "the two builds have no case in common");
}
