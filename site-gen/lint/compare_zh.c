/*
 * The Chinese grammar of comparisons without a number, as compare_en.c has the English one.
 * A word of the class LINT_COMPARES or LINT_FASTER starts it:
 *
 *   a word of victory compares by itself            持平, 胜过, 快得多
 *   快 and 慢 are predicates, or 比 goes before       比 cuBLAS 快, 更慢
 *   a superlative is a predicate, or 是 goes before   最快, 是最快的内核
 *   a word of degree or change has a measure         延迟更低, 降低了延迟, 带宽超过
 *
 * To add a word, put it into a list here and into the class LINT_COMPARES of zh.c.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

static const char *const measures[] = {
        "带宽", "吞吐", "速度",   "性能", "时间", "耗时",   "用时",     "延迟",   "时延", "效率",
        "能耗", "功耗", "频率",   "开销", "周期", "利用率", "占用率",   "算力",   "速率", "代价",
        "能效", "时长", "扩展性", "响应", "表现", "启动",   "查询时间", "命中率", "访存", "goodput",
        "p99",  "p95",  "p50",    "qps",  "tps",  "ttft",   "mfu",      "iops"};

static const char *const rivals[] = {"内核", "版本", "变体",   "库",     "实现", "引擎",
                                     "框架", "算法", "数据库", "编译器", "模型", "缓存",
                                     "索引", "方案", "解释器", "链接器", "服务"};

/* The nearest measure before token i, in its part of the sentence; w->n if there is none. */
static size_t measure_before(const struct lint_work *w, size_t i, size_t n)
{
	for (size_t k = i; k > 0 && i - k < n && !lint_breaks(w, k - 1); k--)
		if (IS(w, k - 1, measures))
			return k - 1;
	return w->n;
}

static bool measure_after(const struct lint_work *w, size_t i, size_t n)
{
	for (size_t k = i; k < i + n && !lint_breaks(w, k) && !lint_sign(w, k, '.'); k++)
		if (IS(w, k, measures))
			return true;
	return false;
}

/* True if one of the words stands before token i, in its part of the sentence. */
static bool said_before(const struct lint_work *w, size_t i, const char *const *words, size_t n)
{
	enum { NEAR = 12 };
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (lint_begins(w, k - 1, words, n))
			return true;
	return false;
}

static bool phrase_ends(const struct lint_work *w, size_t i)
{
	if (lint_sign(w, i, ',') &&
	    str_is(str_sub(w->text, w->token[i].start, w->token[i].end), "、"))
		return false; /* 更快、更大的内存 */
	static const char *const words[] = {"了",   "些",   "一些", "一点", "很多",
	                                    "得多", "明显", "不少", "很大"};
	return lint_breaks(w, i) || lint_sign(w, i, '.') || IS(w, i, words);
}

/* GCC 生成的代码仍然更好: a name goes before */
static bool named_before(const struct lint_work *w, size_t i)
{
	enum { NEAR = 10 };
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (lint_is_name(w, k - 1))
			return true;
	return false;
}

/* 走 IPv6 略快: does a Latin word, in Chinese mostly a technique, go before? */
static bool latin_before(const struct lint_work *w, size_t i)
{
	for (size_t k = i; k > 0 && !lint_breaks(w, k - 1); k--)
		if (lint_at(w, k - 1)->kind == LINT_WORD)
			return true;
	return false;
}

/* 收益微乎其微, 性能差距非常大; 带来了不错的提速 */
static bool amounts(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {"收益", "提升", "改善", "效果", "加速", "差距",
	                                    "差异", "差别", "优势", "提速", "增益", "帮助"};
	static const char *const degree[] = {"微乎其微", "明显", "显著", "巨大", "很大", "可观",
	                                     "惊人",     "有限", "很小", "不大", "大",   "忽略"};
	static const char *const brought[] = {"提速", "提升", "加速", "收益", "增益", "改善"};
	static const char *const verbs[] = {"带来", "获得", "得到", "拿到", "换来", "看到"};
	enum { NEAR = 6 };
	bool amount = IS(w, i, degree), win = IS(w, i, brought);
	if ((!amount && !win) || !phrase_ends(w, i + 1))
		return false;
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (amount ? IS(w, k - 1, nouns) : IS(w, k - 1, verbs))
			return true;
	return false;
}

