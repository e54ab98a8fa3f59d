/*
 * Comparisons in words: twice as fast, half the time, saturates the memory, at peak.
 * A word alone is harmless; the rules look for its subject.
 *
 * To add a word or a fixed phrase to a rule, begin at words.c (English) or zh.c (Chinese). To add
 * a form of sentence, write a function that examines token i, and add a row to `rules` with the
 * class of the word at which it starts. A new class goes into LINT_PHRASES, too (inner.h).
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

static const char in_words[] = "a comparison in words";

static const unsigned performance = LINT_PERF | LINT_PEAK | LINT_FASTER | LINT_RATIO;

static bool is_the(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"the", "its", "our", "their", "that", "what", "this"};
	return lint_begins(w, i, words, ARRAY_LEN(words));
}

/* End of the noun after token i, with an optional "of": the end of the finding. */
static size_t noun_end(const struct lint_work *w, size_t i)
{
	enum { FAR = 5 };
	size_t k = lint_after(w, i, FAR, performance);
	if (k == w->n)
		return i;
	while (lint_is(w, k + 1, LINT_PERF | LINT_PEAK))
		k++;
	return k + 1;
}

static bool says_performance(const struct lint_work *w, size_t i)
{
	unsigned what = lint_governed(w, i);
	return what == LINT_PERF || what == LINT_FASTER;
}

/* True where "long" is a size and not a time: "the row is twice as long". */
static bool long_size(const struct lint_work *w, size_t i, size_t adjective)
{
	enum { FAR = 6 };
	static const char *const words[] = {"long", "high", "low", "shorter", "longer"};
	bool length = lint_begins(w, adjective, words, ARRAY_LEN(words));
	return length && lint_before(w, i, FAR, LINT_SIZE) < w->n &&
	       lint_before(w, i, FAR, LINT_PERF) == w->n;
}

/* twice as fast, twice the bandwidth, double the speed */
static size_t twice(struct lint_work *w, size_t i)
{
	size_t k = i + 1;
	if (w->token[i].kind == LINT_CJK)
		return says_performance(w, k) ? lint_add(w, i, noun_end(w, k), in_words) : 0;
	bool as = lint_word(w, k, "as"), over = lint_word(w, k, "over");
	if (lint_is(w, k, LINT_FASTER) || (as && lint_is(w, k + 1, LINT_FASTER))) {
		k += as;
		return long_size(w, i, k) ? 0 : lint_add(w, i, k + 1, in_words);
	}
	static const char *const bears[] = {"handles", "handle",  "serves", "serve",  "sustains",
	                                    "takes",   "handled", "served", "pushes", "copes"};
	static const char *const load[] = {"load", "traffic", "requests", "users", "queries"};
	if (lint_word(w, k, "the") && lint_begins(w, k + 1, load, ARRAY_LEN(load)) && i > 0 &&
	    lint_begins(w, i - 1, bears, ARRAY_LEN(bears)))
		return lint_add(w, i, k + 2, in_words); /* handles twice the load */
	if (lint_word(w, k, "the") && lint_is(w, k + 1, LINT_RATE | LINT_FLOPS))
		return lint_add(w, i, k + 2, in_words); /* twice the TPS */
	if (lint_word(w, k, "the") && lint_word(w, k + 1, "work") && lint_word(w, k + 2, "in"))
		return lint_add(w, i, k + 2, in_words); /* twice the work in the same time */
	if (!as && !is_the(w, k) && !(over && lint_clause(w, i, LINT_PERF)))
		return 0;
	return says_performance(w, k) ? lint_add(w, i, noun_end(w, k), in_words) : 0;
}

/* First token of a fraction (a third, two thirds, half); w->n if it is not a fraction */
static size_t fraction_start(const struct lint_work *w, size_t i)
{
	if (w->token[i].kind == LINT_CJK)
		return i;
	static const char *const others[] = {"first",  "second", "other", "each",
	                                     "either", "upper",  "lower", "both"};
	bool other = i > 0 && lint_begins(w, i - 1, others, ARRAY_LEN(others));
	if (lint_word(w, i, "half"))
		return other || (lint_sign(w, i + 1, '-') && !w->token[i + 1].spaced) ? w->n : i;
	size_t first = i > 0 && lint_sign(w, i - 1, '-') ? i - 2 : i - 1;
	if (i == 0 || first >= w->n)
		return w->n;
	static const char *const good[] = {"good", "full", "mere", "solid", "whole", "bare"};
	if (first > 0 && lint_begins(w, first, good, ARRAY_LEN(good)))
		first--; /* a good third */
	bool counted = lint_word(w, first, "a") || lint_word(w, first, "an") ||
	               lint_is(w, first, LINT_NUMBER);
	return counted ? first : w->n;
}

