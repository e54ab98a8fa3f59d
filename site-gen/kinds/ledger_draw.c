/*
 * Pictures of a ledger:
 *
 *   figure.drawing > svg.draw.calibration     stated confidence against the share that held
 *     line.draw-step      as sure as right
 *     line.draw-mid       95 % interval of a share (Wilson's); circle.draw-pt its share
 *   ul.squares > li > a.square[data-verdict]  one for each prediction, which it links to
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/ledger.h"
#include "site-gen/kinds/prediction.h"
#include "site-gen/lua/words.h"
#include "site-gen/plot/draw.h"

/* --- calibration ------------------------------------------------------------------ */

enum { TOP = 10, BOTTOM = 190, CURVE_HEIGHT = 212 }; /* px */

static double y_of(double share)
{
	return BOTTOM - share * (BOTTOM - TOP);
}

/* Per cent of the width. */
static double x_of(double share)
{
	return DRAW_LEFT + share * (98.0 - DRAW_LEFT);
}

/* Wilson's interval of `hits` among n, which is never empty and stays within 0 … 1. */
static void wilson(double hits, double n, double *lo, double *hi)
{
	const double z = 1.96, p = hits / n, d = 1 + z * z / n;
	double mid = (p + z * z / (2 * n)) / d;
	double half = z / d * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
	*lo = fmax(mid - half, 0);
	*hi = fmin(mid + half, 1);
}

static void curve_axes(struct sb *to)
{
	for (int i = 0; i <= 4; i++) {
		double part = i / 4.0;
		sb_printf(to,
		          "<line class=\"grid\" x1=\"%d%%\" x2=\"98%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
		          "<text class=\"tick\" x=\"0\" y=\"%.1f\">%d" NBSP "%%</text>"
		          "<text class=\"tick mid\" x=\"%.1f%%\" y=\"%d\">%d" NBSP "%%</text>",
		          DRAW_LEFT, y_of(part), y_of(part), y_of(part) + 4, 25 * i, x_of(part),
		          BOTTOM + 16, 25 * i);
	}
	sb_printf(to,
	          "<line class=\"draw-step\" x1=\"%.1f%%\" x2=\"%.1f%%\" y1=\"%.1f\" "
	          "y2=\"%.1f\"/>\n",
	          x_of(0), x_of(1), y_of(0), y_of(1));
}

static void curve_points(const struct ledger *l, struct arena *a, struct sb *to)
{
	for (int b = 0; b < LEDGER_BUCKETS; b++) {
		double n = (double)l->sure[b].decided, hits = (double)l->sure[b].hits, lo, hi;
		if (n <= 0)
			continue;
		wilson(hits, n, &lo, &hi);
		double x = x_of(l->stated[b]);
		sb_printf(to,
		          "<line class=\"draw-mid\" x1=\"%.1f%%\" x2=\"%.1f%%\" y1=\"%.1f\" "
		          "y2=\"%.1f\"/>"
		          "<circle class=\"draw-pt\" cx=\"%.1f%%\" cy=\"%.1f\" r=\"5\"/>",
		          x, x, y_of(lo), y_of(hi), x, y_of(hits / n));
		sb_printf(to, "<text class=\"tick mid\" x=\"%.1f%%\" y=\"%.1f\">%s</text>\n", x,
		          y_of(lo) + 16, /* below its interval: beside it may be another */
		          arena_printf(a, "%zu/%zu", l->sure[b].hits, l->sure[b].decided));
	}
}

void ledger_curve(const struct words *w, const struct ledger *l, struct arena *a, struct sb *to)
{
	size_t any = 0;
	for (int b = 0; b < LEDGER_BUCKETS; b++)
		any += l->sure[b].decided;
	if (any == 0)
		return;
	html_raw(to, "<figure class=\"drawing calibration\">\n<figcaption>");
	html_text(to, str_of(words_get(w, "ledger_curve")));
	html_raw(to, "</figcaption>\n");
	draw_open(to, CURVE_HEIGHT, words_get(w, "ledger_curve_label"));
	curve_axes(to);
	curve_points(l, a, to);
	html_raw(to, "</svg>\n</figure>\n");
}

/* --- squares ----------------------------------------------------------------------- */

/* In the order in which they were made. */
static int by_time(const void *pa, const void *pb)
{
	const struct prediction *a = *(const struct prediction *const *)pa;
	const struct prediction *b = *(const struct prediction *const *)pb;
	if (a->added_at != b->added_at)
		return a->added_at < b->added_at ? -1 : 1;
	return strcmp(a->id, b->id);
}

static void square(const struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	struct sb label = {0};
	sb_printf(&label, "%s%s", prediction_title(p, ctx->words), words_get(ctx->words, "colon"));
	prediction_outcome(p, ctx->words, &label);
	html_raw(to, "<li><a class=\"square\" data-verdict=\"");
	html_raw(to, prediction_verdict_name(p->verdict));
	html_raw(to, "\" href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(p->url));
	html_raw(to, "\"");
	html_attribute(to, "aria-label", sb_view(&label));
	html_attribute(to, "title", sb_view(&label));
	html_raw(to, "></a></li>");
	sb_free(&label);
}

void ledger_squares(const struct expand_ctx *ctx, const struct ledger *l, struct sb *to)
{
	const struct prediction **row =
	        ARENA_ARRAY(ctx->arena, const struct prediction *, l->n + 1);
	if (l->n == 0)
		return;
	memcpy(row, l->row, l->n * sizeof *row);
	qsort(row, l->n, sizeof *row, by_time);
	html_raw(to, "<ul class=\"squares\">");
	for (size_t i = 0; i < l->n; i++)
		square(ctx, row[i], to);
	html_raw(to, "</ul>\n");
}
