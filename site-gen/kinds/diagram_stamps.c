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

enum {
	BOXES = 40,      /* that a window shows if its width is not given */
	MOST_EVENTS = 8, /* that a pipeline draws */
};

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

/* The window: from= and window= in ns from the first mark of the call, [begin, end]. Without them
 * it is the middle of the boxes, with room for BOXES of them. */
static bool read_window(struct kind_call *k, struct swim *s, double begin, double end,
                        struct err *e)
{
	int64_t wide = 0, from = -1;
	double first = INFINITY, last = -INFINITY;
	if (!diagram_number(k, "window", 1, INT32_MAX, &wide, e) ||
	    !diagram_number(k, "from", 0, INT32_MAX, &from, e))
		return false;
	for (size_t i = 0; i < s->n; i++) {
		first = fmin(first, s->box[i].from);
		last = fmax(last, s->box[i].to);
	}
	double share = s->n > BOXES ? (double)BOXES / (double)s->n : 1;
	double width = fmin(wide ? (double)wide : (last - first) * share, end - begin);
	s->from = from >= 0 ? begin + (double)from : (first + last - width) / 2;
	s->from = fmax(begin, fmin(s->from, end - width));
	s->to = s->from + width;
	return s->to > s->from || err_at(e, k->p->at, "there is no time between two stamps");
}

/* --- pipeline ------------------------------------------------------------------------------ */

/* What a pipeline draws: events by their tones, rows by their rings. */
struct lanes {
	const struct run_trace *t;
	const struct run_trace_stamps *kept[SWIM_MOST_ROWS]; /* of each row */
	size_t event[MOST_EVENTS];                           /* that are drawn */
	int tone[MOST_EVENTS];                               /* of each event */
	size_t n;
};

/* "add, look": events of one tone. */
static bool add_events(struct lanes *l, struct str list, int tone)
{
	struct str one;
	for (bool more = true; more; l->n++) {
		more = str_cut(list, ',', &one, &list);
		if (l->n == MOST_EVENTS ||
		    (l->event[l->n] = trace_event(l->t, str_trim(one))) == l->t->nevents)
			return false;
		l->tone[l->n] = tone;
	}
	return true;
}

/* legend="load: a bulk copy under way; add, look: …": which events are drawn, and their words. */
static bool read_events(struct kind_call *k, struct lanes *l, struct swim *s, struct err *e)
{
	struct str list, one, events, words;
	if (!diagram_needs(k, "legend", &list, e))
		return false;
	for (bool more = true; more; s->nlegend++) {
		more = str_cut(list, ';', &one, &list);
		if (s->nlegend == SWIM_TONES || !str_cut(one, ':', &events, &words) ||
		    !add_events(l, events, s->nlegend))
			return err_at(e, placeholder_loc(k->p, one),
			              "expected 'EVENT, EVENT: words' of events of the trace, with "
			              "at most %d words",
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
			for (size_t k = 0; k < l->n; k++)
				if (x[i].event == l->event[k]) {
					s->box = arena_grow(a, s->box, s->n, &cap, sizeof *s->box);
					s->box[s->n++] = (struct swim_box){.row = row,
					                                   .tone = l->tone[k],
					                                   .from = x[i].from,
					                                   .to = x[i].to};
				}
	}
}

/* " On average, load: 1.62 µs; add: 0.41 µs.", of each event that lasts. The trace's own names
 * stand in the kernel's source. */
static void put_means(struct kind_call *k, const struct stamps *s, const struct lanes *l,
                      struct sb *to)
{
	bool any = false;
	for (size_t i = 0; i < l->n; i++) {
		const char *event = l->t->event[l->event[i]];
		const char *one =
		        stamps_fact(k->ctx, s, arena_printf(k->ctx->arena, "%s.time", event));
		if (!one)
			continue;
		sb_cstr(to, words_get(k->ctx->words, any ? "semicolon" : "stamps_means"));
		any = true;
		sb_printf(to, "<code>%s</code> %s", event, one);
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
	put_means(k, &of, &l, &facts);
	if (!put_cost(k, &of, &facts, e))
		return false;
	finish(k, d, p, &facts, "stamps_pipeline");
	d->draw = draw_swim;
	d->facts = s;
	return true;
}

/* --- a chain of kernels -------------------------------------------------------------------- */

/* Draws n kernels as one row, each from its first block's begin to its last one's end. True: they
 * overlap, and have lanes of their own. */
static bool add_kernels(struct kind_call *k, struct swim *s, const struct stamps_kernel *x,
                        size_t n, size_t *cap)
{
	const double zero = x[0].first_begin;
	double busy[SWIM_MOST_LANES] = {0};
	int lane, lanes = 1;
	for (size_t i = 0; i < n; i++) {
		const double from[] = {x[i].first_begin, x[i].last_begin, x[i].first_end};
		const double to[] = {x[i].last_begin, x[i].first_end, x[i].last_end};
		for (lane = 0; lane + 1 < SWIM_MOST_LANES && busy[lane] > from[0]; lane++)
			;
		busy[lane] = to[2];
		lanes = lane + 1 > lanes ? lane + 1 : lanes;
		for (int tone = 0; tone < 3; tone++) {
			s->box = arena_grow(k->ctx->arena, s->box, s->n, cap, sizeof *s->box);
			s->box[s->n++] = (struct swim_box){.row = s->nrows,
			                                   .tone = tone,
			                                   .from = from[tone] - zero,
			                                   .to = fmax(to[tone], from[tone]) - zero,
			                                   .lane = lane};
		}
		s->to = fmax(s->to, x[i].last_end - zero);
	}
	s->lanes[s->nrows] = lanes;
	return lanes > 1;
}

/* A row of kernels from the middle of this chain, and its numbers. */
static bool add_chain(struct kind_call *k, struct swim *s, const struct pick *p, int64_t n,
                      size_t *cap, struct sb *facts, struct err *e)
{
	const char *what[] = {"kernels", "step", "gap", "ramp", "drain"};
	struct stamps of;
	size_t all;
	if (!find_trace(k, p, &of, e))
		return false;
	const struct stamps_kernel *x = stamps_kernels(of.t, &all, k->ctx->arena);
	if (all < (size_t)n + 1)
		return err_at(e, k->p->at,
		              "the trace of %s has %zu kernels, expected more than %lld",
		              p->d->c->id, all, (long long)n);
	bool overlap = add_kernels(k, s, x + (all - (size_t)n) / 2, (size_t)n, cap);
	if (overlap)
		what[2] = "lead";
	s->row[s->nrows] = words_said(k->ctx->words, p->d->c->variant_title).text;
	sb_cstr(facts, s->nrows ? "<br> " : "");
	html_text(facts, str_of(s->row[s->nrows++]));
	sb_cstr(facts, words_get(k->ctx->words, "colon"));
	return put_facts(k, &of, overlap ? "stamps_chain_overlap" : "stamps_chain", what,
	                 ARRAY_LEN(what), facts, e) &&
	       put_cost(k, &of, facts, e);
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
