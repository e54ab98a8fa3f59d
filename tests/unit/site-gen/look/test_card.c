/* Social cards: letters that a font has, lines that fit, pictures that are always the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/look/card.h"
#include "site-gen/look/style.h"
#include "site-gen/numbers/case.h"
#include "site-gen/base/html.h"
#include "site-gen/base/unicode.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/base/tool.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/unmarked.h"
#include "site-gen/site/site.h"

static struct arena arena;
static struct picture_fonts fonts;
static const struct config config = {.look = {.own = ""}};
static struct site site;

/* The fonts of the site's own look, unpacked into a folder of the test. */
static int set_up(void **state)
{
	static struct site_asset assets[] = {{"fonts/sans.woff2", "/static/fonts/sans.woff2?h=1"},
	                                     {"fonts/serif.woff2", "/static/fonts/serif.woff2?h=2"},
	                                     {"site.css", "/static/site.css?h=3"}};
	struct err e = ERR_NONE;
	(void)state;
	site = (struct site){.config = &config,
	                     .options.cache = tool_folder(&arena, &e),
	                     .repo = {.assets = assets, .nassets = 3}};
	if (!picture_fonts(&site, &arena, &fonts, &e))
		fail_msg("%s", e.text);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tool_folder_remove(site.options.cache);
	arena_free(&arena);
	return 0;
}

static void fonts_know_their_letters(void **state)
{
	(void)state;
	int m = picture_width(&fonts, "serif", 'm'), i = picture_width(&fonts, "serif", 'i');
	assert_true(i > 150 && m > 2 * i && m < 1100);
	assert_true(picture_width(&fonts, "sans", 0x03bb) > 0);
	assert_int_equal(picture_width(&fonts, "sans", 0x1f600), -1);
	assert_true(picture_width(&fonts, "sans", 0x4e2d) >= 900 || !fonts.chinese);
}

static void what_is_no_font_is_refused(void **state)
{
	struct sfnt f;
	(void)state;
	assert_false(sfnt_open(STR(""), &f));
	assert_false(sfnt_open(STR("wOF2 and more bytes than a header has"), &f));
	struct str whole = fonts.all[0].font.bytes;
	for (size_t n = 0; n < whole.n; n += 97) {
		char *cut = malloc(n + 1); /* so that a read beyond the end is found */
		memcpy(cut, whole.p, n);
		if (sfnt_open((struct str){cut, n}, &f))
			for (uint32_t c = 0; c < 0x300; c++)
				assert_true(sfnt_width(&f, c) < 10000);
		free(cut);
	}
}

static double width_of(struct str line, const char *font, int size)
{
	double x = 0;
	for (size_t i = 0, n; i < line.n; i += n)
		x += picture_width(&fonts, font, unicode_at(line, i, &n)) * size / 1000.0;
	return x;
}

static const char *broken(const char *text, const int *sizes, int width, size_t most,
                          struct card_text *t)
{
	uint32_t missing = 0;
	struct sb all = {0};
	bool whole =
	        card_break(&fonts, "serif", str_of(text), sizes, width, most, &arena, t, &missing);
	bool short_of = t->n > 0 && str_ends(t->line[t->n - 1], "…");
	assert_true(whole != short_of || t->n == 0);
	for (size_t i = 0; i < t->n; i++) {
		sb_printf(&all, "%s" STR_FMT, i ? "|" : "", STR_ARG(t->line[i]));
		assert_true(width_of(t->line[i], "serif", t->size) <= width);
	}
	const char *out = arena_strdup(&arena, all.p ? all.p : "");
	sb_free(&all);
	return out;
}

static void texts_are_broken_where_they_may(void **state)
{
	static const int sizes[] = {40, 20, 0};
	struct card_text t;
	(void)state;
	assert_string_equal(broken("one two  three", sizes, 180, 2, &t), "one two|three");
	assert_int_equal(t.size, 40);
	/* smaller before it is cut */
	broken("a title of some words", sizes, 150, 3, &t);
	assert_int_equal(t.size, 20);
	const char *cut =
	        broken("far more words than two short lines can ever take", sizes, 150, 2, &t);
	assert_non_null(strstr(cut, "…"));
	assert_int_equal(t.n, 2);
	/* 11.4 % is one word: its space does not break */
	assert_null(strstr(broken("is 11.4\xC2\xA0% now", sizes, 140, 3, &t), "11.4|"));
	assert_string_equal(broken("", sizes, 150, 2, &t), "");
	assert_string_equal(broken("nothing", sizes, 150, 0, &t), "");
}

static void chinese_is_broken_between_letters(void **state)
{
	static const int sizes[] = {40, 0};
	struct card_text t;
	(void)state;
	if (!fonts.chinese)
		skip();
	assert_string_equal(broken("矩阵转置的台阶", sizes, 160, 3, &t), "矩阵转|置的台|阶");
}

static void closing_signs_begin_no_line(void **state)
{
	static const int sizes[] = {40, 0};
	struct card_text t;
	(void)state;
	if (!fonts.chinese)
		skip();
	assert_string_equal(broken("矩阵转置。台", sizes, 160, 3, &t), "矩阵转|置。台");
	assert_string_equal(broken("矩阵转置", sizes, 160, 3, &t), "矩阵转|置");
	assert_string_equal(broken("矩阵转。", sizes, 160, 3, &t), "矩阵|转。");
}

