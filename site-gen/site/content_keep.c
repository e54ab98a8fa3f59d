/* Copies a page's uses and quotes to memory that all processes share. */
#include <string.h>

#include "site-gen/site/content.h"
#include "site-gen/numbers/goal.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

static const char *keep(struct maker *m, const char *s)
{
	return s ? arena_strdup(m->shared, s) : NULL;
}

/* Reverses the list, which is newest first. */
static void keep_quotes(struct maker *m, struct page *p, const struct quote *q)
{
	const char *placeholder = NULL, *kept = NULL;
	for (; q; q = q->next) {
		struct quote *own = ARENA_NEW(m->shared, struct quote);
		if (q->placeholder != placeholder) /* the quotes of a block share one */
			kept = keep(m, q->placeholder);
		placeholder = q->placeholder;
		*own = *q;
		own->text = keep(m, q->text);
		own->placeholder = kept;
		own->at.path = p->path;
		own->next = p->numbers.quotes;
		p->numbers.quotes = own;
	}
}

static void keep_facts(struct maker *m, struct page *p, const struct fact *f)
{
	for (; f; f = f->next) {
		struct fact *own = ARENA_NEW(m->shared, struct fact);
		*own = *f;
		own->key = keep(m, f->key);
		own->run = keep(m, f->run);
		own->text = keep(m, f->text);
		own->source = keep(m, f->source);
		own->at.path = p->path;
		own->next = p->numbers.facts;
		p->numbers.facts = own;
	}
}

/* Renders goals for the list of goals, in another context, so that they are no quotes here. */
static void keep_goals(struct maker *m, struct page *p, const struct expand_ctx *ctx)
{
	struct expand_ctx aside = *ctx;
	for (const struct goal *g = ctx->goals; g; g = g->next) {
		struct page_goal *own = ARENA_NEW(m->shared, struct page_goal);
		struct sb html = {0};
		goal_result(&aside, g, &html);
		*own = (struct page_goal){keep(m, g->text),
		                          {str_dup(m->shared, sb_view(&html)), html.n},
		                          goal_verdict(&g->r),
		                          p->numbers.goals};
		p->numbers.goals = own;
		sb_free(&html);
	}
}

/* Copies the figures that are newer than those that the page has. */
static void keep_figures(struct maker *m, struct page *p, const struct expand_figure *f)
{
	struct expand_figure **last = &p->numbers.figures, *before = p->numbers.figures;
	for (; f && f != before; f = f->next) {
		*last = ARENA_NEW(m->shared, struct expand_figure);
		**last = (struct expand_figure){.number = f->number,
		                                .name = keep(m, f->name),
		                                .finding = keep(m, f->finding),
		                                .finding_html = keep(m, f->finding_html),
		                                .drawn = f->drawn};
		last = &(*last)->next;
	}
	*last = before;
}

/* Linear search: there are few families, though hundreds of uses. */
static void keep_families(struct maker *m, struct page *p)
{
	enum { MOST = 32 };
	p->numbers.families = ARENA_ARRAY(m->shared, const char *, MOST);
	p->numbers.nfamilies = 0;
	for (const struct expand_use *u = p->numbers.uses; u && p->numbers.nfamilies < MOST;
	     u = u->next) {
		size_t k = 0;
		while (k < p->numbers.nfamilies &&
		       strcmp(p->numbers.families[k], u->c->family) != 0)
			k++;
		if (k == p->numbers.nfamilies)
			p->numbers.families[p->numbers.nfamilies++] = u->c->family;
	}
}

void content_keep_uses(struct maker *m, struct page *p, const struct expand_ctx *ctx)
{
	struct expand_use **last = &p->numbers.uses, *before = p->numbers.uses;
	for (const struct expand_use *u = ctx->uses; u; u = u->next) {
		*last = ARENA_NEW(m->shared, struct expand_use);
		**last = (struct expand_use){.run = u->run, .c = u->c, .at = u->at};
		(*last)->at.path = p->path;
		last = &(*last)->next;
	}
	*last = before; /* uses of a text precede those of the page that it belongs to */
	keep_families(m, p);
	keep_quotes(m, p, ctx->quotes);
	keep_facts(m, p, ctx->facts);
	keep_goals(m, p, ctx);
	keep_figures(m, p, ctx->figures);
	p->numbers.state = data_worst(m->site->data, p->numbers.uses);
}