/* "a tenth of a per cent" is a percentage, however small */
static size_t of_percent(struct lint_work *w, size_t start, size_t i)
{
	enum { NEAR = 4 };
	size_t k = i + 1;
	k += lint_word(w, k, "of");
	k += lint_word(w, k, "a") || lint_word(w, k, "one");
	if (!lint_is(w, k, LINT_PERCENT))
		return 0;
	if (lint_before(w, start, NEAR, LINT_OTHER) < w->n ||
	    lint_after(w, k + 1, 3, LINT_OTHER) < w->n)
		return k + 1;
	return lint_add(w, start, k + 1, "a share of performance");
}

/* half a microsecond */
static size_t of_time(struct lint_work *w, size_t start, size_t i)
{
	size_t k = i + 1;
	k += lint_word(w, k, "of");
	if (!lint_word(w, k, "a") && !lint_word(w, k, "an"))
		return 0;
	if (lint_is_bandwidth(w, k + 1))
		return lint_add(w, start, k + 4, "a bandwidth");
	if (lint_is(w, k + 1, LINT_POWER) && lint_at(w, k + 1)->end - lint_at(w, k + 1)->start > 2)
		return lint_add(w, start, k + 2, "a power or an energy");
	static const char *const people[] = {"i", "we", "you", "they", "he", "she"};
	if (lint_begins(w, k + 2, people, ARRAY_LEN(people)))
		return 0; /* after a quarter of an hour we gave up */
	if (!(lint_is(w, k + 1, LINT_TIME) || lint_word(w, k + 1, "cycle")) ||
	    lint_word(w, k + 1, "s") || lint_word(w, k + 1, "h"))
		return 0;
	return lint_add(w, start, k + 2, "a time");
}

static size_t half_zh(struct lint_work *w, size_t i)
{
	enum { NEAR = 8 };
	size_t end = i + 1, start = i;
	while (start > 0 && lint_is(w, start - 1, LINT_NUMBER))
		start--;
	while (lint_is(w, end, LINT_NUMBER))
		end++;
	if (w->token[i].class & LINT_PERCENT)
		return 0;
	bool timed = lint_is(w, end, LINT_TIME) && !lint_aside(w, start, end);
	static const char *const half[] = {"一半"};
	if ((lint_of_events(w, start, end) && !lint_begins(w, i, half, 1)) || timed)
		return lint_add(w, start, end + timed, in_words);
	static const char *const of[] = {"的"};
	if (lint_begins(w, end, of, 1) && lint_is(w, end + 1, LINT_RESOURCE) &&
	    lint_idles(w, end + 2))
		return lint_add(w, start, end, in_words); /* 一半的 SM 闲着 */
	static const char *const sides[] = {"后", "前", "上", "下", "左", "右", "另"};
	if (start > 0 && lint_begins(w, start - 1, sides, ARRAY_LEN(sides)))
		return end; /* 后一半讲能量 */
	unsigned after = lint_governed(w, end);
	for (size_t k = end; k < end + 3; k++) /* 四分之一的 CPU */
		if (lint_word(w, k, "cpu") && !lint_is(w, k + 1, LINT_SIZE))
			return lint_add(w, start, end, in_words);
	if (lint_after(w, end, 2, LINT_CYCLE) < w->n ||
	    (lint_before(w, start, 4, LINT_CYCLE) < w->n && start > 0 &&
	     (!lint_begins(w, start - 1, (const char *const[]){"的"}, 1) ||
	      (start > 1 && lint_is(w, start - 2, LINT_CYCLE)))))
		return lint_add(w, start, end, in_words);
	if (after == LINT_SIZE)
		return end;
	static const char *const shorter[] = {"缩短"};
	static const char *const runs[] = {"加载", "启动", "构建", "编译", "查询", "训练"};
	for (size_t k = start > 4 ? start - 4 : 0; k < start; k++)
		if (lint_begins(w, k, shorter, 1) && k > 0 &&
		    (lint_begins(w, k - 1, runs, ARRAY_LEN(runs)) ||
		     (k > 1 && lint_begins(w, k - 2, runs, ARRAY_LEN(runs)))))
			return lint_add(w, start, end, in_words); /* 页面加载缩短四分之一 */
	size_t perf = lint_before(w, start, NEAR, performance);
	size_t size = lint_before(w, start, NEAR, LINT_SIZE);
	static const char *const changes[] = {"减少", "降低", "下降", "缩短",
	                                      "提高", "增长", "节省"};
	if (perf < w->n && lint_begins(w, perf, changes, ARRAY_LEN(changes)) && size < w->n)
		perf = lint_before(w, start, NEAR, performance & ~LINT_FASTER); /* of what? */
	if (after == LINT_PERF || after == LINT_FASTER ||
	    (perf < w->n && (size == w->n || perf >= size)))
		return lint_add(w, start, end, in_words);
	return end;
}

