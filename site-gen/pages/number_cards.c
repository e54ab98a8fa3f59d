/*
 * A number over cards: the same machine code on several GPUs. Markup:
 * p.headline-what in #number; section #cards with table.numbers.cards;
 * span.cards-between, the standard deviation between the cards of the number before it.
 */
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/pages/number_draw.h"
#include "site-gen/pages/number_page.h"

/* "9a9773b3": the first group of the card's uuid */
static const char *short_card(const struct data_run *r, struct arena *a)
{
	const char *id = r->run.head.gpu.uuid;
	id = strncmp(id, "GPU-", 4) == 0 ? id + 4 : id;
	return arena_printf(a, "%.*s", (int)strcspn(id, "-"), id);
}

static void over_cards(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	number_link(ctx, &v->cards, "", NULL, to);
	number_interval(&v->cards, to);
	html_raw(to, ", standard deviation between cards <span class=\"cards-between\">");
	sb_printf(to, "%.2f" NBSP "%%", 100 * v->cards.between);
	html_raw(to, "</span>");
}

void number_page_card(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	if (v->n->ncards == 0)
		return;
	html_raw(to, "<p class=\"headline-what\">This card: <code>");
	html_text(to, str_of(short_card(v->p.run, v->a)));
	html_raw(to, "</code>. ");
	if (v->over_cards) {
		sb_printf(to, "Over <a href=\"#cards\">%zu cards</a>: ", v->n->ncards);
		over_cards(ctx, v, to);
		html_raw(to, ".</p>\n");
		return;
	}
	sb_printf(to, "This machine code was measured on <a href=\"#cards\">%zu card%s</a>.</p>\n",
	          v->n->ncards, v->n->ncards == 1 ? "" : "s");
}

static void card_row(struct expand_ctx *ctx, const struct number_view *v, size_t i, struct sb *to)
{
	struct pick p = number_card(v->n, i);
	struct number n;
	html_raw(to, "<tr><th scope=\"row\"><code>");
	html_text(to, str_of(short_card(p.run, v->a)));
	html_raw(to, "</code></th><td class=\"left\">");
	kind_link(ctx, arena_printf(v->a, "%s#%s", p.run->url, p.d->anchor), p.run->run.head.id,
	          to);
	html_raw(to, "</td><td class=\"right\">");
	if (number_of(&p, v->main.metric, &n)) {
		number_link(ctx, &n, "", NULL, to);
		number_interval(&n, to);
	} else {
		number_none("has no such metric", to);
	}
	html_raw(to, "</td></tr>\n");
}

void number_page_cards(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	const struct data_number *n = v->n;
	if (!v->has || n->ncards == 0)
		return;
	number_page_section(to, "cards", "Its cards");
	html_raw(to, "<p>Cards of one kind differ. Here is the newest run of each card that ran "
	             "this machine code.");
	if (!v->over_cards)
		sb_printf(to, " A value over cards needs %d of them.", DATA_CARDS_LEAST);
	html_raw(to, "</p>\n");
	table_open(to, "cards stack");
	html_raw(to, "<thead><tr><th scope=\"col\">Card</th><th scope=\"col\">Run</th>"
	             "<th scope=\"col\" class=\"right\">");
	html_text(to, str_of(metric_info(v->main.metric)->title));
	html_raw(to, "</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n->ncards; i++)
		card_row(ctx, v, i, to);
	html_raw(to, "</tbody>");
	table_close(to);
	if (!v->over_cards)
		return;
	html_raw(to, "<figure class=\"drawing\">\n");
	number_draw_cards(v, to);
	html_raw(to, "<figcaption>Each dot is a card, from top to bottom as in the table. The line "
	             "is the value over cards, the band its 95" NBSP "% interval.</figcaption>\n"
	             "</figure>\n");
	sb_printf(to,
	          "<p>Over %zu cards, their geometric mean with Student’s t interval: ", n->ncards);
	over_cards(ctx, v, to);
	html_raw(to, ".</p>\n");
}
