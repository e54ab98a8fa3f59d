/*
 * selftest, nulls, spread, cards, widths: the reliability of the instrument. They show
 * false alarms and power; null controls; the spread between runs, and between cards, of
 * the same code; and the widths of intervals.
 *
 * Their numbers are span.num.derived, with the key of a fact in data-n:
 *   selftest <run> <per mille planted> <what>
 *   null <run> <case id of the null control> [low | high]
 *   spread <device> <family or *> <what>
 *   card <device> <family or *> <what>
 *   width <device> <family or *> <what>
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/plot/plot.h"
#include "site-gen/numbers/trust.h"
#include "site-gen/records/launches.h"

/* --- small parts ---------------------------------------------------------------------- */

static const char *word(const struct kind_call *k, const char *key)
{
	return words_get(k->ctx->words, key);
}

static void put_fact(struct kind_call *k, const char *key, double value, const char *si,
                     const char *run)
{
	struct unit_text u;
	unit_format(value, 0, si, &u);
	const char *space = strcmp(si, "%") == 0 ? NBSP : "";
	const char *text = arena_printf(k->ctx->arena, "%s%s%s", u.number, space, u.unit);
	number_fact(
	        k->ctx,
	        (struct fact){.key = key, .text = text, .unit = si, .value = value, .run = run});
	html_raw(k->to, "<span class=\"num derived\" data-n=\"");
	html_attr(k->to, str_of(key));
	html_raw(k->to, "\">");
	html_text(k->to, str_of(text));
	html_raw(k->to, "</span>");
}

static void open_cell(struct kind_call *k)
{
	html_raw(k->to, "<td class=\"right\">");
}

/* In per cent. */
static double share_of(size_t n, size_t all)
{
	return all ? 100 * (double)n / (double)all : 0;
}

/* Opens a cell with its column head as label, for phones. */
static void open_labelled(struct kind_call *k, const char *key)
{
	table_cell(k->to, "right", word(k, key));
}

static void close_cell(struct kind_call *k)
{
	html_raw(k->to, "</td>");
}

static void head(struct kind_call *k, const char *const *keys, size_t n)
{
	html_raw(k->to, "<thead><tr>");
	for (size_t i = 0; i < n; i++) {
		html_raw(k->to, i ? "<th scope=\"col\" class=\"right\">" : "<th scope=\"col\">");
		html_text(k->to, str_of(word(k, keys[i])));
		html_raw(k->to, "</th>");
	}
	html_raw(k->to, "</tr></thead><tbody>\n");
}

static void caption(struct kind_call *k, const char *text, const struct data_run *r)
{
	struct sb html = {0};
	html_text(&html, str_of(text));
	if (r) {
		html_text(&html, str_of(word(k, "stop_next")));
		html_text(&html, str_of(r->run.head.gpu.name ? r->run.head.gpu.name
		                                             : r->run.head.machine.cpu));
		html_text(&html, str_of(word(k, "comma")));
		kind_link(k->ctx, r->url,
		          words_fill(k->ctx->words, k->ctx->arena, "run_of",
		                     case_date(&r->run, k->ctx->arena), NULL),
		          &html);
	}
	html_text(&html, str_of(word(k, "stop")));
	block_open(k, str_dup(k->ctx->arena, sb_view(&html)));
	sb_free(&html);
}

/* Writes a sentence instead of the block if nothing is recorded. */
static bool put_nothing(struct kind_call *k, const char *key)
{
	block_open(k, NULL);
	html_raw(k->to, "<p class=\"fine\">");
	html_text(k->to, str_of(word(k, key)));
	html_raw(k->to, "</p>\n");
	block_close(k);
	return true;
}

/* Opens and closes a figure with a table. */
static void open_table(struct kind_call *k, const char *caption_key, const char *classes,
                       const char *const *heads, size_t n)
{
	caption(k, word(k, caption_key), NULL);
	table_open(k->to, classes);
	head(k, heads, n);
}

