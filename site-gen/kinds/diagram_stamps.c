/*
 * Diagrams from time stamps inside kernels (data/traces/): `pipeline` without steps= draws what the
 * roles of the median block do when, `timeline` with kernels= the kernels of a chain, `tickets` how
 * many tickets each SM drew. Every number below a drawing is one of numbers/stamps.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/swim.h"
#include "site-gen/diagram/tally.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/diagram.h"
#include "site-gen/numbers/stamps.h"

enum { BOXES = 40 }; /* that a window shows if its width is not given */

/* --- the trace, and numbers of it --------------------------------------------------------- */

static bool find_trace(struct kind_call *k, const struct pick *p, struct stamps *out, struct err *e)
{
	if (!stamps_of(k->ctx->data, p, out))
		return rule_err(e, RULE_DRAWN, k->p->at,
		                "no trace of %s in data/traces: `runner trace` records one",
		                p->d->c->id);
	number_use(k->ctx, p);
	return true;
}

bool diagram_may_be_schema(struct kind_call *k, const struct pick *p, struct err *e)
{
	struct stamps s;
	return !stamps_of(k->ctx->data, p, &s) ||
	       rule_err(e, RULE_DRAWN, k->p->at,
	                "%s has a trace, %s: expected no steps= and links=, and legend=\"EVENT: "
	                "words\"",
	                p->d->c->id, s.file->run.head.id);
}

/* Fills the words `key` with the numbers of this trace, as markup. */
static bool put_facts(struct kind_call *k, const struct stamps *s, const char *key,
                      const char *const *what, size_t n, struct sb *to, struct err *e)
{
	const char *with[8];
	for (size_t i = 0; i < n; i++)
		if (!(with[i] = stamps_fact(k->ctx, s, what[i])))
			return err_at(e, k->p->at, "the trace of %s has no '%s'", s->of->id,
			              what[i]);
	sb_cstr(to, words_fill_all(k->ctx->words, k->ctx->arena, key, with, n));
	return true;
}

/* What the marks cost, at the end of the paragraph. */
static bool put_cost(struct kind_call *k, const struct stamps *s, struct sb *to, struct err *e)
{
	static const char *const what[] = {"slowdown"};
	double ignored;
	if (!stamps_value(s->t, STR("slowdown"), k->ctx->arena, &ignored))
		return true;
	return put_facts(k, s, "stamps_cost", what, 1, to, e);
}

/* The text of markup without tags, for those who do not see the drawing. */
static const char *plain(const char *html, struct arena *a)
{
	struct sb text = {0};
	for (const char *p = html; *p; p++) {
		if (*p == '<')
			p = strchr(p, '>');
		else
			sb_char(&text, *p);
	}
	return sb_take(a, &text);
}

static void finish(struct kind_call *k, struct diagram *d, const struct pick *p, struct sb *facts,
                   const char *about)
{
	struct arena *a = k->ctx->arena;
	const char *html = sb_take(a, facts);
	d->about = block_caption(k, p, 1, words_get(k->ctx->words, about));
	d->desc = plain(html, a);
	html_raw(&d->foot, "<p class=\"diagram-facts\">");
	html_raw(&d->foot, html);
	html_raw(&d->foot, "</p>\n");
}

static void draw_swim(struct canvas *c, const struct canvas_said *said, const void *facts)
{
	swim_draw(c, facts, said);
}

/* The window: from= and window= in ns; without them the middle of [begin, end], for BOXES boxes. */
static bool read_window(struct kind_call *k, struct swim *s, double begin, double end,
                        struct err *e)
{
	int64_t wide = 0, from = -1;
	if (!diagram_number(k, "window", 1, INT32_MAX, &wide, e) ||
	    !diagram_number(k, "from", 0, INT32_MAX, &from, e))
		return false;
	double share = s->n > BOXES ? (double)BOXES / (double)s->n : 1;
	double width = wide ? (double)wide : (end - begin) * share;
	width = fmin(width, end - begin);
	s->from = from >= 0 ? begin + (double)from : (begin + end - width) / 2;
	s->from = fmax(begin, fmin(s->from, end - width));
	s->to = s->from + width;
	return s->to > s->from || err_at(e, k->p->at, "there is no time between two stamps");
}

/* --- pipeline ------------------------------------------------------------------------------ */

