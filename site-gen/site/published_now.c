/* What pages show now, beside what the log says of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/number.h"
#include "site-gen/site/published_now.h"

/* --- from quotes to entries ---------------------------------------------------------------- */

struct entries {
	struct published *p;
	size_t n, cap;
	struct arena *a;
};

static void add(struct entries *to, struct published p)
{
	to->p = arena_grow(to->a, to->p, to->n, &to->cap, sizeof *to->p);
	to->p[to->n++] = p;
}

static struct published of_quote(const struct page *page, const struct quote *q, struct arena *a)
{
	const struct number *n = &q->n;
	const struct data_run *over = n->over.run;
	return (struct published){
	        .page = page->url,
	        .number = number_key(n, a),
	        .text = q->text,
	        .value = n->value,
	        .lo = n->lo,
	        .hi = n->hi,
	        .unit = n->si,
	        .run = n->pick.run->run.head.id,
	        .over_run = over && over != n->pick.run ? over->run.head.id : NULL,
	        .source = n->peak ? n->peak->source : NULL,
	        .format = NUMBER_FORMAT,
	        .quote = q,
	        .at = q->at,
	};
}

static struct published of_fact(const struct page *page, const struct fact *f)
{
	return (struct published){
	        .page = page->url,
	        .number = f->key,
	        .text = f->text,
	        .value = f->value,
	        .lo = f->value,
	        .hi = f->value,
	        .unit = f->unit,
	        .run = f->run,
	        .source = f->source,
	        .format = NUMBER_FORMAT,
	        .at = f->at,
	};
}

static bool is_published(const struct page *p)
{
	return p->path && !p->draft;
}

static int by_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_name(const struct published *x, const struct published *y)
{
	int d = strcmp(x->page, y->page);
	return d ? d : strcmp(x->number, y->number);
}

/* Within a number the newest run first; run ids begin with their time. */
static int by_name_and_run(const void *a, const void *b)
{
	const struct published *x = a, *y = b;
	int d = by_name(x, y);
	d = d ? d : by_text(y->run, x->run);
	return d ? d : by_text(y->over_run, x->over_run);
}

static int by_name_only(const void *a, const void *b)
{
	return by_name(a, b);
}

static bool same_runs(const struct published *x, const struct published *y)
{
	return by_text(x->run, y->run) == 0 && by_text(x->over_run, y->over_run) == 0;
}

/* Keeps one of each; those from older runs say so in their name. Sorted, and so again after. */
static size_t keep_each_once(struct published *p, size_t n, struct arena *a)
{
	size_t kept = 0;
	for (size_t i = 0, k; i < n; i = k) {
		const struct published first = p[i];
		for (k = i; k < n && by_name(&p[k], &first) == 0; k++) {
			if (k > i && same_runs(&p[k], &p[kept - 1]))
				continue;
			p[kept] = p[k];
			if (k > i)
				p[kept].number =
				        arena_printf(a, "%s in %s%s%s", first.number, p[k].run,
				                     p[k].over_run ? " over " : "",
				                     p[k].over_run ? p[k].over_run : "");
			kept++;
		}
	}
	if (kept)
		qsort(p, kept, sizeof *p, by_name_only);
	return kept;
}

struct published *published_now(const struct site *s, struct arena *a, size_t *n)
{
	struct entries all = {.a = a};
	for (size_t i = 0; i < s->npages; i++) {
		const struct page *p = s->pages[i];
		if (!is_published(p))
			continue;
		for (const struct quote *q = p->quotes; q; q = q->next)
			if (number_is_authored(q->at))
				add(&all, of_quote(p, q, a));
		for (const struct fact *f = p->facts; f; f = f->next)
			if (number_is_authored(f->at))
				add(&all, of_fact(p, f));
	}
	if (all.n)
		qsort(all.p, all.n, sizeof *all.p, by_name_and_run);
	*n = keep_each_once(all.p, all.n, a);
	return all.p;
}

/* --- the last line of each ----------------------------------------------------------------- */

static int by_name_and_line(const void *a, const void *b)
{
	const struct published *x = *(const struct published *const *)a;
	const struct published *y = *(const struct published *const *)b;
	int d = by_name(x, y);
	return d ? d : x->line - y->line;
}

const struct published **published_last(const struct published_log *l, struct arena *a, size_t *n)
{
	const struct published **all = ARENA_ARRAY(a, const struct published *, l->n + 1);
	size_t kept = 0;
	for (size_t i = 0; i < l->n; i++)
		all[i] = &l->line[i];
	if (l->n)
		qsort(all, l->n, sizeof *all, by_name_and_line);
	for (size_t i = 0; i < l->n; i++) {
		bool last = i + 1 == l->n || by_name(all[i], all[i + 1]) != 0;
		if (last && all[i]->text)
			all[kept++] = all[i];
	}
	*n = kept;
	return all;
}

/* --- what differs -------------------------------------------------------------------------- */

bool published_same_basis(const struct published *before, const struct published *now)
{
	return same_runs(before, now) && strcmp(before->format, now->format) == 0;
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
		int d = i == nbefore ? 1 : k == nnow ? -1 : by_name(before[i], &now[k]);
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

/* What a case came to in a run, or NULL. */
static const struct data_case *case_in(const struct data_number *n, const char *run)
{
	for (size_t i = 0; i < n->nruns; i++)
		if (strcmp(n->runs[i]->run.head.id, run) == 0)
			return n->in[i]->why_none ? NULL : n->in[i];
	return NULL;
}

/*
 * Times of now over before, from two intervals of a printed amount: those of
 * independent runs, so that the half-widths of the logarithms add as squares.
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
	if (!now->quote || !before->run || same_runs(before, now) || !(before->lo < before->hi) ||
	    !(now->lo < now->hi) || !(before->lo > 0) || !(now->lo > 0))
		return NULL;
	const struct number *n = &now->quote->n;
	if (metric_is_read(n->metric)) /* neither clock nor energy is faster or slower */
		return NULL;
	const struct data_number *number = data_number_at(d, str_of(n->pick.d->url));
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
		sb_printf(to, "%s%s", strcmp(u.unit, "×") == 0 ? "" : "\xC2\xA0", u.unit);
}