bool lint_is_able(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"deliver", "delivers", "reach",  "reaches", "get",
	                                    "gets",    "allow",    "allows", "do",      "does",
	                                    "achieve", "achieves", "could",  "takes",   "needs",
	                                    "costs",   "sustains", "draws"};
	enum { FAR = 6 };
	for (size_t k = i; k < i + FAR && !lint_breaks(w, k); k++)
		if (lint_begins(w, k, verbs, ARRAY_LEN(verbs)))
			return true;
	return false;
}

bool lint_idles(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "hit",     "hits",  "miss", "misses", "served", "wait", "idle",  "stalled",
	        "waiting", "stall", "等",   "空",     "停",     "命中", "waits", "有用功"};
	enum { FAR = 8 };
	for (size_t k = i; k < i + FAR && !lint_breaks(w, k); k++)
		if (lint_begins(w, k, words, ARRAY_LEN(words)))
			return true;
	return false;
}

/* every third cycle */
static size_t nth_cycle(struct lint_work *w, size_t i)
{
	bool other = lint_word(w, i, "every other"); /* an entry of its own */
	bool every =
	        other || (i > 0 && (lint_word(w, i - 1, "every") || lint_word(w, i - 1, "each")));
	static const char *const cycles[] = {"cycle", "clock", "issue"};
	bool cycle = lint_begins(w, i + 1, cycles, ARRAY_LEN(cycles));
	return every && cycle ? lint_add(w, i - !other, i + 2, "a share of performance") : 0;
}

/* Half the SMs idle; the pipe is half empty; uses half the machine; needs a third more */
static bool is_idle(const struct lint_work *w, size_t start, size_t k)
{
	static const char *const idle[] = {"idle", "idles", "idling"};
	static const char *const level[] = {"empty", "full", "idle"};
	static const char *const whole[] = {"machine", "gpu", "chip", "card", "device"};
	static const char *const more[] = {"more", "less", "longer"};
	static const char *const uses[] = {"uses", "use", "used"};
	static const char *const takes[] = {"takes", "needs", "took", "costs", "needed"};
	if (lint_begins(w, k, level, ARRAY_LEN(level)) &&
	    lint_before(w, start, 4, LINT_RESOURCE) < w->n &&
	    lint_before(w, start, 4, LINT_SIZE & ~LINT_RESOURCE) == w->n)
		return true;
	bool last = lint_breaks(w, k + 1) || lint_sign(w, k + 1, '.');
	if (lint_begins(w, k, more, ARRAY_LEN(more)) && last)
		return start > 0 && lint_begins(w, start - 1, takes, ARRAY_LEN(takes));
	if (!lint_word(w, k, "the") && !lint_word(w, k, "of"))
		return false;
	size_t verb = start - (start > 0 && lint_is(w, start - 1, LINT_ABOUT));
	if (lint_begins(w, k + 1, whole, ARRAY_LEN(whole)) && verb > 0 &&
	    lint_begins(w, verb - 1, uses, ARRAY_LEN(uses)))
		return true;
	bool parts =
	        lint_is(w, k + 1, LINT_RESOURCE) || lint_begins(w, k + 1, whole, ARRAY_LEN(whole));
	return parts && lint_begins(w, k + 2, idle, ARRAY_LEN(idle));
}

