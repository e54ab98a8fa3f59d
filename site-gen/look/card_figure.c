/* What a card shows of its post: the markup of the body is read for it. */
#include <string.h>

#include "site-gen/look/card.h"
#include "site-gen/site/unmarked.h"

static struct str after(struct str s, const char *what)
{
	const char *at = s.n ? memmem(s.p, s.n, what, strlen(what)) : NULL;
	return at ? str_sub(s, (size_t)(at - s.p) + strlen(what), s.n) : (struct str){NULL, 0};
}

/* What stands before `what`; nothing if that is not there. */
static struct str before(struct str s, const char *what)
{
	const char *at = s.n ? memmem(s.p, s.n, what, strlen(what)) : NULL;
	return at ? str_sub(s, 0, (size_t)(at - s.p)) : (struct str){NULL, 0};
}

/* "0 0 360 340": how high it is for the width it gets. */
static int height_of(struct str box)
{
	int64_t n[4] = {0};
	struct str part, rest = box;
	for (int i = 0; i < 4; i++) {
		str_cut(rest, ' ', &part, &rest);
		if (!str_i64(part, &n[i]))
			return 0;
	}
	return n[2] > 0 ? (int)(n[3] * CARD_PLOT_WIDTH / n[2]) : 0;
}

/* A figure of a body: its kind, its number on the page, and what is in it. */
struct figure {
	struct str kind, inside;
	int64_t number;
};

/* Takes the next figure that a placeholder made off the body; false: there is none. */
static bool next_figure(struct str *body, struct figure *f)
{
	struct str id;
	*body = after(*body, "<figure class=\"bench ");
	if (!str_cut(*body, '"', &f->kind, &f->inside))
		return false;
	id = before(after(f->inside, " id=\"b"), "\"");
	f->inside = before(f->inside, "</figure>");
	return str_i64(id, &f->number);
}

/* A plot as it is for narrow pages. */
static bool take_plot(struct str figure, struct card_figure *out)
{
	struct str svg = before(after(figure, "<svg class=\"plot narrow\" viewBox=\""), "</svg>");
	if (!svg.n)
		return false;
	str_cut(svg, '"', &out->box, &svg);
	out->inside = str_sub(svg, str_find(svg, '>', 0) + 1, svg.n);
	out->height = height_of(out->box);
	return out->height > 0;
}

/* A ladder's names and bars. */
static bool take_bars(struct str figure, struct card_figure *out)
{
	struct str row, rest = before(after(figure, "<table class=\"numbers ladder"), "</table>");
	rest = after(rest, "<tbody>");
	while (rest.n && out->nbars < CARD_MOST_BARS) {
		row = before(rest, "</tr>");
		rest = after(rest, "</tr>");
		struct str name = before(after(row, "<code>"), "</code>");
		struct str bar = before(after(row, "<svg class=\"bar\""), "</svg>");
		if (name.n && bar.n)
			out->bar[out->nbars++] = (struct card_bar){
			        name, str_sub(bar, str_find(bar, '>', 0) + 1, bar.n)};
	}
	return out->nbars > 0;
}

/* The first figure of a kind (NULL: of any) that can be taken and keeps rule `unmarked`. */
static bool find(struct str body, const struct quote *quotes, const char *kind,
                 bool (*take)(struct str figure, struct card_figure *out), struct card_figure *out)
{
	struct figure f;
	while (next_figure(&body, &f))
		if ((!kind || str_is(f.kind, kind)) &&
		    !unmarked_figure_breaks(quotes, (int)f.number) && take(f.inside, out))
			return true;
	return false;
}

bool card_figure(struct str body, const struct quote *quotes, struct card_figure *out)
{
	*out = (struct card_figure){.height = 0};
	return find(body, quotes, "roofline", take_plot, out) ||
	       find(body, quotes, NULL, take_plot, out) ||
	       find(body, quotes, "ladder", take_bars, out);
}
