/*
 * staircase: steps one after the other. Each shows what changed in the code, how fast it is, and
 * how busy each unit is. Without scripts it is a list; static/staircase.js shows one step at a
 * time.
 *
 * To add a unit, add a row to `units`, its word to site-gen/lua/words.c and templates/words.lua,
 * and its place in the drawing to static/staircase.css.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/absent.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/source.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/numbers/bottleneck.h"
#include "site-gen/numbers/counters.h"

static const char *const own_keys[] = {"region", "part", "metric", NULL};

/* From the inside of a multiprocessor out to memory. */
static const struct {
	const char *class, *word, *counter;
} units[] = {
        {"issue", "stair_issue", "issue_percent"},
        {"shared", "stair_shared", "shared_pipe_percent"},
        {"to-l2", "stair_to_l2", "to_l2_percent"},
        {"l2", "stair_l2", "l2_percent"},
        {"dram", "stair_dram", "dram_percent"},
};
enum { NUNITS = ARRAY_LEN(units) };

struct stair {
	const struct pick *picks;
	size_t n;
	enum metric metric;
	const struct data_spec *spec; /* theoretical roof; NULL: none */
	bool has_best;
	struct number best; /* measured roof */
	double scale;       /* full length of a bar, in the metric's unit */
};

static void say(struct kind_call *k, const char *word)
{
	html_text(k->to, str_of(words_get(k->ctx->words, word)));
}

/* --- speed --------------------------------------------------------------------------- */

static void find_roofs(struct kind_call *k, struct stair *s)
{
	struct pick best;
	struct number v;
	s->spec = roof_spec(k->ctx->data, &s->picks[0], s->metric);
	for (size_t i = 0; i < s->n && !s->has_best; i++)
		s->has_best = roof_measured(k->ctx->data, &s->picks[i], s->metric, &best) &&
		              number_of(&best, s->metric, &s->best);
	s->scale = s->spec ? s->spec->value : s->has_best ? s->best.value : 0;
	for (size_t i = 0; i < s->n; i++)
		if (number_of(&s->picks[i], s->metric, &v) && v.value > s->scale)
			s->scale = v.value;
}

static void bar(struct kind_call *k, const struct stair *s, const struct number *n)
{
	html_raw(k->to, "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
	                "aria-hidden=\"true\"><rect class=\"bar-track\" width=\"100\" "
	                "height=\"10\"/><rect class=\"bar-fill\" width=\"");
	sb_printf(k->to, "%.2f\" height=\"10\"/>", 100 * n->value / s->scale);
	if (s->has_best) {
		double at = 100 * s->best.value / s->scale;
		sb_printf(k->to,
		          "<line class=\"bar-roof\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"10\"/>",
		          at, at);
	}
	html_raw(k->to, "</svg>\n");
}

static void fact_open(struct kind_call *k, const char *word, const char *classes)
{
	html_raw(k->to, "<div class=\"");
	html_raw(k->to, classes);
	html_raw(k->to, "\"><dt>");
	say(k, word);
	sb_char(k->to, ' ');
}

static void share(struct kind_call *k, const struct number *n)
{
	html_raw(k->to, "</dt><dd class=\"share\">");
	number_link(k->ctx, n, "percent", NULL, k->to); /* the head has the conditions */
	html_raw(k->to, "</dd></div>");
}

/* The speed-up over the step before, if both were measured in one run. */
static void speed_up(struct kind_call *k, const struct stair *s, size_t i)
{
	const struct pick *now = &s->picks[i], *before = now - 1;
	bool up = metric_info(s->metric)->higher_is_better;
	fact_open(k, "stair_before", "before");
	html_raw(k->to, "</dt><dd>");
	if (before->run == now->run) {
		struct number g = number_ratio(k->ctx->data, up ? now : before, up ? before : now,
		                               s->metric, k->ctx->arena);
		number_link(k->ctx, &g, "ratio",
		            words_fill(k->ctx->words, k->ctx->arena, "ratio_paired",
		                       words_said(k->ctx->words, now->d->c->variant_title).text,
		                       words_said(k->ctx->words, before->d->c->variant_title).text),
		            k->to);
	} else {
		number_none(words_get(k->ctx->words, "ladder_other_run"), k->to);
	}
	html_raw(k->to, "</dd></div>");
}

