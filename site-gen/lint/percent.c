/*
 * Percentages and tenths: of performance, or of something else? The nearest noun decides. To add
 * a noun, put it into a class of words.c or zh.c; LINT_OTHER is for what is no performance.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

/* the file shrinks to 30 % */
static bool of_things(const struct lint_work *w, size_t from)
{
	static const char *const runs[] = {"kernel",  "kernels", "variant", "variants", "run",
	                                   "runs",    "case",    "cases",   "version",  "sample",
	                                   "samples", "内核",    "变体",    "样本",     "进程"};
	enum { NEAR = 5 };
	const unsigned known = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_FASTER | LINT_RESOURCE |
	                       LINT_CYCLE | LINT_TIME | LINT_REACHES;
	if (lint_clause(w, from, known) || (from > 0 && lint_word(w, from - 1, "within")))
		return false;
	size_t size = lint_before(w, from, NEAR, LINT_SIZE);
	return size < w->n && !lint_begins(w, size, runs, ARRAY_LEN(runs));
}

/* 60 % of the memory: what is in it, not what it does */
static bool of_memory(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const words[] = {"memory", "内存", "显存"};
	static const char *const unit[] = {"pipe",  "bus",    "system", "controller",
	                                   "bound", "控制器", "系统",   "总线"};
	enum { NEAR = 5 };
	if (lint_clause(w, from, LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_FASTER))
		return false;
	for (size_t k = from > NEAR ? from - NEAR : 0; k < to + NEAR && k < w->n; k++)
		if (lint_begins(w, k, words, ARRAY_LEN(words)))
			return !lint_begins(w, k + 1, unit, ARRAY_LEN(unit));
	return false;
}

/* 1 % of the step, 55 % of the request: of the time that it takes */
static bool is_duration(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"step",    "layer",   "iteration", "call",  "run",
	                                    "pass",    "request", "startup",   "build", "query",
	                                    "compile", "frame",   "total"};
	static const char *const the[] = {"the", "a", "each", "every", "of"};
	static const char *const verbs[] = {"is", "was", "goes", "are", "went"};
	return i > 0 && lint_begins(w, i, words, ARRAY_LEN(words)) &&
	       lint_begins(w, i - 1, the, ARRAY_LEN(the)) &&
	       (lint_breaks(w, i + 1) || lint_sign(w, i + 1, '.') ||
	        lint_begins(w, i + 1, verbs, ARRAY_LEN(verbs)));
}

/* 占启动的 90%, 占请求的 55% */
static bool is_duration_zh(const struct lint_work *w, size_t from)
{
	static const char *const takes[] = {"占"};
	static const char *const words[] = {"启动", "请求", "构建", "一步", "编译", "查询", "迭代"};
	enum { FAR = 6 };
	for (size_t k = from; k > 0 && from - k < FAR; k--)
		if (lint_begins(w, k - 1, takes, 1))
			return lint_begins(w, k, words, ARRAY_LEN(words)) ||
			       lint_begins(w, k + 2, words, ARRAY_LEN(words));
	return false;
}

