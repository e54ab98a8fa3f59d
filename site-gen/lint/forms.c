/*
 * Less usual forms of a measurement: a ratio as a : b, a share as "seven out of ten", a unit
 * before its number, a bare number that the sentence relates to something. Rules as in
 * rules.c, which calls them through lint_form().
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#include <string.h>

static const unsigned performance = LINT_PERF | LINT_PEAK | LINT_RATIO;

static struct str text_of(const struct lint_work *w, size_t i)
{
	return i < w->n ? str_sub(w->text, w->token[i].start, w->token[i].end) : STR("");
}

static bool is_zh(const struct lint_work *w, size_t i, const char *text)
{
	return lint_at(w, i)->kind == LINT_CJK && str_is(text_of(w, i), text);
}

static bool ends(const struct lint_work *w, size_t i)
{
	return lint_breaks(w, i) || lint_sign(w, i, '.');
}

/* True for a time of day or a verse, 9:45, where a ratio is unlikely. */
static bool is_clock_time(const struct lint_work *w, size_t i, size_t colon)
{
	return !w->token[colon].spaced && text_of(w, i).n <= 2 &&
	       lint_at(w, colon + 1)->kind == LINT_DIGITS && text_of(w, colon + 1).n == 2;
}

/* Throughput is 3 : 2; the latencies relate as 1 to 3. */
static size_t colon_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { NEAR = 8 };
	bool colon = lint_sign(w, j, ':') && !is_clock_time(w, i, j);
	bool as = i > 0 && (lint_word(w, i - 1, "as") || lint_word(w, i - 1, "like")) &&
	          lint_word(w, j, "to");
	size_t second = j + 1;
	if ((!colon && !as) || !lint_is_number(w, second))
		return 0;
	const unsigned what = performance | LINT_FASTER;
	size_t before = lint_before(w, i, NEAR, what | LINT_SIZE);
	size_t after = lint_after(w, second + 1, NEAR, what | LINT_SIZE);
	bool is =
	        before < w->n ? lint_is(w, before, what) : after < w->n && lint_is(w, after, what);
	return is ? lint_add(w, i, second + 1, "a ratio") : 0;
}

/* End of "out of", "of every", "in", "parts in" before the second number of a share; or 0. */
static size_t share_joint(const struct lint_work *w, size_t j)
{
	size_t k = j + (lint_word(w, j, "cycle") || lint_word(w, j, "clock"));
	bool parts = lint_word(w, k, "part") || lint_word(w, k, "parts");
	k += parts;
	if (lint_word(w, k, "out") && lint_word(w, k + 1, "of"))
		k += 2;
	else if (lint_word(w, k, "of") &&
	         (lint_word(w, k + 1, "every") || lint_word(w, k + 1, "each")))
		k += 2;
	else if (lint_word(w, k, "in"))
		k++;
	else if (lint_word(w, k, "of") && lint_idles(w, k + 2) &&
	         (lint_word(w, k + 1, "ten") || str_is(text_of(w, k + 1), "10")))
		k++; /* 7 of 10 reads hit */
	else
		return 0;
	return k + (lint_word(w, k, "every") || lint_word(w, k, "a"));
}

/* Seven out of ten cycles, nine parts in ten of the time, 十个周期里有七个. */
static size_t share_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { NEAR = 5 };
	const unsigned what = performance | LINT_CYCLE;
	size_t k = share_joint(w, j);
	if (k && (lint_is_number(w, k) || lint_is(w, k, LINT_MANY))) {
		if (lint_is(w, j, LINT_MOMENT) && !lint_is(w, k + 1, LINT_SIZE))
			return lint_add(w, i, k + 1, "a share of performance");
		size_t noun = lint_after(w, k + 1, NEAR, what | LINT_SIZE);
		if (lint_idles(w, k + 1))
			return lint_add(w, i, k + 1, "a share of performance");
		bool slots = lint_word(w, k + 1, "issue slots");
		if (slots || (noun < w->n && !lint_is(w, noun, LINT_SIZE)))
			return lint_add(w, i, k + 1, "a share of performance");
		return 0;
	}
	if (lint_after(w, j, 2, LINT_TIME) == w->n && lint_idles(w, j))
		for (size_t h = j; h < j + 3; h++)
			if (is_zh(w, h, "里") && is_zh(w, h + 1, "有") && lint_is_number(w, h + 2))
				return lint_add(w, i, h + 3, "a share of performance");
	if (!lint_is(w, j, LINT_CYCLE) || lint_at(w, j)->kind != LINT_CJK)
		return 0;
	bool among = is_zh(w, j + 1, "里") || is_zh(w, j + 1, "中");
	size_t second = lint_after(w, j + 2, 3, LINT_NUMBER);
	return among && second < w->n ? lint_add(w, i, second + 1, "a share of performance") : 0;
}

