/*
 * Shares of what a program does: loads that hit, reads that a cache serves, warps that sleep,
 * samples of a profile. Such a share is one of performance if the sentence says what becomes of
 * the events; "four tenths of the instructions are loads" does not. To add an event or what
 * becomes of it, put it into a list here.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

static const char what[] = "a share of performance";

bool lint_is_event(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "load",  "loads",     "read",     "reads",  "access",  "accesses",   "lookup",
	        "store", "stores",    "write",    "writes", "branch",  "branches",   "lookups",
	        "probe", "probes",    "request",  "fetch",  "fetches", "requests",   "walk",
	        "walks", "reference", "searches", "warp",   "warps",   "references", "加载",
	        "读",    "访问",      "查找",     "请求",   "访存",    "分支",       "写",
	        "取数",  "取指",      "查询",     "warp",   "发射槽",  "线程束"};
	return IS(w, i, words);
}

bool lint_is_stall(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"misses",      "stalls",  "conflicts", "mispredictions",
	                                    "mispredicts", "replays", "预测失败",  "缺失",
	                                    "未命中",      "停顿",    "冲突"};
	return IS(w, i, words);
}

/* Does a word near the share [from, to) say what becomes of the events? */
static bool has_outcome(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const words[] = {
	        "hit",    "hits",    "miss",    "misses",   "missed",       "served",    "serves",
	        "cached", "cache",   "caches",  "l1",       "l2",           "l3",        "llc",
	        "tlb",    "dram",    "hbm",     "absorbs",  "mispredicted", "absorb",    "absorbed",
	        "stall",  "stalls",  "stalled", "answered", "asleep",       "sleep",     "sleeping",
	        "saves",  "avoids",  "covers",  "catches",  "conflict",     "conflicts", "idle",
	        "wait",   "waiting", "waits",   "命中",     "不命中",       "未命中",    "缺失",
	        "落",     "缓存",    "显存",    "内存",     "预测失败",     "睡",        "停",
	        "等",     "空",      "闲",      "失败"};
	static const char *const hit[] = {"hit", "hits"};
	enum { FAR = 9 };
	for (size_t k = from; k > 0 && from - k < FAR && !lint_breaks(w, k - 1); k--)
		if (IS(w, k - 1, words))
			return true;
	for (size_t k = to; k < to + FAR && !lint_breaks(w, k); k++)
		if (IS(w, k, words) && !(IS(w, k, hit) && lint_word(w, k + 1, "the")))
			return true; /* requests that hit the error path are others */
	return false;
}

/* The events that token i begins: loads, "of all the loads", "of the disk reads"; or w->n */
static size_t events_at(const struct lint_work *w, size_t i)
{
	enum { NEAR = 5 };
	for (size_t k = i; k < i + NEAR && !lint_breaks(w, k); k++)
		if (lint_is_event(w, k))
			return k;
	return w->n;
}

/* 97 % of the samples are in the inner loop: of a profile */
static bool of_samples(const struct lint_work *w, size_t i)
{
	static const char *const samples[] = {"samples", "样本"}, *const all[] = {"the", "all",
	                                                                          "our"};
	static const char *const are[] = {"land", "fall", "are", "point", "落", "在", "come"};
	size_t k = i + lint_word(w, i, "of");
	k += k > i && IS(w, k, all);
	return k > i && IS(w, k, samples) && IS(w, k + 1, are) &&
	       (lint_word(w, k + 2, "in") || lint_word(w, k + 2, "on") ||
	        lint_word(w, k + 2, "to") || lint_at(w, k + 1)->kind == LINT_CJK);
}

bool lint_of_events(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const of[] = {"of", "的"};
	if (of_samples(w, to))
		return true;
	if (!IS(w, to, of))
		return false;
	enum { FAR = 5 };
	size_t events = events_at(w, to + 1);
	return events < w->n && lint_before(w, from, FAR, LINT_OTHER) == w->n &&
	       has_outcome(w, from, to);
}

/* 五次加载就有一次不命中, 十个 warp 里八个在睡, 四个发射槽空一个 */
static size_t one_in_zh(struct lint_work *w, size_t i, size_t j)
{
	static const char *const verbs[] = {"命中", "不", "未", "由",   "落", "直接", "在", "没",
	                                    "预测", "要", "停", "就绪", "空", "等",   "到", "走"};
	static const char *const states[] = {"空",   "闲", "停", "等", "睡",
	                                     "miss", "丢", "用", "忙", "命中"};
	static const char *const done[] = {"了"}, *const of[] = {"的"};
	static const char *const counts[] = {"次", "个", "条"};
	enum { FAR = 8 };
	size_t event = w->n;
	for (size_t k = j; k < j + FAR && !lint_breaks(w, k); k++) {
		if (lint_is_event(w, k) && event == w->n)
			event = k;
		if (event == w->n || k <= event || !lint_is_number(w, k))
			continue;
		size_t end = k + 1;
		while (end < k + 4 && lint_is(w, end, LINT_NUMBER))
			end++;
		const char *const *count = counts;
		while (count < counts + ARRAY_LEN(counts) && !lint_begins(w, end, count, 1))
			count++;
		bool counted = count < counts + ARRAY_LEN(counts);
		/* 32 个 warp 要互相等两次: other things are counted */
		if (!counted || IS(w, event + 1, of) ||
		    (lint_begins(w, end, counts, 1) && j > i &&
		     lint_begins(w, j - 1, counts + 1, 1)))
			return 0;
		end++;
		bool last = lint_breaks(w, end) || lint_sign(w, end, '.');
		bool told = IS(w, end, verbs) ? has_outcome(w, i, end)
		                              : last && IS(w, k - 1 - IS(w, k - 1, done), states);
		return told ? lint_add(w, i, end, what) : 0;
	}
	return 0;
}

