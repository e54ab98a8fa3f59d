/*
 * Times and rates that somebody chose, and that nobody measured: a timeout, a lease, a limit. To
 * add a word, put it into the table of its kind, English or Chinese.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

/* What has a chosen time: it stands before the number, or right after it. */
static const char *const timers[] = {
        "timeout", "timeouts",  "retry",      "retries",    "poll",        "polls",
        "expires", "expire",    "valid",      "ttl",        "interval",    "intervals",
        "period",  "limit",     "lives",      "timer",      "timers",      "lease",
        "leases",  "watchdog",  "heartbeat",  "heartbeats", "keepalive",   "keepalives",
        "backoff", "silence",   "inactivity", "older",      "younger",     "renewed",
        "warmup",  "warm-up",   "warming",    "retention",  "retained",    "grace",
        "warm up", "debounce",  "cooldown",   "scraped",    "refreshed",   "rotated",
        "cron",    "cached",    "deadline",   "deadlines",  "cancelled",   "canceled",
        "cancels", "aborted",   "aborts",     "evicted",    "expired",     "hold",
        "nagle",   "linger",    "idle_for",   "超时",       "重试",        "轮询",
        "有效期",  "默认",      "定时器",     "租约",       "心跳",        "退避",
        "看门狗",  "静默",      "预热",       "保留",       "过期",        "到期",
        "有效",    "抓取",      "刷新",       "取消",       "断开",        "重启",
        "中止",    "终止",      "清掉",       "报警",       "续约",        "最近",
        "缓存期",  "保活",      "间隔",       "times out",  "timed out",   "promoted",
        "demoted", "killed",    "closed",     "closes",     "disconnects", "disconnected",
        "reboots", "reboot",    "restarts",   "restarted",  "保持",        "提升为",
        "切换到",  "关闭",      "退出",       "放弃",       "杀掉",        "掐断",
        "踢",      "by design", "on purpose", "故意",       "过时",        "淘汰",
        "复用",    "reused",    "回收",       "time out",   "采样",        "上报",
        "熔断器",  "breaker",   "close",      "sampled"};

/* What limits a rate. */
static const char *const limits[] = {
        "limit",  "limits", "limiter",  "limited_to",   "cap",         "caps",
        "capped", "quota",  "quotas",   "throttle",     "refills",     "refill",
        "限流",   "限流器", "bucket",   "令牌桶",       "限",          "配额",
        "放行",   "限速",   "最多允许", "rate limited", "rate-limited"};

/* Who runs an experiment for a chosen time. */
static const char *const trials[] = {"benchmark", "benchmarks", "test", "tests", "experiment",
                                     "trial",     "trials",     "each", "we",    "workload",
                                     "基准",      "测试",       "实验", "压测",  "每项"};

static bool is_near(const struct lint_work *w, size_t from, size_t to, const char *const *words,
                    size_t n)
{
	for (size_t k = from; k < to && k < w->n; k++)
		if (lint_begins(w, k, words, n))
			return true;
	return false;
}

/* The first token of the part of the sentence that token i is in, at most n tokens before it. */
static size_t part_start(const struct lint_work *w, size_t i, size_t n)
{
	size_t k = i;
	while (k > 0 && i - k < n && !lint_breaks(w, k - 1))
		k--;
	return k;
}

/* Seconds and longer: what people set, where a kernel takes microseconds. */
static bool is_long(const struct lint_work *w, size_t i)
{
	static const char *const units[] = {"s",       "sec",  "seconds", "second", "minute",
	                                    "minutes", "min",  "hours",   "hour",   "h",
	                                    "秒",      "分钟", "小时"};
	return IS(w, i, units);
}

/* every 15 s; 每 15 秒…一次: how often something is done, but not how often a token comes */
static bool is_cycle(const struct lint_work *w, size_t i, size_t unit)
{
	static const char *const works[] = {"token",     "tokens", "image", "images", "frame",
	                                    "frames",    "step",   "steps", "result", "results",
	                                    "iteration", "词",     "张",    "帧",     "步"};
	static const char *const every[] = {"every"}, *const each[] = {"每"},
	                         *const times[] = {"次"};
	enum { FAR = 8 };
	if (!is_long(w, unit) || i == 0 ||
	    is_near(w, part_start(w, i, FAR), unit + FAR, works, ARRAY_LEN(works)))
		return false;
	return IS(w, i - 1, every) ||
	       (IS(w, i - 1, each) && is_near(w, unit, unit + 2 * FAR, times, 1));
}