/* What a pipeline draws: events by their tones, rows by their rings. */
struct lanes {
	const struct run_trace *t;
	const struct run_trace_stamps *kept[SWIM_MOST_ROWS]; /* of each row */
	size_t event[SWIM_TONES];                            /* of each tone */
};

/* legend="load: a bulk copy under way; add: …": which events are drawn, and their words. */
static bool read_events(struct kind_call *k, struct lanes *l, struct swim *s, struct err *e)
{
	struct str list, one, event, words;
	if (!diagram_needs(k, "legend", &list, e))
		return false;
	for (bool more = true; more; s->nlegend++) {
		more = str_cut(list, ';', &one, &list);
		if (s->nlegend == SWIM_TONES || !str_cut(one, ':', &event, &words) ||
		    (l->event[s->nlegend] = trace_event(l->t, str_trim(event))) == l->t->nevents)
			return err_at(e, placeholder_loc(k->p, one),
			              "expected 'EVENT: words' of at most %d events of the trace",
			              SWIM_TONES);
		s->legend[s->nlegend] = str_dup(k->ctx->arena, str_trim(words));
	}
	return true;
}

static int by_role(const void *a, const void *b)
{
	const struct run_trace_ring *const *x = a, *const *y = b;
	int64_t c = (*x)->role - (*y)->role;
	c = c ? c : (*x)->member - (*y)->member;
	return (c > 0) - (c < 0);
}

/* The rings of the block in the first kernel, by role and member. */
static bool find_rows(struct kind_call *k, struct lanes *l, struct swim *s, int64_t block,
                      struct err *e)
{
	const struct run_trace *t = l->t;
	const struct run_trace_ring *ring[SWIM_MOST_ROWS];
	size_t kernels;
	const size_t *kernel = trace_kernels(t, &kernels, k->ctx->arena);
	for (size_t i = 0; i < t->nkept; i++) {
		const struct run_trace_ring *r = &t->ring[t->kept[i].ring];
		if (r->block != block || kernel[t->kept[i].ring] != 0)
			continue;
		if (s->nrows == SWIM_MOST_ROWS)
			return err_at(e, k->p->at, "more than %d roles", SWIM_MOST_ROWS);
		ring[s->nrows++] = r;
	}
	qsort(ring, (size_t)s->nrows, sizeof *ring, by_role);
	for (int row = 0; row < s->nrows; row++)
		for (size_t i = 0; i < t->nkept; i++)
			if (&t->ring[t->kept[i].ring] == ring[row])
				l->kept[row] = &t->kept[i];
	return s->nrows > 0 || err_at(e, k->p->at, "no stamps of block %lld", (long long)block);
}

/* Does another row have the same role? */
static bool of_several(const struct swim *s, const struct lanes *l, int row)
{
	bool several = false;
	for (int i = 0; i < s->nrows; i++)
		several = several || (i != row && l->t->ring[l->kept[i]->ring].role ==
		                                          l->t->ring[l->kept[row]->ring].role);
	return several;
}

/* names="loader: 1 thread; …", one for each row; without it, the trace's own names. */
static bool name_rows(struct kind_call *k, const struct lanes *l, struct swim *s, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct str list = placeholder_key(k->p, "names"), one, name, note;
	int n = 0;
	for (int i = 0; i < s->nrows && !list.n; i++) {
		const struct run_trace_ring *r = &l->t->ring[l->kept[i]->ring];
		s->row[i] = l->t->role[r->role];
		s->note[i] =
		        of_several(s, l, i) ? arena_printf(a, "%lld", (long long)r->member) : "";
	}
	for (bool more = list.n > 0; more; n++) {
		more = str_cut(list, ';', &one, &list);
		if (!str_cut(one, ':', &name, &note))
			note = STR("");
		if (n < s->nrows) {
			s->row[n] = str_dup(a, str_trim(name));
			s->note[n] = str_dup(a, str_trim(note));
		}
	}
	return n == 0 || n == s->nrows ||
	       err_at(e, k->p->at, "%d names, expected one for each of the %d roles", n, s->nrows);
}

