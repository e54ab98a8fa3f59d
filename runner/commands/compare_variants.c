/*
 * runner/commands/compare_variants.c - the comparison of two variants of this build, in one
 * run file.
 */
#include <stdio.h>

#include "runner/commands/commands.h"
#include "runner/commands/compare.h"
#include "runner/plan/heavy.h"
#include "runner/plan/method.h"

/* Pairs of items of A and B at the same case, measured in the same way; indices of the plan. */
struct pairs {
	size_t *a, *b, n;
};

static bool means(const struct selector *s, const struct item *it)
{
	return select_matches(s, it->family, it->variant, it->kcase, &it->way);
}

static bool same_way(const struct way *x, const struct way *y)
{
	return x->cold == y->cold && x->host == y->host && x->load == y->load;
}

static bool make_plan(struct comparing *c, const struct selector *sel)
{
	struct session *s = c->s;
	enum kernel_where where;
	struct facts facts;
	if (!command_device(c->device, 1, &where, &facts, c->e) ||
	    !plan_make(where, PLAN_MEASURE, &facts, sel, 2, &s->arena, &s->plan, c->e))
		return false;
	s->plan.set.seed = settings_seed(c->seed);
	s->plan.set.launches = c->blocks;
	return true;
}

static bool find_pairs(struct comparing *c, const struct selector *sel, struct pairs *out)
{
	const struct plan *p = &c->s->plan;
	*out = (struct pairs){ARENA_ARRAY(&c->s->arena, size_t, p->n * p->n + 1),
	                      ARENA_ARRAY(&c->s->arena, size_t, p->n * p->n + 1), 0};
	for (size_t i = 0; i < p->n; i++) {
		if (means(&sel[0], &p->item[i]) && means(&sel[1], &p->item[i]))
			return err_set(c->e, "'" STR_FMT "' and '" STR_FMT "' both mean %s",
			               STR_ARG(sel[0].text), STR_ARG(sel[1].text), p->item[i].id);
		for (size_t k = 0; means(&sel[0], &p->item[i]) && k < p->n; k++) {
			if (!means(&sel[1], &p->item[k]) || p->item[k].kcase != p->item[i].kcase ||
			    !same_way(&p->item[k].way, &p->item[i].way))
				continue;
			out->a[out->n] = i;
			out->b[out->n++] = k;
		}
	}
	return out->n || err_set(c->e, "'" STR_FMT "' and '" STR_FMT "' have no case in common",
	                         STR_ARG(sel[0].text), STR_ARG(sel[1].text));
}

/* One heavy side makes the other heavy, too, if it can have such a burst: both start from idle. */
static void same_regime(struct item *a, struct item *b, struct arena *arena)
{
	struct item *light = a->heavy ? b : a, as = *light;
	as.heavy = true;
	if (a->heavy == b->heavy || heavy_refuses(&as, arena))
		return;
	light->heavy = true;
	method_choose_timer(light, light->variant->where);
}

/*
 * Gives both items of a pair the same batch if they are about equally fast: the stopwatch then
 * adds the same time to both. Of a heavy pair it is the smaller one, which fits into the budget.
 */
static void same_batches(struct plan *p, const struct pairs *pairs, struct arena *arena)
{
	for (size_t i = 0; i < pairs->n; i++) {
		struct item *a = &p->item[pairs->a[i]], *b = &p->item[pairs->b[i]];
		bool near = a->call_ns < 2 * b->call_ns && b->call_ns < 2 * a->call_ns;
		same_regime(a, b, arena);
		if (near && a->timer == b->timer && a->sets == b->sets)
			a->batch = b->batch =
			        (a->batch > b->batch) != heavy_bursts(a) ? a->batch : b->batch;
	}
}

/*
 * The items of the processes of a round: A's, B's and the null controls. Those with load=steady
 * are all in a fourth process, whose blocks have A, B and the control within seconds.
 */
enum { ARMS = 4, STEADY_ARM = 3 };

struct arms {
	bool *in[ARMS];
};

static bool any(const bool *in, size_t n)
{
	size_t i = 0;
	while (i < n && !in[i])
		i++;
	return i < n;
}

