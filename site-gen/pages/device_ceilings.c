/*
 * The ceilings of a device, one for each resource: the families "ceiling-…" that
 * `runner ceilings` measured, each as a fitting chart or as a table.
 */
#include <string.h>

#include "lib/ways.h"
#include "site-gen/pages/body_writer.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/pages/device_page.h"
#include "site-gen/base/html.h"

static bool is_ceiling_of(const struct data_ceiling *c, const char *device)
{
	return strcmp(c->run->run.head.device, device) == 0;
}

/* The families, in the order of the newest run that has any of them. */
static size_t families_of(const struct data *d, const char *device, const char **family,
                          size_t most)
{
	const struct data_run *run = NULL;
	size_t n = 0;
	for (size_t i = 0; i < d->nceilings; i++)
		if (is_ceiling_of(&d->ceilings[i], device) &&
		    (!run || strcmp(d->ceilings[i].run->run.head.start, run->run.head.start) > 0))
			run = d->ceilings[i].run;
	for (int pass = 0; run && pass < 2; pass++) {
		size_t all = pass ? d->nceilings : run->run.ncases;
		for (size_t i = 0; i < all && n < most; i++) {
			if (pass && !is_ceiling_of(&d->ceilings[i], device))
				continue;
			const char *id =
			        pass ? d->ceilings[i].d->c->family : run->run.cases[i].family;
			bool seen = !str_starts(str_of(id), "ceiling-");
			for (size_t k = 0; k < n && !seen; k++)
				seen = strcmp(family[k], id) == 0;
			if (!seen)
				family[n++] = id;
		}
	}
	return n;
}

static size_t values_of(const struct pick *p, size_t n, const char *key, struct arena *a)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		const char *v = query_value(p[i].d->c, key, a);
		bool seen = !v;
		for (size_t k = 0; k < i && !seen; k++) {
			const char *w = query_value(p[k].d->c, key, a);
			seen = w && strcmp(v, w) == 0;
		}
		count += !seen;
	}
	return count;
}

/* The first varying word, which becomes the chart's curves. */
static const char *series_key(const struct pick *p, size_t n, struct arena *a)
{
	const struct run_case *c = p[0].d->c;
	for (size_t i = 0; i < c->nparams; i++)
		if (c->param[i].word && values_of(p, n, c->param[i].name, a) > 1)
			return c->param[i].name;
	return "variant";
}

/* True if all cases have one unit, as the roof of a chart needs. */
static bool one_unit(const struct pick *p, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const char *x = p[0].d->c->model.unit, *y = p[i].d->c->model.unit;
		if (x && y && strcmp(x, y) != 0)
			return false;
	}
	return true;
}

/* Writes the chart of a family; false if no chart fits. */
static bool put_chart(struct writer *w, const char *family, const char *device,
                      const struct pick *p, size_t n)
{
	enum { LEAST = 3 };
	struct arena *a = w->ctx->arena;
	const struct run_case *c = p[0].d->c;
	const char *series = series_key(p, n, a);
	if (one_unit(p, n) && roofline_has_slope(p, n) &&
	    writer_try(w, arena_printf(a, "roofline %s/* device=%s", family, device)))
		return true;
	if (record_param(c, "passes") && values_of(p, n, "n", a) >= LEAST &&
	    writer_try(w, arena_printf(a,
	                               "plot %s/* x=working-set series=%s roof=none cache=hot "
	                               "device=%s",
	                               family, series, device)))
		return true;
	for (size_t i = c->nparams; one_unit(p, n) && i-- > 0;)
		if (!c->param[i].word && values_of(p, n, c->param[i].name, a) >= LEAST &&
		    writer_try(w, arena_printf(a, "plot %s/* x=%s series=%s device=%s", family,
		                               c->param[i].name, series, device)))
			return true;
	return false;
}

/* --- cases that no chart shows --- */

static void put_case(struct writer *w, const struct pick *p, bool shares)
{
	struct number n;
	enum metric m = roof_metric(w->ctx->data, p);
	const struct data_spec *spec = roof_spec(w->ctx->data, p, m);
	html_raw(&w->to, "<tr><th scope=\"row\">");
	table_variant(p->d->c, w->ctx->words, &w->to);
	html_raw(&w->to, " ");
	html_text(&w->to, str_of(case_words(w->ctx->words, p->d->c, w->ctx->arena)));
	html_raw(&w->to, "</th><td class=\"right\">");
	if (number_of(p, m, &n)) {
		number_link(w->ctx, &n, "", NULL, &w->to);
		number_interval(&n, &w->to);
	} else {
		number_none(p->d->why_none ? reason_text(w->ctx->words, &p->d->none, w->ctx->arena)
		                           : "has no such metric",
		            &w->to);
	}
	html_raw(&w->to, "</td>");
	if (shares) {
		html_raw(&w->to, "<td class=\"right share\">");
		if (spec && number_of(p, m, &n)) {
			n = number_percent(&n, spec);
			number_link(w->ctx, &n, "percent", NULL, &w->to);
			html_raw(&w->to, " of ");
			number_spec_link(w->ctx->words, spec, &w->to);
		}
		html_raw(&w->to, "</td>");
	}
	html_raw(&w->to, "</tr>\n");
}

