/*
 * Digits, unit, interval, link and state of published numbers. Every measured
 * digit of the site is formatted here.
 */
#include "site-gen/numbers/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/case.h"
#include "site-gen/base/html.h"

/* --- addresses --- */

/* The other case in a name; its device precedes it if it is not the number's own. */
static const char *other_case(const struct number *n, struct arena *a)
{
	const char *device = n->over.run->run.head.device;
	bool same = strcmp(device, n->pick.run->run.head.device) == 0;
	return same ? n->over.d->anchor : arena_printf(a, "%s--%s", device, n->over.d->anchor);
}

/* Its name without "-over-cards". */
static const char *own_name(const struct number *n, struct arena *a)
{
	const char *m = metric_info(n->metric)->name;
	switch (n->kind) {
	case NUMBER_VALUE:
		break;
	case NUMBER_RATIO:
		return arena_printf(a, "%s-over-%s", m, other_case(n, a));
	case NUMBER_SHARE_SPEC:
		return arena_printf(a, "%s-of-%s", m, n->peak->key);
	case NUMBER_SHARE_MEASURED:
		return arena_printf(a, "%s-of-%s", m, other_case(n, a));
	}
	return m;
}

const char *number_name(const struct number *n, struct arena *a)
{
	const char *own = own_name(n, a);
	return n->cards ? arena_printf(a, "%s-over-cards", own) : own;
}

/* Its key without " over cards". */
static const char *own_key(const struct number *n, struct arena *a)
{
	const char *m = metric_info(n->metric)->name;
	const char *key =
	        arena_printf(a, "%s %s %s", n->pick.run->run.head.device, n->pick.d->c->id, m);
	switch (n->kind) {
	case NUMBER_VALUE:
		break;
	case NUMBER_RATIO:
	case NUMBER_SHARE_MEASURED:
		return arena_printf(a, "%s %s %s %s", key, n->kind == NUMBER_RATIO ? "over" : "of",
		                    n->over.run->run.head.device, n->over.d->c->id);
	case NUMBER_SHARE_SPEC:
		return arena_printf(a, "%s of spec:%s", key, n->peak->key);
	}
	return key;
}

const char *number_key(const struct number *n, struct arena *a)
{
	const char *own = own_key(n, a);
	return n->cards ? arena_printf(a, "%s over cards", own) : own;
}

/* Is it not the present number of its case, because a newer run replaced it or it was withdrawn? */
static bool is_of_another(const struct data_case *d)
{
	return d->newer || d->why[DATA_WITHDRAWN];
}

const char *number_url(const struct expand_ctx *ctx, const struct number *n)
{
	const struct data_case *d = n->pick.d;
	const char *fragment =
	        is_of_another(d) ? arena_printf(ctx->arena, "run-%s", n->pick.run->run.head.id)
	                         : number_name(n, ctx->arena);
	return arena_printf(ctx->arena, "%s%s#%s", ctx->base, d->url, fragment);
}

/* --- text --- */

static double halfwidth(const struct number *n)
{
	return (n->hi - n->lo) / 2;
}

static void format(const struct number *n, struct unit_text *u)
{
	unit_format(n->value, halfwidth(n), n->si, u);
}

/* 4.31 TB/s, 89.6 %, 1.14× */
static void put_unit(const char *unit, struct sb *to)
{
	if (!*unit)
		return;
	if (strcmp(unit, "×") != 0)
		sb_cstr(to, NBSP);
	sb_cstr(to, unit);
}

bool number_has_interval(const struct number *n)
{
	return n->hi > n->lo && !n->at_speed[0];
}

/* "118 µs / 128 µs" */
static void put_speeds(const struct number *n, struct sb *to)
{
	struct unit_text u;
	for (int i = 0; i < 2; i++) {
		unit_format(n->speed[i], 0, n->si, &u);
		sb_cstr(to, i ? " / " : "");
		sb_cstr(to, u.number);
		put_unit(u.unit, to);
	}
}

void number_text(const struct number *n, struct sb *to)
{
	struct unit_text u;
	if (n->at_speed[0]) {
		put_speeds(n, to);
		return;
	}
	format(n, &u);
	sb_cstr(to, u.number);
	put_unit(u.unit, to);
}

/* A ratio below 1 as a change, with one decimal, or two below one per cent: "−9.8 %". */
static void loss_text(const struct number *n, struct sb *to)
{
	double loss = 100 * (1 - n->value);
	sb_printf(to, "−%.*f" NBSP "%%", loss < 0.95 ? 2 : 1, loss);
}