static bool close_table(struct kind_call *k)
{
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	block_close(k);
	return true;
}

static const char *device_of(struct kind_call *k)
{
	struct str key = placeholder_key(k->p, "device");
	const char *measured = key.p ? data_device_find(k->ctx->data, key) : NULL;
	return measured ? measured
	       : key.p  ? str_dup(k->ctx->arena, key)
	                : query_default_device(k->ctx);
}

/* --- selftest ------------------------------------------------------------------------- */

enum { MOST_PADS = 8 };

/* A column: how often a rule calls two measurements different. */
struct rule_of {
	const char *name, *title, *label; /* in the key; words in lua/words.c, label if narrow */
	size_t (*hits)(const struct selftest_tally *t);
	bool process; /* counts pairs of processes, not comparisons */
};

static size_t hits_interval(const struct selftest_tally *t)
{
	return t->found;
}

static size_t hits_verdict(const struct selftest_tally *t)
{
	return t->different;
}

static size_t hits_nvbench(const struct selftest_tally *t)
{
	return t->nvbench;
}

static size_t hits_mann_whitney(const struct selftest_tally *t)
{
	return t->mann_whitney;
}

static const struct rule_of rules_of[] = {
        {"interval", "selftest_interval", "selftest_short_interval", hits_interval, false},
        {"verdict", "selftest_verdict", "selftest_short_verdict", hits_verdict, false},
        {"nvbench", "selftest_nvbench", "selftest_short_nvbench", hits_nvbench, true},
        {"mann-whitney", "selftest_mann_whitney", "selftest_short_mann_whitney", hits_mann_whitney,
         true},
};
enum { NRULES = ARRAY_LEN(rules_of) };

static double share(const struct selftest_tally *t, const struct rule_of *r)
{
	return share_of(r->hits(t), r->process ? t->processes : t->pairs);
}

/* Per cent of the intervals that contain the planted difference. */
static double covered(const struct run *r, int64_t pad, struct arena *a)
{
	struct selftest_pair *p;
	size_t n = selftest_pairs(r, pad, a, &p), in = 0;
	double truth = 1 + (double)pad / 1000;
	for (size_t i = 0; i < n; i++)
		in += p[i].ratio.lo <= truth && p[i].ratio.hi >= truth;
	return n ? 100 * (double)in / (double)n : 0;
}

static void selftest_row(struct kind_call *k, const struct data_run *r,
                         const struct selftest_tally *t)
{
	struct arena *a = k->ctx->arena;
	const char *id = r->run.head.id;
	const char *base = arena_printf(a, "selftest %s %lld", id, (long long)t->pad);
	html_raw(k->to, "<tr><th scope=\"row\">");
	html_text(k->to, str_of(t->pad ? arena_printf(a, "%g" NBSP "%%", (double)t->pad / 10)
	                               : word(k, "selftest_equal")));
	html_raw(k->to, "</th>");
	open_labelled(k, "selftest_comparisons");
	sb_printf(k->to, "%zu", t->pairs);
	close_cell(k);
	for (size_t i = 0; i < NRULES; i++) {
		open_labelled(k, rules_of[i].title);
		put_fact(k, arena_printf(a, "%s %s", base, rules_of[i].name),
		         share(t, &rules_of[i]), "%", id);
		close_cell(k);
	}
	open_labelled(k, "selftest_covered");
	put_fact(k, arena_printf(a, "%s covered", base), covered(launches_of(r), t->pad, a), "%",
	         id);
	close_cell(k);
	open_labelled(k, "selftest_width");
	html_raw(k->to, "±");
	put_fact(k, arena_printf(a, "%s width", base), 100 * t->halfwidth, "%", id);
	close_cell(k);
	html_raw(k->to, "</tr>\n");
}

