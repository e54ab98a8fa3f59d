/* Compares the log of published numbers with the numbers on pages now. */
#include <math.h>
#include <string.h>

#include "site-gen/numbers/number.h"
#include "site-gen/numbers/published.h"

static bool same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool published_same_runs(const struct published *x, const struct published *y)
{
	return same(x->run, y->run) && same(x->over_run, y->over_run);
}

/* --- the last line of each ----------------------------------------------------------------- */

const struct published **published_last(const struct published_log *l, struct arena *a, size_t *n)
{
	const struct published **all = published_sorted(l, a);
	const struct published **kept = ARENA_ARRAY(a, const struct published *, l->n + 1);
	*n = 0;
	for (size_t i = 0; i < l->n; i++) {
		bool last = i + 1 == l->n || published_by_name(all[i], all[i + 1]) != 0;
		if (last && all[i]->text)
			kept[(*n)++] = all[i];
	}
	return kept;
}

/* --- differences --------------------------------------------------------------------------- */

bool published_same_basis(const struct published *before, const struct published *now)
{
	return published_same_runs(before, now) && strcmp(before->format, now->format) == 0;
}

static enum published_change change_of(const struct published *before, const struct published *now)
{
	bool same = strcmp(before->text, now->text) == 0;
	if (published_same_basis(before, now))
		return PUBLISHED_BROKEN;
	return same ? PUBLISHED_AGAIN : PUBLISHED_CHANGED;
}

static bool differ(const struct published *before, const struct published *now)
{
	return strcmp(before->text, now->text) != 0 || !published_same_basis(before, now);
}

struct published_diff *published_compare(const struct published *const *before, size_t nbefore,
                                         const struct published *now, size_t nnow, struct arena *a,
                                         size_t *n)
{
	struct published_diff *out = ARENA_ARRAY(a, struct published_diff, nbefore + nnow + 1);
	size_t i = 0, k = 0;
	*n = 0;
	while (i < nbefore || k < nnow) {
		int d = i == nbefore ? 1 : k == nnow ? -1 : published_by_name(before[i], &now[k]);
		const struct published *x = d <= 0 ? before[i++] : NULL;
		const struct published *y = d >= 0 ? &now[k++] : NULL;
		if (x && y && !differ(x, y))
			continue;
		enum published_change c = !x   ? PUBLISHED_FIRST
		                          : !y ? PUBLISHED_GONE
		                               : change_of(x, y);
		out[(*n)++] = (struct published_diff){c, x, y};
	}
	return out;
}

/* --- verdicts ------------------------------------------------------------------------------ */

/* The case in a run, or NULL. */
static const struct data_case *case_in(const struct data_number *n, const char *run)
{
	for (size_t i = 0; i < n->nruns; i++)
		if (strcmp(n->runs[i]->run.head.id, run) == 0)
			return n->in[i]->why_none ? NULL : n->in[i];
	return NULL;
}

/*
 * The ratio of the present time to the earlier one, from the intervals of two
 * printed amounts. The runs are independent, so the half-widths of the logarithms
 * add in quadrature.
 */
static struct stats_summary ratio_of_times(const struct published *before,
                                           const struct published *now, bool higher_is_better)
{
	const struct published *x = higher_is_better ? before : now, *y = x == now ? before : now;
	double hx = log(x->hi / x->lo) / 2, hy = log(y->hi / y->lo) / 2;
	double h = sqrt(hx * hx + hy * hy), r = x->value / y->value;
	return (struct stats_summary){
	        .typical = r, .lo = r * exp(-h), .hi = r * exp(h), .launches = 2};
}

const char *published_verdict(const struct data *d, const struct published *before,
                              const struct published *now)
{
	if (!now->quote || !before->run || published_same_runs(before, now) ||
	    !(before->lo < before->hi) || !(now->lo < now->hi) || !(before->lo > 0) ||
	    !(now->lo > 0))
		return NULL;
	const struct number *n = &now->quote->n;
	/* a clock or an energy is neither faster nor slower; and other cards are no other kernel */
	if (metric_is_read(n->metric) || n->cards)
		return NULL;
	const struct data_number *number = data_number_of(d, n->pick.d);
	const struct data_case *old = number ? case_in(number, before->run) : NULL;
	const struct data_case *new = n->pick.d;
	double band = stats_band(NULL, 0);
	bool alone = n->kind == NUMBER_VALUE || n->kind == NUMBER_SHARE_SPEC;
	if (alone && old && old->time.launches >= 2 && new->time.launches >= 2)
		return stats_verdict_name(stats_compare_unpaired(new->medians, new->time.launches,
		                                                 old->medians, old->time.launches,
		                                                 band)
		                                  .verdict);
	struct stats_summary r =
	        ratio_of_times(before, now, metric_info(n->metric)->higher_is_better);
	return stats_verdict_name(stats_verdict(&r, band));
}

void published_interval(const struct published *p, struct sb *to)
{
	struct unit_text u, lo, hi;
	if (!p->text || !(p->hi > p->lo))
		return;
	unit_format(p->value, (p->hi - p->lo) / 2, p->unit, &u);
	unit_format_as(p->lo, u.scale, u.decimals + 1, u.unit, &lo);
	unit_format_as(p->hi, u.scale, u.decimals + 1, u.unit, &hi);
	sb_printf(to, "%s–%s", lo.number, hi.number);
	if (*u.unit)
		sb_printf(to, "%s%s", strcmp(u.unit, "×") == 0 ? "" : NBSP, u.unit);
}