void number_range(const struct number *n, struct sb *to)
{
	struct unit_text u, lo, hi;
	format(n, &u);
	unit_format_as(n->lo, u.scale, u.decimals + 1, u.unit, &lo);
	unit_format_as(n->hi, u.scale, u.decimals + 1, u.unit, &hi);
	sb_printf(to, "%s–%s", lo.number, hi.number);
	put_unit(u.unit, to);
}

const struct data_case *number_case(const struct number *n)
{
	return n->worst.d ? n->worst.d : n->pick.d;
}

const struct data_run *number_case_run(const struct number *n)
{
	return n->worst.d ? n->worst.run : n->pick.run;
}

/* Is the case one of the number's cards? */
static bool is_card(const struct data_number *n, const struct data_case *k)
{
	for (size_t i = 0; n && i < n->ncards; i++)
		if (n->in[n->card[i]] == k)
			return true;
	return false;
}

bool number_is_of(const struct number *n, const struct data_case *k)
{
	return n->pick.d == k || n->over.d == k || is_card(n->cards, k) ||
	       is_card(n->over_cards, k);
}

/* "10 processes", "over 5 cards"; of two devices "10 and 12 processes", "over 5 and 3 cards" */
static const char *replicated(const struct expand_ctx *ctx, const struct number *n)
{
	bool both = number_of_two_devices(n);
	const char *word = n->cards ? both ? "number_cards_both" : "number_cards"
	                   : both   ? "number_launches_both"
	                            : "number_launches";
	size_t own = n->cards ? n->cards->ncards : n->pick.d->time.launches;
	size_t other = n->over_cards ? n->over_cards->ncards : both ? n->over.d->time.launches : 0;
	return words_fill(ctx->words, ctx->arena, word, arena_printf(ctx->arena, "%zu", own),
	                  arena_printf(ctx->arena, "%zu", other));
}

const char *number_one_each(const struct number *n)
{
	bool cards =
	        n->over.run && n->pick.run->run.head.gpu.name && n->over.run->run.head.gpu.name;
	if (n->cards || n->metric == METRIC_INTENSITY || !number_of_two_devices(n))
		return NULL;
	return cards ? "number_one_card" : "number_one_machine";
}

void number_cards_text(const struct expand_ctx *ctx, const struct number *n, struct sb *to)
{
	const char *one = number_one_each(n), *said = NULL;
	if (one)
		said = words_get(ctx->words, one);
	else if (n->cards)
		said = replicated(ctx, n);
	if (said)
		sb_printf(to, "%s%s%s", words_get(ctx->words, "bracket_open"), said,
		          words_get(ctx->words, "bracket_close"));
}

/* Tooltip of a number: all that a reader needs to judge it, in one line. */
static void title_text(struct expand_ctx *ctx, const struct number *n, const char *what,
                       struct sb *to)
{
	const struct data_case *d = n->pick.d;
	const struct run *r = &n->pick.run->run;
	sb_printf(to, "%s: ", what);
	number_text(n, to);
	if (number_has_interval(n)) {
		struct sb range = {0};
		number_range(n, &range);
		sb_printf(to, ", %s",
		          words_fill(ctx->words, ctx->arena, "number_interval", range.p, NULL));
		sb_free(&range);
	}
	sb_printf(to, "; %s; %s; %s", replicated(ctx, n),
	          r->head.gpu.name ? r->head.gpu.name : r->head.machine.cpu,
	          case_date(r, ctx->arena));
	if (d->power_limited > 0 && !n->cards)
		sb_printf(to, "; %s",
		          words_fill(ctx->words, ctx->arena, "number_power",
		                     arena_printf(ctx->arena, "%zu", d->power_limited),
		                     arena_printf(ctx->arena, "%zu", d->time.launches)));
	const struct data_case *worst = number_case(n);
	if (data_state_marked(worst->state))
		sb_printf(to, "; %s %s: %s", worst->c->variant,
		          words_state(ctx->words, data_state_name(worst->state)),
		          data_case_why_state(ctx->words, worst, ctx->arena));
}

void number_use(struct expand_ctx *ctx, const struct pick *p)
{
	for (const struct expand_use *u = ctx->uses; u; u = u->next)
		if (u->c == p->d->c)
			return;
	struct expand_use *u = ARENA_NEW(ctx->arena, struct expand_use);
	*u = (struct expand_use){
	        .run = &p->run->run, .c = p->d->c, .at = ctx->at, .next = ctx->uses};
	ctx->uses = u;
}

static bool same_number(const struct number *a, const struct number *b)
{
	return a->kind == b->kind && a->metric == b->metric && a->pick.d == b->pick.d &&
	       a->over.d == b->over.d && a->peak == b->peak && a->cards == b->cards;
}

