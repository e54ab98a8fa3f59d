/*
 * Numbers that a sentence does not assert: it supposes them, asks for them, demands them, defines a
 * unit by them, or describes an axis with them. To add a word, put it into the table of its kind.
 * To add a kind, write a function that examines the number [i, j), and name it in
 * lint_is_framed().
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#include <string.h>

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

enum { PART = 40 };

size_t lint_part_start(const struct lint_work *w, size_t i, size_t n)
{
	size_t k = i;
	while (k > 0 && i - k < n && !lint_breaks(w, k - 1))
		k--;
	return k;
}

bool lint_is_near(const struct lint_work *w, size_t from, size_t to, const char *const *words,
                  size_t n)
{
	for (size_t k = from; k < to && k < w->n; k++)
		if (lint_begins(w, k, words, n))
			return true;
	return false;
}

#define NEAR(w, from, to, list) lint_is_near((w), (from), (to), (list), ARRAY_LEN(list))

/* The first token of the sentence around token i, of what is kept of it. */
static size_t sentence_start(size_t i)
{
	enum { FAR = 48 };
	return i > FAR ? i - FAR : 0;
}

/* Says the sentence that somebody measured? Then it supposes nothing. */
static bool is_observed(const struct lint_work *w, size_t from, size_t i)
{
	static const char *const saw[] = {"measured", "observed", "saw",    "got",  "seen",
	                                  "recorded", "实测",     "测得",   "测到", "测出",
	                                  "观察到",   "实际上",   "结果是", "看到"};
	return NEAR(w, from, i, saw);
}

/* Does an imperative of supposing stand at token k: Suppose, let us assume, 假设? */
static bool is_supposing(const struct lint_work *w, size_t k)
{
	static const char *const verbs[] = {"suppose",  "supposing", "imagine", "assume", "pretend",
	                                    "假设",     "假定",      "设想",    "想象",   "假如",
	                                    "打个比方", "打个比喻",  "姑且",    "譬如",   "比方说"};
	static const char *const before[] = {"let", "us",   "s",  "now",  "then", "just",
	                                     "so",  "and",  "we", "can",  "but",  "first",
	                                     "may", "我们", "先", "不妨", "就",   "让",
	                                     "且",  "来",   "再", "咱们", "可以", "请"};
	static const char *const fancy[] = {"hypothetical", "imaginary", "fictitious", "虚构"};
	if (IS(w, k, fancy))
		return true;
	static const char *const say[] = {"say", "consider", "take", "picture"};
	static const char *const one[] = {"a",    "an",   "the",  "each", "every",
	                                  "that", "your", "some", "one",  "there"};
	bool first =
	        k == 0 || lint_breaks(w, k - 1) || lint_sign(w, k - 1, '"') || IS(w, k - 1, before);
	if (!first)
		return false;
	if (IS(w, k, say))
		return lint_word(w, k, "say")
		               ? IS(w, k + 1, one) || lint_sign(w, k + 1, ',')
		               : k == 0 && (lint_word(w, 1, "a") || lint_word(w, 1, "an"));
	static const char *const cjk[] = {"不妨"};
	return IS(w, k, verbs) || (IS(w, k, cjk) && lint_at(w, k)->kind == LINT_CJK);
}

/* Has one of the tokens [from, to) a unit of a time or a rate, with a number before it? */
static bool has_measure(const struct lint_work *w, size_t from, size_t to)
{
	for (size_t k = from + 1; k < to; k++)
		if (lint_is(w, k, LINT_TIME | LINT_RATE | LINT_CYCLE | LINT_PERCENT | LINT_SIZE) &&
		    (lint_is_number(w, k - 1) || lint_is(w, k - 1, LINT_MANY)))
			return true;
	return false;
}