/* We ran each benchmark for 60 seconds; 每项基准跑 60 秒 */
static bool is_trial(const struct lint_work *w, size_t i, size_t unit)
{
	static const char *const ran[] = {"ran",    "run",    "runs", "measured", "measure",
	                                  "record", "tested", "跑",   "测"};
	enum { FAR = 8 };
	size_t from = part_start(w, i, FAR);
	return is_long(w, unit) && i > 0 && (lint_word(w, i - 1, "for") || IS(w, i - 1, ran)) &&
	       is_near(w, from, i, ran, ARRAY_LEN(ran)) &&
	       is_near(w, from, i, trials, ARRAY_LEN(trials));
}

/* reaped after 75 seconds; stale for one minute; 75 秒后回收: a delay, unless something is done
 * then */
static bool is_delay(const struct lint_work *w, size_t i, size_t unit)
{
	static const char *const ends[] = {
	        "finish",    "finishes",  "finished",  "done",      "answers",   "answered",
	        "returns",   "returned",  "complete",  "completes", "completed", "responds",
	        "converges", "converged", "throttles", "runs",      "stalls",    "blocks",
	        "waits",     "spins",     "hangs",     "hung",      "pauses",    "paused",
	        "busy",      "locked",    "queue",     "stuck",     "compiles",  "compiled",
	        "ran",       "runtime",   "stall",     "blocked",   "frozen",    "takes",
	        "took",      "came",      "comes",     "arrives",   "arrived",   "返回",
	        "完成",      "跑完",      "答",        "结束",      "收敛",      "才",
	        "出",        "耗时",      "算完"};
	static const char *const before[] = {"after", "for"}, *const after[] = {"后", "之后",
	                                                                        "以后", "内"};
	enum { FAR = 10 };
	size_t k = i;
	while (k > 0 && (lint_is(w, k - 1, LINT_ABOUT) || lint_sign(w, k - 1, '~')))
		k--;
	bool delays = (k > 0 && IS(w, k - 1, before)) || IS(w, unit + 1, after);
	bool counts = lint_after(w, unit + 2, 4, LINT_NUMBER) < w->n || /* 一秒内有 150 万行 */
	              lint_at(w, unit + 2)->kind == LINT_DIGITS ||
	              lint_at(w, unit + 3)->kind == LINT_DIGITS;
	return delays && !counts && is_long(w, unit) &&
	       !is_near(w, i > FAR ? i - FAR : 0, unit + FAR, ends, ARRAY_LEN(ends)) &&
	       !lint_clause(w, i, LINT_PERF | LINT_FASTER);
}

/* the last 24 hours */
static bool is_past(const struct lint_work *w, size_t i, size_t unit)
{
	static const char *const last[] = {"last", "past", "next", "previous"};
	static const char *const the[] = {"the", "for"};
	return i > 1 && is_long(w, unit) && IS(w, i - 1, last) && IS(w, i - 2, the);
}

/* 每分钟醒一次, 一小时断了两次: how often something happens, in minutes and hours */
static bool is_event(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const units[] = {"分钟", "小时"}, *const times[] = {"次"};
	enum { FAR = 5 };
	if (IS(w, j, times) && lint_is(w, j - 1, LINT_NUMBER))
		return is_near(w, part_start(w, i, FAR), i, units, ARRAY_LEN(units));
	for (size_t k = j + 1; IS(w, j, units) && k < j + FAR; k++)
		if (lint_is(w, k, LINT_NUMBER) && IS(w, k + 1, times))
			return true;
	return false;
}

/* a restart takes 3 s, 预热要两秒: whatever has a timer, its work takes time, and that is measured
 */
