/* Parts of a number's page: the case's limiter and its hardware counters. */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/bottleneck.h"
#include "site-gen/pages/number_page.h"

static void open_fact(struct sb *to, const char *label)
{
	html_raw(to, "<div><dt>");
	html_text(to, str_of(label));
	html_raw(to, "</dt><dd>");
}

static void close_fact(struct sb *to)
{
	html_raw(to, "</dd></div>\n");
}

/* --- the limiter --- */

static void put_share(struct expand_ctx *ctx, const struct number *n, struct sb *to)
{
	open_fact(to, metric_info(n->metric)->title);
	number_link(ctx, n, "percent", NULL, to);
	html_raw(to, " of ");
	number_spec_link(ctx->words, n->peak, to);
	close_fact(to);
}

static void put_limiter(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	struct limiter_finding f = limiter_of(ctx->data, &v->p);
	const char *name = limiter_name(f.limiter);
	html_raw(to, "<dl class=\"facts wide\">\n");
	open_fact(to, "Limited by");
	html_text(to,
	          str_of(f.limiter == LIMITER_NONE
	                         ? arena_printf(v->a, "not to be told: %s", f.why_none)
	                         : words_get(ctx->words, arena_printf(v->a, "limiter_%s", name))));
	close_fact(to);
	if (f.has_memory)
		put_share(ctx, &f.memory, to);
	if (f.has_compute)
		put_share(ctx, &f.compute, to);
	html_raw(to, "</dl>\n");
}

/* --- bytes as modelled and as counted --- */

struct moved {
	const char *what, *counter;
	int64_t modelled;
};

static void put_bytes_row(struct expand_ctx *ctx, const struct counters *c, const struct moved *m,
                          struct sb *to)
{
	const struct counter_info *i = counter_find(str_of(m->counter));
	struct unit_text u;
	double v;
	unit_format((double)m->modelled, 0, "B", &u);
	html_raw(to, "<tr><th scope=\"row\">");
	html_text(to, str_of(m->what));
	sb_printf(to, "</th><td class=\"right\">%s" NBSP "%s</td><td class=\"right\">", u.number,
	          u.unit);
	if (counter_value(c, i, &v))
		counter_link(ctx, c, i, v, to);
	else
		number_none(counter_missing(c, i, ctx->words, ctx->arena), to);
	html_raw(to, "</td></tr>\n");
}

/* For hot data the model counts the cache's bytes, so DRAM traffic is not comparable. */
static void put_bytes(struct expand_ctx *ctx, const struct counters *c, struct sb *to)
{
	const struct run_model *m = &c->of->model;
	const struct moved moved[] = {
	        {"Read", "dram_read_bytes", m->bytes_read},
	        {"Written", "dram_written_bytes", m->bytes_written},
	        {"Together", "dram_bytes", m->bytes_read + m->bytes_written},
	};
	const struct counter_info *over = counter_find(STR("dram_over_model"));
	const struct counter_info *written = counter_find(STR("dram_written_bytes"));
	double v, w;
	table_open(to, "");
	html_raw(to,
	         "<thead><tr><th scope=\"col\">Bytes</th><th scope=\"col\" class=\"right\">By "
	         "the cost model</th><th scope=\"col\" class=\"right\">Counted at DRAM</th></tr>"
	         "</thead><tbody>\n");
	for (size_t i = 0; i < ARRAY_LEN(moved); i++)
		put_bytes_row(ctx, c, &moved[i], to);
	html_raw(to, "</tbody>");
	table_close(to);
	if (strcmp(c->of->cache, "cold") != 0 || !counter_value(c, over, &v))
		return;
	html_raw(to, "<p>The DRAM moved ");
	counter_link(ctx, c, over, v, to);
	html_raw(to, " the least that the problem needs.");
	if (counter_value(c, written, &w) && w < (double)m->bytes_written)
		html_raw(to, " The call's last writes were still in the L2 when it ended.");
	html_raw(to, "</p>\n");
}

/* --- the others --- */

struct waiting {
	const struct counter_info *i;
	double v;
};

static int by_warps(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	return x->v > y->v ? -1 : x->v < y->v ? 1 : strcmp(x->i->name, y->i->name);
}

