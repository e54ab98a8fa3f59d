/*
 * Numbers without a unit that a noun or a verb far from them makes a measurement: "the speedup
 * over the baseline is 2.7", "IPC hovers around 2.2", "占峰值的比例为 0.81". lint_form() calls
 * lint_bare() for a number to which no nearer rule applied.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

static bool is_zh(const struct lint_work *w, size_t i)
{
	return lint_at(w, i)->kind == LINT_CJK;
}

/* Does the number's phrase end at token j, so that no noun is counted? */
static bool ends_at(const struct lint_work *w, size_t j)
{
	static const char *const more[] = {"on",    "for",    "at",   "with", "when", "over",
	                                   "here",  "across", "once", "and",  "or",   "but",
	                                   "where", "while",  "now",  "up",   "as",   "in"};
	return lint_breaks(w, j) || lint_sign(w, j, '.') || IS(w, j, more);
}

/* The token before the verb that is right before number i: is 2.7, hovers around 2.2; or w->n. */
static size_t before_verb(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {
	        "is",    "was",   "are",     "of",      "sits",   "averages", "hovers", "reaches",
	        "to",    "stays", "exceeds", "remains", "equals", "at",       "above",  "below",
	        "comes", "ends",  "hits",    "reached", "为",     "是",       "达",     "到",
	        "在",    "约为",  "只有",    "稳",      "超过",   "averaged", "were"};
	static const char *const fill[] = {"up", "down", "to", "only", "about", "or", "still"};
	size_t k = i;
	while (k > 0 && i - k < 3 && !IS(w, k - 1, verbs) &&
	       (lint_is(w, k - 1, LINT_ABOUT) || IS(w, k - 1, fill) || lint_sign(w, k - 1, '~')))
		k--;
	if (k == 0 || !IS(w, k - 1, verbs))
		return w->n;
	while (k > 0 && i - k < 6 && (IS(w, k - 1, verbs) || IS(w, k - 1, fill)))
		k--;
	return k;
}

/* The speedup over the baseline is 2.7; speedups of up to 4.5; IPC never exceeds 1.1. */
static size_t noun_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { FAR = 10 };
	size_t k = before_verb(w, i);
	if (k == w->n || lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	static const char *const be[] = {"is", "was", "是", "为", "of"};
	bool whole = (lint_breaks(w, j) || lint_sign(w, j, '.')) && IS(w, i - 1, be);
	if (!lint_has_point(w, i) && !whole)
		return 0; /* occupancy is one way */
	size_t noun = lint_before(w, k, FAR, LINT_RATIO | LINT_RATE);
	if (noun == w->n || lint_before(w, k, FAR, LINT_OTHER | LINT_SCALE) < w->n ||
	    (lint_is(w, noun, LINT_RATE) && !lint_word(w, noun, "ipc")))
		return 0;
	for (size_t h = noun + 1; h < k; h++)
		if (lint_at(w, h)->kind == LINT_SIGN)
			return 0;
	return lint_add(w, i, j, "a ratio");
}

/* 与 cuBLAS 之比为 0.93, 占峰值的比例为 0.81, 倍数是 2.4 */
static size_t quotient_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const words[] = {"之比", "比例", "比值", "倍数"};
	enum { FAR = 4, WIDE = 12 };
	const unsigned known = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_FASTER;
	size_t k = before_verb(w, i);
	if (k == w->n || !is_zh(w, k) || lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	for (size_t h = k; h > 0 && k - h < FAR; h--)
		if (IS(w, h - 1, words))
			return lint_before(w, k, WIDE, known) < w->n &&
			                       lint_before(w, k, WIDE, LINT_OTHER | LINT_SCALE) ==
			                               w->n
			               ? lint_add(w, i, j, "a ratio")
			               : 0;
	return 0;
}

/* Two names or "ours" and a number each: cuBLAS: 1.0, ours: 0.93; cuBLAS 为 1.0，我们为 0.93 */
static size_t names_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const us[] = {"ours", "我们", "us", "mine", "它"};
	static const char *const be[] = {"为", "是", "is", "at", "gets"};
	size_t k = i;
	while (k > 0 && (lint_sign(w, k - 1, ':') || IS(w, k - 1, be)))
		k--;
	bool other = false;
	for (size_t h = 0; h < k; h++)
		other = other || lint_is_name(w, h);
	bool first = lint_at(w, i)->kind == LINT_DIGITS && lint_has_point(w, i) && ends_at(w, j);
	bool ours = k > 0 && (IS(w, k - 1, us) || (k > 1 && IS(w, k - 2, us)));
	return k < i && other && first && ours ? lint_add(w, i, j, "a ratio") : 0;
}

