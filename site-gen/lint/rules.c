/*
 * Rules for numbers. The token after a number (a unit, a sign, "times") makes it a
 * measurement, unless the words around it say otherwise. To add a rule, write a
 * function that examines the number [i, j) and the tokens after it, and add a row to
 * `rules`. The first rule that adds a finding wins.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#include <string.h>

/* --- numbers --------------------------------------------------------------- */

bool lint_is_number(const struct lint_work *w, size_t i)
{
	return i < w->n && (w->token[i].kind == LINT_DIGITS || w->token[i].class & LINT_NUMBER);
}

/*
 * number -> digits [ '^' digits ] [ many ] | word { [ '-' | 'and' ] word } [ many ]
 * In Chinese, words that follow a number ("300 多", "3 个") belong to it.
 */
static size_t number_end(const struct lint_work *w, size_t i)
{
	if (!lint_is_number(w, i) && !(lint_is(w, i, LINT_MANY) && lint_word(w, i + 1, "of")) &&
	    !(lint_is(w, i, LINT_MANY) && i > 0 && lint_word(w, i - 1, "a")))
		return 0;
	enum { LONGEST = 12 };
	for (size_t from = i++; i < w->n && i < from + LONGEST; i++) {
		if (lint_sign(w, i, '^') && lint_is_number(w, i + 1)) {
			i++;
			continue;
		}
		/* 2.31(2): the error of its last digit */
		if (lint_sign(w, i, '(') && !w->token[i].spaced &&
		    w->token[i - 1].kind == LINT_DIGITS && lint_at(w, i + 1)->kind == LINT_DIGITS &&
		    lint_sign(w, i + 2, ')')) {
			i += 2;
			continue;
		}
		bool joint = lint_word(w, i, "and") || lint_word(w, i, "point") ||
		             (lint_sign(w, i, '-') && !w->token[i].spaced);
		if (joint && w->token[i - 1].class & (LINT_NUMBER | LINT_MANY) &&
		    w->token[i - 1].kind == LINT_WORD && lint_is(w, i + 1, LINT_NUMBER | LINT_MANY))
			continue;
		if (lint_word(w, i, "and") && lint_word(w, i + 1, "a") &&
		    lint_word(w, i + 2, "half")) {
			i += 2;
			continue;
		}
		bool counts = w->token[i].kind == LINT_CJK && lint_is(w, i, LINT_ABOUT) &&
		              !lint_is(w, i, LINT_TIMES);
		struct str s = str_sub(w->text, w->token[i].start, w->token[i].end);
		if (lint_is(w, i, LINT_NUMBER | LINT_MANY) || counts || str_is(s, "个") ||
		    str_is(s, "多个") || (lint_word(w, i, "of") && lint_is(w, i - 1, LINT_MANY)))
			continue;
		break;
	}
	return i;
}

size_t lint_range_start(const struct lint_work *w, size_t i)
{
	enum { LONGEST = 6 };
	for (size_t from = i; i >= 2 && from - i < LONGEST;) {
		bool joint = lint_sign(w, i - 1, '-') || lint_sign(w, i - 1, '~') ||
		             lint_word(w, i - 1, "to") || lint_word(w, i - 1, "or") ||
		             lint_word(w, i - 1, "and");
		struct str s = str_sub(w->text, w->token[i - 1].start, w->token[i - 1].end);
		joint = joint || str_is(s, "到") || str_is(s, "至") || str_is(s, "或");
		if (joint && lint_is_number(w, i - 2))
			i -= 2;
		else if (lint_is_number(w, i - 1) &&
		         (w->token[i - 1].kind == LINT_DIGITS) == (w->token[i].kind == LINT_DIGITS))
			i--;
		else
			break;
	}
	return i;
}

bool lint_is_one(const struct lint_work *w, size_t i, size_t j)
{
	struct str s = str_sub(w->text, w->token[i].start, w->token[i].end);
	bool one = lint_word(w, i, "one") || str_is(s, "1") || str_is(s, "一");
	return one && (j == i + 1 || w->token[i].kind == LINT_CJK);
}