/* One load in five misses; nine out of ten lookups are answered from memory. */
size_t lint_one_in(struct lint_work *w, size_t i, size_t j)
{
	if (lint_at(w, i)->kind == LINT_CJK || lint_at(w, j)->kind == LINT_CJK ||
	    lint_at(w, j - 1)->kind == LINT_CJK)
		return one_in_zh(w, i, j);
	size_t k = j, event = lint_is_event(w, j) ? j : w->n;
	k += event < w->n;
	if (lint_word(w, k, "out"))
		k++;
	static const char *const warps[] = {"warp", "warps", "issue slots"};
	static const char *const verbs[] = {"hit", "hits", "miss", "misses", "stall", "stalls"};
	bool of = lint_word(w, k, "of");
	if (!lint_word(w, k, "in") && !of)
		return 0;
	k++;
	k += lint_word(w, k, "every") || lint_word(w, k, "a");
	if (!lint_is_number(w, k) && !lint_is(w, k, LINT_MANY))
		return 0;
	size_t end = k + 1;
	while (lint_is(w, end, LINT_NUMBER | LINT_MANY))
		end++;
	if (event == w->n)
		event = events_at(w, end);
	bool hits = IS(w, event + 1, verbs);
	if (of && !lint_word(w, k - 2, "out") && !IS(w, event, warps) && !hits)
		return 0; /* turns two of three reads into hits */
	return event < w->n && has_outcome(w, i, end) ? lint_add(w, i, end, what) : 0;
}

/* every third lookup misses, wastes every second cycle */
size_t lint_every_nth(struct lint_work *w, size_t i)
{
	static const char *const every[] = {"every", "each"}, *const cycle[] = {"cycle", "clock"};
	if (i == 0 || !IS(w, i - 1, every))
		return 0;
	bool events = lint_is_event(w, i + 1) && has_outcome(w, i - 1, i + 2);
	return events || IS(w, i + 1, cycle) ? lint_add(w, i - 1, i + 2, what) : 0;
}

/* Does the sentence say that a vague amount is lost? "A burst of a few milliseconds" does not. */
static bool is_lost(const struct lint_work *w, size_t some, size_t unit)
{
	static const char *const before[] = {"多", "花", "要", "浪费", "损失", "用时", "耗时",
	                                     "丢", "掉", "赔", "慢",   "费",   "费掉"};
	static const char *const after[] = {"late",   "later",  "go",    "pass",
	                                    "passed", "slower", "longer"};
	static const char *const low[] = {"只有"};
	for (size_t k = some > 1 ? some - 1 : 0; k < some; k++)
		if (IS(w, k, before) || (IS(w, k, low) && lint_before(w, k, 3, LINT_PERF) < w->n))
			return true;
	bool asked = lint_word(w, 0, "wait");
	return !asked && (IS(w, unit + 1, after) || lint_spends(w, some));
}

/* A few hundred nanoseconds, several milliseconds, 几微秒, 几个百分点: no number, and yet one */
size_t lint_vague(struct lint_work *w, size_t i)
{
	static const char *const some[] = {"few", "several", "couple", "handful", "many"};
	static const char *const some_zh[] = {"几", "数", "若干", "几个", "数个"};
	static const char *const units[] = {"microseconds", "milliseconds", "nanoseconds", "µs",
	                                    "ms",           "ns",           "us",          "微秒",
	                                    "毫秒",         "纳秒"};
	static const char *const points[] = {"百分点", "个百分点"};
	bool point = IS(w, i, points);
	if (i == 0 || !(IS(w, i, units) || point))
		return 0;
	size_t k = i;
	while (k > 0 && i - k < 3 &&
	       (lint_is(w, k - 1, LINT_MANY | LINT_NUMBER) || lint_word(w, k - 1, "of")))
		k--;
	bool zh = lint_at(w, i)->kind == LINT_CJK;
	if (k == 0 || !(zh ? IS(w, k - 1, some_zh) : IS(w, k - 1, some)))
		return 0;
	if (lint_aside(w, k - 1, i) || lint_supposes(w, k) || !is_lost(w, k - 1, i) ||
	    lint_clause(w, i, point ? LINT_OTHER : 0))
		return 0;
	return lint_add(w, k - 1, i + 1, point ? "a difference of shares" : "a time");
}
