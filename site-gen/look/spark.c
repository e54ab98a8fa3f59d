#include <math.h>
#include <string.h>

#include "site-gen/look/spark.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/unmarked.h"

enum { BAR = 10, STEP = 12, HEIGHT = 40 };

/* The values of one figure, in the page's order. */
struct bars {
	const struct quote *bar[SPARK_MOST];
	size_t n;
	double peak; /* of the data sheet, in the values' unit; 0: unknown */
};

static bool has_case(const struct bars *b, const struct data_case *d)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->bar[i]->n.pick.d == d)
			return true;
	return false;
}

/* The family of a figure's rows. Its head may quote a roof of another family before them. */
static const char *family_of(const struct quote *quotes, int figure)
{
	const char *family = "";
	for (const struct quote *q = quotes; q; q = q->next)
		if (q->block && q->figure == figure && q->n.kind == NUMBER_VALUE)
			family = q->n.pick.d->c->family;
	return family;
}

static bool collect(const struct quote *quotes, int figure, struct bars *b)
{
	const char *family = family_of(quotes, figure);
	*b = (struct bars){0};
	for (const struct quote *q = quotes; q; q = q->next) {
		const struct number *n = &q->n;
		if (!q->block || q->figure != figure)
			continue;
		if (n->kind == NUMBER_SHARE_SPEC && n->value > 0)
			b->peak = n->peak->value;
		if (n->kind != NUMBER_VALUE || has_case(b, n->pick.d) ||
		    strcmp(n->pick.d->c->family, family) != 0)
			continue;
		if (b->n == SPARK_MOST || (b->n > 0 && n->metric != b->bar[0]->n.metric))
			return false;
		b->bar[b->n++] = q;
	}
	return b->n >= SPARK_FEWEST;
}

static int figures(const struct quote *quotes)
{
	int most = 0;
	for (const struct quote *q = quotes; q; q = q->next)
		most = q->figure > most ? q->figure : most;
	return most;
}

static bool is_own(const struct quote *q)
{
	return strcmp(q->n.pick.d->c->role, "kernel") == 0;
}

/* The best of the own kernels; NULL: there is none. */
static const struct quote *best_own(const struct bars *b)
{
	const struct quote *best = NULL;
	for (size_t i = 0; i < b->n; i++) {
		const struct quote *q = b->bar[i];
		bool higher = best && q->n.value > best->n.value;
		if (is_own(q) && (!best || higher == metric_info(q->n.metric)->higher_is_better))
			best = q;
	}
	return best;
}

static void draw(const struct bars *b, struct sb *to)
{
	const struct quote *best = best_own(b);
	double top = b->peak;
	for (size_t i = 0; i < b->n; i++)
		top = fmax(top, b->bar[i]->n.value);
	sb_printf(to, "<svg class=\"spark\" viewBox=\"0 0 %zu %d\" aria-hidden=\"true\">",
	          b->n * STEP, HEIGHT);
	for (size_t i = 0; i < b->n; i++) {
		const struct quote *q = b->bar[i];
		double high = HEIGHT * q->n.value / top;
		sb_printf(to,
		          "<rect class=\"%s\" x=\"%zu\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>",
		          q == best   ? "best"
		          : is_own(q) ? "own"
		                      : "lib",
		          i * STEP, HEIGHT - high, BAR, high);
	}
	if (b->peak > 0 && b->peak >= top)
		sb_printf(to, "<path d=\"M0 .5H%zu\"/>", b->n * STEP);
	sb_cstr(to, "</svg>");
}

bool spark_draw(const struct quote *quotes, struct sb *to)
{
	struct bars b;
	for (int figure = 1, most = figures(quotes); figure <= most; figure++) {
		if (unmarked_figure_breaks(quotes, figure) || !collect(quotes, figure, &b))
			continue;
		draw(&b, to);
		return true;
	}
	return false;
}
