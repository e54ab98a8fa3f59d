#include "site-gen/pages/device_page.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/pages/body_writer.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/base/html.h"
#include "site-gen/pages/body.h"

static const struct data_run *newest_of(const struct data *d, const char *slug)
{
	const struct data_run *any = NULL;
	for (size_t i = 0; i < d->nruns; i++) {
		if (strcmp(d->runs[i].run.head.device, slug) != 0)
			continue;
		if (!d->runs[i].why_none)
			return &d->runs[i];
		if (!any)
			any = &d->runs[i];
	}
	return any;
}

struct device *device_list(const struct data *d, struct arena *a, size_t *n)
{
	struct device *all = ARENA_ARRAY(a, struct device, d->ndevices + 1);
	for (size_t i = 0; i < d->ndevices; i++) {
		const struct data_run *r = newest_of(d, d->devices[i]);
		const char *gpu = r->run.head.gpu.name;
		all[i] = (struct device){d->devices[i], gpu ? gpu : r->run.head.machine.cpu,
		                         arena_printf(a, "/devices/%s/", d->devices[i]), r};
	}
	*n = d->ndevices;
	return all;
}

/* Writes the theoretical peaks, each with its source. */
static void put_specs(struct writer *w, const struct device *v)
{
	struct expand_ctx *ctx = w->ctx;
	struct sb *to = &w->to;
	const struct data *d = ctx->data;
	size_t shown = 0;
	for (size_t i = 0; i < d->nspecs; i++) {
		const struct data_spec *s = &d->specs[i];
		if (!data_spec_is_of(s, str_of(v->slug)))
			continue;
		if (!shown++) {
			writer_heading(w, 2, "data-sheet", "Data sheet");
			table_open(to, "");
			html_raw(to, "<tbody>\n");
		}
		html_raw(to, "<tr><th scope=\"row\">");
		html_text(to, str_of(s->title));
		html_raw(to, "</th><td class=\"right\">");
		number_spec_link(ctx->words, s, to);
		html_raw(to, "</td><td class=\"left\">");
		html_text(to, str_of(s->note));
		html_raw(to, "</td></tr>\n");
	}
	if (shown) {
		html_raw(to, "</tbody>");
		table_close(to);
	}
}

static void put_conditions(struct writer *w, const struct device *v)
{
	struct sb *to = &w->to;
	size_t n;
	const struct data_fact *f = data_conditions(v->newest, &n);
	writer_heading(w, 2, "conditions", "Conditions of the newest run");
	html_raw(to, "<dl class=\"facts\">\n");
	for (size_t i = 0; i < n; i++) {
		html_raw(to, "<div><dt>");
		html_text(to, str_of(f[i].label));
		html_raw(to, "</dt><dd>");
		html_text(to, str_of(f[i].value));
		html_raw(to, "</dd></div>\n");
	}
	html_raw(to, "</dl>\n");
}

/* True if some run of the device has a number of this family. */
static bool has_family(const struct data *d, const char *device, const char *family)
{
	for (size_t i = 0; i < d->nnumbers; i++) {
		const struct data_number *n = &d->numbers[i];
		if (n->newest < n->nruns && strcmp(n->device, device) == 0 &&
		    strcmp(n->in[0]->c->family, family) == 0)
			return true;
	}
	return false;
}

static void put_families(struct writer *w, const struct device *v)
{
	struct sb *to = &w->to;
	const struct data_families *families = &w->ctx->data->families;
	size_t shown = 0;
	for (size_t i = 0; i < families->n; i++) {
		const struct data_family *f = &families->all[i];
		if (!has_family(w->ctx->data, v->slug, f->id))
			continue;
		if (!shown++) {
			writer_heading(w, 2, "kernels", "Kernels");
			html_raw(to, "<ul>\n");
		}
		html_raw(to, "<li>");
		kind_link(w->ctx, data_family_part(w->ctx->data, f->id, v->slug, w->ctx->arena),
		          f->title, to);
		html_raw(to, "</li>\n");
	}
	if (shown)
		html_raw(to, "</ul>\n");
}