bool lint_is_bandwidth(const struct lint_work *w, size_t i)
{
	static const char *const sizes[] = {"megabyte", "gigabyte", "terabyte", "gigabit",
	                                    "terabit"};
	bool per = lint_is(w, i + 1, LINT_PER) || lint_word(w, i + 1, "a");
	return lint_begins(w, i, sizes, ARRAY_LEN(sizes)) && per && lint_word(w, i + 2, "second");
}

bool lint_has_point(const struct lint_work *w, size_t i)
{
	return w->token[i].kind == LINT_DIGITS &&
	       memchr(w->text.p + w->token[i].start, '.', w->token[i].end - w->token[i].start);
}

/* --- units ----------------------------------------------------------------- */

/* A short unit has only one spelling: s, W, but not "the 2 Ws". */
bool lint_right_case(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = &w->token[i];
	struct str s = str_sub(w->text, t->start, t->end);
	if (t->kind != LINT_WORD || s.n > 3 || !(t->class & (LINT_TIME | LINT_POWER)))
		return true;
	static const char *const watts[] = {"W", "kW", "mW", "MW", "Wh", "kWh", "MWh"};
	bool watt = false;
	for (size_t k = 0; k < ARRAY_LEN(watts); k++)
		watt = watt || str_is(s, watts[k]);
	if (t->class & LINT_POWER)
		return str_ends(s, "J") || watt;
	return s.p[0] != 'S' && s.p[0] != 'U' && s.p[0] != 'H';
}

/* "the 1980s", "all 0s": plural numbers, not seconds. */
static bool is_plural(const struct lint_work *w, size_t i, size_t unit)
{
	struct str n = str_sub(w->text, w->token[i].start, w->token[i].end);
	if (w->token[unit].spaced || !lint_word(w, unit, "s") || lint_has_point(w, i))
		return false;
	static const char *const before[] = {"the", "all", "and", "with"};
	bool decade = n.n == 4 && n.p[3] == '0', bits = str_is(n, "0") || str_is(n, "1");
	return decade || bits || (i > 0 && lint_begins(w, i - 1, before, ARRAY_LEN(before)));
}

static bool ends_phrase(const struct lint_work *w, size_t i)
{
	static const char *const more[] = {"when",    "with",  "while", "but",    "per",
	                                   "where",   "if",    "out",   "over",   "across",
	                                   "without", "after", "than",  "before", "until",
	                                   "because", "since", "so",    "under"};
	return lint_breaks(w, i) || w->token[i].kind != LINT_WORD ||
	       lint_is(w, i, LINT_LINK | LINT_ABOUT | LINT_REACHES) ||
	       lint_begins(w, i, more, ARRAY_LEN(more));
}

/* "takes 23 clocks": a time, where "two clocks" may also be two oscillators */
bool lint_spends(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"take",  "takes", "took",   "cost", "costs", "need",
	                                    "needs", "after", "within", "wait", "waits", "issues",
	                                    "every", "lasts", "loses",  "adds", "saves", "wastes"};
	enum { NEAR = 4 };
	for (size_t k = i > NEAR ? i - NEAR : 0; k < i; k++)
		if (lint_begins(w, k, verbs, ARRAY_LEN(verbs)))
			return true;
	return false;
}

/* Ten or more: no machine has so many oscillators. */
static bool is_tens(const struct lint_work *w, size_t i)
{
	static const char *const tens[] = {"ten",   "twenty",  "thirty", "forty",  "fifty",
	                                   "sixty", "seventy", "eighty", "ninety", "dozen"};
	const struct lint_token *t = &w->token[i];
	return lint_begins(w, i, tens, ARRAY_LEN(tens)) ||
	       (t->kind == LINT_DIGITS && t->end - t->start > 1);
}

