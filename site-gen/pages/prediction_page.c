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

/* The family's title for readers; its id if no record has it. */
static const char *family_title(const struct expand_ctx *ctx, const char *family)
{
	for (size_t i = 0; i < ctx->data->nnumbers; i++) {
		const struct run_case *c = ctx->data->numbers[i].in[0]->c;
		if (strcmp(c->family, family) == 0)
			return words_said(ctx->words, c->family_title).text;
	}
	return family;
}

/* A line for each family: its title, its squares. */
static void squares(struct out *o, const struct ledger *all, const char **family, size_t n)
{
	heading(o, "families", words_get(o->ctx->words, "ledger_families"));
	paragraph(o, "ledger_squares");
	html_raw(&o->html, "<dl class=\"ledger-families\">\n");
	for (size_t i = 0; i < n; i++) {
		struct ledger l = ledger_of_family(all, family[i], o->ctx->arena);
		html_raw(&o->html, "<div><dt>");
		html_text(&o->html, str_of(family_title(o->ctx, family[i])));
		html_raw(&o->html, "</dt><dd>");
		ledger_squares(o->ctx, &l, &o->html);
		html_raw(&o->html, "</dd></div>\n");
	}
	html_raw(&o->html, "</dl>\n");
}

static void fold(struct out *o, const struct ledger *all, const char *family)
{
	struct ledger l = ledger_of_family(all, family, o->ctx->arena);
	html_raw(&o->html, "<details class=\"ledger-fold\"><summary>");
	html_text(&o->html, str_of(family_title(o->ctx, family)));
	html_raw(&o->html, " <span class=\"ledger-sum\">");
	ledger_counts(o->ctx, &l, &o->html);
	html_raw(&o->html, "</span></summary>\n");
	ledger_rows(o->ctx, &l, LEDGER_ALL, &o->html);
	html_raw(&o->html, "</details>\n");
}

bool prediction_page_all(struct expand_ctx *ctx, const struct predictions *all, struct body *body)
{
	enum { HEADINGS = 3 };
	size_t n;
	struct ledger l = ledger_of(all, NULL, ctx->arena);
	const char **family = ledger_families(&l, ctx->arena, &n);
	struct out o = out_open(ctx, body, HEADINGS);
	paragraph(&o, "ledger_intro");
	ledger_sums(ctx, &l, &o.html);
	if (l.n == 0)
		return out_close(&o);
	squares(&o, &l, family, n);
	heading(&o, "misses", words_get(ctx->words, "ledger_misses"));
	ledger_rows(ctx, &l, PREDICTION_MISSED, &o.html);
	heading(&o, "all", words_get(ctx->words, "ledger_all"));
	for (size_t i = 0; i < n; i++)
		fold(&o, &l, family[i]);
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
