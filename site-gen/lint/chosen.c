/*
 * More numbers that somebody chose (setting.c has timers and limits): how often something is
 * sampled or flushed, the load that a test offers, delays that were injected, a rating on a label,
 * the clock in a list of hardware, times of people and of logs. To add a word, put it into the
 * table of its kind; to add a kind, write a function and name it in lint_is_chosen().
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))
#define NEAR(w, from, to, list) lint_is_near((w), (from), (to), (list), ARRAY_LEN(list))

enum { BEFORE = 12, AFTER = 9 };

/* What a program does at times that somebody chose. */
static const char *const upkeep[] = {
        "flush",      "flushed",    "flushes",   "poll",       "polls",      "polled",
        "fires",      "fire",       "fired",     "wakes",      "wake",       "checks",
        "check",      "checked",    "scrape",    "scrapes",    "scraped",    "report",
        "reports",    "reported",   "sync",      "syncs",      "synced",     "synchronized",
        "refresh",    "refreshes",  "collected", "collects",   "rotate",     "rotates",
        "saved",      "logs",       "logged",    "pings",      "ping",       "sampled",
        "samples",    "sample",     "snapshot",  "snapshots",  "probe",      "probes",
        "publish",    "publishes",  "published", "prints",     "printed",    "update",
        "updates",    "updated",    "trigger",   "triggers",   "triggered",  "heartbeat",
        "heartbeats", "timer",      "tick",      "ticks",      "checkpoint", "checkpoints",
        "gossip",     "gossips",    "announces", "interrupts", "打断",       "拍",
        "advertised", "advertises", "cron",      "rebalances", "rebalanced", "recorded",
        "taken",      "刷",         "落盘",      "轮询",       "检查",       "唤醒",
        "醒",         "上报",       "同步",      "刷新",       "采集",       "采样",
        "采一次",     "快照",       "心跳",      "打印",       "更新",       "触发",
        "探测",       "推送",       "拉取",      "汇报",       "写盘",       "广播",
        "备份",       "检测",       "巡检",      "清理",       "轮换",       "校准",
        "对时",       "扫一次"};

/* every 5 ms, 每 5 毫秒: how often the upkeep is done */
static bool is_upkeep(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const every[] = {"every", "per"}, *const each[] = {"每", "每隔"};
	size_t k = i;
	while (k > 0 && lint_is(w, k - 1, LINT_ABOUT))
		k--;
	bool often = k > 0 &&
	             (IS(w, k - 1, every) || IS(w, k - 1, each) || (k > 1 && IS(w, k - 2, each)));
	bool once = lint_is(w, i - (i > 0), LINT_MOMENT) &&
	            NEAR(w, j, j + 1, ((const char *const[]){"次"})); /* 每秒上报一次 */
	bool then = IS(w, j + 1, ((const char *const[]){"就"})) && lint_is(w, j, LINT_TIME);
	return (often || once || then) && NEAR(w, lint_part_start(w, i, BEFORE), j + AFTER, upkeep);
}

/* sampled at 99 Hz, a timer interrupt at 250 Hz, encoded at 30 fps */
static bool is_sampled(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const units[] = {"hz",   "khz", "hertz", "kilohertz", "fps",
	                                    "赫兹", "赫",  "千赫",  "帧"};

	static const char *const words[] = {
	        "sampled",   "sampling",   "sample",   "samples",  "refresh",  "refreshes",
	        "encoded",   "encode",     "recorded", "records",  "filmed",   "timer",
	        "timers",    "preemption", "抢占",     "happens",  "tick",     "ticks",
	        "interrupt", "interrupts", "screen",   "screens",  "display",  "displays",
	        "monitor",   "monitors",   "audio",    "streamed", "polls",    "polled",
	        "mains",     "camera",     "video",    "profiler", "perf",     "jiffies",
	        "采样",      "刷新",       "编码",     "录制",     "时钟中断", "中断",
	        "定时",      "屏幕",       "显示器",   "音频",     "视频",     "摄像头",
	        "市电",      "轮询",       "画面"};
	static const char *const loud[] = {"encodes", "decodes", "reach", "reaches", "runs",
	                                   "ran",     "renders", "解码",  "达到",    "跑到",
	                                   "只有",    "能",      "到"};
	static const char *const sensors[] = {"sensor", "sensors", "microphone", "meter",
	                                      "adc",    "camera",  "cameras",    "传感器",
	                                      "摄像头", "麦克风"};
	size_t from = lint_part_start(w, i, BEFORE);
	if (NEAR(w, from, i, sensors) &&
	    (lint_is(w, j, LINT_RATE | LINT_SIZE) || lint_is(w, j + 1, LINT_PER)))
		return true;
	if (NEAR(w, from, i, loud))
		return false;
	return IS(w, j, units) && NEAR(w, from, j + AFTER, words);
}