static size_t time_unit(struct lint_work *w, size_t i, size_t j)
{
	bool clocks = lint_word(w, j, "clocks") && !lint_has_point(w, i) &&
	              !lint_clause(w, i, LINT_PER | LINT_FASTER | LINT_PERF) &&
	              !lint_spends(w, i) && !lint_word(w, j + 1, "apart") && !is_tens(w, i);
	if (lint_is(w, j, LINT_CYCLE) && !lint_word(w, j, "clock") && !clocks)
		return lint_is_one(w, i, j) ? 0 : j + 1;
	static const char *const days[] = {"day", "days", "weeks", "天", "周"};
	static const char *const jobs[] = {"training",   "train",       "trains",
	                                   "epoch",      "epochs",      "训练",
	                                   "simulation", "pretraining", "预训练"};
	for (size_t k = 0; k < w->n && lint_begins(w, j, days, ARRAY_LEN(days)); k++)
		if (lint_begins(w, k, jobs, ARRAY_LEN(jobs)))
			return j + 1; /* training takes 11 days */
	if (!lint_is(w, j, LINT_TIME) || !lint_right_case(w, j) || is_plural(w, i, j))
		return 0;
	if (lint_word(w, j, "min") && lint_sign(w, j + 1, '('))
		return 0;
	/* "one second" is a time at the end of a phrase, but not in "the one second kernel" */
	if (lint_word(w, j, "second") && w->token[i].kind == LINT_WORD &&
	    !lint_sign(w, j - 1, '-') && !ends_phrase(w, j + 1))
		return 0;
	return j + 1;
}

/* End of "s^-1", with or without a dot before it; 0 if it is something else */
static size_t inverse_end(const struct lint_work *w, size_t i)
{
	size_t k = lint_sign(w, i, 0xb7) || lint_sign(w, i, 0x22c5) || lint_sign(w, i, '*') ? i + 1
	                                                                                    : i;
	bool minus = lint_sign(w, k + 1, '^') && lint_sign(w, k + 2, '-');
	/* s-1, where the digit reads like part of a name */
	if (lint_is(w, k, LINT_MOMENT) && lint_sign(w, k + 1, '-') && !w->token[k + 1].spaced &&
	    str_is(str_sub(w->text, lint_at(w, k + 2)->start, lint_at(w, k + 2)->end), "1"))
		return k + 3;
	return lint_is(w, k, LINT_MOMENT) && minus && lint_at(w, k + 3)->kind == LINT_DIGITS ? k + 4
	                                                                                     : 0;
}

/* moment -> [ 'the' ] unit of time ; not the "a second" of "a second kernel" */
static size_t moment_end(const struct lint_work *w, size_t i)
{
	size_t inverse = inverse_end(w, i);
	if (inverse)
		return inverse;
	if (lint_sign(w, i, '/') && lint_is(w, i + 1, LINT_MOMENT))
		return i + 2;
	size_t k = i + 1;
	if (lint_is(w, i, LINT_PER) && lint_is(w, k, LINT_MOMENT))
		return k + 1;
	if (lint_is(w, i, LINT_PER) && lint_word(w, k + 1, "and") && lint_is(w, k + 2, LINT_MOMENT))
		return k + 3; /* per lane and clock */
	static const char *const articles[] = {"a", "an", "one"}, *const letters[] = {"s", "h"};
	bool article = lint_begins(w, i, articles, ARRAY_LEN(articles));
	bool lasts = i > 0 && lint_word(w, i - 1, "for"); /* 1,000 flows for an hour */
	if (article && !lasts && lint_is(w, k, LINT_MOMENT) && ends_phrase(w, k + 1) &&
	    !lint_begins(w, k, letters, ARRAY_LEN(letters)))
		return k + 1;
	return 0;
}

/* rate -> word { word } ( '/' | 'per' | 'a' ) moment */
static size_t rate_unit(struct lint_work *w, size_t j)
{
	enum { FAR = 5 };
	for (size_t k = j; k < j + FAR && k < w->n; k++) {
		size_t end = k > j ? moment_end(w, k) : 0;
		if (end)
			return end;
		if (lint_breaks(w, k) || w->token[k].kind == LINT_DIGITS ||
		    (w->token[k].kind == LINT_SIGN && !lint_sign(w, k, '/')))
			return 0;
	}
	return 0;
}

