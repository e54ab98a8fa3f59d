/* Predictions and their outcomes in words. */
#include <math.h>
#include <string.h>

#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"
#include "site-gen/numbers/prediction.h"

static const char *exact(double v, const char *si, struct arena *a)
{
	struct sb b = {0};
	number_exact_text(v, si, &b);
	return sb_take(a, &b);
}

static const char *bounds(const struct prediction *p, const struct words *w, struct arena *a)
{
	const char *low = isfinite(p->low) ? exact(p->low, p->si, a) : NULL;
	const char *high = isfinite(p->high) ? exact(p->high, p->si, a) : NULL;
	if (low && high)
		return words_fill(w, a, "prediction_between", low, high);
	return low ? words_fill(w, a, "prediction_at_least", low, NULL)
	           : words_fill(w, a, "prediction_at_most", high, NULL);
}

const char *prediction_limiter_word(enum limiter l, const struct words *w)
{
	static const char *const keys[LIMITER_COUNT] = {"limiter_open", "limiter_memory",
	                                                "limiter_compute", "limiter_latency",
	                                                "limiter_launch"};
	return words_get(w, keys[l]);
}

/* The other side of a ratio: a case by its name, or the selector of one that was never measured. */
static const char *over_words(const struct prediction *p, const struct words *w, struct arena *a)
{
	const struct prediction_test *k = p->main;
	return k && k->has_number ? case_beside(w, k->n.pick.d->c, k->n.over.d->c, a)
	                          : str_dup(a, p->over.text);
}

void prediction_range(const struct prediction *p, const struct words *w, struct arena *a,
                      struct sb *to)
{
	const char *low = p->has_interval && isfinite(p->low) ? exact(p->low, p->si, a) : NULL;
	const char *high = p->has_interval && isfinite(p->high) ? exact(p->high, p->si, a) : NULL;
	size_t digits = low ? strspn(low, "0123456789.") : 0;
	bool one_unit =
	        low && high && strcmp(low + digits, high + strspn(high, "0123456789.")) == 0;
	if (low && high) /* the unit once, if both have it */
		sb_printf(to, "%.*s–%s", one_unit ? (int)digits : (int)strlen(low), low, high);
	else if (p->has_interval)
		sb_printf(to, low ? "≥" NBSP "%s" : "≤" NBSP "%s", low ? low : high);
	else
		sb_cstr(to, words_fill(w, a, "prediction_limited",
		                       prediction_limiter_word(p->limiter, w), NULL));
}

void prediction_says(const struct prediction *p, const struct words *w, struct arena *a,
                     struct sb *to)
{
	if (p->has_interval)
		sb_cstr(to, bounds(p, w, a));
	if (p->has_interval && p->kind == NUMBER_SHARE_SPEC)
		sb_cstr(to, words_fill(w, a, "prediction_of_peak", words_label(w, p->peak->title),
		                       NULL));
	if (p->has_interval && p->kind == NUMBER_RATIO) {
		sb_cstr(to, words_fill(w, a, "prediction_over", over_words(p, w, a), NULL));
	}
	if (p->has_interval && p->limiter != LIMITER_NONE)
		sb_cstr(to, words_get(w, "prediction_and"));
	if (p->limiter != LIMITER_NONE)
		sb_cstr(to, words_fill(w, a, "prediction_limited",
		                       prediction_limiter_word(p->limiter, w), NULL));
}

void prediction_gap(double error, bool points, const struct words *w, struct sb *to)
{
	struct arena a = {0};
	double size = fabs(error);
	const char *gap = arena_printf(&a, "%.*f" NBSP "%s",
	                               size < 0.0995 ? 2
	                               : size < 99.5 ? 1
	                                             : 0,
	                               size, points ? words_get(w, "points") : "%");
	sb_cstr(to, words_get(w, "colon"));
	sb_cstr(to,
	        words_fill(w, &a, error < 0 ? "verdict_too_low" : "verdict_too_high", gap, NULL));
	arena_free(&a);
}

static void limiter_missed(const struct prediction_test *k, const struct words *w, struct sb *to)
{
	struct arena a = {0};
	sb_cstr(to, words_get(w, k->interval == PREDICTION_MISSED ? "semicolon" : "colon"));
	sb_cstr(to, words_fill(w, &a, "prediction_limited",
	                       prediction_limiter_word(k->found.limiter, w), NULL));
	arena_free(&a);
}

void prediction_outcome(const struct prediction *p, const struct words *w, struct sb *to)
{
	static const char *const keys[PREDICTION_VERDICTS] = {
	        "verdict_missed",  "verdict_held",         "verdict_undecided",
	        "verdict_amended", "verdict_not_foretold", "verdict_untested"};
	const struct prediction_test *k = p->main;
	sb_cstr(to, words_get(w, keys[p->verdict]));
	if (p->verdict != PREDICTION_MISSED)
		return;
	if (k->interval == PREDICTION_MISSED)
		prediction_gap(k->error, strcmp(p->si, "%") == 0, w, to);
	if (k->limiter == PREDICTION_MISSED)
		limiter_missed(k, w, to);
}