static void a_letter_that_is_missing_is_told(void **state)
{
	static const int sizes[] = {40, 0};
	struct card_text t;
	uint32_t missing = 0;
	(void)state;
	card_break(&fonts, "serif", str_of("a 😀 b"), sizes, 400, 1, &arena, &t, &missing);
	assert_int_equal(missing, 0x1f600);
	assert_true(str_is(t.line[0], "a b"));
}

#define PLOT(id, what)                                                                      \
	"<figure class=\"bench plot\" id=\"" id "\"><svg class=\"plot wide\"><wide/></svg>" \
	"<svg class=\"plot narrow\" viewBox=\"0 0 100 50\" width=\"1\">" what "</svg></figure>"
#define LADDER                                                                             \
	"<figure class=\"bench ladder\" id=\"b3\"><table class=\"numbers ladder\"><thead>" \
	"<code>no</code></thead><tbody>"                                                   \
	"<tr><code>a</code><svg class=\"bar\" x=\"1\"><rect/></svg></tr>"                  \
	"<tr><code>b</code></tr></tbody></table></figure>"

static void figures_are_found(void **state)
{
	struct card_figure f;
	(void)state;
	assert_true(card_figure(STR(LADDER PLOT("b1", "<path/>") PLOT("b2", "<g/>")), NULL, &f));
	assert_true(str_is(f.inside, "<path/>") && str_is(f.box, "0 0 100 50"));
	assert_int_equal(f.height, CARD_PLOT_WIDTH / 2);
	assert_true(card_figure(STR(LADDER), NULL, &f));
	assert_int_equal(f.nbars, 1);
	assert_true(str_is(f.bar[0].name, "a") && str_is(f.bar[0].inside, "<rect/>"));
	assert_false(card_figure(STR("<p>nothing</p>"), NULL, &f));
	assert_int_equal(f.height + (int)f.nbars, 0);
}

#define DRAWING(wide, narrow)                                                          \
	"<svg class=\"diagram at-wide\" viewBox=\"" wide "\" font-size=\"12\">W</svg>" \
	"<svg class=\"diagram at-narrow\" viewBox=\"" narrow "\" font-size=\"12\">N</svg>"

/* A flat drawing fills the width below its finding; a high one stands beside it. */
static void a_figure_gets_the_form_that_is_legible(void **state)
{
	struct card_figure f;
	(void)state;
	assert_true(card_drawing(STR(DRAWING("0 0 736 116", "0 0 358 144")), 1072, 300, &f));
	assert_true(str_is(f.inside, "W") && f.below && f.width == 1072 && f.height == 168);
	assert_true(card_drawing(STR(DRAWING("0 0 736 420", "0 0 358 340")), 1072, 300, &f));
	assert_true(str_is(f.inside, "N") && !f.below && f.width == CARD_PLOT_WIDTH);
	assert_true(card_drawing(STR(DRAWING("0 0 736 900", "0 0 358 900")), 1072, 300, &f));
	assert_int_equal(f.height, CARD_PLOT_HEIGHT);
	assert_true(str_is(f.class, "diagram at-narrow") && f.font == 12);
	assert_false(card_drawing(STR("<p>none</p>"), 1072, 300, &f));
}

#define ROW(name, state)                                                            \
	"<tr><th><a href=\"/k/\">" name "</a></th><td><a data-state=\"" state "\">" \
	"</a><svg class=\"bar\"><rect/></svg></td></tr>"
#define BOARD                                                                      \
	"<figure class=\"bench board\" id=\"b9\"><table>" ROW("Scan", "same-code") \
	        ROW("Sum", "stale") ROW("Softmax", "ok") "</table></figure>"

/* Of the scoreboard a card shows the rows that have no mark. */
static void the_scoreboard_is_drawn_without_marked_rows(void **state)
{
	struct card_figure f;
	(void)state;
	assert_true(card_figure(STR(BOARD), NULL, &f));
	assert_int_equal(f.nbars, 2);
	assert_true(str_is(f.bar[0].name, "Scan") && str_is(f.bar[1].name, "Softmax"));
	assert_true(str_is(f.bar[1].inside, "<rect/>"));
}

/* Rule `unmarked`: what is drawn has no number with a mark. */
static void figures_with_marked_numbers_are_passed_over(void **state)
{
	static const char body[] = PLOT("b1", "<path/>") PLOT("b2", "<g/>") LADDER;
	struct data_case sound = {.state = DATA_OK}, unsteady = {.why[DATA_UNSTEADY] = "few"};
	struct quote q[] = {{.n.pick.d = &sound, .figure = 2, .next = &q[1]},
	                    {.n = {.pick.d = &sound, .over.d = &unsteady}, .figure = 1}};
	struct card_figure f;
	(void)state;
	assert_true(card_figure(STR(body), q, &f));
	assert_true(str_is(f.inside, "<g/>"));
	q[0].n.pick.d = &unsteady;
	assert_true(card_figure(STR(body), q, &f));
	assert_int_equal(f.nbars, 1);
	q[0].figure = 3;
	q[0].n.pick.d = &sound;
	q[0].next = NULL;
	assert_true(card_figure(STR(body), q, &f) && str_is(f.inside, "<path/>"));
	unsteady.why[DATA_PREVIEW] = "not committed";
	assert_false(
	        unmarked_figure_breaks(&q[1], q[1].figure)); /* --strict refuses it everywhere */
}

