#include "site-gen/kinds/expand.h"

#include <string.h>

#include "site-gen/records/data.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"

bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	const struct kind *k = kind_of(p, e);
	if (k)
		*out = k->place;
	return k != NULL;
}

enum expand_numbered expand_numbered(const struct placeholder *p)
{
	struct err ignored = ERR_NONE;
	const struct kind *k = kind_of(p, &ignored);
	return k ? k->numbered : EXPAND_UNNUMBERED;
}

static bool expand(struct expand_ctx *ctx, const struct placeholder *p, bool html,
                   struct span *span, struct sb *to, struct err *e)
{
	const struct kind *kind = kind_of(p, e);
	if (!kind)
		return false;
	if (!html && kind->place == EXPAND_BLOCK)
		return err_at(e, p->at, "'%s' is a block; it stands alone in a paragraph",
		              kind->name);
	if (!span && kind->place == EXPAND_SPAN)
		return err_at(e, p->at, "'%s' goes around text in Markdown, not here", kind->name);
	struct kind_call call = {ctx, p, kind, to, html, span};
	struct expand_ctx outside = *ctx;
	ctx->placeholder = str_dup(ctx->arena, p->text);
	ctx->at = p->at;
	ctx->in_block = kind->place == EXPAND_BLOCK;
	if (ctx->in_block)
		ctx->figure = ctx->blocks + 1; /* block_open() will count it */
	bool ok = kind->print(&call, e);
	ctx->placeholder = outside.placeholder;
	ctx->at = outside.at;
	ctx->in_block = outside.in_block;
	ctx->figure = outside.figure;
	return ok;
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	return expand(ctx, p, true, NULL, to, e);
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	return expand(ctx, p, false, NULL, to, e);
}

bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s, struct sb *to,
                 struct err *e)
{
	return expand(ctx, p, true, s, to, e);
}

static struct loc loc_in(struct str text, struct loc at, size_t i)
{
	struct loc here = str_loc(text, at.path, text.p + i);
	if (here.line == 1)
		here.col += at.col - 1;
	here.line += at.line - 1;
	return here;
}

/* Refuses bytes that cannot be published as text. */
static bool check_text(struct str text, struct loc at, struct err *e)
{
	size_t start, end;
	const char *comment = memmem(text.p, text.n, "<!--", 4);
	if (comment)
		return err_at(e, loc_in(text, at, (size_t)(comment - text.p)),
		              "comment '<!--' is raw HTML, expected text only; remove it");
	return !placeholder_mistyped(text, 0, &start, &end) ||
	       placeholder_mistyped_fail(str_sub(text, start, end), loc_in(text, at, start), e);
}

bool expand_all(struct expand_ctx *ctx, struct str text, struct loc at, bool html, struct sb *to,
                struct err *e)
{
	void (*plain)(struct sb *, struct str) = html ? html_text : sb_str;
	size_t done = 0, start, end;
	if (text.n && !check_text(text, at, e))
		return false;
	while (placeholder_next(text, done, &start, &end)) {
		struct placeholder p;
		struct loc here = loc_in(text, at, start);
		plain(to, str_sub(text, done, start));
		if (end == start)
			return err_at(e, here,
			              "placeholder is not closed, expected '>>' on the same line");
		if (!placeholder_parse(str_sub(text, start, end), here, &p, e) ||
		    !expand(ctx, &p, html, NULL, to, e))
			return false;
		done = end;
	}
	plain(to, str_sub(text, done, text.n));
	return true;
}