/* leaves a third on the table; the time is a tenth of what it was */
static bool is_left(const struct lint_work *w, size_t start, size_t k)
{
	enum { FAR = 5 };
	for (size_t h = k; h < k + FAR && !lint_breaks(w, h); h++)
		if (lint_word(w, h, "on") && lint_word(w, h + 1, "the") &&
		    lint_word(w, h + 2, "table") && !lint_word(w, h + 3, "of"))
			return true;
	return lint_word(w, k, "of") && lint_word(w, k + 1, "what") && lint_word(w, k + 2, "it") &&
	       lint_before(w, start, FAR, performance) < w->n;
}

static size_t half(struct lint_work *w, size_t i)
{
	if (w->token[i].kind == LINT_CJK)
		return half_zh(w, i);
	static const char *const people[] = {"i", "we", "you", "they"};
	if (i == 0 && lint_word(w, 1, "the") && lint_begins(w, 3, people, ARRAY_LEN(people)))
		return i + 3; /* half the time I forget it */
	size_t start = fraction_start(w, i), k = i + 1, end;
	if ((end = nth_cycle(w, i)) || (end = lint_every_nth(w, i)) || start == w->n)
		return end;
	if (lint_of_events(w, start, k) && !lint_word(w, i, "half"))
		return lint_add(w, start, k, "a share of performance");
	if ((end = of_percent(w, start, i)) || (end = of_time(w, start, i)) ||
	    (end = lint_part(w, start, i)))
		return end;
	size_t as = k + lint_word(w, k, "again"); /* half again as fast */
	if (lint_word(w, as, "as") && lint_is(w, as + 1, LINT_FASTER) && as > k)
		return lint_add(w, start, as + 2, in_words);
	if (lint_word(w, k, "as") && lint_is(w, k + 1, LINT_FASTER))
		return long_size(w, i, k + 1) ? 0 : lint_add(w, start, k + 2, in_words);
	if (lint_is(w, k, LINT_FASTER) && long_size(w, start, k))
		return k;
	if (lint_word(w, k, "of") && lint_word(w, k + 1, "what") && lint_is_able(w, k + 2))
		return lint_add(w, start, k + 2, "a share of performance");
	if (is_left(w, start, k) || is_idle(w, start, k))
		return lint_add(w, start, k, in_words);
	if (lint_word(w, k, "short") && lint_after(w, k + 1, 3, LINT_PEAK) < w->n)
		return lint_add(w, start, k + 1, "a share of performance");
	if (start > 1 && lint_word(w, start - 1, "of") &&
	    lint_is(w, start - 2, LINT_RATIO | LINT_FASTER))
		return lint_add(w, start, i + 1,
		                "a share of performance"); /* a gain of a quarter */
	bool to = start > 0 && lint_word(w, start - 1, "to") && !lint_word(w, i, "half");
	if (to && lint_before(w, start, 6, LINT_PERF) < w->n &&
	    lint_before(w, start, 6, LINT_SIZE) == w->n)
		return lint_add(w, start, i + 1, in_words);
	bool by = start > 0 && (lint_word(w, start - 1, "by") || lint_word(w, start - 1, "in"));
	bool things = lint_before(w, start, 4, LINT_SIZE) < w->n &&
	              lint_before(w, start, 7, performance) == w->n;
	if (by && !things && lint_clause(w, i, performance) && lint_governed(w, k) != LINT_SIZE)
		return lint_add(w, start - 1, i + 1, in_words);
	size_t many = k + (lint_word(w, k, "as") && lint_word(w, k + 1, "many"));
	if ((many > k || is_the(w, k)) && lint_is(w, many + 1, LINT_CYCLE))
		return lint_add(w, start, many + 2, in_words); /* half the cycles, half as many */
	bool of = lint_word(w, k, "of") || is_the(w, k);
	if (!of && !lint_is(w, k, LINT_FASTER | LINT_LARGER | LINT_PERF | LINT_PEAK) &&
	    !lint_word(w, k, "as"))
		return 0;
	if (lint_is(w, k, LINT_PERF | LINT_PEAK) && !lint_word(w, i, "half"))
		return 0; /* a third launch, a third time */
	size_t unit = lint_after(w, k, 4, LINT_RESOURCE);
	bool units = of && unit < w->n &&
	             (lint_word(w, unit, "tensor") || lint_is(w, unit, LINT_PERF) ||
	              w->token[unit].end - w->token[unit].start > 9) &&
	             !lint_is(w, unit, LINT_SIZE);
	if (!says_performance(w, k) && !units)
		return 0;
	end = noun_end(w, k);
	return lint_add(w, start, end > k ? end : k, in_words);
}