/* Words that compare by themselves. */
static const char *const victories[] = {
        "不相上下", "持平",       "追平",     "反超",     "胜出",     "后来居上", "甩开",
        "跟不上",   "一落千丈",   "无人能及", "遥遥领先", "旗鼓相当", "占优",     "快得多",
        "慢得多",   "拖慢",       "一样快",   "同样快",   "一样慢",   "更省电",   "更省时",
        "更耗电",   "更耗时",     "快于",     "慢于",     "优于",     "胜过",     "难分高下",
        "占上风",   "匹敌",       "居首",     "更划算",   "败给",     "更胜一筹", "甩在",
        "赢家",     "击败",       "输给",     "胜于",     "碾压",     "打败",     "赢过",
        "超越",     "最省电",     "完胜",     "完败",     "吊打",     "压倒",     "赶超",
        "逊于",     "逊色",       "不敌",     "力压",     "比不过",   "比不上",   "追不上",
        "赶不上",   "跑不过",     "敌不过",   "拼不过",   "不输",     "不逊",     "落败",
        "稍逊",     "略胜",       "完爆",     "远胜",     "慢得",     "快得",     "差得远",
        "险胜",     "秒掉",       "垫底",     "更扛压",   "更抗压",   "更高效",   "追上了",
        "拉开差距", "拉开了差距", "不分伯仲", "不分上下", "半斤八两", "难分伯仲", "快多了",
        "慢多了",   "快很多",     "慢很多",   "快不少",   "慢不少",   "快了很多", "慢了很多",
        "快了不少", "慢了不少",   "快一截",   "慢一截",   "慢吞吞",   "立竿见影", "没有开销",
        "零开销",   "甩得",       "便宜得多", "贵得多",   "省得多",   "有竞争力", "无敌",
        "毫无胜算", "瞬间完成",   "快一点",   "慢一点",   "快一些",   "慢一些",   "略快",
        "稍快",     "略慢",       "稍慢",     "打成平手", "无人能敌", "仅次于",   "难以匹敌",
        "难以企及", "差得多"};

/* 输给 after 不, 好的名字胜过注释, 会略快或略慢: no victory of a program */
static bool is_no_victory(const struct lint_work *w, size_t i)
{
	static const char *const lose[] = {"输给"}, *const no[] = {"不"};
	static const char *const than[] = {"胜过", "胜于"};
	static const char *const or [] = {"或", "还是"};
	static const char *const with[] = {"不输", "略快", "稍快", "略慢", "稍慢"};
	enum { NEAR = 6 };
	if (IS(w, i, lose) && i > 0 && IS(w, i - 1, no))
		return true;
	if (IS(w, i, than) && !named_before(w, i) && lint_before(w, i, NEAR, LINT_OTHER) < w->n)
		return true;
	if (IS(w, i + 1, or) || (i > 0 && IS(w, i - 1, or)))
		return true;
	return IS(w, i, with) && !latin_before(w, i) && lint_at(w, i + 1)->kind != LINT_WORD;
}

/* 延迟好多了, 版本更好, all-reduce 很慢: a verdict about what goes before it */
static bool is_verdict(const struct lint_work *w, size_t i)
{
	static const char *const slowly[] = {"很慢", "很快"};
	static const char *const judged[] = {"更好", "更差", "很慢", "更强"};
	static const char *const much[] = {"好多了", "差多了", "好很多", "差很多", "高得",
	                                   "低得",   "很好",   "不行",   "不错",   "糟糕",
	                                   "很差",   "很低",   "很高"};
	enum { NEAR = 6 };
	if (IS(w, i, slowly) && phrase_ends(w, i + 1) && latin_before(w, i))
		return true;
	if (IS(w, i, much) && measure_before(w, i, NEAR) < w->n)
		return true;
	return IS(w, i, judged) && phrase_ends(w, i + 1) &&
	       (said_before(w, i, rivals, ARRAY_LEN(rivals)) || named_before(w, i));
}