/* The harness sends 1,000 requests per second; arrivals at 50 per second; 以固定速率每秒发 1000 个
 */
static bool is_offered(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const offer[] = {
	        "harness",  "generator", "offered",  "offer",      "offers",   "arrival",
	        "arrivals", "poisson",   "replay",   "replays",    "replayed", "synthetic",
	        "injects",  "injected",  "schedule", "固定速率",   "恒定速率", "到达率",
	        "发压",     "匀速",      "ramps",    "ramp",       "ramped",   "load test",
	        "负载是",   "负载为",    "升压",     "加压",       "压测在",   "泊松",
	        "回放",     "压测工具",  "压力机",   "负载生成器", "发包器",   "打流"};
	static const char *const fixed[] = {"fixed", "constant", "steady", "固定", "恒定", "匀"};
	static const char *const sends[] = {"send",   "sends",  "sent",     "issue",
	                                    "issues", "issued", "generate", "generates",
	                                    "发",     "打",     "送",       "产生"};
	static const char *const until[] = {"until",  "before", "fails", "handles", "sustains",
	                                    "serves", "keeps",  "处理",  "扛",      "直到"};
	bool rate = lint_is(w, j, LINT_RATE | LINT_SIZE) ||
	            lint_is(w, j + 1, LINT_PER | LINT_RATE | LINT_SIZE) ||
	            lint_before(w, i, 6, LINT_MOMENT) < w->n;
	size_t from = lint_part_start(w, i, BEFORE), to = j + AFTER;
	if (rate && i > 1 && lint_word(w, i - 1, "of") && lint_word(w, i - 2, "load"))
		return true;
	return rate && !NEAR(w, from, to, until) &&
	       (NEAR(w, from, to, offer) || (NEAR(w, from, to, fixed) && NEAR(w, from, i, sends)));
}

/* 50 ms of delay was injected; the emulated link has 100 Mbit/s; 用 netem 加了 50 毫秒 */
static bool is_injected(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const words[] = {
	        "inject",    "injects", "injected", "emulate",    "emulates",
	        "emulated",  "netem",   "emulator", "artificial", "artificially",
	        "synthetic", "mocked",  "sleep",    "sleeps",     "throttled to",
	        "注入",      "人为",    "netem",    "人工",       "故意",
	        "仿真",      "tc"};
	static const char *const simulate[] = {"simulate", "simulates", "simulated", "simulating",
	                                       "模拟"};
	static const char *const what[] = {"link", "network", "latency", "delay",   "disk", "wan",
	                                   "user", "users",   "client",  "clients", "slow", "链",
	                                   "网",   "延",      "丢",      "磁",      "慢",   "带",
	                                   "用户", "弱网",    "往返",    "a"};
	size_t from = lint_part_start(w, i, BEFORE), to = j + AFTER;
	for (size_t k = from > 4 ? from - 4 : 0; k < to && k < w->n; k++)
		if (IS(w, k, words) ||
		    (IS(w, k, simulate) && (IS(w, k + 1, what) || IS(w, k + 2, what))))
			return true;
	return false;
}

/* rated at 750 W: what a label says */
static bool is_label(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const nouns[] = {
	        "power supply", "psu",  "ups",    "charger", "adapter", "fuse", "supply",
	        "battery",      "电源", "充电器", "适配器",  "电池",    "插座"};
	return (lint_is(w, j, LINT_POWER) || lint_is(w, j + 1, LINT_POWER)) &&
	       NEAR(w, lint_part_start(w, i, BEFORE), j + 3, nouns);
}

