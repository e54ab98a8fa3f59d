#include "site-gen/markdown/reasoning.h"

#include "site-gen/markdown/markdown.h"
#include "site-gen/numbers/prediction.h"

static bool render(const struct expand_ctx *page, struct prediction *p, struct err *e)
{
	struct expand_ctx ctx = *page;
	struct md_doc doc = {0};
	if (!markdown_render(&ctx, p->body, p->path, p->body_line, &doc, e))
		return false;
	if (doc.nheadings == 0)
		p->reasoning = str_keep(ctx.arena, doc.html);
	return true;
}

bool reasoning_render(const struct data *d, const char *base, struct plotter *plots,
                      const char *cache, struct err *e)
{
	const struct expand_ctx ctx = {.data = d,
	                               .device = d->default_device,
	                               .base = base,
	                               .arena = d->arena,
	                               .plots = plots,
	                               .cache = cache};
	for (size_t i = 0; i < d->predictions->n; i++)
		if (!render(&ctx, &d->predictions->all[i], e))
			return false;
	return true;
}
