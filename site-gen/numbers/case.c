#include "site-gen/numbers/case.h"

#include "site-gen/records/query.h"

const char *case_metric_words(const struct expand_ctx *ctx, const struct run_case *c, enum metric m)
{
	const char *word = words_label(ctx->words, metric_info(m)->name);
	bool counts = m == METRIC_RATE || m == METRIC_LATENCY;
	return counts && c->model.op ? arena_printf(ctx->arena, "%s (%s)", word, c->model.op)
	                             : word;
}

const char *case_words(const struct run_case *c, struct arena *a)
{
	struct sb text = {0};
	for (size_t i = 0; i < c->nparams; i++) {
		const char *v = query_value(c, c->param[i].name, a);
		if (c->param[i].word)
			sb_printf(&text, "%s, ", v);
		else
			sb_printf(&text, "%s" NBSP "=" NBSP "%s, ", c->param[i].name, v);
	}
	sb_printf(&text, "%s, %s", c->dtype, c->cache);
	return sb_take(a, &text);
}

int case_colour(const struct run_case *c)
{
	int64_t n = c->rank % CASE_COLOURS;
	return (int)(n < 0 ? 0 : n);
}

const char *case_date(const struct run *r, struct arena *a)
{
	return arena_strndup(a, r->head.start, strnlen(r->head.start, 10));
}