/* Cards paint each series that a plot can have, and paint it as pages do. */
static void series_are_painted_as_on_pages(void **state)
{
	struct err e = ERR_NONE;
	struct str style;
	struct style_series s, twin;
	int n = 0;
	(void)state;
	assert_true(file_read("static/site.css", 1 << 20, &arena, &style, &e));
	while (style_series(style, n, &arena, &s)) {
		assert_true(s.colour.n == 7 && s.colour.p[0] == '#');
		assert_int_equal(s.dash.n > 0, n >= CASE_COLOURS / 2);
		n++;
	}
	assert_int_equal(n, CASE_COLOURS);
	assert_true(style_series(style, 1, &arena, &s) && style_series(style, 13, &arena, &twin));
	assert_true(str_eq(s.colour, twin.colour));
	assert_false(style_series(STR(""), 0, &arena, &s));
	assert_false(style_series(STR(".s-0 { --c: var(--s0); }"), 0, &arena, &s));
}

static const char drawing[] =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"63\" "
        "viewBox=\"0 0 120 63\"><text x=\"4\" y=\"40\" font-family=\"Ridgepoint Serif\" "
        "font-size=\"30\">Peak</text></svg>";

static void a_picture_is_the_same_every_time(void **state)
{
	struct err e = ERR_NONE;
	struct sb one = {0}, two = {0}, kept = {0};
	const char *other = tool_folder(&arena, &e);
	(void)state;
	assert_true(picture_png(&fonts, STR(drawing), 120, site.options.cache, &arena, &one, &e));
	assert_true(picture_png(&fonts, STR(drawing), 120, other, &arena, &two, &e));
	assert_true(picture_png(&fonts, STR(drawing), 120, other, &arena, &kept, &e));
	assert_true(str_eq(sb_view(&one), sb_view(&two)) && str_eq(sb_view(&two), sb_view(&kept)));
	assert_memory_equal(one.p + 16, "\0\0\0\x78\0\0\0\x3f", 8);
	tool_folder_remove(other);
	sb_free(&one);
	sb_free(&two);
	sb_free(&kept);
}

static void what_is_no_drawing_is_an_error(void **state)
{
	struct err e = ERR_NONE;
	struct sb to = {0};
	(void)state;
	assert_false(picture_png(&fonts, STR("<svg"), 120, site.options.cache, &arena, &to, &e));
	assert_non_null(strstr(e.text, "rsvg-convert"));
	assert_int_equal(to.n, 0);
}

/* What paints a diagram on a page paints it on a card, too. */
static void diagrams_are_painted_as_on_pages(void **state)
{
	struct err e = ERR_NONE;
	struct str css, card, line, rest;
	(void)state;
	assert_true(file_read("static/diagram.css", 1 << 20, &arena, &css, &e));
	assert_true(file_read("templates/card.svg", 1 << 20, &arena, &card, &e));
	for (rest = css; str_cut(rest, '\n', &line, &rest);) {
		size_t dot = str_find(line, '.', 1), end = dot + 1; /* ".diagram path.thin {" */
		if (!str_starts(line, ".diagram ") || dot >= str_find(line, '{', 0) ||
		    memchr(line.p, ':', str_find(line, '{', 0)))
			continue;
		while (end < line.n && !strchr(" ,[{.", line.p[end]))
			end++;
		struct str name = str_sub(line, dot + 1, end);
		size_t stem = name.n > 2 && name.p[name.n - 2] == '-' ? name.n - 1 : name.n;
		if (!memmem(card.p, card.n, name.p, str_starts(name, "t") ? stem : name.n))
			fail_msg("templates/card.svg has no rule for '" STR_FMT "'", STR_ARG(name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(fonts_know_their_letters),
	        cmocka_unit_test(what_is_no_font_is_refused),
	        cmocka_unit_test(texts_are_broken_where_they_may),
	        cmocka_unit_test(chinese_is_broken_between_letters),
	        cmocka_unit_test(closing_signs_begin_no_line),
	        cmocka_unit_test(a_letter_that_is_missing_is_told),
	        cmocka_unit_test(a_figure_gets_the_form_that_is_legible),
	        cmocka_unit_test(the_scoreboard_is_drawn_without_marked_rows),
	        cmocka_unit_test(diagrams_are_painted_as_on_pages),
	        cmocka_unit_test(figures_are_found),
	        cmocka_unit_test(figures_with_marked_numbers_are_passed_over),
	        cmocka_unit_test(series_are_painted_as_on_pages),
	        cmocka_unit_test(a_picture_is_the_same_every_time),
	        cmocka_unit_test(what_is_no_drawing_is_an_error),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