/* End of the unit at token s, which no number precedes; 0 if there is none. */
static size_t unit_end(const struct lint_work *w, size_t s)
{
	enum { FAR = 4 };
	const struct lint_token *t = lint_at(w, s);
	for (size_t k = s + 1; t->kind == LINT_WORD && k < s + FAR; k++)
		if (lint_sign(w, k, '/') && lint_is(w, k + 1, LINT_MOMENT))
			return k + 2;
	if (t->class & (LINT_RATE | LINT_FLOPS))
		return s + 1;
	return t->class & (LINT_TIME | LINT_POWER | LINT_CYCLE) && t->end - t->start > 4 &&
	                       t->kind == LINT_WORD && !lint_word(w, s, "second")
	               ? s + 1
	               : 0;
}

/* Do the tokens between two brackets name a unit? */
static bool in_brackets(const struct lint_work *w, size_t s, size_t e)
{
	const unsigned units = LINT_TIME | LINT_POWER | LINT_CYCLE;
	return unit_end(w, s) == e || (e == s + 1 && lint_is(w, s, units));
}

/* In GB/s that is 3100; TFLOP/s: 612. The unit begins the sentence, or follows "in". */
static size_t unit_first_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { LONGEST = 5 };
	size_t e = i;
	while (e > 0 && i - e < 3 &&
	       (lint_is(w, e - 1, LINT_LINK | LINT_ABOUT) || lint_sign(w, e - 1, ':') ||
	        lint_sign(w, e - 1, '=') || lint_word(w, e - 1, "it")) &&
	       !lint_word(w, e - 1, "in"))
		e--;
	if (e == i || lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	/* latency (µs): 7 */
	for (size_t s = e; lint_sign(w, e - 1, ')') && s > 0 && e - s < LONGEST; s--)
		if (lint_sign(w, s - 1, '(') && in_brackets(w, s, e - 1))
			return lint_add(w, i, j, "a number whose unit goes before it");
	if (e > 1 && lint_is(w, e - 1, LINT_MOMENT) && lint_is(w, e - 2, LINT_PER) &&
	    w->token[e - 1].kind == LINT_WORD)
		return lint_add(w, i, j, "a number whose unit goes before it"); /* per cycle: 1.4 */
	for (size_t s = e; s > 0 && e - s < LONGEST; s--) {
		bool starts = s == 1 || lint_word(w, s - 2, "in");
		if (starts && unit_end(w, s - 1) == e)
			return lint_add(w, i, j, "a number whose unit goes before it");
	}
	return 0;
}

/* Per second, it converts 2.2 billion pixels; per joule it does 48 billion operations. */
static size_t per_first_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { FAR = 9 };
	if (lint_at(w, 0)->kind == LINT_CJK)
		return 0;
	static const char *const after[] = {"it",   "we",       "the",    "they",   "an",
	                                    "each", "a",        "yields", "brings", "gives",
	                                    "sees", "delivers", "makes"};
	size_t unit =
	        1 + (lint_word(w, 0, "in") && (lint_word(w, 1, "a") || lint_word(w, 1, "one")));
	bool second = lint_word(w, unit, "second"); /* not "every second warp" */
	if (i <= unit || i > FAR || !(lint_is(w, 0, LINT_PER) || unit == 2) ||
	    !lint_is(w, unit, LINT_MOMENT | LINT_POWER) ||
	    (second && !lint_word(w, 0, "per") && !lint_breaks(w, unit + 1) &&
	     !lint_begins(w, unit + 1, after, ARRAY_LEN(after))))
		return 0;
	return lint_add(w, i, lint_is(w, j, LINT_SIZE) ? j + 1 : j, "a rate");
}

