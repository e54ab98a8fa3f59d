/*
 * Factors: 1.8x, ×1.8, 3-fold, three times as fast, 1.5 倍. Rules as in rules.c, which calls them
 * through lint_factor().
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

/* True if the number at i is a factor of a product: 32 × 32, 2 × N. */
static bool in_product(const struct lint_work *w, size_t i, size_t j)
{
	const struct lint_token *next = lint_at(w, j + 1);
	bool call = lint_sign(w, j + 1, '(') && !next->spaced; /* 2x(a + b), but not 1.9x (fp16) */
	size_t n = next->end - next->start;
	bool symbol = next->kind == LINT_WORD && n == 1 && !lint_word(w, j + 1, "a");
	return (i > 0 && lint_sign(w, i - 1, 'x')) || next->kind == LINT_DIGITS || symbol || call ||
	       (next->kind == LINT_MARK && w->token[j].spaced);
}

/* A model such as H100 or RTX: "2x H100" is a count of devices, not a speed-up. */
static bool is_model(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = lint_at(w, i);
	bool digit = false;
	for (size_t k = t->start; t->kind == LINT_WORD && k < t->end; k++)
		digit = digit || (w->text.p[k] >= '0' && w->text.p[k] <= '9');
	static const char *const models[] = {"rtx", "gpu", "gpus", "nvlink"};
	return digit || lint_begins(w, i, models, ARRAY_LEN(models));
}

/* True if a factor before token k is about performance and not only about size. */
static bool of_performance(const struct lint_work *w, size_t i, size_t k)
{
	static const char *const moves[] = {"pushes", "moves", "handles", "serves", "delivers"};
	unsigned what = lint_governed(w, k);
	if (i > 0 && lint_begins(w, i - 1, moves, ARRAY_LEN(moves)) && lint_word(w, k, "the"))
		return true;
	static const char *const gives[] = {"gives", "gave", "gains", "buys", "brings", "yields"};
	if (i > 0 && lint_begins(w, i - 1, gives, ARRAY_LEN(gives)) &&
	    (lint_breaks(w, k) || lint_sign(w, k, '.')))
		return true; /* 2:4 sparsity gives 1.6x */
	if (what == LINT_PERF || what == LINT_FASTER || lint_word(w, k, "of") ||
	    lint_word(w, k, "over"))
		return true;
	bool more = lint_word(w, k, "more") || lint_word(w, k, "less");
	if (what == LINT_SIZE || (lint_is(w, k, LINT_LARGER) && !more))
		return false;
	enum { NEAR = 5 };
	return lint_before(w, i, NEAR, LINT_SCALE) == w->n && !lint_is(w, k, LINT_SCALE);
}

static size_t sign_rule(struct lint_work *w, size_t i, size_t j)
{
	size_t start = lint_range_start(w, i);
	if (lint_sign(w, j, '-') && lint_sign(w, j + 1, 'x'))
		j++;
	if (!lint_sign(w, j, 'x')) {
		/* ×1.8 */
		bool before = i > 0 && lint_sign(w, i - 1, 'x') && !w->token[i].spaced;
		const struct lint_token *left = i > 1 ? &w->token[i - 2] : lint_at(w, w->n);
		if (!before || left->kind == LINT_DIGITS || left->kind == LINT_MARK ||
		    (left->end - left->start == 1 && left->kind == LINT_WORD) ||
		    !of_performance(w, i - 1, j) || lint_is(w, j, LINT_SIZE))
			return 0;
		return lint_add(w, i - 1, j, "a factor");
	}
	if (in_product(w, i, j) || is_model(w, j + 1) || !of_performance(w, start, j + 1))
		return j + 1;
	return lint_add(w, start, j + 1, "a factor");
}

static size_t fold_rule(struct lint_work *w, size_t i, size_t j)
{
	size_t k = lint_sign(w, j, '-') ? j + 1 : j;
	if (!lint_word(w, k, "fold") || lint_word(w, k + 1, "cross"))
		return 0;
	return lint_add(w, lint_range_start(w, i), k + 1, "a factor");
}