static void facts(struct kind_call *k, const struct stair *s, size_t i, const struct number *n)
{
	html_raw(k->to, "<dl class=\"step-facts\">");
	if (s->spec) {
		struct number of = number_percent(n, s->spec);
		fact_open(k, "stair_of_spec", "of-spec");
		number_spec_link(k->ctx->words, s->spec, k->to);
		share(k, &of);
	}
	if (s->has_best && s->best.pick.d != s->picks[i].d) {
		struct number of = number_share(k->ctx->data, &s->picks[i], &s->best.pick,
		                                s->metric, k->ctx->arena);
		fact_open(k, "stair_of_best", "of-best");
		const char *what = /* said once for all steps */
		        i == 0 ? case_title(k->ctx->words, s->best.pick.d->c, k->ctx->arena) : NULL;
		number_link(k->ctx, &s->best, "", what, k->to);
		share(k, &of);
	}
	if (i > 0)
		speed_up(k, s, i);
	html_raw(k->to, "</dl>\n");
}

/* --- units --------------------------------------------------------------------------- */

/* The unit with the largest share; NUNITS: none was recorded. */
static size_t fullest(const struct counters *c, double *most)
{
	size_t at = NUNITS;
	double v;
	for (size_t u = 0; u < NUNITS; u++)
		if (counter_value(c, counter_find(str_of(units[u].counter)), &v) &&
		    (at == NUNITS || v > *most)) {
			at = u;
			*most = v;
		}
	return at;
}

static void unit(struct kind_call *k, const struct counters *c, size_t u, bool most)
{
	const struct counter_info *info = counter_find(str_of(units[u].counter));
	double v;
	bool has = counter_value(c, info, &v);
	sb_printf(k->to, "<div class=\"unit unit-%s%s%s\"><dt>", units[u].class,
	          most ? " fullest" : "", has ? "" : " unknown");
	say(k, units[u].word);
	if (most) {
		html_raw(k->to, " <span class=\"word\">");
		say(k, "stair_fullest");
		html_raw(k->to, "</span>");
	}
	html_raw(k->to, "</dt><dd>");
	if (has) {
		counter_link(k->ctx, c, info, v, k->to);
		sb_printf(k->to,
		          "<svg class=\"fill\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" "
		          "aria-hidden=\"true\"><rect width=\"%.1f\" height=\"1\"/></svg>",
		          v > 100 ? 100.0 : v);
	} else {
		say(k, "stair_unrecorded");
	}
	html_raw(k->to, "</dd></div>\n");
}

/* Where no unit is nearly full, warps wait: says for what. */
static void waits(struct kind_call *k, const struct counters *c, double most)
{
	const struct counter_info *stall = counter_top_stall(c);
	double v;
	if (most >= LIMITER_SHARE || !stall || !counter_value(c, stall, &v))
		return;
	html_raw(k->to, "<p class=\"fine\">");
	say(k, "stair_slack");
	sb_char(k->to, ' ');
	html_text(k->to, str_of(words_label(k->ctx->words, stall->title)));
	say(k, "colon");
	counter_link(k->ctx, c, stall, v, k->to);
	html_raw(k->to, "</p>\n");
}

/* Says nothing of a case without counters. */
static void busy(struct kind_call *k, const struct pick *p)
{
	struct counters c;
	double most = 0;
	bool has = counters_of(k->ctx->data, p->run->run.head.device, p->d->c->id, &c) &&
	           !c.c->unavailable;
	if (has)
		counters_hold(&c, k->ctx->data);
	size_t top = has ? fullest(&c, &most) : NUNITS;
	if (top == NUNITS)
		return;
	html_raw(k->to, "<div class=\"step-units\"><p class=\"units-title\">");
	say(k, "stair_units");
	html_raw(k->to, "</p>\n<dl class=\"units\">\n");
	for (size_t u = 0; u < NUNITS; u++)
		unit(k, &c, u, u == top);
	html_raw(k->to, "</dl>\n");
	waits(k, &c, most);
	html_raw(k->to, "</div>\n");
}