/* 16 cores at 3.2 GHz, 64 GB; 两路 28 核 2.6 GHz: a list of hardware */
static bool is_hardware(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const clocks[] = {"ghz", "mhz"};
	static const char *const parts[] = {"cores",      "core", "cpu",    "cpus",  "processor",
	                                    "processors", "xeon", "epyc",   "xeons", "sockets",
	                                    "ryzen",      "核",   "处理器", "主频",  "双路"};
	static const char *const moves[] = {"run",   "runs",  "ran",   "boost",  "boosts", "drops",
	                                    "drop",  "falls", "clock", "clocks", "locked", "reach",
	                                    "stays", "holds", "降",    "升",     "掉",     "跑"};
	size_t from = lint_part_start(w, i, BEFORE);
	if (!IS(w, j, clocks))
		return false;
	static const char *const clock[] = {"clock", "frequency", "base clock"};
	if (i > 1 && lint_word(w, i - 1, "of") && IS(w, i - 2, clock))
		return NEAR(w, i > BEFORE ? i - BEFORE : 0, i, parts);
	if (NEAR(w, from, i, moves))
		return false;
	static const char *const fixed[] = {"fixed", "固定"};
	if (i > 1 && (IS(w, i - 2, fixed) || (i > 2 && IS(w, i - 3, fixed))))
		return true; /* fixed at 2.4 GHz */
	if (i > 1 && (lint_word(w, i - 1, "at") || lint_word(w, i - 1, "with")))
		return IS(w, i - 2, parts);
	return lint_at(w, from)->kind == LINT_CJK && NEAR(w, from, i, parts);
}

/* Seconds and longer, which people spend and logs cover. */
static bool is_long(const struct lint_work *w, size_t i)
{
	static const char *const units[] = {"s",       "seconds", "second", "minute",
	                                    "minutes", "min",     "hours",  "hour",
	                                    "h",       "秒",      "分钟",   "小时"};
	return IS(w, i, units);
}

/* a 10 Gbit/s link, 25 Gbit/s 网卡: the name of a part; traffic shaped to 50 Mbit/s */
static bool is_part(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const bits[] = {"gbit", "mbit", "gbps", "mbps",
	                                   "gbe",  "gb",   "kbit", "gigabit"};
	static const char *const parts[] = {
	        "link",     "links",  "network",   "nic",     "nics",       "card",
	        "port",     "ports",  "uplink",    "uplinks", "connection", "line",
	        "ethernet", "switch", "interface", "网卡",    "网络",       "端口",
	        "专线",     "链路",   "交换机",    "网口",    "宽带"};
	static const char *const shaped[] = {"shaped",    "shape", "limited", "policed", "recorded",
	                                     "throttled", "整形",  "限制",    "限到",    "capped"};
	if (!IS(w, j, bits) && !lint_is(w, j, LINT_RATE))
		return false;
	size_t end = j + 1;
	while (end < j + 3 && (lint_sign(w, end, '/') || lint_is(w, end, LINT_MOMENT)))
		end++;
	bool clock = i > 1 && IS(w, j, bits) &&
	             (lint_word(w, i - 1, "to") || lint_word(w, i - 1, "at")) &&
	             IS(w, i - 2, shaped);
	size_t from = lint_part_start(w, i, BEFORE);
	return clock || IS(w, end, parts) ||
	       (lint_at(w, i > 0 ? i - 1 : w->n)->kind == LINT_CJK && NEAR(w, from, i, shaped));
}

/* An alert fires above 500 ms, CPU 超过 70% 时自动扩容: a threshold */
static bool is_alert(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "alert",     "alerts",    "alarm",   "alarms",   "autoscaler", "pager",
	        "scale out", "threshold", "报警",    "clamped",  "clamp",      "按时",
	        "gate",      "gates",     "rejects", "rejected", "门禁",       "criterion",
	        "cutoff",    "anything",  "告警",    "扩容",     "缩容",       "伸缩",
	        "阈值",      "警报"};
	enum { FAR = 16 };
	for (size_t k = i > FAR ? i - FAR : 0; k < i + FAR && k < w->n; k++)
		if (IS(w, k, words) || (lint_word(w, k, "scale") && lint_word(w, k + 1, "out")))
			return true;
	return false;
}

