#include "site-gen/pages/number_page.h"

#include <string.h>

#include "site-gen/kinds/source.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/records/again.h"
#include "site-gen/files/data_files.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/numbers/case.h"
#include "site-gen/files/number_said.h"
#include "site-gen/pages/code_page.h"
#include "site-gen/pages/number_draw.h"
#include "site-gen/records/launches.h"

/* --- small pieces ----------------------------------------------------------------- */

void number_page_section(struct sb *to, const char *id, const char *title)
{
	html_raw(to, "<h2 id=\"");
	html_attr(to, str_of(id));
	html_raw(to, "\">");
	html_text(to, str_of(title));
	html_raw(to, " <a class=\"anchor\" href=\"#");
	html_attr(to, str_of(id));
	html_raw(to, "\" aria-label=\"Link to this section\">#</a></h2>\n");
}

static void fact(struct sb *to, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	html_raw(to, "<div><dt>");
	html_text(to, str_of(label));
	html_raw(to, "</dt><dd>");
	html_text(to, str_of(value));
	html_raw(to, "</dd></div>\n");
}

static void code_fact(struct sb *to, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	html_raw(to, "<div><dt>");
	html_text(to, str_of(label));
	html_raw(to, "</dt><dd><code>");
	html_text(to, str_of(value));
	html_raw(to, "</code></dd></div>\n");
}

/* --- the number ------------------------------------------------------------------- */

static void write_none(const struct number_view *v, struct sb *to)
{
	html_raw(to, "<p class=\"verdict bad\">No number is published: ");
	html_text(to, str_of(v->p.d->why_none ? v->p.d->why_none : "it has no such metric"));
	html_raw(to, ".</p>\n");
}

static bool any_slow(const struct data_case *d)
{
	bool any = false;
	for (size_t i = 0; i < d->time.launches; i++)
		any = any || d->slow[i];
	return any;
}

/* The same case on other devices. */
static void write_elsewhere(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	const struct data *d = ctx->data;
	size_t shown = 0;
	for (size_t i = 0; i < d->ndevices; i++) {
		const struct data_number *n = data_number_on(d, d->devices[i], v->p.d, v->a);
		struct number x;
		if (!n || n == v->n)
			continue;
		struct pick p = {n->runs[n->newest], n->in[n->newest]};
		html_raw(to, shown++ ? ", " : "<p class=\"devices\">Also on ");
		kind_link(ctx, n->url, data_device_name(d, d->devices[i]), to);
		if (number_of(&p, v->main.metric, &x)) {
			html_raw(to, ": ");
			number_link(ctx, &x, "", NULL, to);
		}
	}
	if (shown)
		html_raw(to, ".</p>\n");
}

/* Says how many processes took each of two speeds. */
static void write_speeds(const struct number_view *v, struct sb *to)
{
	const struct number *n = &v->main;
	struct unit_text fast, slow;
	if (!n->at_speed[0])
		return;
	unit_format(n->speed[0], 0, n->si, &fast);
	unit_format(n->speed[1], 0, n->si, &slow);
	sb_printf(to,
	          "<p class=\"headline-what\">Two speeds: %zu processes at %s" NBSP
	          "%s, %zu at %s" NBSP "%s. No process took the time between them, so there is no "
	          "mean.</p>\n",
	          n->at_speed[0], fast.number, fast.unit, n->at_speed[1], slow.number, slow.unit);
}

static void write_headline(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	const struct stats_summary *t = &v->p.d->time;
	const char *range = number_view_range(&v->main, v->a);
	html_raw(to, "<section class=\"headline\" id=\"number\" aria-label=\"The number\">\n"
	             "<p class=\"headline-value\">");
	number_link(ctx, &v->main, "", NULL, to);
	number_interval(&v->main, to);
	html_raw(to, "</p>\n<p class=\"headline-what\">");
	html_text(to, str_of(metric_info(v->main.metric)->title));
	if (range) {
		html_raw(to, ", 95" NBSP "% interval <span class=\"range\">");
		html_text(to, str_of(range));
		html_raw(to, "</span>");
	}
	sb_printf(to, ", from %zu %s with ", t->launches,
	          t->launches == 1 ? "process" : "processes");
	unit_count(str_of(arena_printf(v->a, "%zu", t->samples)), to);
	html_raw(to, " samples.</p>\n");
	write_speeds(v, to);
	number_page_card(ctx, v, to);
	write_elsewhere(ctx, v, to);
	html_raw(to, "<figure class=\"drawing\">\n");
	number_draw_launches(v, to);
	html_raw(to, "<figcaption>Each dot is the median of one process, from top to bottom in the "
	             "order of their start. The line is the typical value, the band its "
	             "95" NBSP "% interval.");
	if (any_slow(v->p.d))
		html_raw(to, " Hollow: the clock was throttled during that process.");
	html_raw(to, "</figcaption>\n</figure>\n</section>\n");
}