static void put_table(struct writer *w, const struct pick *p, size_t n)
{
	bool shares = false;
	for (size_t i = 0; i < n; i++)
		shares = shares || roof_spec(w->ctx->data, &p[i], roof_metric(w->ctx->data, &p[i]));
	table_open(&w->to, "stack");
	html_raw(&w->to, "<thead><tr><th scope=\"col\">Case</th>"
	                 "<th scope=\"col\" class=\"right\">");
	html_text(&w->to, str_of(metric_info(roof_metric(w->ctx->data, &p[0]))->title));
	html_raw(&w->to, "</th>");
	if (shares)
		html_raw(&w->to, "<th scope=\"col\" class=\"right\">Of theoretical</th>");
	html_raw(&w->to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		put_case(w, &p[i], shares);
	html_raw(&w->to, "</tbody>");
	table_close(&w->to);
}

/* The table of a family that has no chart, folded if it is long. */
static void put_cases(struct writer *w, const struct pick *p, size_t n)
{
	enum { MOST_OPEN = 24 }; /* a screen and a half of a phone */
	if (n > MOST_OPEN) {
		struct arena *a = w->ctx->arena;
		html_raw(&w->to, "<details class=\"exact\"><summary>");
		html_text(&w->to, str_of(words_fill(w->ctx->words, a, "family_cases",
		                                    arena_printf(a, "%zu", n), NULL)));
		html_raw(&w->to, "</summary>\n");
	}
	put_table(w, p, n);
	if (n > MOST_OPEN)
		html_raw(&w->to, "</details>\n");
}

/* Cases that no chart of the family shows: those under load, and the few cold ones of a sweep. */
static size_t beside_chart(const struct pick *p, size_t n, struct pick *rest)
{
	size_t hot = 0, k = 0;
	for (size_t i = 0; i < n; i++)
		hot += strcmp(p[i].d->c->cache, "hot") == 0;
	for (size_t i = 0; i < n; i++) {
		const struct run_case *c = p[i].d->c;
		bool cold = hot > 0 && hot < n && strcmp(c->cache, "cold") == 0;
		if (cold || ways_other_time(c))
			rest[k++] = p[i];
	}
	return k;
}

/* "Memory, by working set" of "Ceiling: memory, by working set" */
static const char *short_title(const char *title, struct arena *a)
{
	const char *colon = strstr(title, ": "), *wide = strstr(title, "：");
	char *rest = arena_strdup(a, colon ? colon + 2 : wide ? wide + strlen("：") : title);
	if (*rest >= 'a' && *rest <= 'z')
		*rest = (char)(*rest - 'a' + 'A');
	return rest;
}

static void put_family(struct writer *w, const char *family, const char *device)
{
	struct err nothing = ERR_NONE;
	struct pick *p;
	size_t n;
	if (!writer_picks(w, family, device, &p, &n, &nothing))
		return;
	const struct run_case *c = p[0].d->c;
	writer_heading(w, 3, family,
	               short_title(words_label(w->ctx->words, c->family_title), w->ctx->arena));
	writer_paragraph(w, "", c->problem);
	if (!put_chart(w, family, device, p, n)) {
		put_cases(w, p, n);
		return;
	}
	struct pick *rest = ARENA_ARRAY(w->ctx->arena, struct pick, n + 1);
	size_t nrest = beside_chart(p, n, rest);
	if (nrest > 0)
		put_table(w, rest, nrest);
}

/* --- the stopwatch's calibration --- */

static void put_reading(struct writer *w, const struct data_run *r, const char *what,
                        const int64_t *ns, size_t n)
{
	struct arena *a = w->ctx->arena;
	double *v = ARENA_ARRAY(a, double, n + 1);
	struct sb text = {0};
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		v[i] = (double)ns[i] * 1e-9;
	struct unit_text u;
	unit_format(stats_median(v, n), 0, "s", &u);
	sb_printf(&text, "%s" NBSP "%s", u.number, u.unit);
	html_raw(&w->to, "<div><dt>");
	html_text(&w->to, str_of(what));
	html_raw(&w->to, "</dt><dd>");
	kind_link(w->ctx, r->url, text.p, &w->to);
	sb_printf(&w->to, ", the median of %zu readings</dd></div>\n", n);
	sb_free(&text);
}

static void put_calibration(struct writer *w, const struct data_run *r)
{
	const struct run_head *h = &r->run.head;
	if (!h->gpu.name || h->nempty_kernel + h->ngraph_node == 0)
		return;
	writer_heading(w, 3, "ceiling-launch", "Launches");
	writer_paragraph(w, "",
	                 "The time to start empty work, from the calibration of the stopwatch "
	                 "before the processes of the newest run.");
	html_raw(&w->to, "<dl class=\"facts wide\">\n");
	put_reading(w, r, "An empty kernel in a stream, event to event", h->empty_kernel_ns,
	            h->nempty_kernel);
	put_reading(w, r, "A node of a graph of empty kernels", h->graph_node_ns, h->ngraph_node);
	put_reading(w, r, "Two events with nothing between them", h->empty_pair_ns, h->nempty_pair);
	html_raw(&w->to, "</dl>\n");
}

void device_ceilings(struct writer *w, const struct device *v)
{
	enum { MOST = 64 };
	const char *family[MOST];
	size_t n = families_of(w->ctx->data, v->slug, family, MOST);
	if (n == 0)
		return;
	writer_heading(w, 2, "ceilings", "Ceilings");
	writer_paragraph(w, "",
	                 "Each program measures one resource and does nothing else. The results "
	                 "are the achievable roofs that ladders and rooflines show beside those of "
	                 "the data sheet.");
	for (size_t i = 0; i < n; i++)
		put_family(w, family[i], v->slug);
	put_calibration(w, v->newest);
}