/* Equal code on two cards, compared by processes: what other rows cannot see. */
static void selftest_cards_row(struct kind_call *k)
{
	struct arena *a = k->ctx->arena;
	struct trust_cards *t;
	if (trust_cards(k->ctx->data, device_of(k), a, &t) == 0)
		return;
	html_raw(k->to, "<tr><th scope=\"row\">");
	html_text(k->to, str_of(word(k, "selftest_cards")));
	html_raw(k->to, "</th>");
	open_labelled(k, "selftest_comparisons");
	sb_printf(k->to, "%zu</td>", t->pairs);
	for (int i = 0; i < 2; i++) {
		open_labelled(k, rules_of[i].title);
		put_fact(k, arena_printf(a, "card %s * %s", device_of(k), i ? "verdict" : "alarms"),
		         share_of(i ? t->different : t->alarms, t->pairs), "%", t->run);
		close_cell(k);
	}
	html_raw(k->to, "<td colspan=\"4\"></td></tr>\n");
}

static void selftest_table(struct kind_call *k, const struct data_run *r,
                           const struct selftest_tally *t, size_t n)
{
	static const char *const heads[] = {"selftest_planted",  "selftest_comparisons",
	                                    "selftest_interval", "selftest_verdict",
	                                    "selftest_nvbench",  "selftest_mann_whitney",
	                                    "selftest_covered",  "selftest_width"};
	table_open(k->to, "labelled stack");
	head(k, heads, ARRAY_LEN(heads));
	for (size_t i = 0; i < n; i++)
		selftest_row(k, r, &t[i]);
	selftest_cards_row(k);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
}

/*
 * Goals of the instrument, decided by the record. A row has the words of the goal,
 * the planted difference (per mille), the deciding fact, and the bounds of its
 * value in per cent.
 */
static const struct {
	const char *title;
	int64_t pad;
	const char *fact;
	double low, high;
} self_goals[] = {
        {"selftest_goal_alarms", 0, "verdict", 0, 5},
        {"selftest_goal_covered", 0, "exchanged", 93, 97},
        {"selftest_goal_power", 5, "verdict", 90, 100},
};

static double self_value(const struct data_run *r, const struct selftest_tally *t, const char *fact,
                         struct arena *a)
{
	for (size_t i = 0; i < NRULES; i++)
		if (strcmp(rules_of[i].name, fact) == 0)
			return share(t, &rules_of[i]);
	return 100 * selftest_exchanged(launches_of(r), a);
}

static void self_goal(struct kind_call *k, const struct data_run *r, const struct selftest_tally *t,
                      size_t goal)
{
	struct arena *a = k->ctx->arena;
	const char *id = r->run.head.id;
	double v = self_value(r, t, self_goals[goal].fact, a);
	bool met = v >= self_goals[goal].low && v <= self_goals[goal].high;
	html_raw(k->to, "<tr><th scope=\"row\">");
	/* {1}: the lower bound; {2}: the planted difference, or for equal code the upper bound */
	double other = t->pad ? (double)t->pad / 10 : self_goals[goal].high;
	html_text(k->to, str_of(words_fill(k->ctx->words, a, self_goals[goal].title,
	                                   arena_printf(a, "%g" NBSP "%%", self_goals[goal].low),
	                                   arena_printf(a, "%g" NBSP "%%", other))));
	html_raw(k->to, "</th>");
	open_cell(k);
	put_fact(k,
	         arena_printf(a, "selftest %s %lld %s", id, (long long)t->pad,
	                      self_goals[goal].fact),
	         v, "%", id);
	close_cell(k);
	open_cell(k);
	sb_printf(k->to, "<span class=\"verdict\" data-verdict=\"%s\">", met ? "held" : "missed");
	html_text(k->to, str_of(word(k, met ? "goal_met" : "goal_missed")));
	html_raw(k->to, "</span>");
	close_cell(k);
	html_raw(k->to, "</tr>\n");
}