/* 延迟不如, 没有这么快 */
static bool is_less(const struct lint_work *w, size_t i)
{
	static const char *const fast[] = {"快", "慢", "好", "高"};
	static const char *const less[] = {"不如", "不及", "这么快"};
	static const char *const none[] = {"没", "无"};
	enum { NEAR = 6 };
	if (!IS(w, i, less))
		return false;
	if (lint_begins(w, i, less + 2, 1))
		return said_before(w, i, none, ARRAY_LEN(none));
	if (measure_before(w, i, NEAR) < w->n)
		return true;
	for (size_t k = i + 1; k < i + NEAR && !lint_breaks(w, k); k++)
		if (IS(w, k, fast))
			return true;
	return false;
}

static bool victory(const struct lint_work *w, size_t i)
{
	static const char *const ending[] = {"领先", "落后"}, *const won[] = {"赢了"};
	static const char *const of[] = {"的"}, *const slowed[] = {"拖慢", "一样快", "快得多"};
	static const char *const past[] = {"略快于", "略慢于"};
	if (IS(w, i, past))
		return true;
	if (is_no_victory(w, i))
		return false;
	if (IS(w, i, victories)) /* "一样快"的目标 */
		return !(IS(w, i, slowed) && (IS(w, i + 1, of) || lint_sign(w, i + 1, '"')));
	if (IS(w, i, won))
		return lint_at(w, i + 1)->kind == LINT_WORD || IS(w, i + 1, rivals);
	if (IS(w, i, ending))
		return lint_at(w, i + 1)->kind == LINT_WORD || phrase_ends(w, i + 1);
	return is_verdict(w, i) || is_less(w, i);
}

/* 花能量少的乘积更快: of anything that spends less, so it is a law and no measurement */
static bool is_law(const struct lint_work *w, size_t i)
{
	static const char *const of[] = {"的"};
	enum { FAR = 8 };
	for (size_t k = i; k > 1 && i - k < FAR && !lint_breaks(w, k - 1); k--)
		if (IS(w, k - 1, of) && lint_is(w, k - 2, LINT_FASTER | LINT_LARGER))
			return true;
	return false;
}

/* 比 cuBLAS 快, 更慢, 最快 */
static bool speed(const struct lint_work *w, size_t i)
{
	static const char *const fast[] = {"快",     "慢",     "更快", "更慢", "变快",
	                                   "变慢",   "快了",   "慢了", "便宜", "贵",
	                                   "更便宜", "更流畅", "流畅"};
	static const char *const most[] = {"最快", "最慢"};
	static const char *const than[] = {"比", "带宽比", "速度比", "能效比"},
	                         *const be[] = {"是", "成为"}, *const of[] = {"的"};
	enum { NEAR = 6 };
	bool attribute = IS(w, i + 1, of);
	static const char *const shown[] = {"画", "标", "显", "橙"};
	for (size_t k = i; k < i + 8 && k < w->n; k++)
		if (IS(w, k, shown))
			return false;
	if (IS(w, i, most))
		return attribute ? said_before(w, i, be, ARRAY_LEN(be)) : phrase_ends(w, i + 1);
	static const char *const finds[] = {"找到", "得到", "给出", "生成", "换来", "带来"};
	if (IS(w, i, fast) && attribute)
		return said_before(w, i, finds, ARRAY_LEN(finds));
	if (!IS(w, i, fast) || is_law(w, i))
		return false;
	static const char *const price[] = {"便宜", "贵", "更便宜"};
	if (IS(w, i, price) && !named_before(w, i) && measure_before(w, i, NEAR) == w->n &&
	    !said_before(w, i, rivals, ARRAY_LEN(rivals)))
		return false; /* 买比租便宜 */
	if (said_before(w, i, than, ARRAY_LEN(than)))
		return !lint_of_people(w, i);
	static const char *const more[] = {"更"}, *const turns[] = {"变"};
	static const char *const degree[] = {"明显", "显著", "大幅", "大大", "确实",
	                                     "没",   "没有", "入",   "取"};
	static const char *const done[] = {"了"};
	if (IS(w, i, turns) && IS(w, i + 1, done) && lint_sign(w, i + 2, '.'))
		return true;
	static const char *const makes[] = {"让", "使"};
	if (IS(w, i, turns) && phrase_ends(w, i + 1) && said_before(w, i, makes, ARRAY_LEN(makes)))
		return true;
	if (IS(w, i, turns))
		return i > 0 && IS(w, i - 1, degree) && phrase_ends(w, i + 1);
	return IS(w, i, more) && phrase_ends(w, i + 1);
}