/* 每焦耳可做 480 亿次运算 */
static size_t per_joule_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { FAR = 8 };
	size_t k = lint_before(w, i, FAR, LINT_POWER);
	if (k == w->n || k == 0 || w->token[k].kind != LINT_CJK || !lint_is(w, k - 1, LINT_PER))
		return 0;
	return lint_add(w, k - 1, lint_is(w, j, LINT_SIZE) ? j + 1 : j, "a rate");
}

/* 48 billion operations per joule, 1.4 TFLOP per joule, tokens/J */
static size_t joule_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { FAR = 5 };
	for (size_t k = j; k < j + FAR && !lint_breaks(w, k); k++) {
		bool per = lint_is(w, k, LINT_PER) || lint_sign(w, k, '/');
		if (per && lint_is(w, k + 1, LINT_POWER) && lint_right_case(w, k + 1))
			return lint_add(w, i, k + 2, "a rate");
		if (lint_at(w, k)->kind == LINT_DIGITS)
			return 0;
	}
	return 0;
}

/* 时间缩短到 1/3, 吞吐只有理论值的 3/5 */
static size_t zh_fraction_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { NEAR = 4 };
	if (!lint_sign(w, j, '/') || w->token[j].spaced || lint_at(w, j + 1)->kind != LINT_DIGITS)
		return 0;
	size_t noun = lint_before(w, i, NEAR, performance | LINT_SIZE);
	bool before =
	        noun < w->n && w->token[noun].kind == LINT_CJK && !lint_is(w, noun, LINT_SIZE);
	bool after = is_zh(w, j + 2, "的") && lint_governed(w, j + 3) == LINT_PERF;
	return before || after ? lint_add(w, i, j + 2, "a share of performance") : 0;
}

/* True for a number with a point that is about one: 0.97, 1.08, .93 */
static bool is_share(const struct lint_work *w, size_t i)
{
	struct str s = text_of(w, i);
	if (s.n > 2 && s.p[0] == '.')
		return true;
	return lint_has_point(w, i) && s.n > 2 && (s.p[0] == '0' || s.p[0] == '1') && s.p[1] == '.';
}

/* 它达到拷贝速度的 0.97 */
static size_t zh_share_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { NEAR = 8 };
	bool of = i > 0 && (is_zh(w, i - 1, "的") ||
	                    (lint_is(w, i - 1, LINT_ABOUT) && i > 1 && is_zh(w, i - 2, "的")));
	if (!of || !is_share(w, i) || lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	size_t noun = lint_before(w, i, NEAR, performance | LINT_SIZE);
	bool perf = noun < w->n && !lint_is(w, noun, LINT_SIZE);
	return perf ? lint_add(w, i, j, "a share of performance") : 0;
}

/* The ratio of our time to the library's is 1.12. */
static size_t quotient_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { FAR = 14 };
	static const char *const be[] = {"is", "was", "are", "remains", "stays"};
	static const char *const words[] = {"ratio", "quotient", "ratios"};
	size_t k = i;
	while (k > 0 && lint_is(w, k - 1, LINT_ABOUT))
		k--;
	if (!lint_has_point(w, i) || k == 0 || !lint_begins(w, k - 1, be, ARRAY_LEN(be)) ||
	    lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	size_t noun = lint_before(w, k - 1, FAR, performance | LINT_SIZE | LINT_OTHER);
	noun = noun == w->n ? lint_before(w, k - 1, FAR, LINT_TIMES) : noun; /* of the two times */
	/* the ratio is 0.83; its share is now 0.72; we stand at 0.72 */
	if (noun == w->n && is_share(w, i) && k > 1 &&
	    (lint_begins(w, k - 2, words, ARRAY_LEN(words)) || lint_word(w, k - 2, "factor")))
		return lint_add(w, i, j, "a ratio");
	for (size_t r = k; r > 0 && k - r < FAR && noun < w->n; r--)
		if (lint_begins(w, r - 1, words, ARRAY_LEN(words)))
			return lint_is(w, noun, performance | LINT_TIMES)
			               ? lint_add(w, i, j, "a ratio")
			               : 0;
	return 0;
}