static size_t times_rule(struct lint_work *w, size_t i, size_t j)
{
	size_t start = lint_range_start(w, i), k = j + 1;
	if (!lint_is(w, j, LINT_TIMES) || w->token[j].kind != LINT_WORD)
		return 0;
	unsigned what = lint_governed(w, k);
	static const char *const than[] = {"as", "the", "its", "that", "what", "our"};
	bool many = lint_is(w, k, LINT_LARGER) && !(lint_is(w, k, LINT_FASTER));
	bool perf = what == LINT_PERF || what == LINT_FASTER;
	bool compares = lint_is(w, k, LINT_FASTER | LINT_LARGER | LINT_PERF) ||
	                lint_begins(w, k, than, ARRAY_LEN(than));
	if (perf && compares && lint_word(w, k, "as") && lint_word(w, k + 1, "long") && i > 0 &&
	    (lint_word(w, i - 1, "is") || lint_word(w, i - 1, "are")) &&
	    lint_before(w, i, 4, LINT_SIZE) < w->n && lint_before(w, i, 6, LINT_PERF) == w->n)
		return 0; /* the array is three times as long */
	if (lint_word(w, k, "as") && lint_word(w, k + 1, "long") && lint_word(w, k + 2, "as") &&
	    i > 0 && lint_is_be(w, i - 1) && lint_after(w, k + 3, 3, LINT_SIZE) < w->n &&
	    lint_before(w, i, 6, LINT_PERF) == w->n && !lint_clause(w, i, LINT_TIME))
		return 0;
	if ((lint_is(w, k, LINT_LARGER) || lint_word(w, k, "the")) && lint_is(w, k + 1, LINT_CYCLE))
		return lint_add(w, start, k + 2, "a factor"); /* five times fewer cycles */
	if (lint_after(w, k, 3, LINT_OTHER) < w->n && !perf)
		return 0; /* 0.7 times the tolerance */
	if (lint_word(w, k, "what") && lint_after(w, k, 6, LINT_SIZE) == w->n &&
	    lint_is_able(w, k + 1))
		return lint_add(w, start, k, "a factor");
	if (perf && compares) {
		size_t end = k;
		while (end < w->n && !lint_is(w, end, LINT_FASTER | LINT_PERF | LINT_PEAK))
			end++;
		return lint_add(w, start, end < w->n ? end + 1 : k, "a factor");
	}
	/* "times that of the last post": the noun comes before the number */
	if ((lint_word(w, k, "that") || lint_word(w, k, "what")) &&
	    lint_before(w, start, 6, LINT_PERF) < w->n)
		return lint_add(w, start, k, "a factor");
	/* almost three times what the first version did */
	if (lint_word(w, k, "what") && what != LINT_SIZE &&
	    lint_after(w, k, 8, LINT_SIZE) == w->n && lint_before(w, start, 6, LINT_SIZE) == w->n)
		return lint_add(w, start, k, "a factor");
	bool over = lint_word(w, k, "over") || lint_word(w, k, "what") || many;
	/* each byte is read 1.3 times; the bytes are 1.02 times the model's */
	const unsigned known = LINT_PERF | LINT_FASTER | LINT_PEAK | LINT_RATIO;
	if (!lint_clause(w, i, known) && (lint_sign(w, k, '.') || lint_word(w, k, "on") ||
	                                  lint_before(w, start, 6, LINT_SIZE) < w->n))
		return 0;
	if ((lint_has_point(w, i) && what != LINT_SIZE) ||
	    (over && what != LINT_SIZE && lint_clause(w, i, LINT_PERF | LINT_FASTER)))
		return lint_add(w, start, k, "a factor");
	return 0;
}

/* 吞吐是上一篇的两倍: the known noun before 是 is compared */
static size_t subject(const struct lint_work *w, size_t i)
{
	enum { NEAR = 8 };
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (str_is(str_sub(w->text, w->token[k - 1].start, w->token[k - 1].end), "是") &&
		    lint_before(w, k - 1, NEAR, LINT_FASTER | LINT_PERF | LINT_SIZE) < w->n)
			return k - 1;
	return i;
}