/* --- steps --------------------------------------------------------------------------- */

static void step_head(struct kind_call *k, const struct stair *s, size_t i, struct number *n)
{
	const struct run_case *c = s->picks[i].d->c;
	struct words_said title = words_said(k->ctx->words, c->variant_title),
	                  idea = words_said(k->ctx->words, c->idea);
	html_raw(k->to, "<li class=\"step\" id=\"");
	sb_printf(k->to, "b%d-", k->ctx->blocks);
	html_attr(k->to, str_of(c->variant));
	sb_printf(k->to,
	          "\"><p class=\"step-head\"><b class=\"step-no\">%zu.</b> "
	          "<span class=\"step-title\"%s>",
	          i + 1, title.lang);
	html_text(k->to, str_of(title.text));
	html_raw(k->to, "</span> ");
	table_number(k, n);
	sb_printf(k->to, "</p>\n<p class=\"idea\"%s>", idea.lang);
	html_text(k->to, str_of(idea.text));
	html_raw(k->to, "</p>\n<div class=\"step-speed\">");
}

static bool step(struct kind_call *k, const struct stair *s, size_t i, struct err *e)
{
	const struct pick *p = &s->picks[i];
	struct number n;
	if (!number_of(p, s->metric, &n))
		return err_at(e, k->p->at, "%s has no %s, and each step needs one", p->d->c->id,
		              metric_info(s->metric)->name);
	step_head(k, s, i, &n);
	bar(k, s, &n);
	facts(k, s, i, &n);
	html_raw(k->to, "</div>\n");
	busy(k, p);
	html_raw(k->to, "<div class=\"step-code\">");
	if (!source_step(k, i > 0 ? p - 1 : NULL, p, e))
		return false;
	html_raw(k->to, "</div>\n</li>\n");
	return true;
}

static void steps_open(struct kind_call *k)
{
	static const struct {
		const char *attribute, *word;
	} words[] = {{"label", "stair_steps"}, {"back", "stair_back"}, {"next", "stair_next"}};
	html_raw(k->to, "<ol class=\"steps\"");
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		sb_printf(k->to, " data-%s=\"", words[i].attribute);
		html_attr(k->to, str_of(words_get(k->ctx->words, words[i].word)));
		sb_char(k->to, '"');
	}
	html_raw(k->to, ">\n");
}

/* A step is a variant of one family; each has one case. */
static bool one_case_each(struct kind_call *k, const struct stair *s, struct err *e)
{
	enum { LEAST = 2 };
	if (s->n < LEAST)
		return err_at(e, k->p->at, "a staircase needs two steps, '" STR_FMT "' has one",
		              STR_ARG(k->p->word[0]));
	for (size_t i = 1; i < s->n; i++)
		if (strcmp(s->picks[i - 1].d->c->variant, s->picks[i].d->c->variant) == 0 ||
		    strcmp(s->picks[i - 1].d->c->family, s->picks[i].d->c->family) != 0)
			return err_at(
			        e, k->p->at,
			        "a staircase has one case of each variant of one family, '" STR_FMT
			        "' has %s and %s",
			        STR_ARG(k->p->word[0]), s->picks[i - 1].d->c->id,
			        s->picks[i].d->c->id);
	return true;
}

bool kind_staircase(struct kind_call *k, struct err *e)
{
	struct pick *picks;
	struct stair s = {0};
	if (!kind_picks(k, own_keys, &picks, &s.n, e) || !kind_metric(k, &picks[0], &s.metric, e))
		return false;
	s.picks = picks;
	if (!one_case_each(k, &s, e))
		return false;
	find_roofs(k, &s);
	block_open(k, block_caption(k, picks, s.n,
	                            case_metric_words(k->ctx, picks[0].d->c, s.metric)));
	steps_open(k);
	bool ok = true;
	for (size_t i = 0; ok && i < s.n; i++)
		ok = step(k, &s, i, e);
	html_raw(k->to, "</ol>\n");
	ok = ok && absent_print(k, own_keys, picks, s.n, e);
	block_close(k);
	return ok;
}