/* "137 GFLOPs of work" is a count, "137 GFLOPS" a rate; "TFLOPs" usually means a rate. */
static bool flops_rate(const struct lint_work *w, size_t j)
{
	char last = w->text.p[w->token[j].end - 1];
	if (last == 'S')
		return true;
	if (last != 's' || w->token[j].end - w->token[j].start == 5)
		return false;
	bool counts = lint_word(w, j + 1, "of") || lint_is(w, j + 1, LINT_PER) ||
	              (lint_word(w, j + 1, "in") && lint_word(w, j + 2, "total")) ||
	              lint_word(w, j + 1, "for") || lint_sign(w, j + 1, '/');
	return !counts;
}

static size_t unit_rule(struct lint_work *w, size_t i, size_t j)
{
	size_t start = lint_range_start(w, i), end;
	if (lint_sign(w, j, '-') && !w->token[j].spaced && !lint_at(w, j + 1)->spaced)
		j++;
	if (lint_is(w, j, LINT_LINK) && lint_word(w, j, "a"))
		j++; /* half a second */
	static const char *const more[] = {"more", "extra", "additional"};
	if (lint_begins(w, j, more, ARRAY_LEN(more)))
		j++; /* one more microsecond */
	/* a 14-cycle affair, 1 cycle per iteration */
	bool cycle = lint_word(w, j, "cycle") &&
	             (lint_is(w, j + 1, LINT_PER) ||
	              (lint_sign(w, j - 1, '-') && !lint_is_one(w, i, j - 1) &&
	               !lint_word(w, j + 1, "in")));
	if (cycle)
		return lint_add(w, start, j + 1, "a time");
	if ((end = rate_unit(w, j)))
		return lint_add(w, start, end, lint_is(w, j, LINT_SIZE) ? "a bandwidth" : "a rate");
	/* 900k IOPS */
	if (lint_at(w, j)->kind == LINT_WORD && !w->token[j].spaced && lint_is(w, j + 1, LINT_RATE))
		j++;
	/* 1.5 million random-read IOPS */
	if (lint_at(w, j)->kind == LINT_WORD && !w->token[j].class && lint_sign(w, j + 1, '-') &&
	    lint_is(w, j + 3, LINT_RATE))
		j += 3;
	/* 67 FP32 TFLOPS */
	if (lint_at(w, j)->kind == LINT_WORD && !lint_is(w, j, LINT_FLOPS) &&
	    !lint_word(w, j, "of") && !lint_word(w, j, "and") && lint_is(w, j + 1, LINT_FLOPS) &&
	    flops_rate(w, j + 1))
		j++;
	if (lint_is(w, j, LINT_RATE) || (lint_is(w, j, LINT_FLOPS) && flops_rate(w, j)))
		return lint_add(w, start, j + 1, "a rate");
	if (lint_is(w, j, LINT_POWER) && lint_right_case(w, j))
		return lint_add(w, start, j + 1, "a power or an energy");
	if ((end = time_unit(w, i, j)))
		return lint_add(w, start, end, "a time");
	return 0;
}

/* 每秒 500 个 token: the unit comes first */
static size_t per_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { FAR = 8 };
	size_t k = lint_before(w, i, FAR, LINT_MOMENT);
	if (k == w->n || k == 0 || w->token[k].kind != LINT_CJK || !lint_is(w, k - 1, LINT_PER))
		return 0;
	return lint_add(w, k - 1, lint_is(w, j, LINT_SIZE) ? j + 1 : j, "a rate");
}

/* --- ratios ---------------------------------------------------------------- */

/* Bank conflicts fell by a factor of 31. */
static bool fewer_stalls(const struct lint_work *w, size_t i)
{
	enum { FAR = 5 };
	for (size_t k = i > FAR ? i - FAR : 0; k < i; k++)
		if (lint_is_stall(w, k))
			return true;
	return false;
}

/* On eight GPUs we get a factor of 7.2. */
static bool is_gained(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"get", "got", "gain", "gained", "gives", "see", "saw"};
	return i > 1 && lint_word(w, i - 1, "a") && lint_begins(w, i - 2, verbs, ARRAY_LEN(verbs));
}