/* Ends a supposition right before this sentence, with a semicolon: Assume 1 ms each; then …? */
static bool is_supposed_before(const struct lint_work *w)
{
	static const char *const verbs[] = {"Suppose",       "suppose", "Imagine", "Assume",
	                                    "Let us assume", "Say ",    "假设",    "假定",
	                                    "设想",          "想象"};
	enum { FAR = 200 };
	size_t end = lint_at(w, 0)->start, far = end > FAR ? end - FAR : 0;
	while (end > far && w->text.p[end - 1] == ' ')
		end--;
	struct str before = str_sub(w->text, 0, end);
	if (!str_ends(before, ";") && !str_ends(before, "；"))
		return false;
	size_t start = end - 1;
	while (start > far && !strchr(".!?\n", w->text.p[start - 1]))
		start--;
	before = str_trim(str_sub(w->text, start, end));
	for (size_t k = 0; k < ARRAY_LEN(verbs); k++)
		if (str_starts(before, verbs[k]))
			return true;
	return false;
}

/* Suppose a lookup takes 100 ns; say each packet waits 3 µs, then …; 假设一次查找要 100 纳秒 */
static bool is_supposed(const struct lint_work *w, size_t i)
{
	for (size_t k = sentence_start(i); k < i; k++) {
		if (!is_supposing(w, k))
			continue;
		size_t end = k;
		while (end < i && !lint_breaks(w, end))
			end++;
		if (end < i && end - k < 4) /* suppose that, on average, …; 打个比方，… */
			for (end++; end < i && !lint_breaks(w, end);)
				end++;
		/* what follows from a number that is supposed is supposed, too */
		return (end == i || has_measure(w, k, end)) && !is_observed(w, k, i);
	}
	return false;
}

/* If a request took 5 ms, a thread would serve 200; 如果每次要 5 毫秒，…: a case and its result */
static bool is_case(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const open[] = {"if",   "whether", "是否", "如果",
	                                   "假使", "倘若",    "要是", "若是"};
	static const char *const one[] = {"a",    "an",    "each", "every",  "one", "all",
	                                  "your", "there", "you",  "每",     "一",  "某",
	                                  "有",   "单",    "你",   "平均每", "只"};
	static const char *const then[] = {"would", "could",  "might", "d",   "most",
	                                   "never", "cannot", "最多",  "至多"};
	const unsigned units = LINT_TIME | LINT_RATE | LINT_MOMENT;
	size_t k = lint_part_start(w, i, PART);
	bool later = k > 0;
	if (!IS(w, k, open) && later) { /* the result, behind the case */
		bool was = NEAR(w, k, j + 8, then);
		size_t end = k - 1;
		for (k = lint_part_start(w, end, PART); was && k < end; k++)
			if (IS(w, k, open))
				return has_measure(w, k, end);
		return false;
	}
	static const char *const whether[] = {"whether", "是否"};
	return IS(w, k, open) && (IS(w, k, whether) || IS(w, k + 1, one) || IS(w, k + 2, one)) &&
	       (lint_is(w, j, units) || lint_is(w, j + 1, units));
}

/* Can we get below 1 ms? How many requests can 2 GHz serve? Not: Why does it take 2.3 s? */
static bool is_asked(const struct lint_work *w, size_t i)
{
	static const char *const why[] = {"why",  "how do", "how does", "how did", "为什么",
	                                  "为何", "凭什么", "怎么",     "何以"};
	static const char *const modal[] = {
	        "can",    "could", "would", "should", "will",   "may", "might", "possible",
	        "many",   "much",  "do",    "does",   "did",    "is",  "are",   "was",
	        "enough", "if",    "needs", "能",     "可以",   "会",  "可能",  "多少",
	        "够",     "是否",  "吗",    "几",     "要不要", "谁"};
	const struct lint_token *last = lint_at(w, w->n - 1);
	static const char *const ask[] = {"吗"};
	size_t from = sentence_start(i);
	bool mark = last->kind == LINT_SIGN && last->end > last->start &&
	            (w->text.p[last->end - 1] == '?' ||
	             str_ends(str_sub(w->text, last->start, last->end), "？"));
	if (!mark || NEAR(w, from, i, why))
		return false;
	if (w->n > 1 && IS(w, w->n - 2, ask))
		return true;
	if (lint_word(w, from, "how") && !lint_word(w, from + 1, "many") &&
	    !lint_word(w, from + 1, "much") && !lint_word(w, from + 1, "can"))
		return false; /* how do 3 ms become 40? */
	size_t part = lint_part_start(w, i, PART);
	bool zh = lint_at(w, part)->kind == LINT_CJK || lint_at(w, w->n - 2)->kind == LINT_CJK;
	return zh ? NEAR(w, part, i, modal) : NEAR(w, part, part + 3, modal);
}