static void add_boxes(const struct lanes *l, struct swim *s, struct arena *a)
{
	size_t cap = 0;
	for (int row = 0; row < s->nrows; row++) {
		size_t n;
		const struct trace_span *x = trace_spans(l->t, l->kept[row], &n, a);
		for (size_t i = 0; i < n; i++)
			for (int tone = 0; tone < s->nlegend; tone++)
				if (x[i].event == l->event[tone]) {
					s->box = arena_grow(a, s->box, s->n, &cap, sizeof *s->box);
					s->box[s->n++] = (struct swim_box){.row = row,
					                                   .tone = tone,
					                                   .from = x[i].from,
					                                   .to = x[i].to};
				}
	}
}

/* " On average, load: 1.62 µs; add: 0.41 µs.", of each event that lasts. */
static void put_means(struct kind_call *k, const struct stamps *s, const struct lanes *l,
                      const struct swim *w, struct sb *to)
{
	bool any = false;
	for (int i = 0; i < w->nlegend; i++) {
		const char *one = stamps_fact(
		        k->ctx, s,
		        arena_printf(k->ctx->arena, "%s.time", l->t->event[l->event[i]]));
		if (!one)
			continue;
		sb_cstr(to, words_get(k->ctx->words, any ? "semicolon" : "stamps_means"));
		any = true;
		html_text(to, str_of(w->legend[i]));
		sb_cstr(to, words_get(k->ctx->words, "colon"));
		sb_cstr(to, one);
	}
	sb_cstr(to, any ? words_get(k->ctx->words, "stop") : "");
}

bool diagram_stamped_pipeline(struct kind_call *k, struct diagram *d, struct err *e)
{
	static const char *const block[] = {"median", "blocks", "span"};
	struct arena *a = k->ctx->arena;
	struct swim *s = ARENA_NEW(a, struct swim);
	struct pick *p = ARENA_NEW(a, struct pick);
	struct stamps of;
	struct sb facts = {0};
	if (k->p->nwords != 2)
		return err_at(e, k->p->at, "a pipeline without steps= needs one selector");
	if (!diagram_pick(k, k->p->word[1], p, e) || !find_trace(k, p, &of, e))
		return false;
	struct lanes l = {.t = of.t};
	const double begin = trace_begin(of.t), end = trace_end(of.t);
	if (!read_events(k, &l, s, e) || !find_rows(k, &l, s, trace_median_block(of.t, a), e) ||
	    !name_rows(k, &l, s, e))
		return false;
	add_boxes(&l, s, a);
	swim_stack(s);
	if (!read_window(k, s, begin, end, e) ||
	    !put_facts(k, &of, "stamps_block", block, ARRAY_LEN(block), &facts, e))
		return false;
	put_means(k, &of, &l, s, &facts);
	if (!put_cost(k, &of, &facts, e))
		return false;
	finish(k, d, p, &facts, "stamps_pipeline");
	d->draw = draw_swim;
	d->facts = s;
	return true;
}

/* --- a chain of kernels -------------------------------------------------------------------- */

/* A row: kernels first … first + n - 1, each from its first block's begin to its last one's end. */
static bool add_chain(struct kind_call *k, struct swim *s, const struct pick *p, int64_t n,
                      size_t *cap, struct sb *facts, struct err *e)
{
	static const char *const what[] = {"kernels", "step", "gap", "ramp", "drain"};
	struct arena *a = k->ctx->arena;
	struct stamps of;
	size_t all;
	if (!find_trace(k, p, &of, e))
		return false;
	const struct stamps_kernel *x = stamps_kernels(of.t, &all, a);
	if (all < (size_t)n + 1)
		return err_at(e, k->p->at,
		              "the trace of %s has %zu kernels, expected more than %lld",
		              p->d->c->id, all, (long long)n);
	const size_t first = (all - (size_t)n) / 2;
	bool overlap = false; /* some kernel begins before the last block of the one before ends */
	for (size_t i = first; i + 1 < first + (size_t)n; i++)
		overlap = overlap || x[i + 1].first_begin < x[i].last_end;
	for (size_t i = first; i < first + (size_t)n; i++) {
		const double zero = x[first].first_begin;
		const double from[] = {x[i].first_begin, x[i].last_begin, x[i].first_end};
		const double to[] = {x[i].last_begin, x[i].first_end, x[i].last_end};
		for (int tone = 0; tone < 3; tone++) {
			s->box = arena_grow(a, s->box, s->n, cap, sizeof *s->box);
			s->box[s->n++] = (struct swim_box){.row = s->nrows,
			                                   .tone = tone,
			                                   .from = from[tone] - zero,
			                                   .to = fmax(to[tone], from[tone]) - zero,
			                                   .lane = overlap ? (int)(i % 2) : 0,
			                                   .lanes = overlap ? 2 : 1};
		}
		s->to = fmax(s->to, x[i].last_end - zero);
	}
	s->row[s->nrows] = words_said(k->ctx->words, p->d->c->variant_title).text;
	sb_cstr(facts, s->nrows ? "<br> " : "");
	html_text(facts, str_of(s->row[s->nrows++]));
	sb_cstr(facts, words_get(k->ctx->words, "colon"));
	return put_facts(k, &of, "stamps_chain", what, ARRAY_LEN(what), facts, e);
}

