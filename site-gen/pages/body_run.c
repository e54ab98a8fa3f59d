/*
 * The body of a run's page: every case with its anchor, its number, a drawing of its
 * launches, and its compilation.
 */
#include <stdio.h>
#include <string.h>

#include "site-gen/records/again.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/source.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/body.h"

enum { MAX_FAMILIES = 64 };

static void list_heading(struct body *out, const char *id, const char *text)
{
	if (out->nheadings < MAX_FAMILIES + 4)
		out->headings[out->nheadings++] = (struct body_heading){2, id, text};
}

static void heading(struct body *out, struct sb *to, const char *id, const char *text)
{
	list_heading(out, id, text);
	html_raw(to, "<h2 id=\"");
	html_attr(to, str_of(id));
	html_raw(to, "\">");
	html_text(to, str_of(text));
	html_raw(to, " <a class=\"anchor\" href=\"#");
	html_attr(to, str_of(id));
	html_raw(to, "\" aria-label=\"Link to this section\">#</a></h2>\n");
}

static void number_cell(const struct pick *p, enum metric m, bool interval, struct sb *to)
{
	struct number n;
	struct sb text = {0};
	html_raw(to, "<td class=\"right\">");
	if (number_of(p, m, &n)) {
		number_text(&n, &text);
		html_text(to, sb_view(&text));
		if (interval)
			number_interval(&n, to);
	} else {
		number_none("has no such metric", to);
	}
	html_raw(to, "</td>");
	sb_free(&text);
}