/* Lists the goals; leaves out those for a difference that the run did not plant. */
static void selftest_goals(struct kind_call *k, const struct data_run *r,
                           const struct selftest_tally *t, size_t n)
{
	static const char *const heads[] = {"selftest_goal", "selftest_goal_measured",
	                                    "selftest_goal_verdict"};
	table_open(k->to, "");
	head(k, heads, ARRAY_LEN(heads));
	for (size_t g = 0; g < ARRAY_LEN(self_goals); g++)
		for (size_t i = 0; i < n; i++)
			if (t[i].pad == self_goals[g].pad)
				self_goal(k, r, &t[i], g);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
}

static bool draw(struct kind_call *k, const struct plot_chart *c, struct err *e)
{
	struct err why = ERR_NONE;
	struct arena *a = k->ctx->arena;
	return plot_svg(k->ctx->plots, c, arena_printf(a, "b%d", k->ctx->blocks), a, k->to, &why) ||
	       err_at(e, k->p->at, "%s", why.text);
}

/* Plots the share of pairs called different over the planted difference, one curve a rule. */
static bool selftest_power(struct kind_call *k, const struct data_run *r,
                           const struct selftest_tally *t, size_t n, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct plot_series *s = ARENA_ARRAY(a, struct plot_series, NRULES);
	for (size_t i = 0; i < NRULES; i++) {
		s[i] = (struct plot_series){.name = word(k, rules_of[i].title),
		                            .short_name = word(k, rules_of[i].label),
		                            .colour = (int)i,
		                            .role = rules_of[i].process ? "peer" : "kernel",
		                            .points = ARENA_ARRAY(a, struct plot_point, n),
		                            .n = n};
		for (size_t p = 0; p < n; p++)
			s[i].points[p] = (struct plot_point){
			        .x = (double)t[p].pad / 10,
			        .y = share(&t[p], &rules_of[i]),
			        .title = arena_printf(a, "%s, %g %%: %.1f %%", s[i].name,
			                              (double)t[p].pad / 10,
			                              share(&t[p], &rules_of[i]))};
	}
	const struct plot_chart c = {
	        .program = "plot",
	        .title = word(k, "selftest_power"),
	        .desc = word(k, "selftest_table_says"),
	        .x = {.title = word(k, "selftest_axis_planted"),
	              .lo = 0,
	              .hi = (double)t[n - 1].pad / 10,
	              .scale = 1},
	        .y = {.title = word(k, "selftest_axis_different"), .lo = 0, .hi = 100, .scale = 1},
	        .series = s,
	        .nseries = NRULES};
	caption(k, word(k, "selftest_power"), r);
	return draw(k, &c, e);
}

static int by_ratio(const void *a, const void *b)
{
	const struct selftest_pair *x = a, *y = b;
	return (x->ratio.typical > y->ratio.typical) - (x->ratio.typical < y->ratio.typical);
}

/* Plots every comparison of equal code, sorted: its ratio and its interval. */
static bool selftest_intervals(struct kind_call *k, const struct data_run *r, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct selftest_pair *p;
	size_t n = selftest_pairs(launches_of(r), 0, a, &p);
	struct plot_series s = {.name = word(k, "selftest_ratio"),
	                        .short_name = word(k, "selftest_ratio"),
	                        .colour = 1,
	                        .role = "kernel",
	                        .points = ARENA_ARRAY(a, struct plot_point, n + 1),
	                        .n = n};
	double far = selftest_band;
	qsort(p, n, sizeof *p, by_ratio);
	for (size_t i = 0; i < n; i++) {
		const struct stats_summary *c = &p[i].ratio;
		far = fmax(far, fmax(c->hi - 1, 1 - c->lo));
		s.points[i] =
		        (struct plot_point){.x = (double)i + 1,
		                            .y = c->typical,
		                            .lo = c->lo,
		                            .hi = c->hi,
		                            .hollow = c->lo > 1 || c->hi < 1,
		                            .title = arena_printf(a, "%.4f–%.4f", c->lo, c->hi)};
	}
	const struct plot_chart c = {
	        .program = "selftest",
	        .title = word(k, "selftest_intervals"),
	        .desc = word(k, "selftest_table_says"),
	        .x = {.title = word(k, "selftest_axis_sorted"), .hi = (double)n, .scale = 1},
	        .y = {.title = word(k, "selftest_axis_ratio"),
	              .lo = 1 - far,
	              .hi = 1 + far,
	              .scale = 1},
	        .series = &s,
	        .nseries = 1,
	        .extra = {{.name = "band", .number = selftest_band},
	                  {.name = "band_text", .text = word(k, "selftest_band")}},
	        .nextras = 2};
	caption(k, word(k, "selftest_intervals"), r);
	return draw(k, &c, e);
}

