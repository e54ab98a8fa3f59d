/*
 * The finding of a figure: the sentence in its key title=, which stands in bold above the caption.
 * It may hold placeholders of a sentence, for example a ratio, and claims.
 */
#include "site-gen/kinds/kinds.h"

#include <string.h>

#include "site-gen/base/rules.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/lint/lint.h"

bool kind_traced(struct kind_call *k, struct str text, struct err *e)
{
	struct lint_finding f;
	if (!text.n || !k->ctx->lint)
		return true;
	struct str masked = lint_without_placeholders(text, k->ctx->arena);
	if (lint_text(k->ctx->lint, masked, &f, 1) == 0)
		return true;
	struct str what = str_sub(text, f.start, f.end);
	return rule_err(e, RULE_TRACED, placeholder_loc(k->p, what),
	                "'" STR_FMT "' is %s typed by hand, expected words or a placeholder",
	                STR_ARG(what), f.what);
}

/* The numbers of a title count once, although its text is made twice. */
static bool expand_title(struct kind_call *k, struct str title, struct err *e)
{
	struct expand_ctx *ctx = k->ctx, before = *ctx;
	struct loc at = placeholder_loc(k->p, title);
	struct sb text = {0}, html = {0};
	bool ok = expand_all(ctx, title, at, false, &text, e);
	ctx->quotes = before.quotes;
	ctx->facts = before.facts;
	ok = ok && expand_all(ctx, title, at, true, &html, e);
	k->finding.says = (struct expand_shown){.quotes = ctx->quotes,
	                                        .quotes_end = before.quotes,
	                                        .facts = ctx->facts,
	                                        .facts_end = before.facts};
	k->finding.text = sb_take(ctx->arena, &text);
	k->finding.html = sb_take(ctx->arena, &html);
	return ok;
}

bool kind_finding(struct kind_call *k, struct err *e)
{
	struct str title = str_trim(placeholder_key(k->p, "title"));
	if (title.n > 0)
		return kind_traced(k, title, e) && expand_title(k, title, e);
	return k->ctx->generated ||
	       rule_err(e, RULE_READABLE, k->p->at,
	                "a figure needs title=\"…\", a sentence that says what it shows");
}
