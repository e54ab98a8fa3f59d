/*
 * Markup of predictions:
 *
 *   span.num.predicted[data-prediction]      the prediction
 *   span.verdict[data-verdict]               "missed: …", "held", …
 *   svg.pred > rect.pred-range (predicted), rect.pred-ci and line.pred-mid (measured), .pred-axis
 *   table.numbers.tests > tr[data-verdict]   every run that tested it
 *   ul.proof > li                            proofs that it came first
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/prediction.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"

enum { COMMIT_DIGITS = 12 };

/* --- the verdict ------------------------------------------------------------------ */

/* A clause of a prediction in the page's words. */
static void put_clause(const char *why, const struct reason *none, const struct words *w,
                       struct sb *to)
{
	struct arena a = {0};
	html_attr(to, str_of(none->word ? reason_text(w, none, &a) : words_label(w, why)));
	arena_free(&a);
}

void prediction_why(const struct prediction *p, const struct words *w, struct sb *to)
{
	put_clause(p->why, &p->none, w, to);
}

/* `named`: the verdict is that of the prediction, not only of one test. */
static void badge(const struct prediction *p, bool named, const struct words *w, struct sb *to)
{
	struct sb text = {0};
	html_raw(to, "<span class=\"verdict\"");
	if (named) {
		html_raw(to, " data-prediction=\"");
		html_attr(to, str_of(p->id));
		html_raw(to, "\"");
	}
	html_raw(to, " data-verdict=\"");
	html_raw(to, prediction_verdict_name(p->verdict));
	if (p->why) {
		html_raw(to, "\" title=\"");
		prediction_why(p, w, to);
	}
	html_raw(to, "\">");
	prediction_outcome(p, w, &text);
	html_text(to, sb_view(&text));
	html_raw(to, "</span>");
	sb_free(&text);
}

void prediction_claim(const struct prediction *p, const struct words *w, struct sb *to)
{
	html_text(to, str_of(prediction_title(p, w)));
}

void prediction_badge(const struct prediction *p, const struct words *w, struct sb *to)
{
	badge(p, true, w, to);
}

/* --- drawn -------------------------------------------------------------------- */

enum { LINE = 8, BOTTOM = 16, HEIGHT = 30 }; /* px: of the axis, of what is on it, of all */

struct axis {
	double lo, hi;
};

/* Per cent of the width. */
static double at(const struct axis *x, double v)
{
	return 100 * fmin(fmax((v - x->lo) / (x->hi - x->lo), 0), 1);
}

/* 1, 2 or 5 times a power of ten: the greatest of them that the span has. */
static double round_step(double span)
{
	double power = pow(10, floor(log10(span))), part = span / power;
	return part >= 5 ? 5 * power : part >= 2 ? 2 * power : power;
}

/* From one round amount to another, with the range and all measurements between. */
static struct axis axis_of(const struct prediction *p)
{
	struct axis x = {INFINITY, -INFINITY};
	const double both[2] = {p->low, p->high};
	for (int i = 0; i < 2; i++)
		if (isfinite(both[i])) {
			x.lo = fmin(x.lo, both[i]);
			x.hi = fmax(x.hi, both[i]);
		}
	for (size_t i = 0; i < p->ntests; i++)
		if (p->tests[i].decides && p->tests[i].has_number) {
			x.lo = fmin(x.lo, p->tests[i].n.lo);
			x.hi = fmax(x.hi, p->tests[i].n.hi);
		}
	double span = x.hi > x.lo ? x.hi - x.lo : 0.1 * fabs(x.hi);
	double step = round_step(span);
	x.lo = (ceil(x.lo / step - 1e-9) - 1) * step;
	x.hi = (floor(x.hi / step + 1e-9) + 1) * step;
	x.lo -= isfinite(p->low) || x.lo < step ? 0 : step;
	x.hi += isfinite(p->high) ? 0 : step;
	return x;
}

static const char *end_text(double v, const char *si, struct arena *a)
{
	struct sb text = {0};
	number_exact_text(fabs(v) < 1e-300 ? 0 : v, si, &text);
	return sb_take(a, &text);
}