/* 得到更低的延迟: does a verb of having stand before token i? */
static bool gets(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"得到", "带来", "获得", "换来", "拿到",
	                                    "取得", "实现", "提供", "有",   "意味着"};
	enum { NEAR = 5 };
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (IS(w, k - 1, verbs))
			return true;
	return false;
}

/* 延迟更低, 吞吐量高于基线, 耗时相同, 带宽超过标量版 */
static bool level(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "更低", "更高",   "更短",   "更长",   "变差",   "变好",   "变低",
	        "变高", "大得多", "高得多", "低得多", "短得多", "长得多", "少得多",
	        "更好", "更差",   "最高",   "最低",   "最短",   "相同",   "相近",
	        "相当", "一样",   "更少",   "更久",   "很差",   "失望",   "差别"};
	static const char *const than[] = {"高于", "低于", "超过", "高出", "远超",
	                                   "好于", "差于", "强于", "弱于"};
	static const char *const plain[] = {"高", "低", "短", "长", "大",
	                                    "小", "好", "差", "强", "弱"};
	static const char *const bi[] = {"比", "带宽比", "速度比", "能效比"}, *const of[] = {"的"};
	enum { NEAR = 5 };
	size_t noun = measure_before(w, i, NEAR);
	static const char *const limit[] = {"上限", "限"};
	for (size_t k = i + 1; k < i + NEAR && IS(w, i, than) && !lint_breaks(w, k); k++)
		if (IS(w, k, limit))
			return false;
	if (IS(w, i, than))
		return noun < w->n && !lint_is_number(w, i + 1) && !lint_is(w, i + 1, LINT_ABOUT);
	static const char *const whenever[] = {"时", "而", "值"}, *const long_ago[] = {"分钟",
	                                                                               "小时"};
	for (size_t k = 0; k < i; k++)
		if (IS(w, k, long_ago))
			return false;
	static const char *const most[] = {"最高", "最低", "最短"}, *const be[] = {"是"};
	if (IS(w, i, most) && said_before(w, i, be, 1) && !IS(w, i + 1, whenever))
		return measure_before(w, i, 2 * NEAR) < w->n;
	if (IS(w, i, words) && IS(w, i + 1, of) && measure_after(w, i + 2, 3))
		return gets(w, i);
	if (IS(w, i, words))
		return noun < w->n && !IS(w, i + 1, of) && !IS(w, i + 1, whenever);
	return IS(w, i, plain) && said_before(w, i, bi, ARRAY_LEN(bi)) &&
	       measure_before(w, i, 2 * NEAR) < w->n && !IS(w, i + 1, of);
}