#define MODELLED_BYTES "By the cost model"
#define COUNTED_BYTES "Counted"
#define COUNTED_OVER "Counted over modelled"

static void put_counted(struct writer *w, const struct counted_case *c)
{
	static const char *const columns[] = {"dram_bytes", "dram_over_model"};
	static const char *const labels[] = {COUNTED_BYTES, COUNTED_OVER};
	struct sb *to = &w->to;
	struct unit_text u;
	double v;
	const struct run_model *m = &c->counters.of->model;
	unit_format((double)m->bytes_read + (double)m->bytes_written, 0, "B", &u);
	html_raw(to, "<tr><th scope=\"row\">");
	kind_link(w->ctx, c->pick.d->url, c->pick.d->c->id, to);
	html_raw(to, "</th>");
	table_cell(to, "right", MODELLED_BYTES);
	sb_printf(to, "%s" NBSP "%s</td>", u.number, u.unit);
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		const struct counter_info *info = counter_find(str_of(columns[i]));
		table_cell(to, "right", labels[i]);
		if (counter_value(&c->counters, info, &v))
			counter_link(w->ctx, &c->counters, info, v, to);
		html_raw(to, "</td>");
	}
	html_raw(to, "</tr>\n");
}

/* Writes the cases whose cost model is furthest from the DRAM's traffic, which rooflines hide. */
static void put_bytes(struct writer *w, const struct device *v)
{
	enum { MOST = 20 };
	struct counted_case *c;
	struct sb *to = &w->to;
	size_t n = counters_differing(w->ctx->data, v->slug, w->ctx->arena, &c);
	if (n == 0)
		return;
	writer_heading(w, 2, "bytes", "Modelled and counted bytes");
	writer_paragraph(
	        w, "",
	        "The cost model counts the least that the problem needs, each operand once. "
	        "A profiler counts the traffic to and from DRAM. It misses a call's last "
	        "writes if they are still in the L2 when the call ends. These are the cold "
	        "cases, largest differences first.");
	table_open(to, "labelled stack");
	html_raw(to, "<thead><tr><th scope=\"col\">Case</th>"
	             "<th scope=\"col\" class=\"right\">" MODELLED_BYTES "</th>"
	             "<th scope=\"col\" class=\"right\">" COUNTED_BYTES "</th>"
	             "<th scope=\"col\" class=\"right\">" COUNTED_OVER "</th></tr></thead>"
	             "<tbody>\n");
	for (size_t i = 0; i < n && i < MOST; i++)
		put_counted(w, &c[i]);
	html_raw(to, "</tbody>");
	table_close(to);
	if (n > MOST)
		sb_printf(to, "<p class=\"fine\">And %zu cases with smaller differences.</p>\n",
		          n - MOST);
}

static void put_runs(struct writer *w, const struct device *v)
{
	struct expand_ctx *ctx = w->ctx;
	struct sb *to = &w->to;
	const struct data *d = ctx->data;
	writer_fold(w, "runs", "Runs", "");
	html_raw(to, "<ul>\n");
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (strcmp(r->run.head.device, v->slug) != 0)
			continue;
		html_raw(to, "<li>");
		kind_link(ctx, r->url, r->run.head.id, to);
		if (r->run.head.reason) {
			html_raw(to, "<p class=\"fine\">"); /* a paragraph of the record's own */
			html_text(to, str_of(r->run.head.reason));
			html_raw(to, "</p>");
		}
		html_raw(to, "</li>\n");
	}
	html_raw(to, "</ul>\n");
	comparison_links(ctx, v->newest, to);
	body_fold_close(to);
}

bool device_body(struct expand_ctx *ctx, const struct device *v, struct body *out, struct err *e)
{
	const char *path = arena_printf(ctx->arena, "devices/%s (device page)", v->slug);
	struct writer w = writer_over(ctx, out, path, e);
	put_specs(&w, v);
	device_ceilings(&w, v);
	put_bytes(&w, v);
	put_families(&w, v);
	put_runs(&w, v);
	put_conditions(&w, v);
	return writer_finish(&w, true);
}
