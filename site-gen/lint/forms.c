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
	bool as = i > 0 && lint_word(w, i - 1, "as") && lint_word(w, j, "to");
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
	size_t k = j;
	bool parts = lint_word(w, k, "part") || lint_word(w, k, "parts");
	k += parts;
	if (lint_word(w, k, "out") && lint_word(w, k + 1, "of"))
		k += 2;
	else if (lint_word(w, k, "of") &&
	         (lint_word(w, k + 1, "every") || lint_word(w, k + 1, "each")))
		k += 2;
	else if (lint_word(w, k, "in"))
		k++;
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
	if (k && lint_is_number(w, k)) {
		size_t noun = lint_after(w, k + 1, NEAR, what | LINT_SIZE);
		bool slots = lint_word(w, k + 1, "issue");
		if (slots || (noun < w->n && !lint_is(w, noun, LINT_SIZE)))
			return lint_add(w, i, k + 1, "a share of performance");
		return 0;
	}
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
	if (i < 2 || i > FAR || !lint_word(w, 0, "per") || !lint_is(w, 1, LINT_MOMENT | LINT_POWER))
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
	bool cycles = of && lint_after(w, k + 1, 3, LINT_CYCLE) < w->n;
	bool run = of && lint_word(w, k + 2, "run") && lint_clause(w, start, LINT_FASTER);
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

size_t lint_form(struct lint_work *w, size_t i, size_t j)
{
	static size_t (*const rules[])(struct lint_work * w, size_t i, size_t j) = {
	        colon_rule,     share_rule, unit_first_rule,  per_first_rule,
	        per_joule_rule, joule_rule, zh_fraction_rule, zh_share_rule,
	        relative_rule,  of_rule,    part_rule,
	};
	for (size_t k = 0; k < ARRAY_LEN(rules); k++) {
		size_t next = rules[k](w, i, j);
		if (next)
			return next;
	}
	return 0;
}