/*
 * Relative to the baseline the time is 0.78; normalised to the copy, it scores 0.91. The
 * first word may be in another part of the sentence.
 */
static size_t relative_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const words[] = {"relative", "normalized", "normalised", "compared",
	                                    "against"};
	enum { FAR = 14 };
	if (!is_share(w, i) || !(ends(w, j) || lint_word(w, j, "of")))
		return 0;
	for (size_t k = i > FAR ? i - FAR : 0; k + 1 < i; k++)
		if (lint_begins(w, k, words, ARRAY_LEN(words)) && !lint_is(w, k + 1, LINT_OTHER) &&
		    lint_before(w, i, FAR, LINT_OTHER) == w->n)
			return lint_add(w, i, j, "a ratio");
	return 0;
}

/* 0.84 of what the roof allows, 0.97 of cuBLAS, .93 of the copy's */
static size_t of_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const peers[] = {"copy",   "copies",   "roof",
	                                    "memcpy", "baseline", "kernel"};
	enum { NEAR = 5 };
	if (!is_share(w, i) || !lint_word(w, j, "of"))
		return 0;
	for (size_t k = j + 1; k < j + 1 + NEAR && !ends(w, k); k++) {
		if (lint_is(w, k, performance) || lint_begins(w, k, peers, ARRAY_LEN(peers)))
			return lint_add(w, i, k + 1, "a share of performance");
		if (lint_is(w, k, LINT_SIZE | LINT_OTHER))
			return 0;
	}
	return 0;
}

/* the gap to the roof is still one fifth; wastes a tenth of the run; idles a third of its cycles */
size_t lint_part(struct lint_work *w, size_t start, size_t i)
{
	size_t k = i + 1;
	size_t from = start > 0 && lint_word(w, start - 1, "a") ? start - 1 : start;
	bool last = ends(w, k) && from > 0 && lint_is(w, from - 1, LINT_LINK | LINT_ABOUT) &&
	            !lint_word(w, from - 1, "of");
	bool of = lint_word(w, k, "of");
	static const char *const verbs[] = {"brings", "gains", "saves", "buys", "loses", "wins"};
	if (ends(w, k) && from > 0 && lint_begins(w, from - 1, verbs, ARRAY_LEN(verbs)))
		return lint_add(w, start, k, "a share of performance");
	if (ends(w, k) && from > 1 && lint_word(w, from - 1, "off") &&
	    lint_is(w, from - 2, LINT_FASTER))
		return lint_add(w, start, k, "a share of performance"); /* shaves off a tenth */
	static const char *const spends[] = {"wastes", "waste", "wasted", "loses", "lost", "steals",
	                                     "leaves", "eats",  "idles",  "costs", "uses", "takes"};
	static const char *const whole[] = {"machine", "gpu", "chip", "device",
	                                    "card",    "cpu", "core"};
	bool spent = false;
	for (size_t n = from; of && n > 0 && from - n < 4; n--)
		spent = spent || lint_begins(w, n - 1, spends, ARRAY_LEN(spends));
	if (spent && lint_begins(w, k + 2, whole, ARRAY_LEN(whole)) &&
	    !lint_word(w, k + 3, "memory"))
		return lint_add(w, start, k, "a share of performance");
	bool cycles = of && lint_after(w, k + 1, 3, LINT_CYCLE) < w->n;
	static const char *const runs[] = {"run",         "build",   "step",  "query",
	                                   "startup",     "request", "frame", "iteration",
	                                   "compilation", "cpu"};
	bool run = of && lint_begins(w, k + 2, runs, ARRAY_LEN(runs));
	if (cycles || run ||
	    (last && lint_clause(w, start, LINT_PEAK | LINT_FASTER) &&
	     lint_before(w, start, 6, LINT_SIZE | LINT_OTHER) == w->n))
		return lint_add(w, start, k, "a share of performance");
	return 0;
}

