#include "site-gen/expand.h"

#include <string.h>

#include "site-gen/data.h"
#include "site-gen/html.h"
#include "site-gen/kinds.h"

bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	const struct kind *k = kind_of(p, e);
	if (k)
		*out = k->place;
	return k != NULL;
}

static bool expand(struct expand_ctx *ctx, const struct placeholder *p, bool html, struct sb *to,
                   struct err *e)
{
	const struct kind *kind = kind_of(p, e);
	if (!kind)
		return false;
	if (!html && kind->place != EXPAND_INLINE)
		return err_at(e, p->at, "'%s' is a block; it stands alone in a paragraph",
		              kind->name);
	struct kind_call call = {ctx, p, kind, to, html};
	return kind->print(&call, e);
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	return expand(ctx, p, true, to, e);
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	return expand(ctx, p, false, to, e);
}

static struct loc loc_in(struct str text, struct loc at, size_t i)
{
	struct loc here = str_loc(text, at.path, text.p + i);
	if (here.line == 1)
		here.col += at.col - 1;
	here.line += at.line - 1;
	return here;
}

bool expand_all(struct expand_ctx *ctx, struct str text, struct loc at, bool html, struct sb *to,
                struct err *e)
{
	void (*plain)(struct sb *, struct str) = html ? html_text : sb_str;
	size_t done = 0, start, end;
	while (placeholder_next(text, done, &start, &end)) {
		struct placeholder p;
		struct loc here = loc_in(text, at, start);
		plain(to, str_sub(text, done, start));
		if (end == start)
			return err_at(e, here,
			              "placeholder is not closed, expected '>>' on the same line");
		if (!placeholder_parse(str_sub(text, start, end), here, &p, e) ||
		    !expand(ctx, &p, html, to, e))
			return false;
		done = end;
	}
	plain(to, str_sub(text, done, text.n));
	return true;
}