bool kind_selftest(struct kind_call *k, struct err *e)
{
	struct arena *a = k->ctx->arena;
	const struct data_run *r = trust_selftest(k->ctx->data, device_of(k));
	int64_t pad[MOST_PADS];
	struct selftest_tally t[MOST_PADS + 1];
	if (!r)
		return put_nothing(k, "selftest_none");
	size_t n = selftest_pads(&r->run, pad, MOST_PADS);
	t[0] = selftest_judge(launches_of(r), 0, a);
	for (size_t i = 0; i < n; i++)
		t[i + 1] = selftest_judge(launches_of(r), pad[i], a);
	if (n > 0) {
		if (!selftest_power(k, r, t, n + 1, e))
			return false;
		block_close(k);
	}
	if (!selftest_intervals(k, r, e))
		return false;
	selftest_table(k, r, t, n + 1);
	selftest_goals(k, r, t, n + 1);
	block_close(k);
	return true;
}

/* --- nulls ---------------------------------------------------------------------------- */

static void null_row(struct kind_call *k, const struct trust_null *n)
{
	struct arena *a = k->ctx->arena;
	const char *id = n->run->run.head.id;
	const char *key = arena_printf(a, "null %s %s", id, n->null->id);
	html_raw(k->to, "<tr><th scope=\"row\">");
	kind_link(k->ctx, n->run->url, id, k->to);
	html_raw(k->to, "</th><td class=\"left\">");
	kind_link(k->ctx, data_case_of(n->run, n->of)->url, n->of->id, k->to);
	html_raw(k->to, "</td>");
	open_cell(k);
	put_fact(k, key, 100 * (n->ratio.typical - 1), "%", id);
	close_cell(k);
	open_cell(k);
	put_fact(k, arena_printf(a, "%s low", key), 100 * (n->ratio.lo - 1), "%", id);
	html_raw(k->to, " … ");
	put_fact(k, arena_printf(a, "%s high", key), 100 * (n->ratio.hi - 1), "%", id);
	close_cell(k);
	html_raw(k->to, "</tr>\n");
}

bool kind_nulls(struct kind_call *k, struct err *e)
{
	enum { RUNS = 6 };
	static const char *const heads[] = {"fact_run", "head_case", "nulls_ratio",
	                                    "nulls_interval"};
	struct trust_null *all;
	size_t n = trust_nulls(k->ctx->data, device_of(k), RUNS, k->ctx->arena, &all);
	(void)e;
	if (!n)
		return put_nothing(k, "nulls_none");
	open_table(k, "nulls_caption", "nulls stack", heads, ARRAY_LEN(heads));
	for (size_t i = 0; i < n; i++)
		null_row(k, &all[i]);
	return close_table(k);
}

/* --- spread --------------------------------------------------------------------------- */

/* A figure of a row, for a family or for all. `head` is a key of lua/words.c. */
struct figure {
	const char *name, *head;
	double value; /* per cent */
};

/* `kind` is the first word of the figures' keys; `run` may be NULL. */
static void family_row(struct kind_call *k, const char *kind, const char *family,
                       const char *counted, size_t cases, const struct figure *cell, size_t n,
                       const char *run)
{
	struct arena *a = k->ctx->arena;
	html_raw(k->to, "<tr><th scope=\"row\">");
	html_text(k->to, str_of(family ? family : word(k, "spread_all")));
	html_raw(k->to, "</th>");
	open_labelled(k, counted);
	sb_printf(k->to, "%zu", cases);
	close_cell(k);
	for (size_t i = 0; i < n; i++) {
		open_labelled(k, cell[i].head);
		put_fact(k,
		         arena_printf(a, "%s %s %s %s", kind, device_of(k), family ? family : "*",
		                      cell[i].name),
		         cell[i].value, "%", run);
		close_cell(k);
	}
	html_raw(k->to, "</tr>\n");
}