/* Says the sentence what came of a goal: in words, or by another number behind token j? */
static bool is_met(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const met[] = {
	        "met",      "meets",   "reached", "reaches", "beat",    "beats",    "missed",
	        "misses",   "exceeds", "by",      "took",    "takes",   "exceeded", "but",
	        "improved", "dropped", "fell",    "short",   "away",    "still",    "got",
	        "improves", "went",    "rose",    "yet",     "instead", "only",     "from",
	        "达成",     "超过",    "超出",    "低于",    "实现了",  "达到了",   "满足了",
	        "但",       "却",      "只",      "还差",    "离"};
	for (size_t k = j; k < j + PART; k++)
		if (lint_at(w, k)->kind == LINT_DIGITS && lint_part_start(w, k, PART) > j)
			return true;
	return NEAR(w, sentence_start(i), i + PART, met);
}

/* The goal was 100 ms; must stay below 2 %; we want a page within a second; 目标是 100 毫秒 */
static bool is_demanded(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const nouns[] = {
	        "goal",     "goals",        "target",      "targets",       "objective",
	        "slo",      "slos",         "sla",         "service level", "requirement",
	        "ambition", "requirements", "upper bound", "目标",          "budget",
	        "预算",     "红线",         "底线",        "期限"};
	static const char *const verbs[] = {
	        "want",    "wants", "wanted", "must",     "aim",  "aims",   "aimed", "hope",
	        "hoped",   "hopes", "wish",   "希望",     "必须", "想要",   "力争",  "争取",
	        "期望",    "指望",  "不得",   "想把",     "想让", "不许",   "shall", "tolerate",
	        "ideally", "容忍",  "接受",   "理想情况", "nice", "nobody", "要是",  "要求",
	        "承诺",    "规定",  "就好",   "love"};
	static const char *const asks[] = {"promises", "demands",    "requires", "asks", "calls",
	                                   "allows",   "guarantees", "says",     "of",   "asked",
	                                   "demanded", "promised",   "permits"};
	static const char *const have[] = {"have", "wait", "spend",  "pay",
	                                   "take", "cost", "be said"};
	enum { FAR = 14, BEHIND = 7 };
	size_t part = lint_part_start(w, i, FAR);
	/* a goal that is a share or a factor is one of performance, and bench:goal decides it */
	bool share = lint_is(w, j, LINT_PERCENT | LINT_TIMES) || lint_sign(w, j, 'x');
	for (size_t k = part; k < i; k++) {
		bool noun = !share && IS(w, k, nouns), verb = IS(w, k, verbs);
		verb = verb || (lint_word(w, k, "accept") && k > 0 &&
		                IS(w, k - 1, ((const char *const[]){"we", "i", "can", "will"})));
		if (verb && !IS(w, k + 1, have) && !lint_is_number(w, k + 1))
			return true; /* not: it must have taken 5 ms */
		bool is = noun && IS(w, k + 1, asks);
		for (size_t v = k + 1; noun && v < i; v++)
			is = is || lint_is_be(w, v) || lint_at(w, v)->kind == LINT_CJK;
		if (is && !is_met(w, i, j))
			return true;
	}
	if (part > 0 && lint_sign(w, part - 1, ':') && !is_met(w, i, j) &&
	    NEAR(w, lint_part_start(w, part - 1, FAR), part, nouns))
		return true; /* The requirement: 50 ms */
	static const char *const agreed[] = {"sla", "slo", "slas", "slos"};
	if (NEAR(w, sentence_start(i), i, agreed) && !is_met(w, i, j))
		return true; /* the SLA promises 99.9 % and, …, 300 ms */
	/* 200 ms is our target; 5 毫秒的预算 */
	for (size_t k = j; k < j + BEHIND && !lint_breaks(w, k); k++)
		if (IS(w, k, nouns))
			return !is_met(w, i, j) &&
			       (lint_is_be(w, k - 1) || (k > j + 1 && lint_is_be(w, k - 2)) ||
			        (k > j + 2 && lint_is_be(w, k - 3)) ||
			        (lint_at(w, k)->kind == LINT_CJK &&
			         IS(w, k - 1, ((const char *const[]){"的", "是"}))));
	return false;
}