/* doubles the throughput; the throughput doubles */
static size_t doubles(struct lint_work *w, size_t i)
{
	enum { NEAR = 4 };
	size_t k = i + 1, rate = lint_before(w, i, NEAR + 2, LINT_MOMENT);
	if (lint_is(w, rate, LINT_CYCLE))
		rate = w->n;
	if (lint_backs_off(w, i))
		return 0;
	/* handshakes per second doubled, 每秒次数翻倍 */
	if (rate < w->n && rate > 0 && lint_is(w, rate - 1, LINT_PER))
		return lint_add(w, i, k, in_words);
	if (w->token[i].kind == LINT_CJK) {
		size_t noun = lint_before(w, i, NEAR, performance | LINT_RATE | LINT_SIZE);
		bool perf = noun < w->n ? lint_is(w, noun, performance | LINT_RATE)
		                        : says_performance(w, k);
		return perf ? lint_add(w, i, k, in_words) : 0;
	}
	static const char *const plain[] = {"double", "triple", "quadruple"};
	static const char *const helpers[] = {"to", "can", "will", "would", "almost", "nearly"};
	if (lint_begins(w, i, plain, ARRAY_LEN(plain))) {
		bool verb = i > 0 && lint_begins(w, i - 1, helpers, ARRAY_LEN(helpers));
		size_t about = i - (i > 0 && lint_is(w, i - 1, LINT_ABOUT));
		if (about > 0 && about < i && lint_breaks(w, k + 1) + lint_sign(w, k, '.') > 0 &&
		    lint_spends(w, about))
			return lint_add(w, i, k, in_words); /* takes nearly double */
		if (!verb && !is_the(w, k))
			return 0;
	}
	unsigned what = lint_governed(w, k);
	if (what == LINT_SIZE)
		return 0;
	if (what == LINT_PERF || what == LINT_FASTER)
		return lint_add(w, i, noun_end(w, k), in_words);
	size_t noun = lint_before(w, i, 2 * NEAR, LINT_PERF | LINT_PEAK | LINT_SIZE);
	bool perf = noun < w->n && lint_is(w, noun, LINT_PERF | LINT_PEAK) &&
	            !lint_is(w, noun, LINT_SIZE);
	if (i > 0 && lint_word(w, i - 1, "gap"))
		return lint_add(w, i - 1, k, in_words);
	return perf ? lint_add(w, noun, k, in_words) : 0;
}

/* "Orders of magnitude are explained below", "right to an order of magnitude": nothing differs. */
static bool is_notion(const struct lint_work *w, size_t i)
{
	static const char *const some[] = {"several", "many", "some",   "few",   "couple", "full",
	                                   "an",      "good", "entire", "whole", "half"};
	static const char *const apart[] = {"away", "apart", "below", "above", "off", "under"};
	static const char *const means[] = {"is", "are", "means", "mean", "equals"};
	static const char *const right[] = {"right",    "correct", "know",  "known",
	                                    "estimate", "round",   "guess", "only"};
	enum { NEAR = 5 };
	if (w->token[i].kind == LINT_CJK)
		return i == 0 || (lint_begins(w, i, (const char *const[]){"数量级"}, 1) &&
		                  !lint_is_number(w, i - 1));
	bool counted =
	        i > 0 && (lint_is_number(w, i - 1) || lint_begins(w, i - 1, some, ARRAY_LEN(some)));
	if (!counted)
		return !lint_is(w, i + 1, LINT_LARGER | LINT_FASTER) &&
		       !lint_begins(w, i + 1, apart, ARRAY_LEN(apart));
	if (i < 4 &&
	    (lint_word(w, 0, "what") || (i < 2 && lint_begins(w, i + 1, means, ARRAY_LEN(means)))))
		return true;
	bool to = i > 1 && (lint_word(w, i - 2, "to") || lint_word(w, i - 2, "within"));
	for (size_t k = i > NEAR ? i - NEAR : 0; to && k < i; k++)
		if (lint_begins(w, k, right, ARRAY_LEN(right)))
			return true;
	return false;
}