bool diagram_stamped_chain(struct kind_call *k, struct diagram *d, struct err *e)
{
	static const char *const words[] = {"stamps_ramp", "stamps_all", "stamps_drain"};
	struct arena *a = k->ctx->arena;
	struct swim *s = ARENA_NEW(a, struct swim);
	struct sb facts = {0};
	struct query q;
	struct pick *picks;
	size_t n, cap = 0;
	int64_t kernels = 0;
	if (k->p->nwords != 2)
		return err_at(e, k->p->at, "diagram timeline needs one selector");
	if (!diagram_number(k, "kernels", 1, 50, &kernels, e) ||
	    !query_parse(k->p, k->p->word[1], kind_diagram_keys, true, &q, e) ||
	    !query_all(k->ctx, &q, &picks, &n, e))
		return false;
	if (n > SWIM_MOST_ROWS)
		return err_at(e, k->p->at, "more than %d chains", SWIM_MOST_ROWS);
	for (size_t i = 0; i < n; i++)
		if (!add_chain(k, s, &picks[i], kernels, &cap, &facts, e))
			return false;
	for (s->nlegend = 0; s->nlegend < (int)ARRAY_LEN(words); s->nlegend++)
		s->legend[s->nlegend] = words_get(k->ctx->words, words[s->nlegend]);
	finish(k, d, picks, &facts, "stamps_timeline");
	d->draw = draw_swim;
	d->facts = s;
	return true;
}

/* --- tickets ------------------------------------------------------------------------------- */

static void draw_tally(struct canvas *c, const struct canvas_said *said, const void *facts)
{
	tally_draw(c, facts, said);
}

struct on_sm {
	int64_t sm;
	double times;
};

static int by_number(const void *a, const void *b)
{
	const struct on_sm *x = a, *y = b;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

static void sort_sms(struct tally *t, int64_t *sm, double *times, struct arena *a)
{
	struct on_sm *both = ARENA_ARRAY(a, struct on_sm, t->n);
	for (size_t i = 0; i < t->n; i++)
		both[i] = (struct on_sm){sm[i], times[i]};
	qsort(both, t->n, sizeof *both, by_number);
	for (size_t i = 0; i < t->n; i++) {
		sm[i] = both[i].sm;
		times[i] = both[i].times;
	}
	t->sm = sm;
	t->times = times;
}

bool diagram_tickets(struct kind_call *k, struct diagram *d, struct err *e)
{
	static const char *const what[] = {"ticket.sms", "ticket.sum",   "ticket.mean",
	                                   "ticket.sd",  "ticket.least", "ticket.most"};
	struct arena *a = k->ctx->arena;
	struct tally *t = ARENA_NEW(a, struct tally);
	struct pick *p = ARENA_NEW(a, struct pick);
	struct sb facts = {0};
	struct stamps of;
	int64_t *sm;
	double *times;
	if (k->p->nwords != 2)
		return err_at(e, k->p->at, "diagram tickets needs one selector");
	if (!diagram_pick(k, k->p->word[1], p, e) || !find_trace(k, p, &of, e) ||
	    !put_facts(k, &of, "stamps_tickets", what, ARRAY_LEN(what), &facts, e) ||
	    !put_cost(k, &of, &facts, e))
		return false;
	t->n = stamps_by_sm(of.t, trace_event(of.t, STR("ticket")), a, &sm, &times);
	sort_sms(t, sm, times, a);
	t->event = words_get(k->ctx->words, "stamps_drawn");
	finish(k, d, p, &facts, "stamps_by_sm");
	d->draw = draw_tally;
	d->facts = t;
	return true;
}