/* One GHz is 10^9 Hz, a day has 86,400 seconds: a unit is explained. */
static bool is_unit_explained(const struct lint_work *w)
{
	const unsigned units = LINT_TIME | LINT_RATE | LINT_POWER | LINT_MOMENT;
	static const char *const calendar[] = {"day", "week", "month", "year",
	                                       "天",  "年",   "周",    "昼夜"};
	static const char *const one[] = {"one", "a", "an", "一"};
	static const char *const is[] = {"is", "equals", "has", "lasts", "是", "等于", "有", "为"};
	struct str first = str_sub(w->text, lint_at(w, 0)->start, lint_at(w, 0)->end);
	enum { LONGEST = 5 };
	size_t unit = 1;
	while (unit < LONGEST && !lint_is(w, unit, units) && !IS(w, unit, calendar) &&
	       !lint_sign(w, unit + 1, '/'))
		unit++;
	size_t verb = unit + 1;
	while (verb < 2 * LONGEST && (lint_sign(w, verb, '/') || lint_is(w, verb, LINT_MOMENT)))
		verb++;
	return (IS(w, 0, one) || str_is(first, "1")) && unit < LONGEST &&
	       (IS(w, verb, is) || lint_sign(w, verb, '=')) &&
	       (lint_is_number(w, verb + 1) || lint_word(w, verb + 1, "a") ||
	        (lint_at(w, verb)->kind == LINT_CJK && lint_is_number(w, verb + 2)));
}

/* GB/s means 10^9 bytes per second; a tick is 10 ms by definition; 一毫秒等于 1000 微秒 */
static bool is_defined(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const means[] = {"means",   "denotes",    "abbreviates", "equals",
	                                    "defined", "meaning",    "指的",        "等于",
	                                    "定义",    "代表",       "表示",        "约定",
	                                    "是指",    "stands for", "指每"};
	static const char *const by[] = {"definition", "construction", "定义"};
	enum { NEAR_BY = 3, FAR = 16 };
	const unsigned units = LINT_TIME | LINT_RATE | LINT_POWER | LINT_SIZE | LINT_MOMENT;
	size_t from = sentence_start(i), part = lint_part_start(w, i, FAR);
	if (lint_is(w, j, LINT_TIME) && lint_word(w, j + 1, "in") && lint_word(w, j + 2, "a") &&
	    lint_is(w, j + 3, LINT_TIME))
		return true; /* 10^6 µs in a second */
	if (is_unit_explained(w) || NEAR(w, from, i, by) || NEAR(w, j, j + FAR, by))
		return true;
	if (IS(w, j + 1, means) || IS(w, j, means))
		return true; /* 100 % means that … */
	for (size_t k = part; k < i; k++)
		if (IS(w, k, means) && i - k <= NEAR_BY)
			return k > 0 && lint_before(w, k, 4, units) < w->n;
	return false;
}

