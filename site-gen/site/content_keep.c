/* What a page used and quotes, copied to where all processes see it. */
#include <string.h>

#include "site-gen/site/content.h"
#include "site-gen/numbers/goal.h"
#include "site-gen/numbers/number.h"

static const char *keep(struct maker *m, const char *s)
{
	return s ? arena_strdup(m->shared, s) : NULL;
}

/* The list came newest first. */
static void keep_quotes(struct maker *m, struct page *p, const struct quote *q)
{
	const char *placeholder = NULL, *kept = NULL;
	for (; q; q = q->next) {
		struct quote *own = ARENA_NEW(m->shared, struct quote);
		if (q->placeholder != placeholder) /* a block has many quotes */
			kept = keep(m, q->placeholder);
		placeholder = q->placeholder;
		*own = *q;
		own->text = keep(m, q->text);
		own->placeholder = kept;
		own->at.path = p->path;
		own->next = p->quotes;
		p->quotes = own;
	}
}

static void keep_facts(struct maker *m, struct page *p, const struct fact *f)
{
	for (; f; f = f->next) {
		struct fact *own = ARENA_NEW(m->shared, struct fact);
		*own = *f;
		own->key = keep(m, f->key);
		own->text = keep(m, f->text);
		own->source = keep(m, f->source);
		own->at.path = p->path;
		own->next = p->facts;
		p->facts = own;
	}
}

/* As they stand in a list of goals; a list of its own context, so that none is a quote here. */
static void keep_goals(struct maker *m, struct page *p, const struct expand_ctx *ctx)
{
	struct expand_ctx aside = *ctx;
	for (const struct goal *g = ctx->goals; g; g = g->next) {
		struct page_goal *own = ARENA_NEW(m->shared, struct page_goal);
		struct sb html = {0};
		goal_result(&aside, g, &html);
		*own = (struct page_goal){keep(m, g->text),
		                          {arena_strndup(m->shared, html.p, html.n), html.n},
		                          goal_verdict(&g->r),
		                          p->goals};
		p->goals = own;
		sb_free(&html);
	}
}

/* Families are few, uses may be hundreds. */
static void keep_families(struct maker *m, struct page *p)
{
	enum { MOST = 32 };
	p->families = ARENA_ARRAY(m->shared, const char *, MOST);
	p->nfamilies = 0;
	for (const struct expand_use *u = p->uses; u && p->nfamilies < MOST; u = u->next) {
		size_t k = 0;
		while (k < p->nfamilies && strcmp(p->families[k], u->c->family) != 0)
			k++;
		if (k == p->nfamilies)
			p->families[p->nfamilies++] = u->c->family;
	}
}

void content_keep_uses(struct maker *m, struct page *p, const struct expand_ctx *ctx)
{
	struct expand_use **last = &p->uses, *before = p->uses;
	for (const struct expand_use *u = ctx->uses; u; u = u->next) {
		*last = ARENA_NEW(m->shared, struct expand_use);
		**last = (struct expand_use){.run = u->run, .c = u->c};
		last = &(*last)->next;
	}
	*last = before; /* of a text, before those of the page that it is part of */
	keep_families(m, p);
	keep_quotes(m, p, ctx->quotes);
	keep_facts(m, p, ctx->facts);
	keep_goals(m, p, ctx);
	p->state = data_worst(&m->site->data, p->uses);
}