/* 会拉低吞吐, 能加速扫描, 大幅缩短查询时间: a helper before the verb makes it a statement */
static bool affects(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"提高", "提升", "改善", "降低", "减少", "缩短",
	                                    "增加", "节省", "拉低", "拉高", "压低", "推高",
	                                    "抬高", "拖累", "加速", "加快"};
	static const char *const any[] = {"加速", "加快", "拖累"};
	static const char *const helpers[] = {"会",   "能",   "可以", "大幅", "大大",   "明显",
	                                      "显著", "有效", "反而", "有助", "进一步", "极大",
	                                      "助于", "不",   "没",   "没有"};
	static const char *const of[] = {"的"};
	enum { NEAR = 4, BESIDE = 3 };
	if (!IS(w, i, verbs) || IS(w, i + 1, of))
		return false;
	bool helped = false;
	for (size_t k = i; k > 0 && i - k < BESIDE && !lint_breaks(w, k - 1); k--)
		helped = helped || IS(w, k - 1, helpers);
	static const char *const aims[] = {"为", "来", "以", "可", "而", "要", "想",
	                                   "去", "用", "需", "将", "被", "于"};
	if (!helped) /* 忙轮询降低尾延迟。 */
		return i > 1 && lint_at(w, i - 1)->kind == LINT_CJK && !IS(w, i - 1, aims) &&
		       !IS(w, i - 1, of) &&
		       ((IS(w, i + 1, measures) && lint_sign(w, i + 2, '.')) ||
		        (IS(w, i + 2, measures) && lint_sign(w, i + 3, '.')));
	for (size_t k = i + 1; k < i + 1 + NEAR && !lint_breaks(w, k); k++)
		if (IS(w, k, measures))
			return !IS(w, k + 1, of);
	return IS(w, i, any) && lint_at(w, i + 1)->kind != LINT_SIGN;
}

/* 降低了延迟, 性能下降, 加快了转置, 更省时间 */
static bool change(const struct lint_work *w, size_t i)
{
	static const char *const object[] = {"提高", "提升", "改善", "降低", "减少", "缩短",
	                                     "增加", "加大", "节省", "省",   "省下"};
	static const char *const subject[] = {"下降", "上升", "恶化", "提高", "提升",
	                                      "增长", "改善", "暴跌", "暴涨", "飙升",
	                                      "骤降", "骤增", "大跌", "跳水", "短板"};
	static const char *const more[] = {"更省", "更费", "更耗", "更吃"}, *const faster[] = {
	                                                                            "加快"};
	enum { NEAR = 4 };
	if (IS(w, i, faster))
		return !IS(w, i + 1, ((const char *const[]){"的"}));
	if (IS(w, i, more))
		return measure_after(w, i, NEAR) || lint_is_name(w, i + 1);
	static const char *const saves[] = {"省下"};
	if (affects(w, i) || (IS(w, i, saves) && !IS(w, i + 1, ((const char *const[]){"的"})) &&
	                      measure_after(w, i + 1, NEAR + 1)))
		return true;
	static const char *const done[] = {"了"}, *const did[] = {"提高了", "提升了"};
	if ((IS(w, i, did) || (IS(w, i, object) && IS(w, i + 1, done))) &&
	    measure_after(w, i + 1, NEAR))
		return true;
	return IS(w, i, subject) && phrase_ends(w, i + 1) && measure_before(w, i, NEAR) < w->n;
}

enum lint_comparing lint_compares_zh(const struct lint_work *w, size_t i, size_t *from)
{
	static const char *const than[] = {"比", "带宽比", "速度比", "能效比"};
	*from = i;
	/* 胜过 cuBLAS: a name follows */
	if (victory(w, i))
		return lint_at(w, i + 1)->kind == LINT_WORD || IS(w, i + 1, rivals) ? LINT_CONTEST
		                                                                    : LINT_REMARK;
	bool named = false; /* 比 cuBLAS 快: a name stands between */
	for (size_t k = i; k > 0 && i - k < 6 && !IS(w, k - 1, than); k--)
		named = named || lint_at(w, k - 1)->kind == LINT_WORD || IS(w, k - 1, rivals);
	if (speed(w, i))
		return named && said_before(w, i, than, ARRAY_LEN(than)) ? LINT_CONTEST
		                                                         : LINT_REMARK;
	return level(w, i) || change(w, i) || amounts(w, i) ? LINT_REMARK : LINT_NO_COMPARISON;
}