static bool is_spent(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"takes",  "take",     "took",     "cost", "costs",
	                                    "needs",  "need",     "add",      "adds", "added",
	                                    "wastes", "averages", "averaged", "要",   "花",
	                                    "用",     "耗",       "卡",       "等",   "多"};
	static const char *const works[] = {"restarts", "restarted", "reboots", "rebooted"};
	size_t k = i;
	while (k > 0 && lint_is(w, k - 1, LINT_ABOUT) && !IS(w, k - 1, verbs))
		k--;
	if (k > 1 && lint_word(w, k - 1, "in") && IS(w, k - 2, works))
		return true;
	return k > 0 && IS(w, k - 1, verbs);
}

/* 10 minutes old, two hours ago; not: in 2 ms what took the old one 50 */
static bool is_aged(const struct lint_work *w, size_t from, size_t to)
{
	static const char *const aged[] = {"old", "ago", "前的"}, *const the[] = {"the", "than",
	                                                                          "an"};
	for (size_t k = from; k < to && k < w->n; k++)
		if (IS(w, k, aged) && !IS(w, k - 1, the))
			return true;
	return false;
}

/* may hold its lock for 10 seconds; 最多落后 30 秒; queries above 5 s go to the log; live for 60 s
 */
static bool is_bound(const struct lint_work *w, size_t i, size_t unit)
{
	static const char *const may[] = {"may", "最多", "live", "lives"};
	static const char *const above[] = {"above", "超过"};
	static const char *const then[] = {"go", "goes", "are", "get", "land", "就", "会", "则"};
	static const char *const cached[] = {"缓存"};
	enum { FAR = 7 };
	if (!is_long(w, unit) || i == 0)
		return false;
	return is_near(w, i > FAR ? i - FAR : 0, i, may, ARRAY_LEN(may)) ||
	       (IS(w, i - 1, above) && IS(w, unit + 1, then)) || IS(w, i - 1, cached);
}

/* Runs in 3 ms, arrive after 3 ms, is 3 ms slower: whatever else the sentence says, it took that */
static bool is_taken(const struct lint_work *w, size_t i, size_t unit)
{
	static const char *const after[] = {"after", "within"};
	static const char *const due[] = {"expires", "expire",  "expired",   "due",      "retry",
	                                  "retries", "retried", "times out", "time out", "closes",
	                                  "begins",  "starts",  "opens",     "ends",     "rotates",
	                                  "renewed", "again",   "back"};
	static const char *const ends[] = {"arrive",  "arrives", "arrived",  "return",
	                                   "returns", "finish",  "finishes", "ready"};
	static const char *const than[] = {"slower", "faster", "longer", "quicker", "less", "more"};
	size_t k = i;
	while (k > 0 && lint_is(w, k - 1, LINT_ABOUT) && !lint_word(w, k - 1, "within"))
		k--;
	if (k > 1 && lint_word(w, k - 1, "in"))
		return !IS(w, k - 2, due);
	if (k > 1 && IS(w, k - 1, after))
		return IS(w, k - 2, ends);
	static const char *const done[] = {"跑完", "完成", "返回", "做完", "算完", "结束"};
	static const char *const times[] = {"每次"};
	if (IS(w, unit + 1, done) || (k > 1 && IS(w, k - 2, times)) ||
	    (k > 0 && IS(w, k - 1, times)))
		return true;
	return IS(w, unit + 1, than);
}

/* Timeout: 30 s; the default is 100 ms; TTL = 300 s */
static bool is_default(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const be[] = {"is", "was", "of", "to", "are"};
	static const char *const words[] = {"default", "defaults"};
	static const char *const set[] = {"timeout",  "ttl",       "interval", "limit",
	                                  "deadline", "lease",     "period",   "backoff",
	                                  "grace",    "keepalive", "cooldown", "retention"};
	size_t k = i;
	while (k > 0 && lint_is(w, k - 1, LINT_ABOUT))
		k--;
	if (k > 1 && (lint_sign(w, k - 1, ':') || lint_sign(w, k - 1, '=')) && IS(w, k - 2, set))
		return true;
	if (k > 1 && IS(w, k - 1, be) && IS(w, k - 2, words))
		return true;
	return k > 0 && ((lint_word(w, j + 1, "by") && lint_word(w, j + 2, "default")) ||
	                 IS(w, k - 1, words));
}

