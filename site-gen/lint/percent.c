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
	static const char *const words[] = {"memory", "heap", "ram", "堆", "内存", "显存"};
	static const char *const unit[] = {"pipe", "bus", "system", "controller", "bound"};
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
	        "functions", "reward",      "rewards",   "uptime",     "availability",
	        "threshold", "branches",    "patches",   "nulls",      "links",
	        "hosts",     "packets",     "customers", "engineers",  "subscribers",
	        "countries", "devices",     "phones",    "duplicates", "spam",
	        "bots",      "crashes",     "failures",  "succeeded",  "queries",
	        "sessions",  "documents",   "records",   "tables",     "columns",
	        "headers",   "symbols",     "modules",   "packages",   "headcount",
	        "salaries",  "salary",      "wages",     "工资",       "键",
	        "keys",      "bugs",        "bug",       "interest",   "oil",
	        "利率",      "油价",        "fine",      "team",       "的人",
	        "downtime",  "temperature", "情况",      "函数",       "专家",
	        "奖励",      "可用性",      "阈值",      "补丁",       "分支",
	        "空值",      "主机",        "客户",      "账号",       "文档",
	        "记录",      "会话",        "崩溃",      "失败",       "成功",
	        "垃圾",      "重复",        "indexes",   "indices",    "索引",
	        "客户端",    "模块",        "符号",      "团队",       "设备"};
	static const char *const idle[] = {"idle",     "stall",  "stalled",      "waiting",
	                                   "闲",       "等",     "mispredicted", "预测",
	                                   "misses",   "未命中", "miss",         "mispredictions",
	                                   "evictions"};
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
		other = other || lint_begins(w, k, words, ARRAY_LEN(words));
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
	static const char *const spares[] = {"saves",   "saved",      "save",      "avoids",
	                                     "avoid",   "eliminates", "removes",   "removed",
	                                     "catches", "skips",      "serves",    "spares",
	                                     "absorbs", "avoided",    "eliminated"};
	static const char *const work[] = {
	        "reads",   "misses",   "loads",        "accesses", "stalls",  "writes", "requests",
	        "lookups", "traffic",  "stores",       "copies",   "latency", "work",   "i/o",
	        "faults",  "syscalls", "transactions", "fetches",  "calls",   "io"};
	for (size_t k = to + 1; k < to + 5 && lint_word(w, to, "of"); k++)
		if (lint_begins(w, k, work, ARRAY_LEN(work)) && from > 0 &&
		    lint_begins(w, from - 1, spares, ARRAY_LEN(spares)))
			return true; /* saves 85 % of the disk reads */
	/* 38 % of the samples land in the hash function */
	static const char *const in[] = {"in", "inside", "within", "into", "on", "under"};
	for (size_t k = to + 1; k < to + 4 && lint_word(w, to, "of"); k++)
		if (lint_word(w, k, "samples"))
			for (size_t n = k + 1; n < k + 4; n++)
				if (lint_begins(w, n, in, ARRAY_LEN(in)))
					return true;
	enum { NEAR = 3, FAR = 6 };
	for (size_t k = from > NEAR ? from - NEAR : 0; k < to + FAR && k < w->n; k++)
		if (lint_begins(w, k, verbs, ARRAY_LEN(verbs)))
			return lint_word(w, to, "of");
	return false;
}