/* 相差两个数量级, without a thing whose size differs */
static bool differs_zh(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"相差", "差"};
	enum { FAR = 8, NEAR = 4 };
	if (lint_before(w, i, FAR, LINT_SIZE | LINT_OTHER) < w->n)
		return false;
	for (size_t k = i > NEAR ? i - NEAR : 0; k < i; k++)
		if (lint_begins(w, k, words, ARRAY_LEN(words)))
			return true;
	return false;
}

/* an order of magnitude faster */
static size_t magnitude(struct lint_work *w, size_t i)
{
	enum { FAR = 8 };
	size_t from = i, k = i + 1;
	if (is_notion(w, i))
		return k;
	if (lint_is(w, k, LINT_LARGER) && !lint_is(w, k, LINT_FASTER) &&
	    !lint_clause(w, i, LINT_PERF | LINT_FASTER))
		return 0;
	if (lint_governed(w, k) == LINT_SIZE &&
	    (lint_is(w, k, LINT_LARGER) || lint_word(w, k, "in")))
		return 0;
	if (!lint_clause(w, i, performance | LINT_CYCLE | LINT_TIME | LINT_RATE) &&
	    (lint_clause(w, i, LINT_OTHER) || (w->token[i].kind == LINT_CJK && !differs_zh(w, i)) ||
	     lint_before(w, i, FAR, LINT_SIZE) < w->n))
		return 0;
	while (from > 0 && i - from < 2 &&
	       (lint_is(w, from - 1, LINT_NUMBER | LINT_ABOUT) || lint_word(w, from - 1, "an")))
		from--;
	return lint_add(w, from, k, in_words);
}

/* saturates the memory; the memory is saturated */
static size_t saturates(struct lint_work *w, size_t i)
{
	enum { NEAR = 5 };
	const unsigned what = LINT_RESOURCE | LINT_PERF | LINT_PEAK;
	bool zh = w->token[i].kind == LINT_CJK;
	static const char *const modal[] = {"to", "must", "would", "should", "might", "may"};
	static const char *const casts[] = {"to", "cast", "arithmetic"};
	/* 48 warps are enough to saturate it; not: wide enough to */
	bool enough = i > 2 && lint_word(w, i - 1, "to") && lint_word(w, i - 2, "enough") &&
	              lint_is_be(w, i - 3);
	if (lint_word(w, i, "enough to fill") && (i == 0 || !lint_is_be(w, i - 1)))
		return 0;
	if (i > 0 && lint_begins(w, i - 1, modal, ARRAY_LEN(modal)) && !enough)
		return 0;
	size_t after = lint_after(w, i + 1, NEAR, what), before = lint_before(w, i, NEAR, what);
	size_t number = lint_after(w, i + 1, 3, LINT_SIZE | LINT_NUMBER);
	if (lint_word(w, i + 1, "by") && before < w->n)
		return lint_add(w, i, i + 1, in_words);
	if (!zh && number < after && !lint_is(w, number, LINT_RESOURCE))
		return 0;
	if (after < w->n)
		return lint_add(w, i, after + 1, in_words);
	size_t resource = lint_before(w, i, 3, LINT_RESOURCE);
	bool at = lint_word(w, i + 1, "at") && resource == w->n; /* but: the link is saturated at */
	bool to = at || lint_begins(w, i + 1, casts, ARRAY_LEN(casts));
	return before < w->n && !to ? lint_add(w, zh ? before : i, i + 1, in_words) : 0;
}