static void case_row(struct expand_ctx *ctx, const struct data_run *r, const struct data_case *d,
                     enum metric m, struct sb *to)
{
	struct pick p = {r, d};
	html_raw(to, "<tr id=\"");
	html_attr(to, str_of(d->anchor));
	html_raw(to, "\"><th scope=\"row\"><a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(d->url));
	html_raw(to, "\"><code>");
	html_text(to, str_of(d->c->variant));
	html_raw(to, "</code></a> ");
	html_text(to, str_of(case_words(ctx->words, d->c, ctx->arena)));
	html_raw(to, "</th>");
	if (d->why_none) {
		html_raw(to, "<td class=\"left\" colspan=\"5\">");
		html_text(to, str_of(reason_text(ctx->words, &d->none, ctx->arena)));
		html_raw(to, "</td></tr>\n");
		return;
	}
	number_cell(&p, m, false, to);
	number_cell(&p, METRIC_TIME, true, to);
	sb_printf(to, "<td class=\"right\">%zu × %zu</td>", d->time.launches,
	          d->time.samples / d->time.launches);
	html_raw(to, "<td class=\"strip\">");
	block_strip(ctx, d, NULL, to);
	html_raw(to, "</td>");
	table_state(d, ctx->words, to);
	html_raw(to, "</tr>\n");
}

static void family_table(struct expand_ctx *ctx, const struct data_run *r, const char *family,
                         struct sb *to)
{
	enum metric m = METRIC_TIME;
	for (size_t i = 0; i < r->run.ncases; i++)
		if (strcmp(r->run.cases[i].family, family) == 0)
			m = metric_headline(&r->run.cases[i]);
	table_open(to, "cases stack");
	html_raw(to, "<thead><tr><th scope=\"col\">Case</th><th scope=\"col\" class=\"right\">");
	html_text(to, str_of(metric_info(m)->title));
	html_raw(to,
	         "</th><th scope=\"col\" class=\"right\">Time</th>"
	         "<th scope=\"col\" class=\"right\">Launches × samples</th>"
	         "<th scope=\"col\">Launch medians</th><th scope=\"col\">State</th></tr></thead>"
	         "<tbody>\n");
	for (size_t i = 0; i < r->run.ncases; i++)
		if (strcmp(r->run.cases[i].family, family) == 0)
			case_row(ctx, r, &r->cases[i], m, to);
	html_raw(to, "</tbody>");
	table_close(to);
}

/* "14 cases, 2 without a number" */
static const char *family_words(const struct data_run *r, const char *family, struct arena *a)
{
	size_t n = 0, none = 0;
	for (size_t i = 0; i < r->run.ncases; i++) {
		bool own = strcmp(r->run.cases[i].family, family) == 0;
		n += own;
		none += own && r->cases[i].why_none;
	}
	const char *cases = arena_printf(a, "%zu %s", n, n == 1 ? "case" : "cases");
	return none ? arena_printf(a, "%s, %zu without a number", cases, none) : cases;
}

/* Writes the cases of a family; folded, unless the run has no other and few cases. */
static void put_family(struct expand_ctx *ctx, const struct data_run *r, const struct run_case *c,
                       bool alone, struct body *out, struct sb *to)
{
	enum { MOST_OPEN = 60 }; /* cases: some twelve screens of a phone */
	list_heading(out, c->family, c->family_title);
	body_fold_open(to, alone && r->run.ncases <= MOST_OPEN, 2, c->family, c->family_title, "",
	               family_words(r, c->family, ctx->arena));
	family_table(ctx, r, c->family, to);
	body_fold_close(to);
}

/* Families of the run in the order of their first case. */
static size_t families(const struct run *r, const struct run_case **out)
{
	size_t n = 0;
	for (size_t i = 0; i < r->ncases; i++) {
		size_t k = 0;
		while (k < n && strcmp(out[k]->family, r->cases[i].family) != 0)
			k++;
		if (k == n && n < MAX_FAMILIES)
			out[n++] = &r->cases[i];
	}
	return n;
}

/* --- the compilation --- */

static bool source_seen(const struct run *r, size_t upto_case, const struct run_source *s)
{
	for (size_t i = 0; i <= upto_case; i++)
		for (size_t k = 0; k < r->cases[i].nsource; k++) {
			const struct run_source *o = &r->cases[i].source[k];
			if (o == s)
				return false;
			if (strcmp(o->path, s->path) == 0 && strcmp(o->blob, s->blob) == 0)
				return true;
		}
	return false;
}

static void source_rows(struct expand_ctx *ctx, const struct data_run *r, struct sb *to)
{
	for (size_t i = 0; i < r->run.ncases; i++) {
		struct pick p = {r, &r->cases[i]};
		for (size_t k = 0; k < r->run.cases[i].nsource; k++) {
			const struct run_source *s = &r->run.cases[i].source[k];
			if (source_seen(&r->run, i, s))
				continue;
			html_raw(to, "<tr><th scope=\"row\"><code>");
			html_text(to, str_of(s->path));
			html_raw(to, "</code></th><td class=\"left\"><code>");
			html_text(to, str_of(s->blob));
			html_raw(to, "</code></td><td class=\"left\">");
			html_raw(to, source_changed(ctx, &p, k) ? "changed since" : "");
			html_raw(to, "</td></tr>\n");
		}
	}
}

static void write_sources(struct expand_ctx *ctx, const struct data_run *r, struct sb *to)
{
	html_raw(to, "<details class=\"sources\"><summary>Files that were compiled, with their git "
	             "blob ids</summary>\n");
	table_open(to, "stack");
	html_raw(to, "<thead><tr><th scope=\"col\">File</th><th scope=\"col\">Blob</th>"
	             "<th scope=\"col\">Now</th></tr></thead><tbody>\n");
	source_rows(ctx, r, to);
	html_raw(to, "</tbody>");
	table_close(to);
	html_raw(to, "</details>\n");
}

/* Quotes an argument for a shell. */
static void shell_word(const char *s, struct sb *to)
{
	bool plain = *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789_./:=,@%+-") == strlen(s);
	if (plain) {
		sb_cstr(to, s);
		return;
	}
	sb_char(to, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			sb_cstr(to, "'\\'");
		sb_char(to, *s);
	}
	sb_char(to, '\'');
}

/* `family`: one case of each of the `n` families; the first whose kernel is gone is reported. */
static void write_again(struct expand_ctx *ctx, const struct data_run *r,
                        const struct run_case *const *family, size_t n, struct sb *to)
{
	const struct run_head *h = &r->run.head;
	struct sb run = {0};
	size_t at = 0;
	/* the program's own name may or may not have been recorded */
	for (size_t i = h->nargv > 0 && str_ends(str_of(h->argv[0]), "runner"); i < h->nargv; i++) {
		if (run.n)
			sb_char(&run, ' ');
		shell_word(h->argv[i], &run);
	}
	while (at < n && again_is_there(ctx->data, r, family[at]))
		at++;
	static const struct run_case none = {0};
	again_put(ctx->words, ctx->data, r, at < n ? family[at] : &none, run.p ? run.p : "",
	          arena_printf(ctx->arena, "build/runner verify %s\n", r->path), "Measure it again",
	          to);
	sb_free(&run);
}

static void write_file(const struct data_run *r, struct sb *to)
{
	html_raw(to, "<dl class=\"facts\">\n<div><dt>File</dt><dd><code>");
	html_text(to, str_of(r->path));
	html_raw(to, "</code></dd></div>\n<div><dt>Git blob</dt><dd><code>");
	html_text(to, str_of(r->blob));
	html_raw(to, "</code></dd></div>\n<div><dt>SHA-256</dt><dd><code>");
	html_text(to, str_of(r->run.sha256));
	html_raw(to, "</code></dd></div>\n</dl>\n");
}

bool body_run(struct expand_ctx *ctx, const struct data_run *r, struct body *out, struct err *e)
{
	(void)e;
	const struct run_case *family[MAX_FAMILIES];
	size_t n = families(&r->run, family);
	struct sb to = {0};
	*out = (struct body){
	        .headings = ARENA_ARRAY(ctx->arena, struct body_heading, MAX_FAMILIES + 4)};
	if (r->why_none) {
		html_raw(&to, "<p class=\"verdict bad\">This run publishes no numbers: ");
		html_text(&to, str_of(r->why_none));
		html_raw(&to, ".</p>\n");
	} else if (r->kept) {
		html_raw(&to, "<p class=\"verdict\">This run was interrupted. Of ");
		sb_printf(&to, "%lld planned processes %zu are whole, and count.</p>\n",
		          (long long)r->run.head.launches, r->kept);
	}
	comparison_links(ctx, r, &to);
	for (size_t i = 0; i < n; i++)
		put_family(ctx, r, family[i], n == 1, out, &to);
	heading(out, &to, "record", "The record");
	write_file(r, &to);
	if (r->run.head.foreign) {
		again_put_foreign(ctx->words, r, "Measure it again", &to);
	} else {
		write_sources(ctx, r, &to);
		write_again(ctx, r, family, n, &to);
	}
	out->html = str_keep(ctx->arena, sb_view(&to));
	sb_free(&to);
	return true;
}
