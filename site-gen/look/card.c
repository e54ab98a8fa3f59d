#include "site-gen/look/card.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/site/address.h"
#include "site-gen/base/html.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/shared_figure.h"
#include "site-gen/look/style.h"
#include "site-gen/look/vars.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"
#include "site-gen/lua/script.h"

enum { TEXT_WIDTH = 540, WHOLE_WIDTH = CARD_WIDTH - 2 * CARD_MARGIN };

/* --- the cards of a site --------------------------------------------------------------------- */

void card_add(struct site *s)
{
	size_t n = address_has_cards(s) ? s->pages.n : 0;
	for (size_t i = 0; i < n; i++) {
		const struct page *of = s->pages.all[i];
		if (!address_has_card(of))
			continue;
		struct page *p = site_add(s, page_kind(s, "card"),
		                          arena_printf(s->shared, "%scard.png", of->url), of);
		p->text.title = p->text.description = "";
		p->text.lang = of->text.lang;
		p->language = of->language;
		p->loaded = true;
	}
}

/* --- one card -------------------------------------------------------------------------------- */

struct card {
	struct maker *m;
	struct card_text title, dek, key;
	struct card_figure figure;
};

static void put_lines(struct script *s, const char *key, const struct card_text *t)
{
	script_begin(s, key, 2);
	script_int(s, "size", t->size);
	script_begin(s, "lines", 0);
	for (size_t i = 0; i < t->n; i++)
		script_text(s, NULL, t->line[i]);
	script_end(s);
	script_end(s);
}

static void put_figure(struct script *s, const struct card_figure *f)
{
	script_markup(s, "plot", f->inside);
	script_text(s, "plot_box", f->box);
	script_text(s, "plot_class", f->class);
	script_int(s, "plot_font", f->font);
	script_int(s, "plot_width", f->width);
	script_int(s, "plot_height", f->height);
	script_flag(s, "plot_below", f->below);
	script_begin(s, "bars", 0);
	for (size_t i = 0; i < f->nbars; i++) {
		script_begin(s, NULL, 2);
		script_text(s, "name", f->bar[i].name);
		script_markup(s, "inside", f->bar[i].inside);
		script_end(s);
	}
	script_end(s);
}

static void put_series(struct script *s, struct maker *m)
{
	struct style_series one;
	script_begin(s, "series", 0);
	for (int i = 0; style_series(m->style, i, &m->scratch, &one); i++) {
		script_begin(s, NULL, 3);
		script_text(s, "class", str_of(arena_printf(&m->scratch, "s-%d", i)));
		script_text(s, "colour", one.colour);
		script_text(s, "dash", one.dash);
		script_end(s);
	}
	script_end(s);
}

static void variables(struct script *s, void *ctx)
{
	struct card *c = ctx;
	vars_page(s, c->m);
	script_begin(s, "card", 12);
	put_series(s, c->m);
	script_int(s, "width", CARD_WIDTH);
	script_int(s, "height", CARD_HEIGHT);
	script_int(s, "margin", CARD_MARGIN);
	put_lines(s, "title", &c->title);
	put_lines(s, "dek", &c->dek);
	put_lines(s, "key", &c->key);
	put_figure(s, &c->figure);
	script_end(s);
}

static bool say_missing(struct maker *m, const struct page *p, uint32_t letter, struct err *e)
{
	bool chinese = letter >= 0x2e80 && letter <= 0x9fff;
	struct sb text = {0};
	sb_utf8(&text, letter);
	if (chinese && !m->fonts->chinese)
		err_set(e,
		        "%s: no font has '%s': social cards in Chinese need the package "
		        "fonts-droid-fallback ('make setup site' installs it)",
		        p->path ? p->path : p->url, text.p);
	else
		problems_warn(m->problems, (struct loc){.path = p->path ? p->path : p->url},
		              "no font of the social card has '%s' (U+%04X): it is left out there",
		              text.p, (unsigned)letter);
	sb_free(&text);
	return !e->set;
}

/* Height of a text on the card; templates/card.svg has the same line spacing. */
static int height_of(const struct card_text *t, double line)
{
	return (int)((double)t->n * t->size * line);
}

/* Lines of the description that fit between the title and the key result; never just one. */
static size_t dek_lines(const struct card *c, int size)
{
	enum { TOP = 116, BETWEEN = 40, BOTTOM = 64, MOST = 3 };
	int room = CARD_HEIGHT - TOP - BETWEEN - BOTTOM - height_of(&c->title, 1.16) -
	           height_of(&c->key, 1.3);
	int lines = room > 0 ? (int)(room / (size * 1.4)) : 0;
	return lines < 2 ? 0 : lines < MOST ? (size_t)lines : MOST;
}

/* What a card says. */
struct said {
	const char *title, *dek, *key;
};

/*
 * Every card shows the site's name, so the home page shows its subject instead. A figure's card
 * names its post.
 */
