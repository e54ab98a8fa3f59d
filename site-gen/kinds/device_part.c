#include "site-gen/kinds/device_part.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/records/data.h"

void device_part_enter(struct expand_ctx *ctx, size_t i)
{
	ctx->device = ctx->devices[i];
	ctx->device_no = (int)i + 1;
}

void device_part_name(const struct expand_ctx *ctx, const char *device, struct sb *to)
{
	sb_cstr(to, words_get(ctx->words, "bracket_open"));
	sb_cstr(to, data_device_name(ctx->data, device));
	sb_cstr(to, words_get(ctx->words, "bracket_close"));
}

void device_part_open(const struct expand_ctx *ctx, bool block, struct sb *to)
{
	sb_printf(to, "<%s class=\"dev dev-%d\" data-device=\"", block ? "div" : "span",
	          ctx->device_no);
	html_attr(to, str_of(ctx->device));
	html_raw(to, "\">");
	if (!block)
		return;
	html_raw(to, "<p class=\"dev-name\">");
	html_text(to, str_of(data_device_name(ctx->data, ctx->device)));
	html_raw(to, "</p>\n");
}

static void put_name(const struct expand_ctx *ctx, const char *device, struct sb *to)
{
	struct sb name = {0};
	device_part_name(ctx, device, &name);
	html_raw(to, "<span class=\"dev-name\">");
	html_text(to, sb_view(&name));
	html_raw(to, "</span>");
	sb_free(&name);
}

void device_part_close(const struct expand_ctx *ctx, bool block, struct sb *to)
{
	if (!block)
		put_name(ctx, ctx->device, to);
	html_raw(to, block ? "</div>\n" : "</span>");
}

void device_part_only(const struct expand_ctx *ctx, const char *device, bool said, struct sb *to)
{
	struct sb name = {0};
	size_t i = 0;
	while (i < ctx->ndevices && strcmp(ctx->devices[i], device) != 0)
		i++;
	sb_printf(to, "<span class=\"dev-only only-%zu\"", i < ctx->ndevices ? i + 1 : 0);
	if (!said) {
		device_part_name(ctx, device, &name);
		html_raw(to, " data-name=\"");
		html_attr(to, sb_view(&name));
		html_raw(to, "\"");
	}
	html_raw(to, ">");
	sb_free(&name);
}

void device_part_only_end(const struct expand_ctx *ctx, const char *device, bool said,
                          struct sb *to)
{
	if (said)
		put_name(ctx, device, to);
	html_raw(to, "</span>");
}

void device_part_between(const struct expand_ctx *ctx, struct sb *to)
{
	html_raw(to, "<span class=\"dev-sep\">");
	html_text(to, str_of(words_get(ctx->words, "comma")));
	html_raw(to, "</span>");
}