/* Sound at 48 kHz, a screen of 60 Hz, a charger of 65 W: what things are made for */
static bool is_made_for(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const waves[] = {"hz", "khz"};
	static const char *const media[] = {
	        "audio",  "sound",  "video",       "monitor",       "display",   "screen",
	        "camera", "timer",  "tick",        "ticks",         "sampled",   "sensor",
	        "jiffy",  "音频",   "视频",        "显示器",        "屏幕",      "采样",
	        "中断",   "传感器", "sample rate", "sampling rate", "interrupts"};
	static const char *const watts[] = {"w", "watt", "watts", "kw", "wh", "瓦"};
	static const char *const supply[] = {"charger", "psu",    "supply", "battery", "bulb",
	                                     "电源",    "充电器", "电池",   "灯泡",    "adapter"};
	enum { FAR = 8 };
	size_t from = i > FAR ? i - FAR : 0;
	return (IS(w, j, waves) && is_near(w, from, j + FAR, media, ARRAY_LEN(media)) &&
	        !lint_clause(w, i, LINT_FASTER)) ||
	       (IS(w, j, watts) && is_near(w, from, j + FAR, supply, ARRAY_LEN(supply)));
}

bool lint_is_setting(const struct lint_work *w, size_t i, size_t j)
{
	enum { BEFORE = 10, AFTER = 7, FAR = 24 };
	if (is_default(w, i, j) || is_made_for(w, i, j))
		return true;
	size_t unit = lint_is(w, j, LINT_TIME) ? j : j + 1;
	size_t from = part_start(w, i, BEFORE);
	static const char *const clocks[] = {"mhz", "ghz", "megahertz", "gigahertz", "hz", "khz"};
	bool rate = lint_is(w, j, LINT_RATE | LINT_SIZE) || lint_is(w, j + 1, LINT_PER | LINT_RATE);
	static const char *const met[] = {"reached", "reaches", "hit", "hits"};
	bool reached =
	        is_near(w, from, i, met, ARRAY_LEN(met)); /* the limit is reached at 3 TB/s */
	if (rate && !reached && !IS(w, j, clocks) && is_near(w, from, i, limits, ARRAY_LEN(limits)))
		return true;
	if (is_event(w, i, j))
		return true;
	if (lint_is(w, j - 1, LINT_NUMBER) && i > 0 && lint_is(w, i - 1, LINT_MOMENT))
		return is_near(w, from, i, timers, ARRAY_LEN(timers)); /* 心跳每秒一次 */
	if (!lint_is(w, unit, LINT_TIME) || is_spent(w, i) || is_taken(w, i, unit))
		return false;
	/* nobody sets timers in microseconds, but those that poll */
	static const char *const tiny[] = {"µs",           "us",          "ns",
	                                   "microseconds", "microsecond", "nanoseconds",
	                                   "nanosecond",   "微秒",        "纳秒"};
	static const char *const set[] = {"timeout", "timer", "poll", "polls", "polling", "backoff",
	                                  "sleeps",  "sleep", "超时", "轮询",  "定时器",  "退避"};
	if (IS(w, unit, tiny) && !is_near(w, from, unit + AFTER, set, ARRAY_LEN(set)))
		return false;
	static const char *const tokens[] = {"token", "tokens", "词元"};
	if (!is_long(w, unit) && is_near(w, from, i, tokens, ARRAY_LEN(tokens)))
		return false; /* token 间隔九毫秒 */
	static const char *const delays[] = {"backoff", "退避"};
	if (is_near(w, i > FAR ? i - FAR : 0, i, delays, ARRAY_LEN(delays)))
		return true;
	size_t to = unit + 1;
	while (to < unit + AFTER && !lint_breaks(w, to))
		to++;
	return is_near(w, from, i, timers, ARRAY_LEN(timers)) ||
	       is_near(w, unit, to, timers, ARRAY_LEN(timers)) || is_aged(w, unit + 1, to) ||
	       is_cycle(w, i, unit) || is_trial(w, i, unit) || is_bound(w, i, unit) ||
	       is_delay(w, i, unit) || is_past(w, i, unit);
}

bool lint_backs_off(const struct lint_work *w, size_t i)
{
	enum { FAR = 24 };
	static const char *const words[] = {"retry", "retries", "backoff", "重试", "退避"};
	return is_near(w, i > FAR ? i - FAR : 0, i + FAR, words, ARRAY_LEN(words));
}
