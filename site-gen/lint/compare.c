/*
 * Comparisons without a number: "outperforms the library", "is the fastest". Beside
 * measurements these are claims. A sentence with a number that stands for a record is none,
 * since the number says the same. Neither is a question, a wish, an expectation, or a
 * sentence that denies. To add a verb or a peer, add a word to a list.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

const char lint_comparison[] = "a comparison without a number";

/* What performance is compared with, and by whom. */
static const char *const peers[] = {
        "library", "libraries", "library's",      "cublas", "cublaslt",    "cub",     "cudnn",
        "cutlass", "pytorch",   "torch",          "triton", "compiler",    "vendor",  "memcpy",
        "thrust",  "baseline",  "ours",           "kernel", "kernels",     "variant", "variants",
        "version", "versions",  "implementation", "chain",  "predecessor", "nccl",    "copy",
        "库",      "编译器",    "厂商",           "拷贝",   "内核",        "版本",    "变体",
        "我们",    "实现",      "基线",
};

/* Words that make a sentence something other than a statement. */
static const char *const unsure[] = {
        "if",       "whether",  "would",   "could",     "cannot",   "can",        "may",
        "might",    "must",     "should",  "want",      "wants",    "goal",       "goals",
        "expect",   "expected", "expects", "predicted", "predicts", "prediction", "predictions",
        "suppose",  "claim",    "claims",  "how",       "which",    "why",        "question",
        "asks",     "never",    "not",     "no",        "nor",      "hope",       "hoped",
        "thought",  "when",     "where",   "until",     "unless",   "to",         "likely",
        "probably", "suspect",  "believe", "says",      "said",     "reported",   "looks",
        "如果",     "若",       "是否",    "吗",        "目标",     "以为",       "假如",
        "可能",     "不能",     "应",      "预测",      "希望",     "怎样",       "怎么",
        "为什么",   "哪",       "不",      "没有",      "如何",     "猜",         "怀疑",
        "据",       "什么",     "大概",    "声称",      "报告",     "谁",         "who",
        "other",    "others",
};

/* Is the sentence around token i a plain statement without a number of a record? */
static bool is_statement(const struct lint_work *w, size_t i)
{
	enum { BEFORE = 40, AFTER = 24 };
	for (size_t k = i > BEFORE ? i - BEFORE : 0; k < i + AFTER && k < w->n; k++) {
		const struct lint_token *t = &w->token[k];
		bool asks =
		        t->kind == LINT_SIGN && (w->text.p[t->start] == '?' || t->sign == 0xff1f);
		bool wavers = k <= i && lint_begins(w, k, unsure, ARRAY_LEN(unsure));
		if (t->kind == LINT_MARK || asks || wavers || lint_begins(w, k, unsure, 1))
			return false;
	}
	const struct lint_token *last = lint_at(w, w->n - 1);
	return !(last->kind == LINT_SIGN && w->text.p[last->start] == '?') &&
	       !lint_begins(w, w->n - (w->n > 1 ? 2 : 1), (const char *const[]){"吗"}, 1);
}

static bool has_peer(const struct lint_work *w, size_t from, size_t to)
{
	for (size_t k = from; k < to && k < w->n; k++)
		if (lint_begins(w, k, peers, ARRAY_LEN(peers)))
			return true;
	return false;
}

static bool is_be(const struct lint_work *w, size_t i)
{
	static const char *const be[] = {"is",    "are",  "was",  "were",    "it",  "this", "them",
	                                 "makes", "made", "runs", "remains", "far", "所有", "是"};
	return i < w->n && lint_begins(w, i, be, ARRAY_LEN(be));
}