/* Of other cards, the page uses those whose state counts: an older run is not superseded here. */
static void use_cards(struct expand_ctx *ctx, const struct data_number *n)
{
	for (size_t i = 1; n && i < n->ncards; i++) {
		struct pick p = number_card(n, i);
		if (p.d->state > DATA_SUPERSEDED)
			number_use(ctx, &p);
	}
}

/* A title is expanded twice, as text and as markup, but its number counts as one quote. */
static bool quoted_just_now(const struct expand_ctx *ctx, const struct number *n)
{
	int near = 8;
	for (const struct quote *q = ctx->quotes; q && near-- > 0; q = q->next)
		if (q->at.path == ctx->at.path && q->at.line == ctx->at.line &&
		    q->at.col == ctx->at.col && same_number(&q->n, n))
			return true;
	return false;
}

void number_quote(struct expand_ctx *ctx, const struct number *n)
{
	struct sb text = {0};
	number_use(ctx, &n->pick);
	if (n->over.d)
		number_use(ctx, &n->over);
	use_cards(ctx, n->cards);
	use_cards(ctx, n->over_cards);
	if (ctx->placeholder && quoted_just_now(ctx, n))
		return;
	struct quote *q = ARENA_NEW(ctx->arena, struct quote);
	number_text(n, &text);
	*q = (struct quote){.n = *n,
	                    .text = str_dup(ctx->arena, sb_view(&text)),
	                    .placeholder = ctx->placeholder,
	                    .at = ctx->at,
	                    .block = ctx->in_block,
	                    .figure = ctx->in_block ? ctx->figure : 0,
	                    .next = ctx->quotes};
	ctx->quotes = q;
	sb_free(&text);
}

bool number_is_authored(struct loc at)
{
	return at.line > 0;
}

void number_fact(struct expand_ctx *ctx, struct fact f)
{
	int near = 8; /* a title is expanded twice, as text and as markup: one fact */
	for (const struct fact *x = ctx->facts; x && near-- > 0; x = x->next)
		if (x->at.path == ctx->at.path && x->at.line == ctx->at.line &&
		    x->at.col == ctx->at.col && strcmp(x->key, f.key) == 0)
			return;
	struct fact *own = ARENA_NEW(ctx->arena, struct fact);
	*own = f;
	if (f.lo == 0 && f.hi == 0)
		own->lo = own->hi = f.value;
	own->at = ctx->at;
	own->next = ctx->facts;
	ctx->facts = own;
}

const char *number_fact_state(const struct fact *f)
{
	if (f->not_of.d)
		return data_state_name(DATA_STALE);
	return f->worst.d ? data_state_name(f->worst.d->state) : NULL;
}

/* The runs of a number's cards; nothing without cards. */
static void cards_attribute(struct sb *to, const char *name, const struct data_number *n)
{
	struct sb ids = {0};
	for (size_t i = 0; n && i < n->ncards; i++)
		sb_printf(&ids, "%s%s", i ? " " : "", number_card(n, i).run->run.head.id);
	if (n)
		html_attribute(to, name, sb_view(&ids));
	sb_free(&ids);
}

/* 0.01 % is the narrowest that we print. */
bool number_interval_text(const struct number *n, struct sb *to)
{
	if (!number_has_interval(n))
		return false;
	double percent = fmax(100 * halfwidth(n) / fabs(n->value), 0.01);
	if (percent > 100)
		sb_cstr(to, "±>100" NBSP "%");
	else
		sb_printf(to, "±%.*f" NBSP "%%",
		          percent < 0.095 ? 2
		          : percent < 9.5 ? 1
		                          : 0,
		          percent);
	return true;
}

