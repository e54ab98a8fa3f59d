#include "site-gen/pages/board.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/kinds/device_part.h"
#include "site-gen/kinds/figure.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/pages/family_rows.h"
#include "site-gen/pages/headline_draw.h"

enum { MAX_VALUES = 24 }; /* of one filter */

/* The values that rows can be filtered by, in the order of the first rows that have them. */
struct filter {
	const char *name;  /* of the button: static/board.js puts it into the address */
	const char *label; /* a key of words */
	const char *value[MAX_VALUES];
	size_t n;
};

struct board {
	struct expand_ctx *ctx;
	const struct words *w;
	struct sb *to;
	struct family_row *row;
	size_t n;
	const char *const *device; /* all devices that have a board */
	size_t ndevices;
	struct filter task, dtype;
};

static const char *word(const struct board *b, const char *key)
{
	return words_get(b->w, key);
}

static void text(const struct board *b, const char *s)
{
	html_text(b->to, str_of(s));
}

/* --- the rows --- */

size_t board_devices(const struct data *d, const struct headlines *h, const char **out)
{
	struct arena a = {0};
	size_t n = 0;
	for (int own = 1; own >= 0; own--)
		for (size_t i = 0; i < d->ndevices && n < EXPAND_DEVICES; i++) {
			struct expand_ctx ctx = {.data = d, .arena = &a, .device = d->devices[i]};
			struct headline_result r;
			bool any = false;
			if ((strcmp(d->devices[i], d->default_device) == 0) != own)
				continue;
			for (size_t k = 0; k < h->n && !any; k++)
				any = headline_result(&ctx, &h->all[k], &r);
			if (any)
				out[n++] = d->devices[i];
		}
	arena_free(&a);
	return n;
}

/* --- the cells --- */

static void open_cell(const struct board *b, const char *classes, const char *label,
                      const struct number *sorted)
{
	html_raw(b->to, "<td");
	html_attribute(b->to, "class", str_of(classes));
	if (label)
		html_attribute(b->to, "data-label", str_of(label));
	if (sorted)
		table_sorted(b->to, sorted->value);
	html_raw(b->to, ">");
}

static void close_cell(const struct board *b)
{
	html_raw(b->to, "</td>");
}

static void empty_cell(const struct board *b, const char *classes)
{
	sb_printf(b->to, "<td class=\"%s empty\">–</td>", classes);
}

static void name_cell(const struct board *b, const struct family_row *r)
{
	html_raw(b->to, "<th scope=\"row\">");
	kind_link(b->ctx, family_row_page(b->ctx, r), r->title, b->to);
	html_raw(b->to, "<span class=\"case\">");
	text(b, r->h ? headline_words(r->h, b->w)->name : word(b, "board_no_case"));
	html_raw(b->to, "</span>");
	if (r->has && r->device) {
		html_raw(b->to, "<span class=\"badge\">");
		text(b, words_fill(b->w, b->ctx->arena, "board_elsewhere",
		                   data_device_name(b->ctx->data, r->device), NULL));
		html_raw(b->to, "</span>");
	}
	html_raw(b->to, "</th>");
}

static void best_cell(const struct board *b, const struct family_row *r)
{
	const struct number *n = &r->r.best.n;
	open_cell(b, "right best", NULL, NULL);
	number_link(b->ctx, n, "", case_title(b->w, n->pick.d->c, b->ctx->arena), b->to);
	close_cell(b);
}

static void bar_cell(const struct board *b, const struct family_row *r)
{
	if (!r->r.peak) {
		open_cell(b, "bar no-roof", NULL, NULL);
		text(b, word(b, "board_no_roof"));
		close_cell(b);
		return;
	}
	open_cell(b, "bar", NULL, NULL);
	headline_draw_bar(&r->r, b->to);
	close_cell(b);
}

static void share_cell(const struct board *b, const struct family_row *r)
{
	if (!r->r.peak) {
		empty_cell(b, "right");
		return;
	}
	open_cell(b, "right", word(b, "board_share"), &r->r.share);
	number_link(b->ctx, &r->r.share, "percent", NULL, b->to);
	close_cell(b);
}

/* A ratio with the name of what it is over; wins and losses that the interval decides look so. */
static void ratio_cell(const struct board *b, const struct family_row *r, bool has,
                       const struct number *n, const struct headline_step *over, const char *label,
                       bool named)
{
	if (!has) {
		empty_cell(b, named ? "lib" : "right");
		return;
	}
	const char *theirs = words_said(b->w, over->pick.d->c->variant_title).text;
	const char *own = words_said(b->w, r->r.best.pick.d->c->variant_title).text;
	open_cell(b, named ? "lib" : "right", label, n);
	sb_printf(b->to, "<span class=\"%s\">", n->lo > 1 ? "win" : n->hi < 1 ? "loss" : "draw");
	number_link(b->ctx, n, "ratio",
	            words_fill(b->w, b->ctx->arena, "board_faster", own, theirs), b->to);
	html_raw(b->to, "</span>");
	if (named) {
		html_raw(b->to, " <span class=\"who\">");
		text(b, theirs);
		html_raw(b->to, "</span>");
	}
	close_cell(b);
}

