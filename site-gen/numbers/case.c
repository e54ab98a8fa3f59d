#include "site-gen/numbers/case.h"

#include <string.h>

#include "site-gen/base/unicode.h"
#include "site-gen/lua/words.h"
#include "site-gen/records/query.h"

const char *case_metric_words(const struct expand_ctx *ctx, const struct run_case *c, enum metric m)
{
	const char *word = words_label(ctx->words, metric_info(m)->name);
	bool counts = m == METRIC_RATE || m == METRIC_LATENCY;
	return counts && c->model.op ? arena_printf(ctx->arena, "%s (%s)", word, c->model.op)
	                             : word;
}

/* "cold cache"; a state that has no word stays as the record says it. */
static const char *cache_words(const struct words *w, const char *cache)
{
	return strcmp(cache, "cold") == 0  ? words_get(w, "cache_cold")
	       : strcmp(cache, "hot") == 0 ? words_get(w, "cache_hot")
	                                   : cache;
}

const char *case_part(const struct words *w, const struct run_case *c, const char *key,
                      struct arena *a)
{
	const struct run_pair *p = record_param(c, key);
	const char *v = query_value(c, key, a);
	struct sb text = {0};
	if (!v)
		return NULL;
	if (strcmp(key, "cache") == 0)
		return cache_words(w, v);
	if (p && !p->word)
		sb_printf(&text, "%s" NBSP "=" NBSP, key);
	unicode_powers(&text, str_of(v));
	return sb_take(a, &text);
}

const char *case_words(const struct words *w, const struct run_case *c, struct arena *a)
{
	struct sb text = {0};
	for (size_t i = 0; i < c->nparams; i++)
		sb_printf(&text, "%s, ", case_part(w, c, c->param[i].name, a));
	sb_printf(&text, "%s, %s", c->dtype, cache_words(w, c->cache));
	return sb_take(a, &text);
}

const char *case_title(const struct words *w, const struct run_case *c, struct arena *a)
{
	return arena_printf(a, "%s, %s", words_said(w, c->variant_title).text, case_words(w, c, a));
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