static struct said said_of(const struct page *p)
{
	const struct shared_figure *f = shared_figure(p);
	struct said s = {p->text.title, p->text.description, p->front.key ? p->front.key : ""};
	if (f)
		s.key = f->post->text.title;
	if (page_kind_is(p, "home"))
		s = (struct said){p->text.description, "", s.key};
	return s;
}

static void break_key(struct maker *m, struct card *c, const char *key, int width,
                      uint32_t *missing)
{
	static const int sizes[] = {32, 28, 24, 22, 0}, long_sizes[] = {24, 22, 20, 0};
	/* a key result gets another line before it is cut */
	if (!card_break(m->fonts, "sans", str_of(key), sizes, width, 2, &m->scratch, &c->key,
	                missing))
		card_break(m->fonts, "sans", str_of(key), long_sizes, width, 3, &m->scratch,
		           &c->key, missing);
}

/* The texts of a page beside a drawing, or, without one, over the whole width. */
static void lay_out_page(struct maker *m, const struct page *p, struct card *c, uint32_t *missing)
{
	static const int title_sizes[] = {60, 54, 48, 42, 38, 0}, dek_sizes[] = {28, 25, 0};
	const struct said s = said_of(p);
	bool half = card_figure(p->text.body, p->numbers.quotes, &c->figure);
	int width = half ? TEXT_WIDTH : WHOLE_WIDTH;
	card_break(m->fonts, "serif", str_of(s.title), title_sizes, width, half ? 4 : 3,
	           &m->scratch, &c->title, missing);
	break_key(m, c, s.key, width, missing);
	card_break(m->fonts, "serif", str_of(s.dek), dek_sizes, width, dek_lines(c, dek_sizes[0]),
	           &m->scratch, &c->dek, missing);
}

/* The texts of a figure's card: `width` wide, in so many lines. */
static void lay_out_texts(struct maker *m, const struct page *p, struct card *c, int width,
                          size_t most, uint32_t *missing)
{
	static const int title_sizes[] = {44, 40, 36, 32, 28, 0}, dek_sizes[] = {22, 0},
	                 key_sizes[] = {22, 20, 0};
	const struct said s = said_of(p);
	struct arena *a = &m->scratch;
	card_break(m->fonts, "serif", str_of(s.title), title_sizes, width, most, a, &c->title,
	           missing);
	card_break(m->fonts, "serif", str_of(s.dek), dek_sizes, width, most > 2 ? 4 : 2, a, &c->dek,
	           missing);
	card_break(m->fonts, "sans", str_of(s.key), key_sizes, width, most > 2 ? 2 : 1, a, &c->key,
	           missing);
}

/* A figure's drawing stands below its finding, or beside it if its letters would be too small. */
static void lay_out_figure(struct maker *m, const struct page *p, struct card *c, uint32_t *missing)
{
	enum { TOP = 116, BETWEEN = 46, BOTTOM = 64 };
	lay_out_texts(m, p, c, WHOLE_WIDTH, 2, missing);
	int room = CARD_HEIGHT - TOP - BETWEEN - BOTTOM - height_of(&c->title, 1.16) -
	           height_of(&c->dek, 1.4) - height_of(&c->key, 1.3);
	if (card_drawing(p->text.body, WHOLE_WIDTH, room, &c->figure) && !c->figure.below)
		lay_out_texts(m, p, c, TEXT_WIDTH, 5, missing);
}

static bool lay_out(struct maker *m, const struct page *p, struct card *c, struct err *e)
{
	uint32_t missing = 0;
	if (shared_figure(p))
		lay_out_figure(m, p, c, &missing);
	else
		lay_out_page(m, p, c, &missing);
	return !missing || say_missing(m, p, missing, e);
}

static bool load_fonts(struct maker *m, struct err *e)
{
	if (m->fonts)
		return true;
	struct picture_fonts *f = ARENA_NEW(m->site->arena, struct picture_fonts);
	if (!picture_fonts(m->site, m->site->arena, f, e))
		return false;
	m->fonts = f;
	return true;
}

/* Renders the template with the post's variables, as if the card were part of its page. */
static bool draw(struct maker *m, const struct page *of, struct sb *svg, struct err *e)
{
	struct card c = {.m = m};
	m->page = of;
	vars_define(m);
	return style_load(m, e) && lay_out(m, of, &c, e) &&
	       script_render(m->script, ADDRESS_CARD_TEMPLATE, variables, &c, svg, e);
}

bool card_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	struct sb svg = {0};
	bool ok = load_fonts(m, e) && draw(m, p->subject, &svg, e) &&
	          picture_png(m->fonts, sb_view(&svg), CARD_WIDTH, m->site->options.cache,
	                      &m->scratch, to, e);
	m->page = p;
	sb_free(&svg);
	return ok;
}