static void limiter_cell(const struct board *b, const struct family_row *r)
{
	enum limiter l = r->r.limiter.limiter;
	const char *key = arena_printf(b->ctx->arena, "limiter_%s", limiter_name(l));
	open_cell(b, "limit", NULL, NULL);
	html_raw(b->to, "<span class=\"chip\">");
	text(b, l == LIMITER_NONE ? word(b, "limiter_open") : word(b, key));
	html_raw(b->to, "</span>");
	close_cell(b);
}

static void steps_cell(const struct board *b, const struct family_row *r)
{
	open_cell(b, "drawn", NULL, NULL);
	headline_draw_steps(&r->r, b->to);
	headline_draw_past(&r->r, b->to);
	close_cell(b);
}

static void post_cell(const struct board *b, const struct family_row *r)
{
	const struct headline_text *t = r->h ? headline_words(r->h, b->w) : NULL;
	if (!t || !t->post) {
		empty_cell(b, "post");
		return;
	}
	open_cell(b, "post", NULL, NULL);
	kind_link(b->ctx, t->post, t->read ? t->read : word(b, "board_post"), b->to);
	close_cell(b);
}

static const char *task_of(const struct board *b, const struct family_row *r)
{
	return word(b, arena_printf(b->ctx->arena, "task_%s", r->h->task));
}

static const char *dtype_of(const struct family_row *r)
{
	return r->r.best.pick.d->c->dtype;
}

static void put_row(const struct board *b, const struct family_row *r)
{
	html_raw(b->to, "<tr");
	if (r->has && r->device) {
		html_raw(b->to, " class=\"elsewhere\"");
		html_attribute(b->to, "data-device", str_of(r->device));
	}
	if (r->has && r->h->task)
		html_attribute(b->to, "data-task", str_of(task_of(b, r)));
	if (r->has)
		html_attribute(b->to, "data-dtype", str_of(dtype_of(r)));
	html_raw(b->to, ">");
	name_cell(b, r);
	if (!r->has) {
		html_raw(b->to, "<td class=\"missing\" colspan=\"8\">");
		text(b, r->h ? words_fill(b->w, b->ctx->arena, "family_not_on",
		                          data_device_name(b->ctx->data, b->ctx->device), NULL)
		             : "–");
		html_raw(b->to, "</td></tr>\n");
		return;
	}
	best_cell(b, r);
	bar_cell(b, r);
	share_cell(b, r);
	ratio_cell(b, r, r->r.has_over_library, &r->r.over_library, r->r.library,
	           word(b, "board_library"), true);
	ratio_cell(b, r, r->r.has_over_eager, &r->r.over_eager, r->r.eager, word(b, "board_eager"),
	           false);
	limiter_cell(b, r);
	steps_cell(b, r);
	post_cell(b, r);
	html_raw(b->to, "</tr>\n");
}

/* --- the table --- */

static void head_cell(const struct board *b, const char *classes, const char *key)
{
	html_raw(b->to, "<th scope=\"col\"");
	html_attribute(b->to, "class", str_of(classes));
	if (strstr(classes, "by-share"))
		html_raw(b->to, " aria-sort=\"descending\"");
	bool sorts = strstr(classes, "by-");
	html_raw(b->to, sorts ? "><span class=\"sort\">" : ">");
	text(b, word(b, key));
	table_head_close(b->to, sorts);
}

/* The head of the bars: their roof, and what the tick is. */
static void bar_head(const struct board *b)
{
	const struct data_spec *peak = NULL;
	for (size_t i = 0; i < b->n && !peak; i++)
		peak = b->row[i].has && !b->row[i].device ? b->row[i].r.peak : NULL;
	html_raw(b->to, "<th scope=\"col\" class=\"bar\"><span class=\"tick\">");
	text(b, word(b, "board_tick"));
	html_raw(b->to, "</span>");
	if (peak) {
		html_raw(b->to, " <span class=\"roof\">");
		text(b, word(b, "board_roof"));
		html_raw(b->to, " ");
		number_spec_link(b->w, peak, b->to);
		html_raw(b->to, "</span>");
	}
	html_raw(b->to, "</th>");
}