/* 1.5 倍, 两倍; not 32 的倍数 */
static size_t bei_rule(struct lint_work *w, size_t i, size_t j)
{
	enum { NEAR = 6 };
	if (!lint_is(w, j, LINT_TIMES) || w->token[j].kind != LINT_CJK)
		return 0;
	size_t end = j + 1;
	static const char *const of[] = {"的"}, *const median[] = {"中位数"};
	if (i > 3 && lint_begins(w, i - 1, of, 1) && lint_begins(w, i - 4, median, 1))
		return lint_add(w, i, end, "a factor");
	/* 优化器状态是权重的两倍 */
	if (i > 1 && lint_begins(w, i - 1, of, 1) && lint_is(w, i - 2, LINT_SIZE) &&
	    !lint_is(w, i - 2, LINT_PERF | LINT_RESOURCE | LINT_CYCLE) &&
	    lint_before(w, i, 2 * NEAR, LINT_PERF | LINT_FASTER) == w->n &&
	    !lint_is(w, end, LINT_PERF | LINT_FASTER))
		return end;
	const struct lint_token *symbol = lint_at(w, i - (i > 1 ? 2 : i));
	if (i > 1 && symbol->kind == LINT_WORD && symbol->end - symbol->start == 1 &&
	    lint_begins(w, i - 1, of, 1))
		return end; /* x 的两倍 */
	static const char *const speeds[] = {"快了", "慢了", "快", "慢"};
	bool sped = i > 0 && lint_begins(w, i - 1, speeds, ARRAY_LEN(speeds));
	size_t scale = lint_before(w, i, NEAR, LINT_SCALE);
	sped = sped || (scale < w->n && lint_before(w, i, i - scale, LINT_PERF) < w->n);
	static const char *const buys[] = {"换来", "带来", "赚", "多出", "得"};
	if (i > 1 &&
	    (lint_begins(w, i - 1, buys, ARRAY_LEN(buys)) ||
	     lint_begins(w, i - 2, buys, ARRAY_LEN(buys))) &&
	    !lint_is(w, end, LINT_SIZE | LINT_LINK))
		return lint_add(w, lint_range_start(w, i), end, "a factor");
	bool scaled = (!sped && scale < w->n) || lint_is(w, end, LINT_SCALE);
	unsigned after = lint_governed(w, end);
	size_t per = lint_before(w, i, NEAR + 2, LINT_MOMENT);
	if (per < w->n && per > 0 && lint_is(w, per - 1, LINT_PER) && !lint_is(w, per, LINT_CYCLE))
		return lint_add(w, lint_range_start(w, i), end,
		                "a factor"); /* 每秒请求数翻了三倍 */
	size_t from = subject(w, i);
	size_t faster = lint_before(w, from, NEAR, LINT_FASTER | LINT_PERF);
	size_t larger = lint_before(w, from, NEAR, LINT_SIZE);
	if (faster == w->n && after != LINT_PERF && after != LINT_FASTER &&
	    lint_before(w, from, 2 * NEAR, LINT_OTHER) < w->n)
		return end; /* 误差小十倍 */
	size_t grown = i > 1 && lint_begins(w, i - 1, (const char *const[]){"了"}, 1) ? i - 1 : i;
	if (grown > 0 && lint_is(w, grown - 1, LINT_LARGER) && faster == w->n && !after &&
	    lint_before(w, grown, NEAR, LINT_CYCLE) == w->n)
		return end; /* 再多一倍, 大了十倍 */
	if (lint_is(w, end, LINT_LARGER) && faster == w->n)
		return end; /* 六倍大 */
	if (scaled || (after == LINT_SIZE && faster == w->n))
		return end;
	/* the nearer noun decides: 线程数是原来的两倍 */
	if (after != LINT_PERF && after != LINT_FASTER && larger < w->n &&
	    (faster == w->n || faster < larger))
		return end;
	return lint_add(w, lint_range_start(w, i), end, "a factor");
}

size_t lint_factor(struct lint_work *w, size_t i, size_t j)
{
	static size_t (*const rules[])(struct lint_work * w, size_t i,
	                               size_t j) = {sign_rule, fold_rule, times_rule, bei_rule};
	for (size_t k = 0; k < ARRAY_LEN(rules); k++) {
		size_t next = rules[k](w, i, j);
		if (next)
			return next;
	}
	return 0;
}