/* at peak, near the memory roof, reaches full speed */
static size_t at_peak(struct lint_work *w, size_t i)
{
	enum { FAR = 5 };
	if (lint_is(w, i, LINT_REACHES)) /* 接近 itself is not the limit */
		return 0;
	size_t k = i;
	while (k > 0 && i - k < FAR && !lint_breaks(w, k - 1) &&
	       !lint_is(w, k - 1, LINT_REACHES | LINT_NUMBER | LINT_PERCENT) &&
	       (lint_is(w, k - 1,
	                LINT_LINK | LINT_PERF | LINT_RESOURCE | LINT_PEAK | LINT_ABOUT |
	                        LINT_SIZE) ||
	        w->token[k - 1].kind == LINT_CJK) &&
	       !lint_word(w, k - 1, "of"))
		k--;
	static const char *const whole[] = {"full bandwidth", "full speed", "full throughput"};
	static const char *const gets[] = {"gets", "get",   "got",   "delivers",
	                                   "has",  "gives", "yields"};
	static const char *const met[] = {"reached", "hit", "attained"};
	if (lint_begins(w, i, whole, ARRAY_LEN(whole)) &&
	    ((i > 0 && lint_begins(w, i - 1, gets, ARRAY_LEN(gets))) ||
	     (lint_is_be(w, i + 1) && lint_begins(w, i + 2, met, ARRAY_LEN(met)))))
		return lint_add(w, i, i + 1, in_words);
	static const char *const full[] = {"满"}, *const with[] = {"以"};
	if (lint_begins(w, i, full, 1) && i > 0 && lint_begins(w, i - 1, with, 1))
		return lint_add(w, i - 1, i + 1, in_words); /* 以满带宽 */
	static const char *const gets_zh[] = {"有", "到", "得到", "拿到"}, *const run[] = {"运行",
	                                                                                   "跑"};
	if (lint_begins(w, i, full, 1) && ((i > 0 && lint_begins(w, i - 1, gets_zh, 4)) ||
	                                   lint_begins(w, i + 1, run, ARRAY_LEN(run))))
		return lint_add(w, i, i + 1, in_words); /* 有满带宽, 满速运行 */
	static const char *const on[] = {"上"}, *const at[] = {"在"};
	static const char *const limit[] = {"峰值"};
	if (lint_begins(w, i + 1, on, 1) && lint_begins(w, i, limit, ARRAY_LEN(limit)))
		for (size_t h = i; h > 0 && i - h < FAR + 1; h--)
			if (lint_begins(w, h - 1, at, 1) && !lint_is(w, i, LINT_RATIO))
				return lint_add(w, h - 1, i + 1, in_words); /* 在张量核心的峰值上 */
	if (k == 0 || !lint_is(w, k - 1, LINT_REACHES) || lint_word(w, i + 1, "hours"))
		return 0;
	if (w->token[i].kind == LINT_CJK && lint_at(w, i + 2)->kind == LINT_MARK)
		return 0; /* 达到峰值的 ￼ */
	return lint_add(w, k - 1, i + 1, in_words);
}

/* several times faster: no number, and yet a factor */
static size_t many_times(struct lint_work *w, size_t i)
{
	static const char *const speeds[] = {"faster", "slower", "quicker"};
	bool times = i > 1 && lint_word(w, i - 1, "times") && lint_word(w, i - 2, "several") &&
	             lint_begins(w, i, speeds, ARRAY_LEN(speeds));
	return times && !lint_supposes(w, i) ? lint_add(w, i - 2, i + 1, "a factor") : 0;
}

/* ninefold */
static size_t fold(struct lint_work *w, size_t i)
{
	if (lint_word(w, i, "fold") || !lint_clause(w, i, performance))
		return 0;
	return lint_add(w, i, i + 1, "a factor");
}

size_t lint_phrase(struct lint_work *w, size_t i)
{
	static const struct {
		unsigned class;
		size_t (*rule)(struct lint_work *w, size_t i);
	} rules[] = {
	        {LINT_TWICE, twice},         {LINT_HALF, half},
	        {LINT_DOUBLES, doubles},     {LINT_MAGNITUDE, magnitude},
	        {LINT_SATURATES, saturates}, {LINT_PEAK, at_peak},
	        {LINT_FOLD, fold},           {LINT_TIME | LINT_POWER | LINT_PERCENT, lint_single},
	        {LINT_POINTS, lint_vague},   {LINT_FASTER, many_times},
	};
	unsigned class = w->token[i].class;
	if (!class)
		return 0;
	for (size_t k = 0; k < ARRAY_LEN(rules); k++) {
		size_t next = class & rules[k].class ? rules[k].rule(w, i) : 0;
		if (next)
			return next;
	}
	return 0;
}