/* 5 % of the functions, 奖励涨了 12%: things, of which some are counted; or what nobody times */
static bool of_others(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const words[] = {
	        "functions",   "reward",    "rewards",   "uptime",     "availability",
	        "threshold",   "branches",  "patches",   "nulls",      "links",
	        "hosts",       "packets",   "customers", "engineers",  "subscribers",
	        "countries",   "devices",   "phones",    "duplicates", "spam",
	        "bots",        "crashes",   "failures",  "succeeded",  "queries",
	        "sessions",    "documents", "records",   "tables",     "columns",
	        "headers",     "symbols",   "modules",   "packages",   "headcount",
	        "temperature", "情况",      "函数",      "专家",       "奖励",
	        "可用性",      "阈值",      "补丁",      "分支",       "空值",
	        "主机",        "客户",      "账号",      "文档",       "记录",
	        "会话",        "崩溃",      "失败",      "成功",       "垃圾",
	        "重复",        "indexes",   "indices",   "索引",       "客户端",
	        "模块",        "符号",      "团队",      "设备",       "二进制"};
	static const char *const idle[] = {"idle", "stall", "stalled", "waiting", "闲", "等"};
	enum { NEAR = 7 };
	const unsigned perf = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_FASTER | LINT_CYCLE;
	static const char *const spend[] = {"spend", "spends", "spent"};
	bool spends = from > 0 && lint_begins(w, from - 1, spend, ARRAY_LEN(spend));
	if (spends || lint_before(w, from, 3, LINT_FASTER) < w->n ||
	    lint_after(w, to, 3, LINT_FASTER) < w->n) /* queries got 40 % faster */
		return false;
	if (lint_clause(w, from, perf & ~LINT_FASTER))
		return false;
	bool other = false;
	for (size_t k = from > NEAR ? from - NEAR : 0; k < to + NEAR && k < w->n; k++) {
		if (lint_begins(w, k, idle, ARRAY_LEN(idle)))
			return false;
		bool predicted = lint_begins(w, k, (const char *const[]){"分支预测"}, 1) ||
		                 (k > 1 && lint_begins(w, k - 2, (const char *const[]){"预测"}, 1));
		other = other || (!predicted && lint_begins(w, k, words, ARRAY_LEN(words)));
	}
	if (other)
		return true;
	/* of the NOUNs, unknown ones */
	size_t noun = to + 1 +
	              (lint_word(w, to + 1, "the") || lint_word(w, to + 1, "all") ||
	               lint_word(w, to + 1, "our"));
	const struct lint_token *t = lint_at(w, noun);
	bool plural = t->kind == LINT_WORD && t->end - t->start > 4 && !t->class &&
	              str_ends(str_sub(w->text, t->start, t->end), "s");
	return lint_word(w, to, "of") && plural && !lint_is_name(w, noun) && !lint_idles(w, noun) &&
	       !lint_is_rival(w, noun, noun + 1) && !lint_clause(w, from, perf);
}

/* overlap 80 % of the copies; 90 % of the all-reduce is hidden */
static bool hides(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const verbs[] = {"hide",     "hides",      "hidden", "overlap",
	                                    "overlaps", "overlapped", "masks",  "absorbs"};
	enum { NEAR = 3, FAR = 6 };
	for (size_t k = from > NEAR ? from - NEAR : 0; k < to + FAR && k < w->n; k++)
		if (lint_begins(w, k, verbs, ARRAY_LEN(verbs)))
			return lint_word(w, to, "of");
	return false;
}

/* burns 80 % of a core; 吃掉一个核的 80% */
static bool of_core(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const verbs[] = {"burns",    "burn", "burned", "eats",  "ate",  "hogs",
	                                    "occupies", "uses", "used",   "takes", "took", "costs",
	                                    "needs",    "吃",   "占",     "烧",    "花"};
	static const char *const one[] = {"a", "one", "the"}, *const core[] = {"core", "cpu", "核",
	                                                                       "cpus"};
	enum { FAR = 7 };
	bool of = (lint_word(w, to, "of") && lint_begins(w, to + 1, one, 3) &&
	           lint_begins(w, to + 2, core, ARRAY_LEN(core))) ||
	          (from > 1 && lint_begins(w, from - 2, core, ARRAY_LEN(core)));
	for (size_t k = from; of && k > 0 && from - k < FAR; k--)
		if (lint_begins(w, k - 1, verbs, ARRAY_LEN(verbs)))
			return true;
	return false;
}

/* the server handles 14 % more load */
static bool handles_more(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const verbs[] = {"handles", "handle", "handled",  "serves", "serve",
	                                    "served",  "pushes", "sustains", "takes",  "processes",
	                                    "moves",   "gets",   "delivers"};
	enum { NEAR = 3 };
	for (size_t k = from; k > 0 && from - k < NEAR && lint_word(w, to, "more"); k--)
		if (lint_begins(w, k - 1, verbs, ARRAY_LEN(verbs)))
			return true;
	return false;
}