/* outperforms …, beats the library, is ahead of CUB, wins */
static bool wins(const struct lint_work *w, size_t i)
{
	static const char *const alone[] = {"outperforms", "outperformed", "outperform",
	                                    "surpasses",   "overtakes",    "outpaces"};
	static const char *const beside[] = {"beats", "beat", "wins", "win", "won"};
	static const char *const to[] = {"to", "against"};
	enum { NEAR = 8 };
	if (lint_begins(w, i, alone, ARRAY_LEN(alone)))
		return true;
	size_t from = i > NEAR ? i - NEAR : 0;
	if (lint_begins(w, i, beside, ARRAY_LEN(beside)))
		return has_peer(w, from, i + NEAR);
	if ((lint_word(w, i, "loses") || lint_word(w, i, "lose")) &&
	    lint_begins(w, i + 1, to, ARRAY_LEN(to)))
		return has_peer(w, i + 2, i + NEAR);
	bool ahead = (lint_word(w, i, "ahead") || lint_word(w, i, "behind")) &&
	             (is_be(w, i - (i > 0)) || (i > 1 && is_be(w, i - 2)));
	return ahead && has_peer(w, from, i + NEAR);
}

/* faster than …, the fastest */
static bool is_faster(const struct lint_work *w, size_t i)
{
	static const char *const comparative[] = {"faster", "slower", "quicker"};
	static const char *const superlative[] = {"fastest", "slowest", "quickest"};
	enum { NEAR = 10 };
	if (lint_begins(w, i, superlative, ARRAY_LEN(superlative)) && i > 0 &&
	    lint_word(w, i - 1, "the")) {
		size_t verb = i > 1 ? i - 2 : i;
		if (lint_word(w, verb, "far") && verb > 1)
			verb -= 2;
		return is_be(w, verb) && (lint_breaks(w, i + 1) || lint_sign(w, i + 1, '.') ||
		                          lint_word(w, i + 1, "of") || has_peer(w, i + 1, i + 4));
	}
	bool level = lint_word(w, i, "higher") || lint_word(w, i, "lower");
	bool than = lint_word(w, i + 1, "than") &&
	            (lint_begins(w, i, comparative, ARRAY_LEN(comparative)) ||
	             (level && lint_before(w, i, 5, LINT_PERF) < w->n));
	bool same = lint_word(w, i, "fast") && i > 0 && lint_word(w, i - 1, "as") &&
	            lint_word(w, i + 1, "as");
	return (than && has_peer(w, i > NEAR ? i - NEAR : 0, i + NEAR)) ||
	       (same && has_peer(w, i + 2, i + 2 + NEAR / 2));
}

/* True if one of the words stands before token i, in its part of the sentence. */
static bool said_before(const struct lint_work *w, size_t i, const char *const *words, size_t n)
{
	enum { NEAR = 10 };
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (lint_begins(w, k - 1, words, n))
			return true;
	return false;
}

static bool is_faster_zh(const struct lint_work *w, size_t i)
{
	static const char *const win[] = {"快于", "慢于", "优于", "胜过", "击败", "输给"};
	static const char *const level[] = {"高于", "低于", "高", "低"};
	static const char *const than[] = {"比", "于"}, *const is[] = {"是", "成为"};
	static const char *const most[] = {"最快", "最慢"};
	static const char *const fast[] = {"快", "慢", "更快", "更慢"};
	enum { NEAR = 10 };
	size_t from = i > NEAR ? i - NEAR : 0;
	if (lint_begins(w, i, win, ARRAY_LEN(win)))
		return has_peer(w, from, i + NEAR);
	if (lint_begins(w, i, most, ARRAY_LEN(most)))
		return said_before(w, i, is, ARRAY_LEN(is)) && has_peer(w, from, i + 4);
	bool quick = lint_begins(w, i, fast, ARRAY_LEN(fast));
	if (quick || (lint_begins(w, i, level, ARRAY_LEN(level)) &&
	              lint_before(w, i, NEAR, LINT_PERF) < w->n))
		return (said_before(w, i, than, ARRAY_LEN(than)) ||
		        str_starts(str_sub(w->text, w->token[i].start, w->text.n), "高于") ||
		        str_starts(str_sub(w->text, w->token[i].start, w->text.n), "低于")) &&
		       has_peer(w, from, i + NEAR);
	return false;
}

size_t lint_compare(struct lint_work *w, size_t i)
{
	bool zh = w->token[i].kind == LINT_CJK;
	if (!(zh ? is_faster_zh(w, i) : wins(w, i) || is_faster(w, i)) || !is_statement(w, i))
		return 0;
	return lint_add(w, i, i + 1, lint_comparison);
}