/* The x axis goes from 1 µs to 1 s; 纵轴从 1 到 100 毫秒 */
static bool is_drawn(const struct lint_work *w, size_t i)
{
	static const char *const axes[] = {"color",  "colour",      "colors", "shades",  "颜色",
	                                   "axis",   "axes",        "横轴",   "纵轴",    "坐标",
	                                   "刻度",   "tick",        "图例",   "legend",  "y-axis",
	                                   "x-axis", "logarithmic", "bucket", "buckets", "色标"};
	static const char *const draws[] = {
	        "plotted", "plot", "drawn", "range", "ranges", "goes", "runs", "starts", "shows",
	        "spans",   "是",   "从",    "每格",  "单位",   "ends", "cut",  "one",    "wide"};
	static const char *const plots[] = {"plot", "plots", "chart", "graph", "diagram", "图"};
	static const char *const spans[] = {"starts", "ends",  "cut",   "range",
	                                    "ranges", "spans", "zooms", "goes"};
	size_t from = sentence_start(i);
	return (NEAR(w, from, i, axes) && NEAR(w, from, i, draws)) ||
	       (NEAR(w, from, i, plots) && NEAR(w, from, i, spans));
}

/* Is the sentence at [from, w->n) a calculation in words, with two numbers at least? */
static bool is_formula(const struct lint_work *w, size_t from)
{
	static const char *const words[] = {"divided", "dividing", "multiplied", "multiplying",
	                                    "formula", "equation", "predicts",   "law",
	                                    "乘以",    "除以",     "公式",       "法则",
	                                    "定律",    "代入",     "折算",       "换算"};
	enum { FAR = 48 };
	size_t numbers = 0, to = w->n < from + FAR ? w->n : from + FAR;
	bool named = false;
	for (size_t k = from; k < to; k++) {
		if (w->token[k].kind == LINT_MARK)
			return false; /* it computes with a number of a record */
		numbers += w->token[k].kind == LINT_DIGITS;
		named = named || IS(w, k, words);
	}
	return named && numbers > 1 && has_measure(w, from, to) && !is_observed(w, from, to);
}

/* Begins a calculation at token k: at 100 MB/s, behind a size; times 100; 按 100 MB/s 算? */
static bool calculates(const struct lint_work *w, size_t k)
{
	static const char *const results[] = {"is",    "are",  "makes", "make",
	                                      "takes", "take", "would"};
	static const char *const by[] = {"按"}, *const reckon[] = {"算", "计", "记", "一格"};
	enum { FAR = 6 };
	if (!lint_is_number(w, k + 1))
		return false;
	if (IS(w, k, by))
		return NEAR(w, k + 1, k + 1 + FAR, reckon);
	if (k < 2 || !lint_is_number(w, k - 2))
		return false;
	if (lint_word(w, k, "times"))
		return lint_is(w, k - 1, LINT_TIME) && NEAR(w, k, k + FAR, results);
	return lint_word(w, k, "at") && lint_is(w, k - 1, LINT_SIZE) &&
	       NEAR(w, k, k + FAR, results);
}

/* 10 ms times 100 calls is a second; 1 GB at 100 MB/s takes ten; let t be 5 ms; c = 2 ms */
static bool is_computed(const struct lint_work *w, size_t i)
{
	static const char *const let[] = {"let", "设", "令"};
	enum { AHEAD = 3 };
	size_t from = sentence_start(i);
	const struct lint_token *name = lint_at(w, i > 1 ? i - 2 : w->n);
	if (i > 1 && lint_sign(w, i - 1, '=') && name->kind == LINT_WORD &&
	    name->end - name->start == 1)
		return true;
	if (IS(w, from, let) && lint_at(w, from + 1)->kind == LINT_WORD &&
	    !lint_word(w, from + 1, "us"))
		return true;
	for (size_t k = from; k < i + AHEAD && k < w->n; k++)
		if (calculates(w, k))
			return true;
	return is_formula(w, from);
}

bool lint_is_framed(const struct lint_work *w, size_t i, size_t j)
{
	return is_supposed(w, i) || is_supposed_before(w) || is_case(w, i, j) || is_asked(w, i) ||
	       is_demanded(w, i, j) || is_defined(w, i, j) || is_drawn(w, i) || is_computed(w, i);
}
