#include "site-gen/pages/family_rows.h"

#include <stdlib.h>
#include <string.h>

static int by_share(const void *pa, const void *pb)
{
	const struct family_row *a = pa, *b = pb;
	bool x = a->has && a->r.peak, y = b->has && b->r.peak;
	if (x != y)
		return x ? -1 : 1;
	if (x && a->r.share.value != b->r.share.value)
		return a->r.share.value > b->r.share.value ? -1 : 1;
	if (a->has != b->has)
		return a->has ? -1 : 1;
	return strcmp(a->title, b->title);
}

/* What another device has measured, where that of the context has nothing. */
static void find_elsewhere(const struct expand_ctx *of, const char *const *device, size_t ndevices,
                           struct family_row *r)
{
	struct expand_ctx ctx = *of;
	for (size_t k = 0; k < ndevices && !r->has; k++) {
		ctx.device = r->device = device[k];
		r->has = headline_result(&ctx, r->h, &r->r);
	}
}

size_t family_rows(const struct expand_ctx *ctx, const struct headlines *h,
                   const char *const *device, size_t ndevices, struct family_row **out)
{
	const struct data_families *all = &ctx->data->families;
	struct family_row *row = ARENA_ARRAY(ctx->arena, struct family_row, all->n + 1);
	for (size_t i = 0; i < all->n; i++) {
		struct family_row *r = &row[i];
		*r = (struct family_row){.f = &all->all[i], .h = headline_find(h, all->all[i].id)};
		const char *title = r->h ? headline_words(r->h, ctx->words)->title : NULL;
		r->title = title ? title : words_said(ctx->words, r->f->title).text;
		r->has = r->h && headline_result(ctx, r->h, &r->r);
		if (r->h && !r->has)
			find_elsewhere(ctx, device, ndevices, r);
	}
	qsort(row, all->n, sizeof *row, by_share);
	*out = row;
	return all->n;
}

const char *family_row_page(const struct expand_ctx *ctx, const struct family_row *r)
{
	const struct words *w = ctx->words;
	size_t i = w && w->config && w->lang ? config_language(w->config, str_of(w->lang)) : 0;
	bool other = r->h && i > 0 && headline_words(r->h, w)->has_page;
	return arena_printf(ctx->arena, "%s%s", other ? w->config->languages[i].prefix : "",
	                    r->f->url);
}