/* burns 80 % of a core; 吃掉一个核的 80% */
static bool of_core(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const verbs[] = {"burns", "burn", "burned", "eats", "ate",
	                                    "uses",  "used", "takes",  "took", "costs",
	                                    "needs", "吃",   "占",     "烧",   "花"};
	static const char *const one[] = {"a", "one", "the"}, *const core[] = {"core", "cpu", "核",
	                                                                       "cpus"};
	enum { FAR = 7 };
	bool of = (lint_word(w, to, "of") && lint_begins(w, to + 1, one, 3) &&
	           lint_begins(w, to + 2, core, ARRAY_LEN(core))) ||
	          (from > 1 && lint_begins(w, from - 2, core, ARRAY_LEN(core)));
	static const char *const keeps[] = {"keep",   "reserve", "reserves", "limited",
	                                    "limits", "limit",   "capped",   "cap",
	                                    "leave",  "allow",   "allowed"};
	if (of && lint_word(w, to, "of") && lint_word(w, to + 1, "one"))
		return from == 0 || !lint_begins(w, from - 1, keeps,
		                                 ARRAY_LEN(keeps)); /* hogs 12 % of one core */
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
	enum { NEAR = 4 };
	if (lint_after(w, to, NEAR, LINT_PEAK | LINT_PERF | LINT_RESOURCE) < w->n)
		return false; /* a copy rate of 90 % of peak */
	for (size_t k = from; k > 1 && from - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (lint_begins(w, k - 1, words, ARRAY_LEN(words)))
			return lint_at(w, k - 2)->kind == LINT_WORD &&
			       (!lint_at(w, k - 2)->class || lint_is(w, k - 2, LINT_OTHER)) &&
			       !lint_begins(w, k - 2, ours, ARRAY_LEN(ours));
	return false;
}

/* 3 % of which are flaky; 95 % reads and 5 % writes; 95% 读: counted things, or a mix of them */
static bool of_a_mix(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const them[] = {"which", "them", "those", "these", "us", "you", "whom"};
	static const char *const mixed[] = {"reads",   "writes",  "gets",  "puts",    "updates",
	                                    "inserts", "deletes", "scans", "lookups", "读",
	                                    "写",      "更新",    "插入",  "查询",    "删除"};
	const unsigned perf = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_CYCLE | LINT_TIME;
	static const char *const deploys[] = {
	        "canary", "rollout",     "cohort",  "rolled",   "灰度",      "全量",
	        "放量",   "上线",        "removed", "excluded", "discarded", "剔除",
	        "排除",   "probability", "概率",    "几率",     "chance"};
	static const char *const keeps[] = {"keep", "reserve", "keeps", "reserves",
	                                    "留",   "预留",    "划出"};
	static const char *const polled[] = {"asked",  "surveyed", "developers", "respondents",
	                                     "people", "readers",  "users",      "问"};
	static const char *const did[] = {"use",  "have", "say", "said", "prefer",
	                                  "want", "know", "用",  "说",   "认为"};
	for (size_t k = from > 14 ? from - 14 : 0; k < to + 12 && k < w->n; k++)
		if (lint_begins(w, k, deploys, ARRAY_LEN(deploys)) ||
		    (k < from && lint_begins(w, to, did, ARRAY_LEN(did)) &&
		     lint_begins(w, k, polled, ARRAY_LEN(polled))))
			return true;
	for (size_t k = from; k > 0 && from - k < 3; k--)
		if (lint_begins(w, k - 1, keeps, ARRAY_LEN(keeps)))
			return true; /* keep 20 % of the disk free */
	if (lint_clause(w, from, perf) || lint_idles(w, to))
		return false;
	static const char *const sized[] = {"shrinks", "shrink", "shrank", "shrunk", "grows",
	                                    "grew",    "grown",  "swells", "swelled"};
	for (size_t k = from; k > 0 && from - k < 3; k--)
		if (lint_begins(w, k - 1, sized, ARRAY_LEN(sized)) &&
		    !lint_clause(w, from, LINT_FASTER))
			return true; /* the archive shrinks by 60 % */
	if (lint_word(w, to, "of") && lint_begins(w, to + 1, them, ARRAY_LEN(them)))
		return true;
	size_t verb = from - (from > 0);
	bool changes = lint_is(w, verb, LINT_FASTER | LINT_LARGER | LINT_COMPARES);
	const struct lint_token *t = lint_at(w, to + 1);
	bool ends = to + 1 >= w->n || lint_breaks(w, to + 1) || t->kind == LINT_SIGN ||
	            lint_word(w, to + 1, "and") ||
	            lint_begins(w, to + 1, (const char *const[]){"请求", "操作"}, 2);
	return !changes && ends && lint_begins(w, to, mixed, ARRAY_LEN(mixed));
}

/* set to 20 %; Leave 10 % headroom; 设为 20% */
static bool is_set(const struct lint_work *w, size_t from)
{
	static const char *const orders[] = {"leave", "use", "set",  "reserve",
	                                     "allow", "add", "keep", "留"};
	static const char *const sets[] = {"设为", "设成", "设置为", "配置为", "取", "设到"};
	static const char *const set[] = {"set", "configured", "fixed", "defaults"};
	if (from == 1 && lint_begins(w, 0, orders, ARRAY_LEN(orders)))
		return true;
	if (from > 0 && lint_begins(w, from - 1, sets, ARRAY_LEN(sets)))
		return true;
	return from > 1 && (lint_word(w, from - 1, "to") || lint_word(w, from - 1, "at")) &&
	       lint_begins(w, from - 2, set, ARRAY_LEN(set));
}

/* gains 5 % over the old code: the word at token k is no other thing that is counted */
static bool is_rewritten(const struct lint_work *w, size_t from, size_t k)
{
	static const char *const tests[] = {"tests", "code",     "issues",   "taken", "written",
	                                    "done",  "finished", "complete", "lines", "level",
	                                    "页",    "完成",     "代码",     "测试",  "提交"};
	return lint_begins(w, k, tests, ARRAY_LEN(tests)) &&
	       lint_before(w, from, 4, LINT_FASTER | LINT_PERF) < w->n;
}

/* True if the percentage at [from, to) is one of performance. */
static bool measures(const struct lint_work *w, size_t from, size_t to)
{
	enum { AFTER = 6, BEFORE = 9 };
	const unsigned perf = LINT_PERF | LINT_PEAK | LINT_RATIO | LINT_FASTER;
	static const char *const stores[] = {"disk", "disks", "ssd", "queue", "table", "volume"};
	for (size_t k = from; k > 0 && from - k < BEFORE && lint_word(w, to, "full"); k--)
		if (lint_begins(w, k - 1, stores, ARRAY_LEN(stores)))
			return false; /* what is stored */
	if (lint_word(w, to, "full") || lint_word(w, to, "empty"))
		return lint_before(w, from, BEFORE, LINT_RESOURCE | LINT_PERF) < w->n;
	static const char *const lost[] = {"hit", "penalty", "tax", "back"};
	bool of = from > 1 && lint_word(w, from - 1, "of");
	if (from > 0 && (of || lint_word(w, from - 1, "back")) &&
	    lint_begins(w, from - 1 - of, lost, ARRAY_LEN(lost)))
		return true; /* takes a hit of 8 % */
	if (is_other_rate(w, from, to) || is_set(w, from))
		return false;
	if (lint_before(w, from, 2, LINT_PERF | LINT_RATIO) < w->n ||
	    lint_of_memories(w, from, to + 1))
		return true;
	if (handles_more(w, from, to) || hides(w, from, to) || is_duration_zh(w, from) ||
	    of_core(w, from, to))
		return true;
	if (of_others(w, from, to) || of_a_mix(w, from, to))
		return false;
	if (lint_word(w, to, "more") && lint_word(w, to + 1, "out"))
		return true; /* gets 5 % more out of it */
	for (size_t k = to; k < to + AFTER && !lint_breaks(w, k); k++) {
		unsigned class = w->token[k].class;
		if (class & LINT_OTHER && !is_rewritten(w, from, k))
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
		if (class & LINT_OTHER && !(lint_word(w, k - 1, "level") && !lint_word(w, k, "of")))
			return false;
	}
	/* 20 % smaller, 60 % wide */
	size_t adjective = from - (from > 0);
	if (adjective > 0 && lint_begins(w, adjective, (const char *const[]){"了"}, 1))
		adjective--; /* 短了 20% */
	if (lint_is(w, to, LINT_LARGER) || (from > 0 && lint_is(w, adjective, LINT_LARGER) &&
	                                    w->token[adjective].kind == LINT_CJK))
		return lint_clause(w, from, perf | LINT_CYCLE) ||
		       lint_idles(w, from > 6 ? from - 6 : 0);
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
	if (lint_is(w, j, LINT_POINTS) && lint_before(w, i, 6, LINT_OTHER) == w->n &&
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
	                                    "花在", "编译",   "解析", "等待",   "吃掉",
	                                    "一步", "快",     "慢",   "耗"};
	if (!(str_is(s, "成") || str_is(s, "折")))
		return 0;
	bool timed = false;
	for (size_t k = i > 8 ? i - 8 : 0; k < i + 6 && k < w->n; k++)
		timed = timed || lint_begins(w, k, parts, ARRAY_LEN(parts));
	bool works_only =
	        timed || (i > 1 && lint_begins(w, i - 1, (const char *const[]){"的"}, 1) &&
	                  lint_begins(w, i - 2, works, ARRAY_LEN(works)));
	if (!works_only && !lint_clause(w, i, LINT_PERF | LINT_FASTER | LINT_PEAK | LINT_CYCLE))
		return 0;
	if (!measures(w, i, j + 1))
		return 0;
	return lint_add(w, i, j + 1, "a share of performance");
}