/* speed-up of 1.3, a factor of two, occupancy: 0.5 */
static size_t ratio_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {"holds", "stays", "remains", "stands", "lies", "rises",
	                                    "rose",  "falls", "fell",    "comes",  "goes", "drops"};
	enum { NEAR = 5 };
	size_t k = i;
	while (k > 0 && i - k < 3 && (lint_is(w, k - 1, LINT_ABOUT) || lint_sign(w, k - 1, '~')))
		k--;
	bool is = k > 0 && (lint_is(w, k - 1, LINT_LINK) || lint_sign(w, k - 1, '=') ||
	                    lint_sign(w, k - 1, ':') || lint_is(w, k - 1, LINT_REACHES));
	if (!is && k < i && lint_is(w, k, LINT_LINK)) /* 只有 */
		is = k + 1 <= i, k++;
	size_t noun = k - is;
	while (noun > 0 && lint_begins(w, noun - 1, verbs, ARRAY_LEN(verbs)))
		noun--;
	while (noun > 0 && i - noun < 5 && lint_is(w, noun - 1, LINT_LINK) &&
	       !lint_is(w, noun - 1, LINT_RATIO))
		noun--;
	/* slower by a factor 8 */
	if (i > 1 && lint_word(w, i - 1, "factor") && lint_word(w, i - 2, "a") &&
	    lint_clause(w, i, LINT_FASTER) && !lint_is(w, j, LINT_SIZE))
		return lint_add(w, i - 1, j, "a factor");
	if (noun == 0 || !is || lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	bool in_words = lint_is(w, i, LINT_NUMBER) && !lint_is_one(w, i, j) && j == i + 1;
	if (lint_is(w, noun - 1, LINT_RATIO) && (w->token[i].kind == LINT_DIGITS || in_words))
		return lint_add(w, i, j, "a ratio");
	if (!lint_is(w, noun - 1, LINT_FACTOR) || !lint_word(w, noun, "of"))
		return 0;
	const struct lint_token *symbol = lint_at(w, j + 1);
	if (lint_word(w, j, "in") && symbol->end - symbol->start == 1)
		return 0; /* a factor of 2 in K */
	if (lint_before(w, noun - 1, NEAR, LINT_OTHER) < w->n &&
	    !lint_clause(w, i, LINT_PERF | LINT_FASTER | LINT_PEAK))
		return 0; /* the learning rate decays by a factor of ten */
	if (lint_before(w, noun - 1, NEAR, LINT_SCALE) < w->n ||
	    lint_before(w, noun - 1, 2, LINT_SIZE) < w->n ||
	    (!is_gained(w, noun - 1) && !fewer_stalls(w, noun - 1) &&
	     lint_before(w, noun - 1, NEAR, LINT_SIZE) < w->n &&
	     !lint_clause(w, i, LINT_PERF | LINT_FASTER | LINT_PEAK)) ||
	    lint_governed(w, j) == LINT_SIZE || lint_after(w, j, NEAR, LINT_SCALE) < w->n)
		return 0;
	return lint_add(w, noun - 1, j, "a factor");
}

/* QPS went from 12k to 80k, IPC 升到了 3.1: the rate stands before its number */
static size_t rate_first_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {
	        "doubled", "tripled", "halved", "quadrupled", "went",    "goes",   "rose", "rises",
	        "climbed", "climbs",  "fell",   "falls",      "dropped", "jumped", "grew", "peaked",
	        "tops",    "topped",  "out",    "up",         "down",    "stayed", "升",   "涨",
	        "跌",      "掉",      "降",     "稳定",       "飙",      "冲",     "提",   "能"};
	enum { FAR = 6 };
	if (lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES) || lint_is_one(w, i, j))
		return 0;
	for (size_t k = i; k > 0 && i - k < FAR; k--) {
		if (lint_is(w, k - 1, LINT_RATE) && w->token[k - 1].end - w->token[k - 1].start > 2)
			return i - k > 0 || lint_sign(w, i - 1, ':') ? lint_add(w, i, j, "a rate")
			                                             : 0;
		if (!lint_is(w, k - 1, LINT_LINK | LINT_ABOUT | LINT_REACHES) &&
		    !lint_begins(w, k - 1, verbs, ARRAY_LEN(verbs)))
			return 0;
	}
	return 0;
}