static void draw_test(const struct axis *x, const struct number *n, struct sb *to)
{
	double lo = at(x, n->lo), hi = at(x, n->hi), mid = at(x, n->value);
	sb_printf(to,
	          "<rect class=\"pred-ci\" x=\"%.2f%%\" y=\"0\" width=\"%.2f%%\" height=\"%d\"/>"
	          "<line class=\"pred-mid\" x1=\"%.2f%%\" y1=\"0\" x2=\"%.2f%%\" y2=\"%d\"/>",
	          lo, fmax(hi - lo, 0.5), BOTTOM, mid, mid, BOTTOM);
}

/* "640" of "640 TFLOP/s" beside "700 TFLOP/s": a unit that both ends have is said once. */
static struct str low_end(const char *const end[2])
{
	struct str low = str_of(end[0]);
	const char *unit = strstr(end[0], NBSP);
	return unit && str_ends(str_of(end[1]), unit) ? str_sub(low, 0, (size_t)(unit - end[0]))
	                                              : low;
}

/* The amounts at both ends of the axis. */
static void draw_ends(const char *const end[2], struct sb *to)
{
	for (int i = 0; i < 2; i++) {
		sb_printf(to, "<text class=\"tick%s\" x=\"%s\" y=\"%d\">", i ? " end" : "",
		          i ? "100%" : "0", HEIGHT - 3);
		html_text(to, i ? str_of(end[i]) : low_end(end));
		html_raw(to, "</text>");
	}
}

void prediction_drawing(const struct prediction *p, const struct words *w, struct arena *a,
                        struct sb *to)
{
	if (!p->has_interval)
		return;
	struct axis x = axis_of(p);
	double lo = isfinite(p->low) ? at(&x, p->low) : 0;
	double hi = isfinite(p->high) ? at(&x, p->high) : 100;
	const char *end[2] = {end_text(x.lo, p->si, a), end_text(x.hi, p->si, a)};
	sb_printf(to,
	          "<svg class=\"pred\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"",
	          HEIGHT);
	html_attr(to, str_of(words_fill(w, a, "prediction_drawing", end[0], end[1])));
	sb_printf(
	        to,
	        "\"><line class=\"pred-axis\" x1=\"0\" y1=\"%d\" x2=\"100%%\" y2=\"%d\"/>"
	        "<rect class=\"pred-range\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"8\"/>",
	        LINE, LINE, lo, LINE - 4, fmax(hi - lo, 0.5));
	for (size_t i = 0; i < p->ntests; i++)
		if (p->tests[i].decides && p->tests[i].has_number)
			draw_test(&x, &p->tests[i].n, to);
	draw_ends(end, to);
	html_raw(to, "</svg>\n");
}

/* --- proof -------------------------------------------------------------------- */

static const char *date_of(int64_t seconds, struct arena *a)
{
	time_t t = (time_t)seconds;
	struct tm tm;
	char text[32];
	gmtime_r(&t, &tm);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &tm);
	return arena_strdup(a, text);
}

static const char *commit_of(const char *hex, struct arena *a)
{
	return arena_strndup(a, hex, strnlen(hex, COMMIT_DIGITS));
}

static void item(const char *text, struct sb *to)
{
	html_raw(to, "<li>");
	html_text(to, str_of(text));
	html_raw(to, "</li>\n");
}

static void proof_of_run(const struct prediction *p, const struct words *w, struct arena *a,
                         struct sb *to)
{
	const struct run_head *h = &p->main->pick.run->run.head;
	const char *commit = commit_of(record_commit(h), a);
	static const char *const keys[] = {[PREDICTION_BEFORE] = "proof_run_before",
	                                   [PREDICTION_OTHER] = "proof_run_other",
	                                   [PREDICTION_AFTER] = "proof_run_after"};
	item(words_fill(w, a, keys[p->main->order], h->id, commit), to);
	if (p->main->order == PREDICTION_BEFORE)
		item(words_get(w, "proof_git"), to);
}

