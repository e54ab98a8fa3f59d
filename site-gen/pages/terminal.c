#include "site-gen/pages/terminal.h"

#include <string.h>

#include "lib/units.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/number.h"

enum { MOST_LINES = 8 };

struct line {
	const char *name; /* "transpose/down" */
	struct number n;
};

static bool is_showable(const struct data_case *k)
{
	return strcmp(k->c->role, "kernel") == 0 && strcmp(k->c->cache, "cold") == 0 &&
	       data_case_offered(k) && !data_state_refused(k->state);
}

/* Finds the family's best case in its metric; false if none can be shown. */
static bool best_of(const struct data_run *r, const char *family, struct arena *a, struct line *out)
{
	bool found = false;
	for (size_t i = 0; i < r->run.ncases; i++) {
		const struct data_case *k = &r->cases[i];
		const struct metric_info *m = metric_find(str_of(k->c->metric));
		struct pick pick = {r, k};
		struct number n;
		if (strcmp(k->c->family, family) != 0 || !m || !is_showable(k) ||
		    !number_of(&pick, m->id, &n) ||
		    (found && (n.value > out->n.value) != m->higher_is_better))
			continue;
		*out = (struct line){arena_printf(a, "%s/%s", family, k->c->variant), n};
		found = true;
	}
	return found;
}

static bool seen_before(const struct run *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(r->cases[k].family, r->cases[i].family) == 0)
			return true;
	return false;
}

static size_t lines_of(const struct data_run *r, struct arena *a, struct line *line)
{
	size_t n = 0;
	for (size_t i = 0; i < r->run.ncases && n < MOST_LINES; i++)
		if (!seen_before(&r->run, i) && best_of(r, r->run.cases[i].family, a, &line[n]))
			n++;
	return n;
}

/* The number of characters, which all have the same width in a terminal. */
static size_t width(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}

static size_t number_width(const struct number *n)
{
	struct sb text = {0};
	number_text(n, &text);
	size_t w = width(sb_view(&text));
	sb_free(&text);
	return w;
}

static void put_spaces(struct sb *to, size_t n)
{
	sb_printf(to, "%*s", (int)n, "");
}

static void put_lines(struct expand_ctx *ctx, const struct line *line, size_t n, struct sb *to)
{
	size_t names = 0, numbers = 0;
	for (size_t i = 0; i < n; i++) {
		size_t name = strlen(line[i].name), number = number_width(&line[i].n);
		names = name > names ? name : names;
		numbers = number > numbers ? number : numbers;
	}
	for (size_t i = 0; i < n; i++) {
		const struct number *x = &line[i].n;
		const char *what =
		        arena_printf(ctx->arena, "%s, %s", x->pick.d->c->id,
		                     words_label(ctx->words, metric_info(x->metric)->name));
		html_text(to, str_of(line[i].name));
		put_spaces(to, names - strlen(line[i].name) + 2 + numbers - number_width(x));
		number_link(ctx, x, "", what, to);
		number_interval(x, to);
		sb_char(to, '\n');
	}
}

void terminal_lines(struct expand_ctx *ctx, struct sb *to)
{
	const struct data *d = ctx->data;
	struct line line[MOST_LINES];
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		const struct run_head *h = &r->run.head;
		bool here = strcmp(h->device, query_default_device(ctx)) == 0;
		size_t n = here && r->committed && !r->why_none ? lines_of(r, ctx->arena, line) : 0;
		if (n == 0)
			continue;
		html_raw(to,
		         "<pre tabindex=\"0\"><code><span class=\"prompt\">$ runner show </span>"
		         "<a href=\"");
		html_url(to, str_of(arena_printf(ctx->arena, "%s%s", ctx->base, r->url)));
		html_raw(to, "\">");
		html_text(to, str_of(h->id));
		html_raw(to, "</a>\n<span class=\"prompt\">");
		html_text(to, str_of(h->gpu.name ? h->gpu.name : h->machine.cpu));
		html_raw(to, "</span>\n");
		put_lines(ctx, line, n, to);
		html_raw(to, "</code></pre>");
		return;
	}
}