/* 3/4 of the bandwidth */
static size_t fraction_rule(struct lint_work *w, size_t i, size_t j)
{
	bool third = lint_sign(w, j, '/') && lint_at(w, j + 1)->kind == LINT_DIGITS;
	bool cycles = lint_word(w, j + 2, "of") && lint_is(w, j + 4, LINT_CYCLE);
	if (third && (cycles || (lint_word(w, j + 2, "as") && lint_is(w, j + 3, LINT_FASTER))))
		return lint_add(w, i, j + 2, "a share of performance");
	if (!lint_sign(w, j, '/') || lint_at(w, j + 1)->kind != LINT_DIGITS ||
	    !lint_word(w, j + 2, "of") ||
	    (lint_governed(w, j + 3) != LINT_PERF &&
	     (lint_before(w, i, 4, LINT_PERF) == w->n || lint_governed(w, j + 3) == LINT_SIZE)))
		return 0;
	return lint_add(w, i, j + 2, "a share of performance");
}

/* 0.92 of the peak, 1.8 as fast: a share or a factor without its sign */
static size_t bare_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { NEAR = 7 };
	if (!lint_has_point(w, i))
		return 0;
	if (lint_word(w, j, "as") && lint_is(w, j + 1, LINT_FASTER))
		return lint_add(w, lint_range_start(w, i), j + 2, "a factor");
	static const char *const ready[] = {"eligible", "active", "ready", "stalled"};
	static const char *const ready_zh[] = {"可发射", "就绪", "活跃", "可"};
	size_t warps = lint_is(w, j, LINT_SIZE) ? j + 1 : j + 2;
	bool is_mean = lint_begins(w, warps, ready_zh, ARRAY_LEN(ready_zh));
	for (size_t k = warps; k < warps + 3; k++)
		is_mean = is_mean || lint_begins(w, k, ready, ARRAY_LEN(ready));
	if ((lint_word(w, j, "warps") || lint_word(w, j, "warp")) && is_mean)
		return lint_add(w, i, j + 1, "a mean"); /* no other number of warps has a point */
	/* "release 2.1 of a library" is not a share */
	char first = w->text.p[w->token[i].start];
	if (!lint_word(w, j, "of") || (first != '0' && first != '.'))
		return 0;
	for (size_t k = j + 1; k < j + 1 + NEAR && !lint_breaks(w, k); k++) {
		if (lint_is(w, k, LINT_PEAK | LINT_PERF))
			return lint_add(w, lint_range_start(w, i), k + 1, "a share of performance");
		if (lint_is(w, k, LINT_SIZE))
			return 0;
	}
	return 0;
}

/*
 * Skips a traced number between a typed number and its unit; it must not hide the typed one. Also
 * the sign of "100+ ns".
 */
static size_t past_mark(const struct lint_work *w, size_t j)
{
	if (lint_sign(w, j, '+') && !w->token[j].spaced &&
	    lint_is(w, j + 1, LINT_TIME | LINT_RATE | LINT_PERCENT | LINT_SIZE | LINT_POWER))
		return j + 1;
	return lint_at(w, j)->kind == LINT_MARK ? j + 1 : j;
}

size_t lint_number(struct lint_work *w, size_t i)
{
	static size_t (*const rules[])(struct lint_work * w, size_t i, size_t j) = {
	        lint_percent,  unit_rule,   lint_factor, ratio_rule,      per_rule,
	        fraction_rule, lint_tenths, bare_rule,   rate_first_rule,
	};
	enum {
		MARKED = 3
	}; /* the first three rules need a unit or sign directly after the number */
	size_t j = number_end(w, i);
	if (!j)
		return 0;
	size_t past = lint_aside(w, i, j);
	if (past)
		return past;
	for (size_t k = 0; k < ARRAY_LEN(rules); k++) {
		size_t next = rules[k](w, i, j);
		if (next)
			return next;
		if (past_mark(w, j) > j && k < MARKED && (next = rules[k](w, i, past_mark(w, j))))
			return next;
	}
	return lint_form(w, i, j);
}