/* --- its other figures ---------------------------------------------------------------- */

/* Writes the other side of a comparison, as a link to its own page. */
static void against_cell(const struct expand_ctx *ctx, const struct number *n, struct sb *to)
{
	html_raw(to, "<td class=\"left\">");
	if (n->over.d)
		kind_link(ctx, n->over.d->url,
		          number_said_other(ctx->words, ctx->data, n,
		                            case_title(ctx->words, n->over.d->c, ctx->arena),
		                            ctx->arena),
		          to);
	else if (n->peak)
		number_spec_link(ctx->words, n->peak, to);
	html_raw(to, "</td>");
}

static void figure_row(struct expand_ctx *ctx, const struct number_view *v, size_t i, struct sb *to)
{
	const struct number *n = &v->shown[i];
	const char *range = number_view_range(n, v->a);
	html_raw(to, "<tr id=\"");
	html_attr(to, str_of(v->shown_name[i]));
	html_raw(to, "\"><th scope=\"row\">");
	html_text(to, str_of(number_view_words(n, v->a)));
	html_raw(to, "</th><td class=\"right\">");
	number_link(ctx, n, "", NULL, to);
	number_interval(n, to);
	html_raw(to, "</td><td class=\"right range\">");
	html_text(to, str_of(range));
	html_raw(to, "</td>");
	against_cell(ctx, n, to);
	html_raw(to, "</tr>\n");
}

