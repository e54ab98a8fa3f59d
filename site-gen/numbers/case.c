#include "site-gen/numbers/case.h"

#include <string.h>

#include "site-gen/lua/words.h"

const char *case_metric_words(const struct expand_ctx *ctx, const struct run_case *c, enum metric m)
{
	const char *word = words_label(ctx->words, metric_info(m)->name);
	bool counts = m == METRIC_RATE || m == METRIC_LATENCY;
	return counts && c->model.op ? arena_printf(ctx->arena, "%s (%s)", word, c->model.op)
	                             : word;
}

const char *case_title(const struct words *w, const struct run_case *c, struct arena *a)
{
	return arena_printf(a, "%s%s%s", words_said(w, c->variant_title).text,
	                    words_get(w, "comma"), case_words(w, c, a));
}

const char *case_beside(const struct words *w, const struct run_case *c,
                        const struct run_case *other, struct arena *a)
{
	bool same = strcmp(case_words(w, c, a), case_words(w, other, a)) == 0;
	return same ? words_said(w, other->variant_title).text : case_title(w, other, a);
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
