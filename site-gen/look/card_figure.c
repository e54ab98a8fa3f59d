/* Finds the figure for a card in the markup of the post's body. */
#include "site-gen/base/html_scan.h"
#include "site-gen/look/card.h"
#include "site-gen/site/unmarked.h"

/* The size in a viewBox "0 0 360 340"; false: it has none. */
static bool size_of(struct str box, int64_t *width, int64_t *height)
{
	int64_t n[4] = {0};
	struct str part, rest = box;
	for (int i = 0; i < 4; i++) {
		str_cut(rest, ' ', &part, &rest);
		if (!str_i64(part, &n[i]))
			return false;
	}
	*width = n[2];
	*height = n[3];
	return n[2] > 0 && n[3] > 0;
}

/* Finds the first element of this name and class: its content and its viewBox. */
static bool find_element(struct str markup, const char *name, const char *class,
                         struct str *content, struct str *box)
{
	struct html_scan h = html_scan(markup);
	while (html_scan_find(&h, name)) {
		if (class && !html_scan_class(&h, class))
			continue;
		*box = html_scan_value(&h, "viewBox");
		return html_scan_inside(&h, content);
	}
	return false;
}

/* Takes the first drawing of this class, as large as a box allows. */
static bool take_drawing(struct str markup, const char *class, int width, int height,
                         struct card_figure *out)
{
	struct html_scan h = html_scan(markup);
	int64_t w, high, font = 0;
	while (html_scan_find(&h, "svg")) {
		if (!html_scan_class(&h, class))
			continue;
		*out = (struct card_figure){.box = html_scan_value(&h, "viewBox"),
		                            .class = html_scan_value(&h, "class")};
		str_i64(html_scan_value(&h, "font-size"), &font);
		out->font = font > 0 ? (int)font : 13;
		if (!size_of(out->box, &w, &high))
			return false;
		bool flat = high * width <= w * height; /* the width limits it */
		out->width = flat ? width : (int)(w * height / high);
		out->height = flat ? (int)(high * width / w) : height;
		return html_scan_inside(&h, &out->inside) && out->height > 0;
	}
	return false;
}

/* Takes a plot in its form for narrow pages. */
static bool take_plot(struct str figure, struct card_figure *out)
{
	return take_drawing(figure, "narrow", CARD_PLOT_WIDTH, CARD_PLOT_HEIGHT, out);
}

/* The size of its letters on the card, in hundredths of a pixel. */
static int64_t legible(const struct card_figure *f)
{
	int64_t w, h;
	return size_of(f->box, &w, &h) ? (int64_t)f->font * f->width * 100 / w : 0;
}

bool card_drawing(struct str body, int width, int height, struct card_figure *out)
{
	enum { PART = 85 }; /* per cent of the legibility: a wide drawing looks better */
	struct card_figure wide = {0}, narrow = {0};
	bool has_wide = take_drawing(body, "wide", width, height, &wide) ||
	                take_drawing(body, "at-wide", width, height, &wide);
	bool has_narrow =
	        take_plot(body, &narrow) ||
	        take_drawing(body, "at-narrow", CARD_PLOT_WIDTH, CARD_PLOT_HEIGHT, &narrow);
	wide.below = true;
	*out = !has_narrow || (has_wide && legible(&wide) * 100 >= legible(&narrow) * PART)
	               ? wide
	               : narrow;
	return has_wide || has_narrow;
}

/* Takes a ladder's names and bars. */
static bool take_bars(struct str figure, struct card_figure *out)
{
	struct str table, row, box;
	if (!find_element(figure, "table", "ladder", &table, &box))
		return false;
	struct html_scan rows = html_scan(table);
	while (out->nbars < CARD_MOST_BARS && html_scan_find(&rows, "tr") &&
	       html_scan_inside(&rows, &row)) {
		struct card_bar *bar = &out->bar[out->nbars];
		out->nbars += find_element(row, "code", NULL, &bar->name, &box) &&
		              find_element(row, "svg", "bar", &bar->inside, &box);
	}
	return out->nbars > 0;
}

/* Takes a diagram in its form for narrow pages. */
static bool take_diagram(struct str figure, struct card_figure *out)
{
	return take_drawing(figure, "at-narrow", CARD_PLOT_WIDTH, CARD_PLOT_HEIGHT, out);
}

/* Does a row of the scoreboard show a number with a mark? */
static bool is_marked(struct str row)
{
	struct html_scan h = html_scan(row);
	while (html_scan_find(&h, "a")) {
		struct str state = html_scan_value(&h, "data-state");
		if (state.n && !str_is(state, "ok") && !str_is(state, "same-code"))
			return true;
	}
	return false;
}

/* Takes the scoreboard's names and bars, of the rows without a mark. */
static bool take_board(struct str figure, struct card_figure *out)
{
	struct str row, box;
	struct html_scan rows = html_scan(figure);
	while (out->nbars < CARD_MOST_BARS && html_scan_find(&rows, "tr") &&
	       html_scan_inside(&rows, &row)) {
		struct card_bar *bar = &out->bar[out->nbars];
		out->nbars += find_element(row, "a", NULL, &bar->name, &box) &&
		              find_element(row, "svg", "bar", &bar->inside, &box) &&
		              !is_marked(row);
	}
	return out->nbars > 0;
}

/* Finds the first figure of a kind (NULL: any) that can be drawn and keeps rule `unmarked`. */
static bool find(struct str body, const struct quote *quotes, const char *kind,
                 bool (*take)(struct str figure, struct card_figure *out), struct card_figure *out)
{
	struct html_scan h = html_scan(body);
	struct str figure;
	int64_t number;
	while (html_scan_find(&h, "figure")) {
		struct str id = html_scan_value(&h, "id"); /* "b3" */
		bool wanted = html_scan_class(&h, "bench") &&
		              (!kind || html_scan_class(&h, kind)) && str_starts(id, "b") &&
		              str_i64(str_sub(id, 1, id.n), &number);
		if (html_scan_inside(&h, &figure) && wanted &&
		    !unmarked_figure_breaks(quotes, (int)number) && take(figure, out))
			return true;
	}
	return false;
}

bool card_figure(struct str body, const struct quote *quotes, struct card_figure *out)
{
	*out = (struct card_figure){.height = 0};
	return find(body, quotes, "roofline", take_plot, out) ||
	       find(body, quotes, NULL, take_plot, out) ||
	       find(body, quotes, "ladder", take_bars, out) ||
	       find(body, NULL, "board", take_board, out) ||
	       find(body, quotes, "diagram", take_diagram, out);
}
