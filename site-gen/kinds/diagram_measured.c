/*
 * diagram timeline: steps of chains, to scale. diagram map: levels of memory, and what was measured
 * between them. Both draw numbers of records: each is a link, with its exact value below.
 */
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/levels.h"
#include "site-gen/diagram/timeline.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/kinds/diagram.h"

/* --- numbers that are drawn --------------------------------------------------------------- */

/* The number of a pick, with the texts that the audit checks again (audit/chart.h). */
static bool drawn_number(struct kind_call *k, const struct pick *p, enum metric m, struct number *n,
                         const char **href, const char **title, const char **amount, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct sb text = {0};
	if (!number_of(p, m, n))
		return err_at(e, k->p->at, "%s has no %s", p->d->c->id, metric_info(m)->name);
	sb_printf(&text, "%s: ", case_title(k->ctx->words, p->d->c, a));
	number_text(n, &text);
	*title = sb_take(a, &text);
	*href = number_url(k->ctx, n);
	*amount = chart_amount(n->value, n->si, a);
	return true;
}

/* "Name: note; name: note" */
static int split(struct kind_call *k, struct str list, const char **name, const char **note,
                 int most)
{
	struct str one, head, tail;
	int n = 0;
	for (bool more = list.n > 0; more && n < most; n++) {
		more = str_cut(list, ';', &one, &list);
		if (!str_cut(one, ':', &head, &tail))
			tail = STR("");
		name[n] = str_dup(k->ctx->arena, str_trim(head));
		note[n] = str_dup(k->ctx->arena, str_trim(tail));
	}
	return list.n > 0 && n == most ? most + 1 : n;
}

/* --- timeline ----------------------------------------------------------------------------- */

static void draw_timeline(struct canvas *c, const struct canvas_said *said, const void *facts)
{
	timeline_draw(c, facts, said);
}

/* work=SELECTOR: how much of each step is drawn as work. It must not be longer than any step. */
static bool read_work(struct kind_call *k, struct timeline *t, enum metric m, struct err *e)
{
	struct str work = placeholder_key(k->p, "work");
	struct pick p;
	struct number n;
	if (!work.p)
		return true;
	if (!diagram_pick(k, work, &p, e))
		return false;
	if (!number_of(&p, m, &n))
		return err_at(e, placeholder_loc(k->p, work), "%s has no %s", p.d->c->id,
		              metric_info(m)->name);
	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].step < n.value)
			return err_at(e, placeholder_loc(k->p, work),
			              "a step of %s is longer than one of '%s', expected work= not "
			              "longer than any step",
			              p.d->c->id, t->row[i].name);
	number_use(k->ctx, &p);
	t->work = n.value;
	t->work_says = words_fill(k->ctx->words, k->ctx->arena, "diagram_as_long_as",
	                          words_said(k->ctx->words, p.d->c->variant_title).text, NULL);
	return true;
}

/* "stream: 2.21 µs; graph: 1.31 µs" */
static const char *say_rows(struct kind_call *k, const struct timeline *t)
{
	struct sb text = {0};
	const struct words *w = k->ctx->words;
	for (size_t i = 0; i < t->n; i++)
		sb_printf(&text, "%s%s%s%s", i ? words_get(w, "semicolon") : "", t->row[i].name,
		          words_get(w, "colon"), t->row[i].amount);
	sb_cstr(&text, words_get(w, "stop"));
	return sb_take(k->ctx->arena, &text);
}

bool diagram_timeline(struct kind_call *k, struct diagram *d, struct err *e)
{
	enum { LEAST_STEPS = 1, MOST_STEPS = 20 };
	struct timeline *t = ARENA_NEW(k->ctx->arena, struct timeline);
	struct query q;
	struct pick *picks;
	int64_t steps = 4;
	enum metric m;
	if (placeholder_key(k->p, "kernels").p)
		return diagram_stamped_chain(k, d, e);
	if (k->p->nwords != 2)
		return err_at(e, k->p->at, "diagram timeline needs one selector");
	if (!query_parse(k->p, k->p->word[1], kind_diagram_keys, true, &q, e) ||
	    !query_all(k->ctx, &q, &picks, &t->n, e) || !kind_metric(k, &picks[0], &m, e) ||
	    !diagram_number(k, "steps", LEAST_STEPS, MOST_STEPS, &steps, e))
		return false;
	if (strcmp(metric_info(m)->si, "s") != 0)
		return err_at(e, k->p->at, "a timeline draws times, and %s is in %s",
		              metric_info(m)->name, metric_info(m)->si);
	t->row = ARENA_ARRAY(k->ctx->arena, struct timeline_row, t->n);
	for (size_t i = 0; i < t->n; i++) {
		struct timeline_row *r = &t->row[i];
		struct number n;
		if (!drawn_number(k, &picks[i], m, &n, &r->href, &r->title, &r->amount, e))
			return false;
		r->name = words_said(k->ctx->words, picks[i].d->c->variant_title).text;
		r->step = n.value;
		t->window = fmax(t->window, (double)steps * n.value);
	}
	if (!read_work(k, t, m, e))
		return false;
	d->about = block_caption(k, picks, t->n, words_get(k->ctx->words, "diagram_timeline"));
	d->desc = say_rows(k, t);
	d->draw = draw_timeline;
	d->facts = t;
	d->exact[0] = (struct block_values){picks, t->n, m};
	return true;
}

