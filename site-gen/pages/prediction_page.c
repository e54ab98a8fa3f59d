#include "site-gen/pages/prediction_page.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/kinds/ledger.h"
#include "site-gen/kinds/prediction.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/lua/words.h"
#include "site-gen/pages/body.h"

/* A body that grows. */
struct out {
	struct expand_ctx *ctx;
	struct body *body;
	struct sb html;
};

static struct out out_open(struct expand_ctx *ctx, struct body *body, size_t headings)
{
	*body = (struct body){.headings = ARENA_ARRAY(ctx->arena, struct body_heading, headings)};
	return (struct out){.ctx = ctx, .body = body};
}

static bool out_close(struct out *o)
{
	o->body->html = str_keep(o->ctx->arena, sb_view(&o->html));
	sb_free(&o->html);
	return true;
}

static void heading(struct out *o, const char *id, const char *text)
{
	o->body->headings[o->body->nheadings++] =
	        (struct body_heading){2, id, arena_strdup(o->ctx->arena, text)};
	html_raw(&o->html, "<h2 id=\"");
	html_attr(&o->html, str_of(id));
	html_raw(&o->html, "\">");
	html_text(&o->html, str_of(text));
	html_raw(&o->html, "</h2>\n");
}

static void paragraph(struct out *o, const char *key)
{
	html_raw(&o->html, "<p>");
	html_text(&o->html, str_of(words_get(o->ctx->words, key)));
	html_raw(&o->html, "</p>\n");
}

static const char *series_id(struct arena *a, const char *name)
{
	struct sb id = {0};
	sb_cstr(&id, "series-");
	html_slug(&id, str_of(name));
	return sb_take(a, &id);
}

bool prediction_page_all(struct expand_ctx *ctx, const struct predictions *all, struct body *body)
{
	size_t n;
	const char **series = ledger_series(all, ctx->arena, &n);
	struct ledger l = ledger_of(all, NULL, ctx->arena);
	struct out o = out_open(ctx, body, n + 1);
	paragraph(&o, "ledger_intro");
	ledger_print(ctx, &l, &o.html);
	for (size_t i = 0; i < n; i++) {
		heading(&o, series_id(ctx->arena, series[i]), series[i]);
		l = ledger_of(all, series[i], ctx->arena);
		ledger_sums(ctx, &l, &o.html); /* the full ledger has the rows */
	}
	return out_close(&o);
}

static void reasoning(struct out *o, struct str html)
{
	heading(o, "reasoning", words_get(o->ctx->words, "prediction_reasoning"));
	html_raw(&o->html, "<div class=\"predicted\"");
	html_raw(&o->html, words_record_lang(o->ctx->words));
	html_raw(&o->html, ">\n");
	sb_str(&o->html, html);
	html_raw(&o->html, "</div>\n");
}

bool prediction_page(struct expand_ctx *ctx, const struct prediction *p, struct body *body,
                     struct err *e)
{
	struct md_doc doc = {0};
	if (!markdown_render(ctx, p->body, p->path, p->body_line, &doc, e))
		return false;
	struct out o = out_open(ctx, body, 3);
	html_raw(&o.html, "<p>");
	prediction_badge(p, ctx->words, &o.html);
	html_raw(&o.html, "</p>\n");
	prediction_facts(ctx, p, &o.html);
	reasoning(&o, doc.html);
	if (p->ntests > 0) {
		heading(&o, "tests", words_get(ctx->words, "prediction_tests"));
		prediction_tests(ctx, p, &o.html);
	}
	heading(&o, "proof", words_get(ctx->words, "prediction_proof"));
	prediction_proof(p, ctx->words, ctx->arena, &o.html);
	return out_close(&o);
}