static struct arms make_arms(struct comparing *c, const struct pairs *pairs)
{
	struct plan *p = &c->s->plan;
	struct arms arms;
	size_t real = p->n;
	bool *first = ARENA_ARRAY(&c->s->arena, bool, real + 1);
	for (int k = 0; k < ARMS; k++)
		arms.in[k] = ARENA_ARRAY(&c->s->arena, bool, real + 2 * COMPARE_NULLS);
	for (size_t i = 0; i < pairs->n; i++) {
		const struct item *a = &p->item[pairs->a[i]], *b = &p->item[pairs->b[i]];
		bool can = !a->unavailable && !b->unavailable;
		bool steady = a->way.load == WAY_STEADY;
		first[pairs->a[i]] |= can;
		arms.in[steady ? STEADY_ARM : 0][pairs->a[i]] |= can;
		arms.in[steady ? STEADY_ARM : 1][pairs->b[i]] |= can;
	}
	plan_add_nulls(p, COMPARE_NULLS, first, &c->s->arena);
	for (size_t i = real; i < p->n; i++)
		arms.in[p->item[i].way.load == WAY_STEADY ? STEADY_ARM : 2][i] = true;
	return arms;
}

/*
 * Measures A, B, control; control, B, A; and so on, so that a linear drift cancels out. What is
 * measured with load=steady comes after or before them.
 */
static bool measure(struct comparing *c, const struct arms *arms)
{
	struct session *s = c->s;
	int64_t i = 0;
	bool going = true;
	while (i < c->blocks && going) {
		for (int k = 0; k < ARMS && going; k++) {
			const bool *in = arms->in[i % 2 ? ARMS - 1 - k : k];
			going = !any(in, s->plan.n) || session_launch(s, i, in);
		}
		if (going)
			progress_launch(&s->progress, i++, c->blocks);
	}
	if (!session_end(s, i == c->blocks))
		return false;
	fprintf(stderr, "recorded: %s\n", s->journal.path);
	return i == c->blocks || c->e->set || err_set(c->e, "interrupted: the file is partial");
}

/* Why the two cannot be compared, or NULL. */
static const char *broken(const struct run *r, const char *a, const char *b, struct arena *arena)
{
	struct compare_side x = {.name = "A"}, y = {.name = "B"};
	compare_count(&x, r, a);
	compare_count(&y, r, b);
	const char *why = compare_broken(&x, 0, arena);
	return why ? why : compare_broken(&y, 0, arena);
}

static void fill_rows(struct comparing *c, const struct run *r, const struct pairs *pairs)
{
	const struct item *item = c->s->plan.item;
	c->v.row = ARENA_ARRAY(&c->s->arena, struct ab_test_row, pairs->n);
	for (size_t i = 0; i < pairs->n; i++) {
		const struct item *a = &item[pairs->a[i]], *b = &item[pairs->b[i]];
		struct ab_test_row *row = &c->v.row[c->v.n++];
		double *ma, *mb;
		*row = (struct ab_test_row){.a = a->id,
		                            .b = b->id,
		                            .paired = true,
		                            .note = a->unavailable ? a->unavailable
		                                                   : b->unavailable};
		if (!row->note)
			row->broken = broken(r, a->id, b->id, &c->s->arena);
		row->na = row->nb = record_pairs(r, record_case(r, a->id), record_case(r, b->id),
		                                 &c->s->arena, &ma, &mb);
		row->ma = ma;
		row->mb = mb;
	}
	c->v.null_ratio = ARENA_ARRAY(&c->s->arena, double, r->nnulls + 1);
	c->v.nnull = record_null_ratios(r, &c->s->arena, c->v.null_ratio);
}

bool compare_variants(struct comparing *c, const char *a, const char *b)
{
	struct selector *sel = ARENA_ARRAY(&c->s->arena, struct selector, 2);
	struct session_about about = {
	        .out = c->out,
	        .reason = arena_printf(&c->s->arena, "comparison of %s with %s", b, a),
	        .order = "A, B, null control, then null control, B, A: a process each, its cases "
	                 "at random; load=steady in a process for all three, in random blocks of "
	                 "one shape",
	        .inv = c->inv,
	};
	struct pairs pairs;
	struct run r;
	c->v.a = a;
	c->v.b = b;
	if (!select_parse(a, &sel[0], c->e) || !select_parse(b, &sel[1], c->e) ||
	    !make_plan(c, sel) || !find_pairs(c, sel, &pairs) || !session_survey(c->s, 0))
		return false;
	same_batches(&c->s->plan, &pairs, &c->s->arena);
	struct arms arms = make_arms(c, &pairs);
	if (!session_begin(c->s, &about, (size_t)c->blocks) || !measure(c, &arms) ||
	    !session_read(c->s, &r))
		return false;
	fill_rows(c, &r, &pairs);
	return true;
}