static void put_values(struct expand_ctx *ctx, const struct counters *c, struct sb *to)
{
	enum { MOST = 32 };
	struct waiting stall[MOST];
	size_t n, stalls = 0;
	double v;
	const struct counter_info *t = counter_table(&n);
	html_raw(to, "<dl class=\"facts\">\n");
	for (size_t i = 0; i < n; i++) {
		bool bytes = t[i].unit == COUNTER_BYTES || t[i].unit == COUNTER_RATIO;
		if (bytes || !counter_value(c, &t[i], &v))
			continue;
		if (t[i].stall && stalls < MOST) {
			stall[stalls++] = (struct waiting){&t[i], v};
			continue;
		}
		open_fact(to, t[i].title);
		counter_link(ctx, c, &t[i], v, to);
		close_fact(to);
	}
	html_raw(to, "</dl>\n");
	if (!stalls)
		return;
	qsort(stall, stalls, sizeof *stall, by_warps);
	html_raw(to,
	         "<p class=\"fine\">Cycles that a warp waits for each instruction that it issues, "
	         "by stall reason:</p>\n<dl class=\"facts\">\n");
	for (size_t i = 0; i < stalls; i++) {
		open_fact(to, stall[i].i->title);
		counter_link(ctx, c, stall[i].i, stall[i].v, to);
		close_fact(to);
	}
	html_raw(to, "</dl>\n");
}

/* Writes counters whose values are impossible. */
static void put_refused(struct expand_ctx *ctx, const struct counters *c, struct sb *to)
{
	size_t n;
	const struct counter_info *t = counter_table(&n);
	for (size_t i = 0; i < n; i++) {
		if (!counter_is_refused(c, &t[i]))
			continue;
		html_raw(to, "<p class=\"fine\">Not shown: <code>");
		html_text(to, str_of(t[i].name));
		html_raw(to, "</code> (");
		html_text(to, str_of(counter_missing(c, &t[i], ctx->words, ctx->arena)));
		html_raw(to, ").</p>\n");
	}
}

static void put_missing(const struct run_counters *c, struct sb *to)
{
	if (!c->nmissing)
		return;
	html_raw(to, "<p class=\"fine\">Not given by the profiler:");
	for (size_t i = 0; i < c->nmissing; i++) {
		html_raw(to, i ? ", <code>" : " <code>");
		html_text(to, str_of(c->missing[i].name));
		html_raw(to, "</code> (");
		html_text(to, str_of(c->missing[i].word ? c->missing[i].word : "no reason given"));
		html_raw(to, ")");
	}
	html_raw(to, ".</p>\n");
}

static void put_source(const struct number_view *v, const struct counters *c, struct sb *to)
{
	html_raw(to, "<p class=\"fine\">");
	html_text(to, str_of(arena_printf(
	                      v->a, "%s, one call of %lld kernel%s, clocks left alone, on %s; ",
	                      c->c->tool, (long long)c->c->kernels, c->c->kernels == 1 ? "" : "s",
	                      case_date(&c->file->run, v->a))));
	html_raw(to, "<code>");
	html_text(to, str_of(c->file->path));
	html_raw(to, "</code>.");
	if (c->not_of.d)
		html_raw(to,
		         " <strong>It profiled other code than that of the number above.</strong>");
	html_raw(to, "</p>\n");
}

void number_page_counters(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	struct counters c;
	number_page_section(to, "counters", "What limits it");
	if (v->has)
		put_limiter(ctx, v, to);
	if (!counters_of(ctx->data, v->n->device, v->n->id, &c)) {
		html_raw(to, "<p>No hardware counters are recorded for this case.</p>\n");
		return;
	}
	if (c.c->unavailable) {
		html_raw(to, "<p>There are no hardware counters for this case: ");
		html_text(to, str_of(c.c->unavailable));
		html_raw(to, ".</p>\n");
		return;
	}
	counters_hold(&c, ctx->data);
	put_bytes(ctx, &c, to);
	put_values(ctx, &c, to);
	put_refused(ctx, &c, to);
	put_missing(c.c, to);
	put_source(v, &c, to);
}