void number_link(struct expand_ctx *ctx, const struct number *n, const char *classes,
                 const char *what, struct sb *to)
{
	enum data_state state = number_case(n)->state;
	struct sb text = {0};
	html_raw(to, "<a class=\"num");
	if (*classes) {
		html_raw(to, " ");
		html_raw(to, classes);
	}
	html_raw(to, n->as_loss ? " loss\"" : "\"");
	html_attribute(to, "href", str_of(number_url(ctx, n)));
	html_attribute(to, "data-state", str_of(data_state_name(state)));
	html_attribute(to, "data-run", str_of(n->pick.run->run.head.id));
	if (n->over.run && n->over.run != n->pick.run)
		html_attribute(to, "data-over-run", str_of(n->over.run->run.head.id));
	cards_attribute(to, "data-cards", n->cards);
	cards_attribute(to, "data-over-cards", n->over_cards);
	if (is_of_another(n->pick.d))
		html_attribute(to, "data-n", str_of(number_name(n, ctx->arena)));
	if (what && !ctx->in_block && number_interval_text(n, &text)) {
		html_attribute(to, "data-ci", sb_view(&text));
		sb_clear(&text);
	}
	if (what) {
		title_text(ctx, n, what, &text);
		html_attribute(to, "title", sb_view(&text));
		sb_clear(&text);
	}
	html_raw(to, ">");
	if (n->as_loss)
		loss_text(n, &text);
	else
		number_text(n, &text);
	html_text(to, sb_view(&text));
	number_mark(ctx->words, state, to);
	html_raw(to, "</a>");
	sb_clear(&text);
	number_cards_text(ctx, n, &text);
	if (text.n) {
		/* in a sentence a reader sees that no kinds were compared, only one card of each */
		bool visible = number_one_each(n) && !ctx->in_block && ctx->placeholder;
		html_raw(to, visible ? "<span class=\"over-cards cards-note\">"
		                     : "<span class=\"over-cards visually-hidden\">");
		html_text(to, sb_view(&text));
		html_raw(to, "</span>");
	}
	sb_free(&text);
	number_quote(ctx, n);
}

void number_mark(const struct words *w, enum data_state state, struct sb *to)
{
	if (!data_state_marked(state))
		return;
	html_raw(to, "<sup class=\"mark\" data-state=\"");
	html_raw(to, data_state_name(state));
	html_raw(to, "\">");
	html_text(to, str_of(words_state(w, data_state_name(state))));
	html_raw(to, "</sup>");
}

enum data_state number_common_state(const struct quote *newest, const struct quote *end)
{
	enum data_state all = DATA_OK;
	size_t n = 0;
	for (const struct quote *q = newest; q && q != end; q = q->next, n++) {
		enum data_state own = number_case(&q->n)->state;
		if (!data_state_marked(own) || (n && own != all))
			return DATA_OK;
		all = own;
	}
	return n > 1 ? all : DATA_OK;
}

void number_say_common(const struct words *w, enum data_state state, struct sb *to)
{
	if (state == DATA_OK)
		return;
	html_raw(to, "<p class=\"all-state\">");
	html_text(to, str_of(words_get(w, "states_all")));
	html_text(to, str_of(words_get(w, "colon")));
	number_mark(w, state, to);
	html_raw(to, "</p>\n");
}

void number_interval(const struct number *n, struct sb *to)
{
	struct sb text = {0};
	if (number_interval_text(n, &text)) {
		html_raw(to, " <span class=\"ci\">");
		html_text(to, sb_view(&text));
		html_raw(to, "</span>");
	}
	sb_free(&text);
}

void number_none(const char *why, struct sb *to)
{
	html_raw(to, "<span class=\"none\" title=\"");
	html_attr(to, str_of(why));
	html_raw(to, "\">–</span>");
}

/* Uses as few decimals as show the figure exactly. */
void number_exact_text(double value, const char *si, struct sb *to)
{
	enum { MOST_DECIMALS = 4 };
	struct unit_text u, v;
	unit_format(value, 0, si, &u);
	for (int d = 0; d <= MOST_DECIMALS; d++) {
		unit_format_as(value, u.scale, d, u.unit, &v);
		double shown;
		if (str_f64(str_of(v.number), &shown) &&
		    fabs(shown * u.scale - value) <= 1e-9 * fabs(value))
			break;
	}
	sb_cstr(to, v.number);
	put_unit(v.unit, to);
}

void number_spec_text(const struct data_spec *s, struct sb *to)
{
	number_exact_text(s->value, s->si, to);
}

void number_spec_link(const struct words *w, const struct data_spec *s, struct sb *to)
{
	struct sb text = {0};
	html_raw(to, "<a class=\"num spec\" href=\"");
	html_url(to, str_of(s->source_url));
	html_raw(to, "\"");
	sb_printf(&text, "%s %s, %s%s%s. “%s”. %s, %s", words_get(w, "datasheet"), s->device_name,
	          words_label(w, s->title), s->note ? words_get(w, "semicolon") : "",
	          s->note ? words_label(w, s->note) : "", s->quote, s->source, s->source_date);
	html_attribute(to, "title", sb_view(&text));
	sb_clear(&text);
	sb_printf(&text, "spec %s %s", s->device, s->key);
	html_attribute(to, "data-n", str_of(text.p));
	html_raw(to, ">");
	sb_clear(&text);
	number_spec_text(s, &text);
	html_text(to, sb_view(&text));
	html_raw(to, "</a>");
	sb_free(&text);
}