/* 以拷贝为 1，它得 0.91; 以 GB/s 计是 3100: measured by something */
static size_t by_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const by[] = {"以", "按"}, *const counts[] = {"计", "算"};
	static const char *const one[] = {"为 1", "为1"};
	static const char *const gets[] = {"得", "是", "为", "有", "拿", "到", "达"};
	const unsigned units = LINT_MOMENT | LINT_RATE | LINT_TIME | LINT_FLOPS | LINT_POWER;
	bool last = lint_breaks(w, j) || lint_sign(w, j, '.');
	if (!IS(w, 0, by) || i == 0 || !last || !(IS(w, i - 1, gets) || lint_sign(w, i - 1, ':')) ||
	    lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	for (size_t k = 1; k < i; k++) {
		bool unit = IS(w, k, counts) && lint_is(w, k - 1, units);
		if (unit || (IS(w, k, one) && lint_has_point(w, i)))
			return lint_add(w, i, j, "a ratio");
	}
	return 0;
}

/* 只需 0.6 的时间, 旧的 0.6 快, 3.2 的 IPC: a share or a ratio before its noun */
static size_t before_noun_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const of[] = {"的"}, *const fast[] = {"快"};
	if (!lint_has_point(w, i))
		return 0;
	bool noun = IS(w, j, of) && (lint_is(w, j + 1, LINT_RATIO) || lint_word(w, j + 1, "ipc") ||
	                             lint_is(w, j + 1, LINT_PERF));
	bool as_fast = IS(w, j, fast) && i > 0 && lint_at(w, i - 1)->kind == LINT_CJK;
	return noun || as_fast ? lint_add(w, i, j + as_fast, "a ratio") : 0;
}

/* 我们赚了 1.3: a factor after a verb */
static size_t gained_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {"赚", "赢", "快", "慢"}, *const done[] = {"了"};
	size_t k = i > 0 && IS(w, i - 1, done) ? i - 1 : i;
	bool point = lint_has_point(w, i) && (lint_breaks(w, j) || lint_sign(w, j, '.'));
	return k > 0 && k < i && point && IS(w, k - 1, verbs) ? lint_add(w, i, j, "a factor") : 0;
}

/* 5 per microsecond: of what, the sentence before says */
static size_t per_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const units[] = {"microsecond", "millisecond", "nanosecond", "µs",
	                                    "ms",          "cycle",       "clock"};
	return lint_word(w, j, "per") && IS(w, j + 1, units) ? lint_add(w, i, j + 2, "a rate") : 0;
}

/* Time in µs: 41; speedup (vs. eager): 2.4; % of peak: 83. What precedes is like a table's head. */
static size_t head_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { LONGEST = 9 };
	const unsigned units = LINT_TIME | LINT_POWER | LINT_RATE | LINT_FLOPS | LINT_CYCLE;
	size_t k = i;
	while (k > 0 && lint_is(w, k - 1, LINT_ABOUT))
		k--;
	bool colon = k > 0 && (lint_sign(w, k - 1, ':') || lint_sign(w, k - 1, '=') ||
	                       lint_sign(w, k - 1, '~'));
	bool last = j >= w->n || lint_sign(w, j, '.') || lint_sign(w, j, ',');
	if (!colon || !last || k - 1 > LONGEST)
		return 0;
	static const char *const percent[] = {"百分比"}, *const relative[] = {"相对", "relative"};
	bool unit = false, size = false;
	for (size_t h = lint_sign(w, k - 1, ':') || k < 5 ? 0 : k - 5; h + 1 < k; h++) {
		bool short_unit = lint_is(w, h, units) && lint_right_case(w, h) &&
		                  !(h > 0 && lint_sign(w, h - 1, '"'));
		bool share = lint_is(w, h, LINT_PERCENT) || IS(w, h, percent);
		bool perf = lint_clause(w, h, LINT_PEAK) ||
		            (IS(w, h, relative) && lint_after(w, h, 4, LINT_PERF) < w->n);
		unit = unit || lint_is(w, h, LINT_RATIO) || short_unit ||
		       ((share || IS(w, h, relative)) && perf);
		size = size || lint_is(w, h, LINT_SIZE);
		if (lint_is(w, h, LINT_OTHER | LINT_SCALE) || lint_at(w, h)->kind == LINT_DIGITS)
			return 0;
	}
	return unit && !size ? lint_add(w, i, j, "a number whose unit goes before it") : 0;
}

/* 相对性能为 1.3 */
static size_t relative_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const relative[] = {"相对"}, *const be[] = {"为", "是", "约"};
	bool last = lint_breaks(w, j) || lint_sign(w, j, '.');
	return i > 2 && last && lint_has_point(w, i) && IS(w, i - 1, be) &&
	                       lint_is(w, i - 2, LINT_PERF) && IS(w, 0, relative)
	               ? lint_add(w, i, j, "a ratio")
	               : 0;
}

/* latency goes up eight times */
static size_t up_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const way[] = {"up", "down"};
	enum { FAR = 5 };
	bool times = lint_is(w, j, LINT_TIMES) && lint_sign(w, j + 1, '.');
	return times && i > 0 && IS(w, i - 1, way) && lint_before(w, i, FAR, LINT_PERF) < w->n
	               ? lint_add(w, i, j + 1, "a factor")
	               : 0;
}