/* We wait 200 ms before we retry; zooms into the first 200 ms; one point per minute */
static bool is_decided(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const wait[] = {"wait", "waits", "sleep", "sleeps", "pause", "pauses"};
	static const char *const who[] = {"we", "client", "clients", "i", "you"};
	static const char *const cut[] = {
	        "cut",     "skip",  "skipped", "drop", "discard", "discarded", "ignore",
	        "ignored", "zooms", "zoom",    "trim", "cuts",    "exclude",   "切掉",
	        "放大",    "跳过",  "丢弃",    "去掉", "不算",    "剪掉",      "忽略"};
	static const char *const first[] = {"first", "last", "前", "最后", "头"};
	static const char *const point[] = {"point", "points", "个点",  "点",
	                                    "转",    "dot",    "pixel", "revolutions"};
	size_t from = lint_part_start(w, i, BEFORE);
	if (i > 1 && IS(w, i - 1, wait) && IS(w, i - 2, who) && !lint_word(w, j + 1, "for"))
		return true;
	if (i > 0 && IS(w, i - 1, ((const char *const[]){"等"})) &&
	    IS(w, j + 1, ((const char *const[]){"再"})))
		return true;
	static const char *const swept[] = {"varied", "swept", "变到", "遍历"};
	if (NEAR(w, from, i, swept))
		return true;
	if (i > 0 && IS(w, i - 1, first) && NEAR(w, from, i, cut))
		return true;
	return IS(w, j, point) &&
	       (lint_is(w, j + 1, LINT_PER) || lint_before(w, i, 3, LINT_MOMENT) < w->n);
}

static bool is_timed(const struct lint_work *w, size_t j)
{
	return lint_is(w, j, LINT_TIME | LINT_TIMES) || lint_is(w, j + 1, LINT_TIME);
}

/* 20 minutes late; covers 24 hours of traffic; five failures within 10 s: no program's time */
static bool is_span(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const covers[] = {"covers",   "cover",   "covered",  "spans",
	                                     "spanning", "spanned", "covering", "覆盖",
	                                     "涵盖",     "横跨",    "跨度"};
	static const char *const of[] = {"traffic", "logs",   "audio",      "video",
	                                 "history", "data",   "footage",    "samples",
	                                 "music",   "speech", "recordings", "的日志",
	                                 "的流量",  "录音",   "音频",       "视频"};
	static const char *const late[] = {"late", "early", "delayed", "晚点", "迟到", "早到"};
	static const char *const events[] = {"failures", "errors", "failure", "attempts",
	                                     "crashes",  "failed", "失败",    "错误",
	                                     "出错",     "崩溃",   "掉线"};
	static const char *const within[] = {"within", "in"}, *const inside[] = {"内", "之内",
	                                                                         "里"};
	size_t unit = lint_sign(w, j, '-') ? j + 1 : j, from = lint_part_start(w, i, BEFORE);
	static const char *const holds[] = {"holds", "hold", "buffers", "stores", "存", "装"};
	if (IS(w, unit + 2, of) && NEAR(w, from, i, holds))
		return true; /* holds 50 ms of audio */
	if (!is_long(w, unit))
		return false;
	static const char *const runs[] = {"runs", "repetitions", "每次", "每轮", "每遍"};
	static const char *const mean[] = {"mean", "median", "average", "平均", "中位", "取",
	                                   "重复", "each",   "跑",      "测",   "停"};
	if (((i > 1 && lint_word(w, i - 1, "of") && IS(w, i - 2, runs)) ||
	     (i > 0 && (IS(w, i - 1, runs) || (i > 1 && IS(w, i - 2, runs))))) &&
	    (NEAR(w, from, i, mean) || NEAR(w, unit, unit + AFTER, mean)))
		return true; /* the mean of 50 runs of 10 s */
	static const char *const pause[] = {"pause", "pauses", "break", "中间停", "歇", "暂停"};
	if ((i > 1 && lint_word(w, i - 1, "of") && IS(w, i - 2, pause)) ||
	    (i > 0 && IS(w, i - 1, pause)))
		return true;
	static const char *const away[] = {"from", "away", "walk", "drive", "ride"};
	static const char *const way[] = {"车站", "路程", "步行", "通勤", "开车", "走路"};
	if ((IS(w, unit + 1, away) && i > 0 &&
	     (lint_is_be(w, i - 1) || lint_word(w, i - 1, "a"))) ||
	    NEAR(w, from, i, way))
		return true; /* 15 minutes from the station */
	if (IS(w, unit + 1, late) ||
	    NEAR(w, from, i, ((const char *const[]){"晚点", "迟到", "误点"})))
		return true;
	size_t k = i;
	while (k > 0 && (lint_is(w, k - 1, LINT_ABOUT) || lint_word(w, k - 1, "the")))
		k--;
	if (k > 0 && (IS(w, k - 1, covers) || (k > 1 && IS(w, k - 2, covers))))
		return true;
	bool held = (lint_word(w, unit + 1, "of") && IS(w, unit + 2, of)) || IS(w, unit + 1, of);
	if (held && !NEAR(w, from, w->n < unit + 12 ? w->n : unit + 12,
	                  ((const char *const[]){"in", "takes", "took", "per"})))
		return true;
	bool window = (i > 0 && IS(w, i - 1, within)) || IS(w, unit + 1, inside);
	return window && NEAR(w, from, unit + AFTER, events);
}