/* a refusal rate of 4 %: of what no rule knows, so of no performance */
static bool is_other_rate(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const words[] = {"rate", "rates"};
	static const char *const ours[] = {"hit",   "miss", "frame",     "bit",  "clock",
	                                   "issue", "line", "occupancy", "the",  "its",
	                                   "our",   "a",    "peak",      "cache"};
	/* 幻觉率降到 5%: the rates of programs are words of the dictionary */
	static const char *const zh[] = {"率"}, *const be[] = {"降", "升", "到", "为", "是", "涨"};
	size_t noun = from;
	while (noun > 0 && from - noun < 4 &&
	       (lint_begins(w, noun - 1, be, ARRAY_LEN(be)) ||
	        lint_is(w, noun - 1, LINT_LINK | LINT_ABOUT)))
		noun--;
	enum { NEAR = 4 };
	if (noun > 0 && lint_begins(w, noun - 1, zh, 1))
		return lint_before(w, noun - 1, NEAR, LINT_PERF | LINT_RESOURCE) == w->n;
	if (lint_after(w, to, NEAR, LINT_PEAK | LINT_PERF | LINT_RESOURCE) < w->n)
		return false; /* a copy rate of 90 % of peak */
	for (size_t k = from; k > 1 && from - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (lint_begins(w, k - 1, words, ARRAY_LEN(words)))
			return lint_at(w, k - 2)->kind == LINT_WORD && !lint_at(w, k - 2)->class &&
			       !lint_begins(w, k - 2, ours, ARRAY_LEN(ours));
	return false;
}

/* gave back 10 %, takes a hit of 8 %, agree within 3 %, 白捡 25%: what follows does not matter */
static bool is_given(const struct lint_work *w, size_t from)
{
	static const char *const fill[] = {"of", "within", "to", "another", "only", "了"};
	static const char *const verbs[] = {"hit",  "agree", "differ", "捡", "让出", "赚",
	                                    "换来", "赔",    "来",     "付", "得"};
	static const char *const part[] = {"back", "up", "away"};
	static const char *const gives[] = {"gave", "give", "gives", "giving"};
	size_t k = from;
	while (k > 0 && from - k < 3 &&
	       (lint_begins(w, k - 1, fill, ARRAY_LEN(fill)) || lint_is(w, k - 1, LINT_ABOUT)) &&
	       !lint_begins(w, k - 1, part, 2))
		k--;
	static const char *const should[] = {"should", "must", "shall", "to"};
	if (k > 1 && lint_begins(w, k - 2, should, ARRAY_LEN(should)))
		return false;
	if (k > 0 && lint_begins(w, k - 1, verbs, ARRAY_LEN(verbs)))
		return !lint_word(w, k - 1, "hit") || (k > 1 && lint_word(w, k - 2, "a"));
	return k > 1 && lint_begins(w, k - 1, part, ARRAY_LEN(part)) &&
	       lint_begins(w, k - 2, gives, ARRAY_LEN(gives));
}

/* it takes 12 % less */
static bool is_spent_less(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const takes[] = {"takes", "took", "needs", "costs"};
	static const char *const less[] = {"less", "more"};
	return from > 0 && lint_begins(w, from - 1, takes, ARRAY_LEN(takes)) &&
	       lint_begins(w, to, less, ARRAY_LEN(less)) &&
	       (lint_breaks(w, to + 1) || lint_sign(w, to + 1, '.'));
}

/* the table is filled to 70 %, 表单填了 60% */
static bool is_filled(const struct lint_work *w, size_t from)
{
	static const char *const fills[] = {"filled", "fill", "fills", "填"};
	static const char *const to[] = {"to", "了", "到"};
	static const char *const stores[] = {"table", "tables", "form", "disk", "page", "buffer",
	                                     "queue", "cache",  "map",  "heap", "file", "表",
	                                     "盘",    "页",     "缓冲", "队列", "堆"};
	enum { FAR = 6 };
	bool stored = false;
	for (size_t h = from > FAR ? from - FAR : 0; h < from; h++)
		stored = stored || lint_begins(w, h, stores, ARRAY_LEN(stores));
	size_t k = from - (from > 0 && lint_begins(w, from - 1, to, ARRAY_LEN(to)));
	return stored && k > 0 && lint_begins(w, k - 1, fills, ARRAY_LEN(fills)) &&
	       lint_before(w, from, FAR, LINT_PERF) == w->n;
}

/* the program is 20 % shorter */
static bool is_length(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const words[] = {"shorter", "longer"};
	static const char *const texts[] = {"program", "programs", "source", "script",
	                                    "text",    "name",     "code",   "file",
	                                    "list",    "page",     "row",    "line"};
	enum { FAR = 6 };
	if (!lint_begins(w, to, words, ARRAY_LEN(words)) || lint_word(w, to + 1, "to"))
		return false;
	for (size_t k = from > FAR ? from - FAR : 0; k < from; k++)
		if (lint_begins(w, k, texts, ARRAY_LEN(texts)))
			return lint_before(w, from, FAR, LINT_PERF) == w->n;
	return false;
}

/* its accuracy is 2 % lower, the price fell by 20 %: of what nobody times */
static bool is_of_quality(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const words[] = {
	        "accuracy", "error",    "errors", "recall",    "perplexity", "price",
	        "prices",   "coverage", "vote",   "votes",     "quality",    "humidity",
	        "salary",   "revenue",  "sales",  "tolerance", "image",      "images",
	        "准确率",   "误差",     "召回率", "困惑度",    "价格",       "覆盖率",
	        "通过率",   "质量",     "湿度",   "售价",      "价"};
	static const char *const pay[] = {"pay", "pays", "paid"};
	enum { BEFORE = 7, AFTER = 5 };
	const unsigned perf = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_RESOURCE | LINT_CYCLE;
	size_t of = to + 1 + lint_word(w, to + 1, "the");
	if (lint_word(w, to, "of") && lint_begins(w, of, words, ARRAY_LEN(words)))
		return true; /* 1 % of accuracy */
	if (lint_after(w, to, AFTER, perf) < w->n || lint_before(w, from, BEFORE, perf) < w->n)
		return false;
	for (size_t k = from; k > 0 && from - k < BEFORE && !lint_breaks(w, k - 1); k--)
		if (lint_begins(w, k - 1, words, ARRAY_LEN(words)))
			return !(lint_word(w, k - 1, "price") &&
			         lint_begins(w, k + 1, pay, ARRAY_LEN(pay)));
	return false;
}

/* compression shrank the table by 70 % */
static bool is_shrunk(const struct lint_work *w, size_t from)
{
	static const char *const verbs[] = {"shrank", "shrinks", "shrink",
	                                    "shrunk", "grew",    "grows"};
	static const char *const things[] = {"table", "file",    "binary",  "index",
	                                     "log",   "archive", "image",   "page",
	                                     "wheel", "code",    "database"};
	enum { FAR = 7 };
	bool verb = false, thing = false;
	for (size_t k = from > FAR ? from - FAR : 0; k < from; k++) {
		verb = verb || lint_begins(w, k, verbs, ARRAY_LEN(verbs));
		thing = thing || lint_begins(w, k, things, ARRAY_LEN(things));
	}
	return verb && thing && lint_before(w, from, FAR, LINT_PERF) == w->n;
}

/* wastes 12 % of the shared memory */
static bool is_of_space(const struct lint_work *w, size_t to)
{
	static const char *const of[] = {"of", "的"}, *const memory[] = {"memory", "内存", "显存"};
	static const char *const kinds[] = {"the",    "its", "our", "shared", "device",
	                                    "global", "共",  "享",  "共享"};
	size_t k = to + 1;
	if (!lint_begins(w, to, of, ARRAY_LEN(of)))
		return false;
	while (k < to + 4 && lint_begins(w, k, kinds, ARRAY_LEN(kinds)))
		k++;
	return lint_begins(w, k, memory, ARRAY_LEN(memory)) &&
	       (lint_breaks(w, k + 1) || lint_sign(w, k + 1, '.'));
}

/* The hit rate of the second level is only 12 %. */
static bool is_of_ratio(const struct lint_work *w, size_t from)
{
	enum { FAR = 10 };
	return from > 0 && lint_is(w, from - 1, LINT_LINK | LINT_ABOUT | LINT_REACHES) &&
	       lint_before(w, from, FAR, LINT_RATIO) < w->n;
}

/* 分支预测失败少了 70%, DRAM 读少了 90% */
static bool is_of_stalls(const struct lint_work *w, size_t from)
{
	static const char *const memory[] = {"dram", "hbm", "l2", "显存"};
	enum { FAR = 6 };
	for (size_t k = from > FAR ? from - FAR : 0; k < from; k++)
		if (lint_is_stall(w, k) || (k > 0 && lint_is_event(w, k) &&
		                            lint_begins(w, k - 1, memory, ARRAY_LEN(memory))))
			return true;
	return false;
}

/* True if the percentage at [from, to) is one of performance. */
static bool measures(const struct lint_work *w, size_t from, size_t to)
{
	enum { AFTER = 6, BEFORE = 6 };
	const unsigned perf = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_FASTER;
	static const char *const disks[] = {"disk", "disks", "ssd", "queue", "table", "volume"};
	for (size_t k = from; k > 0 && from - k < BEFORE && lint_word(w, to, "full"); k--)
		if (lint_begins(w, k - 1, disks, ARRAY_LEN(disks)))
			return false; /* what is stored */
	if (lint_word(w, to, "full") || lint_word(w, to, "empty"))
		return lint_before(w, from, BEFORE, LINT_RESOURCE | LINT_PERF) < w->n;
	if (is_other_rate(w, from, to) || is_of_quality(w, from, to) || is_of_space(w, to) ||
	    is_shrunk(w, from) || is_filled(w, from) || is_length(w, from, to))
		return false;
	if (is_given(w, from) || is_of_ratio(w, from) || is_spent_less(w, from, to))
		return true;
	if (lint_before(w, from, 2, LINT_PERF | LINT_RATIO) < w->n)
		return true;
	if (handles_more(w, from, to) || hides(w, from, to) || is_duration_zh(w, from) ||
	    of_core(w, from, to))
		return true;
	if (lint_of_events(w, from, to))
		return true;
	if (of_others(w, from, to))
		return false;
	if (lint_word(w, to, "more") && lint_word(w, to + 1, "out"))
		return true; /* gets 5 % more out of it */
	for (size_t k = to; k < to + AFTER && !lint_breaks(w, k); k++) {
		unsigned class = w->token[k].class;
		if (class & LINT_OTHER)
			return false;
		if (class & (perf | LINT_CYCLE))
			return true;
		/* a share of things matters only if they are wasted or gained */
		if (class & LINT_SIZE && !(class & LINT_RESOURCE))
			return is_duration(w, k) || lint_idles(w, k) ||
			       lint_clause(w, from, perf & ~LINT_PEAK);
	}
	for (size_t k = from, n = 0; k > 0 && n < BEFORE && !lint_breaks(w, k - 1); k--, n++) {
		unsigned class = w->token[k - 1].class;
		if (class & perf)
			return true;
		if (class & LINT_OTHER)
			return false;
	}
	/* 20 % smaller, 60 % wide */
	size_t adjective = from - (from > 0);
	if (adjective > 0 && lint_begins(w, adjective, (const char *const[]){"了"}, 1))
		adjective--; /* 短了 20% */
	if (is_of_stalls(w, from))
		return true;
	if (lint_is(w, to, LINT_LARGER) || (from > 0 && lint_is(w, adjective, LINT_LARGER) &&
	                                    w->token[adjective].kind == LINT_CJK))
		return lint_clause(w, from, perf | LINT_CYCLE);
	if (of_things(w, from) || of_memory(w, from, to))
		return false;
	return !lint_sign(w, from - (from > 0), ':') ||
	       lint_before(w, from - (from > 0), 2, LINT_OTHER) == w->n;
}

size_t lint_percent(struct lint_work *w, size_t i, size_t j)
{
	size_t start = lint_range_start(w, i);
	if (lint_sign(w, j, '-') && !lint_at(w, j)->spaced && lint_is(w, j + 1, LINT_PERCENT))
		j++;
	if ((lint_word(w, j, "more") || lint_word(w, j, "additional")) &&
	    lint_is(w, j + 1, LINT_PERCENT))
		j++;
	if ((lint_is(w, j, LINT_POINTS) || lint_begins(w, j, (const char *const[]){"点"}, 1)) &&
	    is_of_quality(w, i, j + 1))
		return 0;
	if (lint_is(w, j, LINT_POINTS) && lint_after(w, j + 1, 3, LINT_OTHER) == w->n &&
	    lint_before(w, i, 6, LINT_OTHER) == w->n &&
	    (lint_at(w, j)->kind == LINT_CJK || !lint_word(w, j, "points") ||
	     lint_clause(w, i, LINT_PERF | LINT_FASTER | LINT_PEAK | LINT_PERCENT)))
		return lint_add(w, start, j + 1, "a difference of shares");
	if (lint_begins(w, j, (const char *const[]){"点"}, 1) && !lint_is_one(w, i, j) &&
	    (lint_before(w, i, 4, LINT_PERF | LINT_RATIO) < w->n ||
	     (i > 0 && lint_begins(w, i - 1, (const char *const[]){"差", "高", "低", "掉"}, 4))))
		return lint_add(w, start, j + 1, "a difference of shares");
	bool before = i > 0 && lint_is(w, i - 1, LINT_PERCENT) && w->token[i - 1].kind == LINT_CJK;
	if (!before && (!lint_is(w, j, LINT_PERCENT) || w->token[j].kind == LINT_CJK))
		return 0;
	start = before ? i - 1 : start;
	size_t end = before ? j : j + 1;
	return measures(w, start, end) ? lint_add(w, start, end, "a share of performance") : end;
}

/* 三成 */
size_t lint_tenths(struct lint_work *w, size_t i, size_t j)
{
	struct str s =
	        j < w->n ? str_sub(w->text, w->token[j].start, w->token[j].end) : (struct str){0};
	static const char *const works[] = {"写", "读", "跑", "算"}; /* 只有顺序写的三成 */
	static const char *const parts[] = {"通信", "预填充", "解码", "注意力", "掩盖",
	                                    "盖",   "花在",   "编译", "解析",   "等待",
	                                    "吃掉", "一步",   "快",   "慢",     "耗"};
	if (!(str_is(s, "成") || str_is(s, "折")))
		return 0;
	bool timed = false;
	for (size_t k = i > 8 ? i - 8 : 0; k < i + 6 && k < w->n; k++)
		timed = timed || lint_begins(w, k, parts, ARRAY_LEN(parts));
	bool works_only =
	        timed || (i > 1 && lint_begins(w, i - 1, (const char *const[]){"的"}, 1) &&
	                  lint_begins(w, i - 2, works, ARRAY_LEN(works)));
	if (!measures(w, i, j + 1))
		return 0;
	/* 初始化占八成, 其余两成是计算 */
	static const char *const rest[] = {"占", "其余", "剩下的", "剩下"};
	const unsigned things = LINT_SIZE | LINT_OTHER;
	bool of_all = i > 0 && lint_begins(w, i - 1, rest, 1);
	for (size_t k = i > 3 ? i - 3 : 0; k < i; k++)
		of_all = of_all || lint_begins(w, k, rest + 1, ARRAY_LEN(rest) - 1);
	if (of_all && lint_before(w, i, 6, things) == w->n &&
	    lint_after(w, j + 1, 3, things) == w->n)
		return lint_add(w, i, j + 1, "a share of performance");
	if (!works_only && !lint_of_events(w, i, j + 1) &&
	    !lint_clause(w, i, LINT_PERF | LINT_FASTER | LINT_PEAK | LINT_CYCLE))
		return 0;
	return lint_add(w, i, j + 1, "a share of performance");
}
