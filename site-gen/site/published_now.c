/* Collects the numbers on pages, in the form of the log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/units.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/published_now.h"
#include "site-gen/site/site.h"

struct page;

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
	        .lo = f->lo,
	        .hi = f->hi,
	        .unit = f->unit,
	        .run = f->run,
	        .source = f->source,
	        .format = NUMBER_FORMAT,
	        .at = f->at,
	};
}

static bool is_published(const struct page *p)
{
	return p->path && !p->front.draft;
}

static int by_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Of one number, the newest run comes first; run ids begin with their time. */
static int by_name_and_run(const void *a, const void *b)
{
	const struct published *x = a, *y = b;
	int d = published_by_name(x, y);
	d = d ? d : by_text(y->run, x->run);
	return d ? d : by_text(y->over_run, x->over_run);
}

static int by_name_only(const void *a, const void *b)
{
	return published_by_name(a, b);
}

/* Keeps one entry per number and run; older runs append the run to the name. Sorts again. */
static size_t keep_each_once(struct published *p, size_t n, struct arena *a)
{
	size_t kept = 0;
	for (size_t i = 0, k; i < n; i = k) {
		const struct published first = p[i];
		for (k = i; k < n && published_by_name(&p[k], &first) == 0; k++) {
			if (k > i && published_same_runs(&p[k], &p[kept - 1]))
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
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *p = s->pages.all[i];
		if (!is_published(p))
			continue;
		for (const struct quote *q = p->numbers.quotes; q; q = q->next)
			if (number_is_authored(q->at))
				add(&all, of_quote(p, q, a));
		for (const struct fact *f = p->numbers.facts; f; f = f->next)
			if (number_is_authored(f->at))
				add(&all, of_fact(p, f));
	}
	if (all.n)
		qsort(all.p, all.n, sizeof *all.p, by_name_and_run);
	*n = keep_each_once(all.p, all.n, a);
	return all.p;
}