static void spread_row(struct kind_call *k, const struct trust_spread *s)
{
	const struct figure cell[] = {
	        {"median", "spread_median", 100 * s->median},
	        {"p90", "spread_p90", 100 * s->p90},
	        {"within", "spread_within", 100 * s->within},
	        {"outside", "spread_outside", share_of(s->outside, s->cases)},
	};
	family_row(k, "spread", s->family, "spread_changes", s->cases, cell, ARRAY_LEN(cell), NULL);
}

bool kind_spread(struct kind_call *k, struct err *e)
{
	static const char *const heads[] = {"spread_family", "spread_changes", "spread_median",
	                                    "spread_p90",    "spread_within",  "spread_outside"};
	struct trust_spread *all;
	size_t n = trust_spreads(k->ctx->data, device_of(k), k->ctx->arena, &all);
	(void)e;
	if (!n)
		return put_nothing(k, "spread_none");
	open_table(k, "spread_caption", "labelled stack", heads, ARRAY_LEN(heads));
	for (size_t i = 0; i < n; i++)
		spread_row(k, &all[i]);
	return close_table(k);
}

/* --- cards ---------------------------------------------------------------------------- */

static void cards_row(struct kind_call *k, const struct trust_cards *t)
{
	const struct figure cell[] = {
	        {"median", "cards_median", 100 * t->median},
	        {"p90", "cards_p90", 100 * t->p90},
	        {"alarms", "spread_outside", share_of(t->alarms, t->pairs)},
	        {"verdict", "selftest_verdict", share_of(t->different, t->pairs)},
	};
	family_row(k, "card", t->family, "widths_cases", t->cases, cell, ARRAY_LEN(cell), t->run);
}

bool kind_cards(struct kind_call *k, struct err *e)
{
	static const char *const heads[] = {"spread_family", "widths_cases",   "cards_median",
	                                    "cards_p90",     "spread_outside", "selftest_verdict"};
	struct trust_cards *all;
	size_t n = trust_cards(k->ctx->data, device_of(k), k->ctx->arena, &all);
	(void)e;
	if (!n)
		return put_nothing(k, "cards_none");
	open_table(k, "cards_caption", "labelled stack", heads, ARRAY_LEN(heads));
	for (size_t i = 0; i < n; i++)
		cards_row(k, &all[i]);
	return close_table(k);
}

/* --- widths --------------------------------------------------------------------------- */

static void width_row(struct kind_call *k, const struct trust_width *w)
{
	const struct figure cell[] = {
	        {"median", "widths_median", 100 * w->median},
	        {"p90", "widths_p90", 100 * w->p90},
	        {"reached", "widths_reached", share_of(w->reached, w->cases)},
	        {"quick", "widths_quick", share_of(w->quick, w->cases)},
	};
	family_row(k, "width", w->family, "widths_cases", w->cases, cell, ARRAY_LEN(cell), w->run);
}

bool kind_widths(struct kind_call *k, struct err *e)
{
	static const char *const heads[] = {"spread_family", "widths_cases",   "widths_median",
	                                    "widths_p90",    "widths_reached", "widths_quick"};
	struct trust_width *all;
	size_t n = trust_widths(k->ctx->data, device_of(k), k->ctx->arena, &all);
	(void)e;
	if (!n)
		return put_nothing(k, "widths_none");
	open_table(k, "widths_caption", "labelled stack", heads, ARRAY_LEN(heads));
	for (size_t i = 0; i < n; i++)
		width_row(k, &all[i]);
	return close_table(k);
}