static void put_table(const struct board *b)
{
	table_open(b->to, "board");
	html_raw(b->to, "<thead><tr>");
	head_cell(b, "by-name", "board_case");
	head_cell(b, "right", "board_best");
	bar_head(b);
	head_cell(b, "right by-share", "board_share");
	head_cell(b, "by-library", "board_library");
	head_cell(b, "right by-eager", "board_eager");
	head_cell(b, "limit", "prediction_limiter");
	head_cell(b, "drawn", "board_steps");
	head_cell(b, "post", "board_post");
	html_raw(b->to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < b->n; i++)
		put_row(b, &b->row[i]);
	html_raw(b->to, "</tbody>");
	table_close(b->to);
}

/* A figure, so that its numbers have a file of their own (files/figure_csv.h). */
static void put_figure(const struct board *b)
{
	struct expand_ctx *ctx = b->ctx;
	const char *name =
	        ctx->device_no ? arena_printf(ctx->arena, "board-%s", ctx->device) : "board";
	const struct expand_figure *f = figure_begin(ctx, name);
	sb_printf(b->to, "<figure class=\"bench board\" id=\"b%d\">\n", f->number);
	ctx->in_block = true;
	ctx->figure = ctx->blocks;
	put_table(b);
	sb_printf(b->to, "<p class=\"board-note\">");
	text(b, word(b, "board_note"));
	sb_printf(b->to, " <a href=\"%s.csv\" type=\"text/csv\" aria-label=\"", f->name);
	html_attr(b->to, str_of(word(b, "figure_csv")));
	html_raw(b->to, "\">CSV</a></p>\n</figure>\n");
	ctx->in_block = false;
	ctx->figure = 0;
}

/* --- the filters --- */

static void gather(struct filter *f, const char *value)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->value[i], value) == 0)
			return;
	if (f->n < MAX_VALUES)
		f->value[f->n++] = value;
}

static void gather_rows(struct board *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct family_row *r = &b->row[i];
		if (r->has && r->h->task)
			gather(&b->task, task_of(b, r));
		if (r->has)
			gather(&b->dtype, dtype_of(r));
	}
}

static void put_button(const struct board *b, const struct filter *f, const char *value,
                       const char *shown)
{
	html_raw(b->to, "<button type=\"button\" class=\"chip\"");
	html_attribute(b->to, "name", str_of(f->name));
	html_attribute(b->to, "value", str_of(value));
	html_attribute(b->to, "aria-pressed", str_of(*value ? "false" : "true"));
	html_raw(b->to, ">");
	text(b, shown);
	html_raw(b->to, "</button>");
}

static void put_filter(const struct board *b, const struct filter *f)
{
	html_raw(b->to, "<fieldset><legend>");
	text(b, word(b, f->label));
	html_raw(b->to, "</legend>");
	put_button(b, f, "", word(b, "board_all"));
	for (size_t i = 0; i < f->n; i++)
		put_button(b, f, f->value[i], f->value[i]);
	html_raw(b->to, "</fieldset>\n");
}

/* Only scripts can use them, so style sheets show them only where there are scripts. */
static void put_filters(const struct board *b)
{
	html_raw(b->to, "<div class=\"board-filters\" id=\"board-filters\"");
	html_attribute(b->to, "data-count", str_of(word(b, "board_count")));
	html_raw(b->to, ">\n");
	put_filter(b, &b->task);
	put_filter(b, &b->dtype);
	html_raw(b->to, "<span class=\"found\" role=\"status\"></span>\n</div>\n");
}

void board_write(struct expand_ctx *ctx, const struct headlines *h, const char *const *device,
                 size_t ndevices, struct sb *to)
{
	struct sb tables = {0};
	struct board b = {.ctx = ctx,
	                  .w = ctx->words,
	                  .to = &tables,
	                  .device = device,
	                  .ndevices = ndevices,
	                  .task = {.name = "task", .label = "board_task"},
	                  .dtype = {.name = "dtype", .label = "board_dtype"}};
	ctx->devices = ndevices > 1 ? device : NULL;
	ctx->ndevices = ndevices > 1 ? ndevices : 0;
	for (size_t k = 0; k < ndevices; k++) {
		ctx->device = device[k];
		if (ndevices > 1) {
			device_part_enter(ctx, k);
			device_part_open(ctx, true, &tables);
		}
		b.n = family_rows(ctx, h, device, ndevices, &b.row);
		gather_rows(&b);
		put_figure(&b);
		if (ndevices > 1)
			device_part_close(ctx, true, &tables);
	}
	ctx->device_no = 0;
	b.to = to;
	put_filters(&b);
	if (ndevices > 1)
		html_raw(to, "<div class=\"devs\">\n");
	sb_str(to, sb_view(&tables));
	if (ndevices > 1)
		html_raw(to, "</div>\n");
	sb_free(&tables);
}
