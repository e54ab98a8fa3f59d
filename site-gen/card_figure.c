/* What a card shows of its post: the markup of the body is read for it. */
#include <string.h>

#include "site-gen/card.h"

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

/* The first roofline, else the first plot, as it is for narrow pages. */
static bool find_plot(struct str body, struct card_figure *out)
{
	struct str from = after(body, "<figure class=\"bench roofline");
	struct str svg = after(from.n ? from : body, "<svg class=\"plot narrow\" viewBox=\"");
	svg = before(svg, "</svg>");
	if (!svg.n)
		return false;
	str_cut(svg, '"', &out->box, &svg);
	out->inside = str_sub(svg, str_find(svg, '>', 0) + 1, svg.n);
	out->height = height_of(out->box);
	return out->height > 0;
}

/* Of the first ladder, its names and bars. */
static void find_bars(struct str body, struct card_figure *out)
{
	struct str row, rest = before(after(body, "<table class=\"numbers ladder"), "</table>");
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
}

void card_figure(struct str body, struct card_figure *out)
{
	*out = (struct card_figure){.height = 0};
	if (!find_plot(body, out))
		find_bars(body, out);
}