/* --- map ---------------------------------------------------------------------------------- */

static void draw_map(struct canvas *c, const struct canvas_said *said, const void *facts)
{
	levels_draw(c, facts, said);
}

static const char *say_levels(struct kind_call *k, const struct levels *l)
{
	struct sb text = {0};
	const struct words *w = k->ctx->words;
	for (int i = 0; i + 1 < l->n; i++) {
		const char *with[] = {l->name[i], l->name[i + 1],
		                      l->pipe[i].amount ? l->pipe[i].amount : l->pipe[i].what};
		sb_printf(
		        &text, "%s%s", i ? words_get(w, "semicolon") : "",
		        words_fill_all(w, k->ctx->arena, "diagram_from_to", with, ARRAY_LEN(with)));
	}
	for (int i = 0; i < l->n; i++)
		if (l->latency[i].amount)
			sb_printf(&text, "%s%s", words_get(w, "semicolon"),
			          words_fill(w, k->ctx->arena, "diagram_load_from", l->name[i],
			                     l->latency[i].amount));
	sb_cstr(&text, words_get(w, "stop"));
	return sb_take(k->ctx->arena, &text);
}

/* A pipe whose selector is "-" was not measured. */
static bool read_pipe(struct kind_call *k, struct str selector, struct levels_pipe *p,
                      struct pick *picks, size_t *npicks, struct err *e)
{
	struct number n;
	if (str_is(selector, "-"))
		return true;
	if (!diagram_pick(k, selector, &picks[*npicks], e) ||
	    !drawn_number(k, &picks[*npicks], METRIC_BANDWIDTH, &n, &p->href, &p->title, &p->amount,
	                  e))
		return false;
	p->width = n.value;
	++*npicks;
	return true;
}

static bool read_levels(struct kind_call *k, struct levels *l, struct pick *picks, size_t *npicks,
                        struct err *e)
{
	const char *what[LEVELS_MOST], *none[LEVELS_MOST];
	struct str names, pipes;
	if (!diagram_needs(k, "names", &names, e) || !diagram_needs(k, "pipes", &pipes, e))
		return false;
	l->n = split(k, names, l->name, l->note, LEVELS_MOST);
	int measured = (int)k->p->nwords - 1;
	if (l->n < 2 || l->n > LEVELS_MOST || l->n != measured + 1)
		return err_at(e, placeholder_loc(k->p, names),
		              "%d names and %d selectors, expected one selector between any two of "
		              "at most %d levels",
		              l->n, measured, LEVELS_MOST);
	if (split(k, pipes, what, none, LEVELS_MOST) != measured)
		return err_at(e, placeholder_loc(k->p, pipes),
		              "expected %d words, one for each pipe", measured);
	for (int i = 0; i < measured; i++) {
		struct levels_pipe *p = &l->pipe[i];
		if (!read_pipe(k, k->p->word[i + 1], p, picks, npicks, e))
			return false;
		p->what = what[i];
	}
	return *npicks > 0 || err_at(e, k->p->at, "a map needs a measured pipe at least");
}

/* latencies="SELECTOR; -; SELECTOR": a case for each level; "-" leaves one out. */
static bool read_latencies(struct kind_call *k, struct levels *l, struct pick *picks,
                           size_t *npicks, struct err *e)
{
	struct str all = placeholder_key(k->p, "latencies"), rest = all, one;
	int n = 0;
	for (bool more = all.n > 0; more; n++) {
		more = str_cut(rest, ';', &one, &rest);
		one = str_trim(one);
		if (n >= l->n || str_is(one, "-"))
			continue;
		struct levels_latency *to = &l->latency[n];
		struct number of;
		if (!diagram_pick(k, one, &picks[*npicks], e) ||
		    !drawn_number(k, &picks[*npicks], METRIC_LATENCY, &of, &to->href, &to->title,
		                  &to->amount, e))
			return false;
		++*npicks;
	}
	return n == 0 || n == l->n ||
	       err_at(e, placeholder_loc(k->p, all),
	              "%d latencies, expected one for each of %d levels", n, l->n);
}

bool diagram_map(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct levels *l = ARENA_NEW(k->ctx->arena, struct levels);
	struct pick *wide = ARENA_ARRAY(k->ctx->arena, struct pick, LEVELS_MOST);
	struct pick *late = ARENA_ARRAY(k->ctx->arena, struct pick, LEVELS_MOST);
	const struct words *w = k->ctx->words;
	struct sb about = {0};
	size_t nwide = 0, nlate = 0;
	if (!read_levels(k, l, wide, &nwide, e) || !read_latencies(k, l, late, &nlate, e))
		return false;
	const struct run_head *h = &wide[0].run->run.head;
	html_text(&about, str_of(words_fill(w, k->ctx->arena, "diagram_map",
	                                    h->gpu.name ? h->gpu.name : h->machine.cpu, NULL)));
	if (nlate)
		html_text(&about, str_of(words_get(w, "diagram_map_loads")));
	d->about = sb_take(k->ctx->arena, &about);
	d->desc = say_levels(k, l);
	d->draw = draw_map;
	d->facts = l;
	d->exact[0] = (struct block_values){wide, nwide, METRIC_BANDWIDTH};
	d->exact[1] = (struct block_values){late, nlate, METRIC_LATENCY};
	return true;
}
