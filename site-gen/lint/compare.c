/*
 * Comparisons without a number: "outperforms the library", "is the fastest". Beside
 * measurements these are claims. A sentence with a number that stands for a record is none,
 * since the number says the same. Neither is a question, a wish, an expectation or a condition.
 * A denial is one: "is no faster than" compares, too.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#include <string.h>

const char lint_comparison[] = "a comparison without a number";

/* Words that make what follows them something other than a statement. */
static const char *const unsure[] = {
        "if",        "whether",     "would",    "could",    "can",       "may",        "might",
        "must",      "should",      "want",     "wants",    "wanted",    "goal",       "goals",
        "expect",    "expected",    "expects",  "predict",  "predicted", "prediction", "predicts",
        "suppose",   "predictions", "claim",    "claims",   "how",       "why",        "question",
        "asks",      "ask",         "hope",     "hoped",    "thought",   "until",      "unless",
        "likely",    "probably",    "suspect",  "believe",  "says",      "said",       "reported",
        "looks",     "guess",       "guessed",  "wish",     "assume",    "imagine",    "perhaps",
        "who",       "let",         "seems",    "seem",     "tell",      "tells",      "decides",
        "wonder",    "maybe",       "possible", "possibly", "like",      "whatever",   "如果",
        "若",        "是否",        "目标",     "以为",     "假如",      "可能",       "应",
        "预测",      "预计",        "希望",     "怎样",     "怎么",      "为什么",     "哪",
        "如何",      "猜",          "怀疑",     "据",       "什么",      "大概",       "声称",
        "报告",      "谁",          "也许",     "假设",     "要是",      "想",         "未必",
        "不一定",    "预期",        "期望",     "能否",     "会不会",    "假定",       "问题",
        "是不是",    "为了",        "只要",     "多半",     "没有记录",  "不会",       "教科书",
        "textbooks",
};

/* Questions without a mark: "it tells which is faster"; a clause ", which is faster" states. */
static bool asks_which(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"which", "what", "when"};
	return lint_begins(w, i, words, 2) && (i == 0 || !lint_breaks(w, i - 1));
}

bool lint_supposes(const struct lint_work *w, size_t i)
{
	enum { BEFORE = 80 };
	for (size_t k = i > BEFORE ? i - BEFORE : 0; k < i && k < w->n; k++)
		if (lint_begins(w, k, unsure, ARRAY_LEN(unsure)) || asks_which(w, k) ||
		    (lint_word(w, k, "where") && lint_word(w, k + 1, "any")))
			return true;
	return false;
}

static bool is_question_mark(const struct lint_work *w, const struct lint_token *t)
{
	struct str s = str_sub(w->text, t->start, t->end);
	return t->kind == LINT_SIGN && (str_is(s, "?") || str_is(s, "？"));
}

static bool is_question(const struct lint_work *w)
{
	static const char *const ask[] = {"吗"};
	return is_question_mark(w, lint_at(w, w->n - 1)) || lint_begins(w, w->n - 1, ask, 1) ||
	       (w->n > 1 && lint_begins(w, w->n - 2, ask, 1));
}

/* Is the sentence around token i a plain statement without a number of a record? */
static bool is_statement(const struct lint_work *w, size_t i)
{
	enum { BEFORE = 40, AFTER = 24 };
	for (size_t k = i > BEFORE ? i - BEFORE : 0; k < i + AFTER && k < w->n; k++) {
		const struct lint_token *t = &w->token[k];
		if (t->kind == LINT_MARK || is_question_mark(w, t) || lint_begins(w, k, unsure, 1))
			return false;
	}
	return !lint_supposes(w, i) && !is_question(w);
}

/* A heading has no stop at its end. After a colon comes a table or a figure: the numbers. */
static bool is_heading(struct str text)
{
	static const char *const stops[] = {".", "。", "!", "！", ")", "）", "\"", "”", ";", "；"};
	text = str_trim(text);
	for (size_t k = 0; k < ARRAY_LEN(stops); k++)
		if (str_ends(text, stops[k]))
			return false;
	return true;
}

/* saves time only where that was the limit */
static bool is_bounded(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"where", "if", "when", "while", "at", "from"};
	enum { FAR = 8 };
	for (size_t k = i; k < i + FAR && !lint_breaks(w, k); k++)
		if (lint_word(w, k, "only") && lint_begins(w, k + 1, words, ARRAY_LEN(words)))
			return true;
	return false;
}

/*
 * A remark that names no rival is let be beside a number that stands for a record: in the
 * sentence before or after, or in the text under a heading. It also is no remark about what
 * was measured after "when", "while" and the like.
 */
static bool stands_alone(const struct lint_work *w, size_t i)
{
	static const char *const depends[] = {
	        "when", "where",  "while",   "whose", "because", "that",   "until", "since",
	        "so",   "always", "usually", "often", "mostly",  "rarely", "哪怕",  "只要",
	        "因为", "所以",   "通常",    "往往",  "总",      "随"};
	enum { BESIDE = 300 };
	const struct lint_token *last = lint_at(w, w->n - 1);
	if (is_heading(w->text) || is_bounded(w, i))
		return false;
	size_t from = w->token[0].start, to = last->end, mark = strlen(LINT_OPAQUE);
	from -= from > BESIDE ? BESIDE : from;
	to += w->text.n - to > BESIDE ? BESIDE : w->text.n - to;
	if (to - from >= mark && memmem(w->text.p + from, to - from, LINT_OPAQUE, mark))
		return false;
	static const char *const makes[] = {"让", "使"}; /* 让核心更忙的内核 */
	for (size_t k = 0; k < i; k++)
		if (lint_begins(w, k, makes, ARRAY_LEN(makes)) && (k == 0 || lint_breaks(w, k - 1)))
			return false;
	for (size_t k = w->token[0].kind != LINT_CJK; k < i; k++)
		if (lint_begins(w, k, depends, ARRAY_LEN(depends)))
			return false;
	return true;
}

size_t lint_compare(struct lint_work *w, size_t i)
{
	bool zh = w->token[i].kind == LINT_CJK;
	size_t from = i;
	enum lint_comparing what =
	        zh ? lint_compares_zh(w, i, &from) : lint_compares_en(w, i, &from);
	if (what == LINT_NO_COMPARISON || !is_statement(w, i) ||
	    (what == LINT_REMARK && !stands_alone(w, i)))
		return 0;
	return lint_add(w, from, i + 1, lint_comparison);
}