static void write_figures(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	number_page_section(to, "figures", "All its metrics");
	table_open(to, "figures stack");
	html_raw(to, "<thead><tr><th scope=\"col\">Quantity</th>"
	             "<th scope=\"col\" class=\"right\">Value</th>"
	             "<th scope=\"col\" class=\"right\">95" NBSP "% interval</th>"
	             "<th scope=\"col\">Compared with</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < v->nshown; i++)
		figure_row(ctx, v, i, to);
	html_raw(to, "</tbody>");
	table_close(to);
}

static void write_samples(const struct number_view *v, struct sb *to)
{
	number_page_section(to, "samples", "The samples");
	html_raw(to,
	         "<div class=\"drawings\">\n<figure class=\"drawing\">\n<figcaption>Share of the "
	         "samples that took at most this time. Thin lines: each process; thick line: "
	         "all.</figcaption>\n");
	number_draw_ecdf(v, to);
	html_raw(to,
	         "</figure>\n<figure class=\"drawing\">\n<figcaption>Time of each sample, in the "
	         "order taken. Processes are side by side, with their numbers below. Higher is "
	         "slower.</figcaption>\n");
	number_draw_order(v, to);
	html_raw(to, "</figure>\n</div>\n");
}

/* --- conditions ------------------------------------------------------------------------ */

static void write_conditions(const struct expand_ctx *ctx, const struct number_view *v,
                             struct sb *to)
{
	size_t n;
	const struct data_fact *f = data_conditions(v->p.run, &n);
	number_page_section(to, "conditions", "Conditions");
	html_raw(to, "<dl class=\"facts\">\n<div><dt>Run</dt><dd>");
	kind_link(ctx, arena_printf(v->a, "%s#%s", v->p.run->url, v->p.d->anchor),
	          v->p.run->run.head.id, to);
	html_raw(to, "</dd></div>\n");
	for (size_t i = 0; i < n; i++)
		fact(to, f[i].label, f[i].value);
	html_raw(to, "</dl>\n");
}

/* --- source ------------------------------------------------------------------------------ */

static const char *count(int64_t n, const char *unit, struct arena *a)
{
	return n == RECORD_NONE ? "not recorded" : arena_printf(a, "%lld%s", (long long)n, unit);
}

/* "FFMA 16, LDG.128 4, all 214": static counts of the machine code. */
static const char *mix_words(const struct run_build *b, struct arena *a)
{
	const char *all = "";
	for (size_t i = 0; i < b->nmix; i++)
		all = arena_printf(a, "%s%s%s %lld", all, i ? ", " : "", b->mix[i].name,
		                   (long long)b->mix[i].num);
	return all;
}

static void write_build(const struct number_view *v, struct sb *to)
{
	const struct run_build *b = &v->p.d->c->build;
	if (b->registers != RECORD_NONE)
		html_raw(to,
		         "<p class=\"fine\">Registers, shared memory and spills are the largest of "
		         "the kernels in the file; this case may run one that takes less.</p>\n");
	html_raw(to, "<dl class=\"facts\">\n");
	fact(to, "Registers", count(b->registers, " a thread", v->a));
	fact(to, "Shared memory", count(b->shared_bytes, " B a block", v->a));
	fact(to, "Spilled", count(b->spill_bytes, " B", v->a));
	code_fact(to, "Machine code, SHA-256", b->code_sha256 ? b->code_sha256 : "not recorded");
	code_fact(to, "Flags", b->flags);
	if (b->nmix)
		fact(to, "Instructions", mix_words(b, v->a));
	const char *choices = record_choices(launches_of(v->p.run), v->p.d->c, v->a);
	if (b->library)
		fact(to, "Library, found when it ran", b->library);
	if (b->choice.n)
		fact(to, "Chosen by trying", record_choice_words(&b->choice, v->a));
	if (choices)
		fact(to, "In its processes", choices);
	html_raw(to, "</dl>\n");
}

static void put_code(struct sb *to, const char *path)
{
	html_raw(to, "<code>");
	html_text(to, str_of(path));
	html_raw(to, "</code>");
}

static void open_file(const struct expand_ctx *ctx, const struct code_file *f, const char *id,
                      struct sb *to)
{
	html_raw(to, "<a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(f->url));
	html_raw(to, id);
	html_raw(to, "\">");
}

/* A row of the table of files. */
static void write_file(const struct expand_ctx *ctx, const struct code_file *f, struct sb *to)
{
	html_raw(to, "<tr><th scope=\"row\">");
	put_code(to, f->path);
	html_raw(to, "</th><td class=\"left\"><code>");
	html_text(to, str_of(f->blob));
	html_raw(to, "</code></td><td class=\"left\">");
	if (f->changed && f->url) {
		open_file(ctx, f, "#since", to);
		html_raw(to, "changed since</a>");
	} else {
		html_raw(to, f->changed ? "changed since" : "the same");
	}
	html_raw(to, "</td></tr>\n");
}

static void write_files(const struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	html_raw(to,
	         "<details class=\"sources\"><summary>All files it was compiled from, with their "
	         "git blob ids</summary>\n");
	table_open(to, "stack");
	html_raw(to, "<thead><tr><th scope=\"col\">File</th><th scope=\"col\">Blob</th>"
	             "<th scope=\"col\">Now</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < v->p.d->c->nsource; i++)
		write_file(ctx, code_page_file(v->site, &v->p, i), to);
	html_raw(to, "</tbody>");
	table_close(to);
	html_raw(to, "</details>\n");
}

/* Leads to the case's own file as it was measured. */
static void write_own(const struct expand_ctx *ctx, const struct number_view *v,
                      const struct code_file *f, struct sb *to)
{
	const char *commit = v->p.run->run.head.commit;
	html_raw(to, "<p>");
	open_file(ctx, f, "", to);
	html_raw(to, "Source ");
	put_code(to, f->path);
	html_raw(to, "</a>");
	if (commit)
		sb_printf(to, " <span class=\"commit\">at %.12s</span>", commit);
	html_raw(to, ", as it was compiled.</p>\n");
}

/* Leads to the differences of the files that have changed. */
static void write_changed(const struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	size_t n = 0;
	for (size_t i = 0; i < v->p.d->c->nsource; i++) {
		const struct code_file *f = code_page_file(v->site, &v->p, i);
		if (!f->changed || !f->url)
			continue;
		html_raw(to, n++ ? ", " : "<p class=\"changed\">Changed since: ");
		open_file(ctx, f, "#since", to);
		put_code(to, f->path);
		html_raw(to, "</a>");
	}
	if (n)
		html_raw(to, ".</p>\n");
}

static bool write_source(struct expand_ctx *ctx, const struct number_view *v, struct sb *to,
                         struct err *e)
{
	const struct run_case *c = v->p.d->c;
	struct kind_call k = {.ctx = ctx, .to = to, .html = true};
	number_page_section(to, "source", "Source and build");
	const struct code_file *own = c->nsource > 0 ? code_page_file(v->site, &v->p, 0) : NULL;
	if (own && own->url)
		write_own(ctx, v, own, to);
	else if (own && !source_listing(&k, &v->p, false, e)) /* which says why there is none */
		return false;
	write_changed(ctx, v, to);
	write_files(ctx, v, to);
	write_build(v, to);
	return true;
}

/* --- cost model and checks ------------------------------------------------------------------ */

/* The largest error in the checks of all launches; negative if there was no check. */
static double worst_error(const struct number_view *v)
{
	double worst = -1;
	for (size_t i = 0; i < v->nlaunches; i++) {
		const struct run_launch *l = v->launch[i];
		if (!record_launch_ok(l))
			continue;
		worst = l->before.error > worst ? l->before.error : worst;
		worst = l->after.error > worst ? l->after.error : worst;
	}
	return worst;
}

/* "2097152 FLOP (bf16)"; "1000 (one is a barrier)" */
static const char *operations(const struct run_case *c, struct arena *a)
{
	if (c->model.flop <= 0)
		return "none are counted";
	if (c->model.op)
		return arena_printf(a, "%lld (one is: %s)", (long long)c->model.flop, c->model.op);
	return arena_printf(a, "%lld FLOP%s%s%s", (long long)c->model.flop,
	                    c->model.unit ? " (" : "", c->model.unit ? c->model.unit : "",
	                    c->model.unit ? ")" : "");
}

static void write_model(const struct number_view *v, struct sb *to)
{
	const struct run_case *c = v->p.d->c;
	double worst = worst_error(v);
	number_page_section(to, "model", "What is counted, what is checked");
	html_raw(to, "<dl class=\"facts wide\">\n");
	fact(to, "Cost model", c->model.formula);
	fact(to, "Operations", operations(c, v->a));
	fact(to, "Bytes",
	     arena_printf(v->a, "%lld read, %lld written (%s)", (long long)c->model.bytes_read,
	                  (long long)c->model.bytes_written,
	                  c->model.level ? c->model.level : "no level named"));
	fact(to, "Input",
	     arena_printf(v->a, "%s, %lld buffer %s", c->input, (long long)c->input_sets,
	                  c->input_sets == 1 ? "set" : "sets in turn"));
	fact(to, "Checked against", c->check_reference);
	if (c->check_exact)
		fact(to, "Compared bit for bit", c->check_exact);
	fact(to, "Tolerance", arena_printf(v->a, "%.3g: %s", c->tolerance, c->check_why));
	if (worst >= 0)
		fact(to, "Largest error seen",
		     arena_printf(v->a, "%.3g, before and after timing, in all processes", worst));
	html_raw(to, "</dl>\n");
}

/* --- again ------------------------------------------------------------------------------------ */

static void write_again(const struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	const struct run_case *c = v->p.d->c;
	number_page_section(to, "again", "Measure it again");
	if (c->foreign) {
		again_put_foreign(ctx->words, v->p.run, NULL, to);
		return;
	}
	again_put(ctx->words, ctx->data, v->p.run, c, arena_printf(v->a, "run '%s'", c->id), "",
	          NULL, to);
}

bool number_page_recorded(struct expand_ctx *ctx, const struct number_view *v,
                          struct str part[NUMBER_PAGE_PARTS], struct err *e)
{
	struct sb to = {0};
	if (v->has)
		write_samples(v, &to);
	if (!v->p.d->c->foreign) { /* another harness reads no counters and no clocks for us */
		number_page_counters(ctx, v, &to);
		number_page_launches(v, &to);
	}
	number_page_cards(ctx, v, &to);
	number_page_history(ctx, v, &to);
	size_t middle = to.n;
	write_conditions(ctx, v, &to);
	bool ok = v->p.d->c->foreign || write_source(ctx, v, &to, e);
	if (!v->p.d->c->foreign)
		write_model(v, &to);
	write_again(ctx, v, &to);
	number_page_cite(ctx, v, &to);
	struct str all = str_keep(v->a, sb_view(&to));
	part[0] = str_sub(all, 0, middle);
	part[1] = str_sub(all, middle, all.n);
	sb_free(&to);
	return ok;
}

void number_page_body(struct expand_ctx *ctx, const struct number_view *v,
                      const struct str part[NUMBER_PAGE_PARTS], struct sb *to)
{
	if (v->has) {
		write_headline(ctx, v, to);
		write_figures(ctx, v, to);
	} else {
		write_none(v, to);
	}
	sb_str(to, part[0]);
	number_page_quoted(ctx, v, to);
	sb_str(to, part[1]);
}