void prediction_proof(const struct prediction *p, const struct words *w, struct arena *a,
                      struct sb *to)
{
	html_raw(to, "<ul class=\"proof\">\n");
	if (!p->committed)
		item(words_get(w, "proof_none"), to);
	if (p->added)
		item(words_fill(w, a, "proof_added", commit_of(p->added, a),
		                date_of(p->added_at, a)),
		     to);
	if (p->changed)
		item(words_fill(w, a, "proof_changed", commit_of(p->changed, a),
		                date_of(p->changed_at, a)),
		     to);
	if (p->main)
		proof_of_run(p, w, a, to);
	if (p->tag)
		item(words_fill(w, a, p->tag->is_signed ? "proof_tag_signed" : "proof_tag",
		                p->tag->name, date_of(p->tag->time, a)),
		     to);
	if (p->stamp)
		item(words_fill(w, a, "proof_stamp", p->stamp, NULL), to);
	html_raw(to, "</ul>\n");
}

void prediction_number(struct expand_ctx *ctx, const struct prediction_test *k, const char *what,
                       struct sb *to)
{
	struct expand_use *uses = ctx->uses;
	number_link(ctx, &k->n, "", what, to);
	if (k->pick.run->committed)
		ctx->uses = uses;
}

void prediction_unmeasured(const struct expand_ctx *ctx, const char *why, const struct reason *none,
                           struct sb *to)
{
	number_none(none->word ? reason_text(ctx->words, none, ctx->arena)
	                       : words_label(ctx->words, why),
	            to);
}

/* --- every test ------------------------------------------------------------------ */

static void test_verdict(const struct prediction *p, const struct prediction_test *k,
                         const struct words *w, struct sb *to)
{
	struct prediction one = *p;
	one.main = k;
	one.why = k->why;
	one.none = k->none;
	one.verdict = k->why                          ? PREDICTION_UNTESTED
	              : k->order == PREDICTION_BEFORE ? k->verdict
	              : k->order == PREDICTION_OTHER  ? PREDICTION_AMENDED
	                                              : PREDICTION_NOT_FORETOLD;
	badge(&one, false, w, to);
}

static void test_row(struct expand_ctx *ctx, const struct prediction *p,
                     const struct prediction_test *k, struct sb *to)
{
	html_raw(to, k->decides ? "<tr class=\"decides\"><th scope=\"row\">"
	                        : "<tr><th scope=\"row\">");
	html_raw(to, "<a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(k->pick.run->url));
	html_raw(to, "\">");
	html_text(to, str_of(k->pick.run->run.head.id));
	html_raw(to, "</a></th><td class=\"left\">");
	html_text(to, str_of(case_title(ctx->words, k->pick.d->c, ctx->arena)));
	html_raw(to, "</td><td class=\"right\">");
	if (k->has_number) {
		prediction_number(ctx, k, NULL, to);
		number_interval(&k->n, to);
	} else {
		prediction_unmeasured(ctx, k->why ? k->why : "no interval was predicted", &k->none,
		                      to);
	}
	html_raw(to, "</td><td class=\"left\">");
	if (k->found.limiter != LIMITER_NONE)
		html_text(to, str_of(prediction_limiter_word(k->found.limiter, ctx->words)));
	else
		prediction_unmeasured(
		        ctx, k->found.why_none ? k->found.why_none : "no limiter was predicted",
		        k->only_seen ? &k->none : &(struct reason){0}, to);
	html_raw(to, "</td><td class=\"left\">");
	test_verdict(p, k, ctx->words, to);
	if (k->decides) {
		html_raw(to, " <span class=\"decides\">");
		html_text(to, str_of(words_get(ctx->words, "prediction_decides")));
		html_raw(to, "</span>");
	}
	html_raw(to, "</td></tr>\n");
}

void prediction_tests(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	static const char *const heads[] = {"prediction_run", "prediction_case",
	                                    "prediction_measured", "prediction_limiter",
	                                    "prediction_verdict"};
	table_open(to, "tests stack");
	html_raw(to, "<thead><tr>");
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		html_raw(to, i == 2 ? "<th scope=\"col\" class=\"right\">" : "<th scope=\"col\">");
		html_text(to, str_of(words_get(ctx->words, heads[i])));
		html_raw(to, "</th>");
	}
	html_raw(to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < p->ntests; i++)
		test_row(ctx, p, &p->tests[i], to);
	html_raw(to, "</tbody>");
	table_close(to);
}