/* P99 is ten times P50; the tail is 20 times the median; 尾巴是中位数的 20 倍 */
static size_t quantile_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const times[] = {"p50", "p90", "p95", "p99", "median", "中位数"};
	if (!lint_is(w, j, LINT_TIMES))
		return 0;
	size_t after = j + 1 + lint_word(w, j + 1, "the");
	bool zh = i > 0 && IS(w, i - 1, ((const char *const[]){"的"}));
	for (size_t k = i; zh && k > 0 && i - k < 5; k--)
		if (IS(w, k - 1, times))
			return lint_add(w, i, j + 1, "a factor");
	return IS(w, after, times) ? lint_add(w, i, after + 1, "a factor") : 0;
}

/* Tokens per second fell below 20: a rate in words, and its number */
static size_t worded_rate(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {"fell",    "rose",    "rises",   "falls",   "drop",
	                                    "drops",   "dropped", "climbed", "climbs",  "stays",
	                                    "is",      "are",     "went",    "reached", "reach",
	                                    "reaches", "hits"};
	enum { NEAR = 3, FAR = 9 };
	size_t k = i;
	while (k > 0 && i - k < NEAR && !IS(w, k - 1, verbs))
		k--;
	if (k == 0 || !IS(w, k - 1, verbs) || lint_is(w, j, LINT_SIZE | LINT_PERCENT | LINT_TIMES))
		return 0;
	for (size_t h = k - 1; h > 1 && k - h < FAR && !lint_breaks(w, h - 1); h--)
		if (lint_is(w, h - 1, LINT_MOMENT) && lint_word(w, h - 2, "per"))
			return lint_add(w, i, j, "a rate");
	return 0;
}

/* 稳定 60 帧, 能到 220 帧, 跑到 312T */
static size_t frames_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {"稳定", "能到", "到",   "只有", "跑",
	                                    "稳在", "达到", "跑到", "冲到", "能"};
	static const char *const frames[] = {"帧"};
	struct str unit =
	        j < w->n ? str_sub(w->text, w->token[j].start, w->token[j].end) : (struct str){0};
	size_t k = i;
	while (k > 0 && i - k < 3 && !IS(w, k - 1, verbs) && lint_is(w, k - 1, LINT_ABOUT))
		k--;
	if (k == 0 || !(IS(w, k - 1, verbs) || (k > 1 && IS(w, k - 2, verbs))))
		return 0;
	bool last = lint_breaks(w, j + 1) || lint_sign(w, j + 1, '.');
	if (last && (IS(w, j, frames) || str_is(unit, "T")))
		return lint_add(w, i, j + 1, "a rate");
	return 0;
}

/* The stream version takes 61: the unit is that of the sentence before. */
static size_t takes_rule(struct lint_work *w, size_t i, size_t j)
{
	static const char *const takes[] = {"takes", "took"};
	const struct lint_token *t = &w->token[i];
	bool digits = t->kind == LINT_DIGITS && t->end - t->start > 1;
	return i > 0 && digits && IS(w, i - 1, takes) && lint_sign(w, j, '.') &&
	                       (lint_is_rival(w, 0, i) || t->end - t->start > 2)
	               ? lint_add(w, i, j, "a time")
	               : 0;
}

/* 3m20s, 1h05m: minutes and seconds in one word */
static size_t minutes_rule(struct lint_work *w, size_t i, size_t j)
{
	const struct lint_token *t = lint_at(w, j);
	size_t n = t->end - t->start;
	const char *p = w->text.p + t->start;
	if (t->kind != LINT_WORD || t->spaced || n < 2 || n > 4 || (p[0] != 'm' && p[0] != 'h'))
		return 0;
	size_t digits = 1;
	while (digits < n && p[digits] >= '0' && p[digits] <= '9')
		digits++;
	bool unit = digits + 1 == n && p[digits] == (p[0] == 'm' ? 's' : 'm');
	return digits > 1 && unit ? lint_add(w, i, j + 1, "a time") : 0;
}

/* 隔一个周期才发射一条: every other cycle */
static size_t every_other_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const skips[] = {"隔", "每隔"};
	bool other = i > 0 && IS(w, i - 1, skips) && lint_is(w, j, LINT_CYCLE);
	return other && lint_is_one(w, i, j) ? lint_add(w, i - 1, j + 1, "a share of performance")
	                                     : 0;
}

size_t lint_bare(struct lint_work *w, size_t i, size_t j)
{
	static size_t (*const rules[])(struct lint_work * w, size_t i, size_t j) = {
	        noun_rule,    quotient_zh,    names_rule,     by_zh,       frames_zh, takes_rule,
	        minutes_rule, every_other_zh, before_noun_zh, gained_zh,   per_rule,  quantile_rule,
	        worded_rate,  head_rule,      up_rule,        relative_zh,
	};
	for (size_t k = 0; k < ARRAY_LEN(rules); k++) {
		size_t next = rules[k](w, i, j);
		if (next)
			return next;
	}
	return 0;
}