static size_t part_rule(struct lint_work *w, size_t i, size_t j)
{
	bool part = lint_is(w, j, LINT_HALF) && lint_at(w, j)->kind == LINT_WORD;
	return part ? lint_part(w, i, j) : 0;
}

/* its share of the roof is now 0.72; we stand at 0.72; ours takes 0.9; we gain 1.3; up by 1.5 */
static size_t verb_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {"takes", "gain", "gains", "win", "wins", "by", "took"};
	static const char *const at[] = {"at", "to", "reaches", "scores", "reach"};
	enum { NEAR = 8 };
	bool named = lint_is(w, i - (i > 1 ? 2 : i), LINT_RATIO | LINT_PEAK);
	if (is_share(w, i) && i > 1 && named &&
	    (lint_sign(w, i - 1, '(') || lint_sign(w, i - 1, ':')))
		return lint_add(w, i, j, "a ratio"); /* its efficiency (0.6); peak: 0.6 */
	bool on = ends(w, j) || (i > 0 && lint_is(w, i - 1, LINT_REACHES)) ||
	          lint_word(w, j, "to") || w->token[i].class;
	on = on || lint_at(w, j)->kind == LINT_CJK;
	if (!is_share(w, i) || !on || i == 0 ||
	    lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	size_t known = lint_before(w, i, NEAR, LINT_SIZE | LINT_OTHER | LINT_SCALE);
	bool share = false;
	for (size_t k = i > NEAR ? i - NEAR : 0; k < i; k++)
		share = share || lint_word(w, k, "share") || lint_word(w, k, "fraction");
	bool fine = text_of(w, i).n == 4; /* two digits: no probability, no threshold */
	if (i > 1 && lint_is_number(w, i - 2) && !lint_clause(w, i, performance | LINT_FASTER))
		return 0; /* from 0.63 to 0.66 */
	bool verb = lint_begins(w, i - 1, verbs, ARRAY_LEN(verbs)) ||
	            (fine && lint_begins(w, i - 1, at, ARRAY_LEN(at)));
	size_t name = i - 1; /* cuBLAS 1.00, ours 0.96 */
	while (name > 0 && lint_is(w, name, LINT_LINK | LINT_ABOUT))
		name--;
	if (fine && lint_is(w, name, LINT_PERF) && (text_of(w, i).p[0] == '0' || ends(w, j)))
		return lint_add(w, i, j, "a ratio");
	if (lint_before(w, i, NEAR, LINT_RATIO) < w->n && known == w->n)
		return lint_add(w, i, j, "a ratio"); /* occupancy went from 0.25 to 0.5 */
	if (lint_word(w, i - 1, "by") && !lint_clause(w, i, performance | LINT_FASTER))
		return 0;
	return known == w->n && (verb || share) ? lint_add(w, i, j, "a ratio") : 0;
}

size_t lint_form(struct lint_work *w, size_t i, size_t j)
{
	static size_t (*const rules[])(struct lint_work * w, size_t i, size_t j) = {
	        colon_rule,     share_rule, lint_one_in,      unit_first_rule, per_first_rule,
	        per_joule_rule, joule_rule, zh_fraction_rule, zh_share_rule,   relative_rule,
	        of_rule,        part_rule,  quotient_rule,    verb_rule,
	};
	for (size_t k = 0; k < ARRAY_LEN(rules); k++) {
		size_t next = rules[k](w, i, j);
		if (next)
			return next;
	}
	return lint_bare(w, i, j);
}