/* Light travels 30 cm in a nanosecond: no program's time */
static bool is_nature(const struct lint_work *w, size_t i)
{
	static const char *const things[] = {
	        "light",  "sound",  "earth", "moon",    "sun",      "lightning", "heart", "eye",
	        "human",  "humans", "blink", "光一",    "光每",     "光在",      "光走",  "声音",
	        "地球",   "月球",   "太阳",  "人眼",    "心跳一次", "眨",        "人能",  "人类",
	        "太阳光", "people", "spins", "rotates", "gps",      "utc",       "leap"};
	static const char *const speed[] = {"光速", "光标", "光线", "光追", "光栅",
	                                    "光照", "光是", "光学", "光刻"};
	size_t from = lint_part_start(w, i, BEFORE);
	for (size_t k = from; k < i; k++)
		if (IS(w, k, things) && !IS(w, k, speed))
			return lint_at(w, k)->kind == LINT_WORD ? !lint_word(w, k + 1, "of")
			                                        : k == from;
	return false;
}

/* a 5 ms window, set to 5 s, 时间片是 4 毫秒: the number of a parameter */
static bool is_parameter(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const words[] = {
	        "slice",     "timeslice", "quantum",  "granularity", "cadence",    "configured",
	        "default",   "defaults",  "tunable",  "parameter",   "window",     "windows",
	        "slot",      "slots",     "think",    "bucket",      "buckets",    "bin",
	        "bins",      "思考时间",  "截止",     "tick",        "ticks",      "jiffy",
	        "jitter of", "时间片",    "窗口",     "粒度",        "设为",       "设成",
	        "设置为",    "配置为",    "配成",     "调成",        "取值",       "参数",
	        "默认",      "节拍",      "时间窗",   "设定",        "resolution", "resolve",
	        "resolved",  "precision", "resolves", "分辨",        "精度",       "精确",
	        "每槽",      "每格",      "槽",       "epsilon"};
	static const char *const names[] = {"dns", "name", "address", "symbol", "host", "域名"};
	static const char *const set[] = {"set", "fixed", "capped"};
	size_t unit = lint_is(w, j, LINT_TIME) ? j : j + 1, from = lint_part_start(w, i, BEFORE);
	if (!lint_is(w, unit, LINT_TIME) || lint_spends(w, i))
		return false;
	for (size_t k = from; k < i; k++)
		if (IS(w, k, set) && (lint_word(w, k + 1, "to") || lint_word(w, k + 1, "at")))
			return true;
	static const char *const resolve[] = {"resolve", "resolved", "resolves", "resolution",
	                                      "分辨"};
	bool named = NEAR(w, from, i, words) || NEAR(w, unit, unit + 3, words) ||
	             NEAR(w, unit, unit + AFTER, resolve);
	return named && !NEAR(w, from, i, names) && lint_before(w, i, BEFORE, LINT_FASTER) == w->n;
}

/* 超过 10 毫秒就算 bug: a threshold */
static bool is_bound(const struct lint_work *w, size_t j)
{
	static const char *const counts[] = {"就算"};
	static const char *const done[] = {"就算完", "就算出", "就算好"}; /* 5 毫秒就算完 */
	return (IS(w, j + 1, counts) && !IS(w, j + 1, done)) ||
	       (IS(w, j + 2, counts) && !IS(w, j + 2, done));
}

bool lint_is_chosen(const struct lint_work *w, size_t i, size_t j)
{
	return lint_word(w, j + 2, "default") || is_alert(w, i) || is_bound(w, j) ||
	       is_part(w, i, j) || is_decided(w, i, j) || is_upkeep(w, i, j) ||
	       is_sampled(w, i, j) || is_offered(w, i, j) || is_injected(w, i, j) ||
	       is_label(w, i, j) || is_hardware(w, i, j) || is_span(w, i, j) ||
	       is_parameter(w, i, j) || (is_timed(w, j) && is_nature(w, i));
}
