#include "site-gen/device_page.h"

#include <string.h>

#include "site-gen/comparison.h"
#include "site-gen/html.h"
#include "site-gen/kinds.h"

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

struct device *devices_all(const struct data *d, struct arena *a, size_t *n)
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

static void heading(struct body *out, struct sb *to, const char *id, const char *text)
{
	out->headings[out->nheadings++] = (struct body_heading){2, id, text};
	sb_printf(to, "<h2 id=\"%s\">", id);
	html_text(to, str_of(text));
	html_raw(to, "</h2>\n");
}

/* The theoretical peaks, each with its source. */
static void put_specs(struct expand_ctx *ctx, const struct device *v, struct body *out,
                      struct sb *to)
{
	const struct data *d = ctx->data;
	size_t shown = 0;
	for (size_t i = 0; i < d->nspecs; i++) {
		const struct data_spec *s = &d->specs[i];
		if (strcmp(s->device, v->slug) != 0)
			continue;
		if (!shown++) {
			heading(out, to, "data-sheet", "Data sheet");
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

static void put_conditions(struct expand_ctx *ctx, const struct device *v, struct body *out,
                           struct sb *to)
{
	size_t n;
	const struct data_fact *f = data_conditions(ctx->data, v->newest, ctx->arena, &n);
	heading(out, to, "conditions", "Conditions of the newest run");
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

static void put_families(struct expand_ctx *ctx, const struct device *v, struct body *out,
                         struct sb *to)
{
	size_t n;
	const struct data_family *f = data_families(ctx->data, ctx->arena, &n);
	heading(out, to, "kernels", "Kernels");
	html_raw(to, "<ul>\n");
	for (size_t i = 0; i < n; i++) {
		bool here = false;
		for (size_t k = 0; k < v->newest->run.ncases; k++)
			here = here || strcmp(v->newest->run.cases[k].family, f[i].id) == 0;
		if (!here)
			continue;
		html_raw(to, "<li>");
		link_inside(ctx, f[i].url, f[i].title, to);
		html_raw(to, "</li>\n");
	}
	html_raw(to, "</ul>\n");
}

static void put_runs(struct expand_ctx *ctx, const struct device *v, struct body *out,
                     struct sb *to)
{
	const struct data *d = ctx->data;
	heading(out, to, "runs", "Runs");
	html_raw(to, "<ul>\n");
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (strcmp(r->run.head.device, v->slug) != 0)
			continue;
		html_raw(to, "<li>");
		link_inside(ctx, r->url, r->run.head.id, to);
		if (r->run.head.reason) {
			html_raw(to, " ");
			html_text(to, str_of(r->run.head.reason));
		}
		html_raw(to, "</li>\n");
	}
	html_raw(to, "</ul>\n");
	comparison_links(ctx, v->newest, to);
}

bool device_body(struct expand_ctx *ctx, const struct device *v, struct body *out, struct err *e)
{
	enum { HEADINGS = 4 };
	struct sb to = {0};
	(void)e;
	*out = (struct body){.headings = ARENA_ARRAY(ctx->arena, struct body_heading, HEADINGS)};
	put_specs(ctx, v, out, &to);
	put_families(ctx, v, out, &to);
	put_runs(ctx, v, out, &to);
	put_conditions(ctx, v, out, &to);
	out->html = (struct str){arena_strndup(ctx->arena, to.p, to.n), to.n};
	sb_free(&to);
	return true;
}
