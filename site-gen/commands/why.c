#include "site-gen/commands/why.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/build/build.h"
#include "site-gen/numbers/claim.h"
#include "site-gen/commands/explain.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/shared_figure.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

enum { MAX_FILE_BYTES = 64 << 20, MOST_IN_FULL = 12 };

struct call {
	const char *path; /* as given */
	int64_t line;
	struct str text; /* the text of that line */
	size_t shown;    /* count of numbers, claims and waivers so far */
};

static bool parse_place(const char *place, struct call *c, struct arena *a, struct err *e)
{
	const char *colon = strrchr(place, ':');
	if (!colon || colon == place || !str_i64(str_of(colon + 1), &c->line) || c->line < 1)
		return err_set(e, "'%s' is no place, expected FILE:LINE", place);
	c->path = arena_strndup(a, place, (size_t)(colon - place));
	return true;
}

static bool read_line(struct call *c, struct arena *a, struct err *e)
{
	struct str rest;
	if (!file_read(c->path, MAX_FILE_BYTES, a, &rest, e))
		return false;
	int64_t i = 0;
	while (rest.n > 0 && i < c->line) {
		str_cut(rest, '\n', &c->text, &rest);
		i++;
	}
	return i == c->line || err_set(e, "%s has %lld lines, so no line %lld", c->path,
	                               (long long)i, (long long)c->line);
}

/* --- a line of a source -------------------------------------------------------------------- */

static void put_quote(struct expand_ctx *ctx, const struct quote *q, bool whole, struct sb *to)
{
	if (whole) {
		sb_printf(to, "\n%s\n", q->placeholder ? q->placeholder : q->text);
		explain_number(ctx, &q->n, to);
	} else {
		sb_printf(to, "  %-18s %s [%s]\n", q->text, number_key(&q->n, ctx->arena),
		          q->n.pick.run->run.head.id);
	}
}

/* Explains the quotes at a line; a block with many numbers gets a line for each. */
static void quotes_at(struct expand_ctx *ctx, const struct page *p, struct call *c, struct sb *to)
{
	size_t n = 0;
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		n += q->at.line == c->line;
	bool whole = n <= MOST_IN_FULL;
	if (!whole)
		sb_printf(to, "\n%zu numbers; explain one with 'site-gen explain PLACEHOLDER'\n",
		          n);
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		if (q->at.line == c->line)
			put_quote(ctx, q, whole, to);
	for (const struct fact *f = p->numbers.facts; f; f = f->next) {
		if (f->at.line != c->line)
			continue;
		sb_printf(to, "\n%s\n", f->text);
		explain_fact(f, to);
		n++;
	}
	c->shown += n;
}

static void waivers_at(const struct page *p, struct call *c, struct sb *to)
{
	for (const struct waiver *w = p->source.waivers; w; w = w->next) {
		if (w->at.line != c->line)
			continue;
		sb_printf(to, "\nwaived: %s\n", w->text ? w->text : w->in);
		explain_field(to, "rule", rule_info(w->rule)->id);
		explain_field(to, "reason", w->why);
		c->shown++;
	}
}

static bool claim_at(struct expand_ctx *ctx, struct str text, struct call *c, struct sb *to,
                     struct err *e)
{
	static const char *const words[] = {"true", "false", "undecided"};
	struct placeholder p;
	struct claim claim;
	struct claim_result r;
	struct loc at = {.path = c->path, .line = (int)c->line, .col = 1};
	bool goal = str_starts(text, "<<bench:goal");
	if (!goal && !str_starts(text, "<<bench:claim"))
		return true;
	if (!placeholder_parse(text, at, &p, e) || !claim_parse(&p, &claim, e) ||
	    !(goal ? claim_decide_goal : claim_decide)(ctx, &claim, &r, e))
		return false;
	sb_printf(to, "\n" STR_FMT "\n", STR_ARG(text));
	explain_field(to, "verdict", words[r.verdict]);
	explain_field(to, "why", r.why);
	if (!r.unmeasured)
		explain_number(ctx, &r.compared, to);
	c->shown++;
	return true;
}

/* The device of the first number quoted on this line; NULL if there is none. */
static const char *device_of(const struct page *p, int64_t line)
{
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		if (q->at.line == line)
			return q->n.pick.run->run.head.device;
	return NULL;
}

static bool of_source(struct site *s, const struct page *p, struct call *c, struct sb *to,
                      struct err *e)
{
	struct maker m = {.site = s, .page = p};
	struct expand_ctx ctx = site_context(&m, device_of(p, c->line));
	size_t from = 0, start, end;
	bool ok = true;
	quotes_at(&ctx, p, c, to);
	waivers_at(p, c, to);
	for (; ok && placeholder_next(c->text, from, &start, &end) && end > start; from = end)
		ok = claim_at(&ctx, str_sub(c->text, start, end), c, to, e);
	arena_free(&m.scratch);
	return ok;
}

/* --- a line of a page ---------------------------------------------------------------------- */

/* The number that some page links to at this address. */
static const struct number *number_at(struct expand_ctx *ctx, const struct site *s, const char *url)
{
	for (size_t i = 0; i < s->pages.n; i++)
		for (const struct quote *q = s->pages.all[i]->numbers.quotes; q; q = q->next)
			if (strcmp(number_url(ctx, &q->n), url) == 0)
				return &q->n;
	return NULL;
}

/* Explains the current link: its text and its number. */
static void put_link(struct expand_ctx *ctx, const struct site *s, struct html_scan *h,
                     struct sb *to)
{
	struct sb text = {0};
	struct str url = html_scan_value(h, "href"), run = html_scan_value(h, "data-run"), inner;
	html_scan_inside(h, &inner);
	html_scan_strip(&text, inner);
	const struct number *n = number_at(ctx, s, str_dup(ctx->arena, url));
	sb_printf(to, "\n%s\n", text.p ? text.p : "");
	if (n) {
		explain_number(ctx, n, to);
	} else {
		explain_field(to, "page", str_dup(ctx->arena, url));
		explain_field(to, "run", str_dup(ctx->arena, run));
	}
	sb_free(&text);
}

/* Explains every <a class="num …">…</a> of the line. */
static void of_output(struct site *s, struct call *c, struct sb *to)
{
	struct maker m = {.site = s};
	struct expand_ctx ctx = site_context(&m, NULL);
	struct html_scan h = html_scan(c->text);
	while (html_scan_find(&h, "a")) {
		if (!html_scan_class(&h, "num"))
			continue;
		put_link(&ctx, s, &h, to);
		c->shown++;
	}
	arena_free(&m.scratch);
}

/* --- the command --------------------------------------------------------------------------- */

static const struct page *page_of(const struct site *s, const char *path)
{
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	for (size_t i = 0; i < s->pages.n; i++)
		if (s->pages.all[i]->path && strcmp(s->pages.all[i]->path, path) == 0 &&
		    !shared_figure(s->pages.all[i]))
			return s->pages.all[i];
	return NULL;
}

static bool why(struct site *s, void *ctx, struct err *e)
{
	struct call *c = ctx;
	struct sb out = {0};
	bool html = str_ends(str_of(c->path), ".html");
	const struct page *p = page_of(s, c->path);
	if (!read_line(c, s->arena, e))
		return false;
	if (!p && !html)
		return err_set(e,
		               "%s is no source of a page, and no page; expected a file under "
		               "content/ or a .html of the output",
		               c->path);
	bool ok = true;
	if (p)
		ok = of_source(s, p, c, &out, e);
	else
		of_output(s, c, &out);
	/* a line of the output is markup, and its text is printed below */
	struct str text = p ? str_trim(c->text) : STR("");
	if (ok && c->shown)
		printf("%s:%lld: " STR_FMT "\n%s", c->path, (long long)c->line, STR_ARG(text),
		       out.p);
	else if (ok)
		ok = err_set(e, "%s:%lld: nothing on this line comes from a measurement", c->path,
		             (long long)c->line);
	sb_free(&out);
	return ok;
}

int why_run(const struct site_options *options, const char *place)
{
	struct arena a = {0};
	struct call c = {0};
	struct err e = ERR_NONE;
	int status = 1;
	if (parse_place(place, &c, &a, &e))
		status = build_loaded(options, NULL, why, &c);
	else
		fprintf(stderr, "site-gen: %s\n", e.text);
	arena_free(&a);
	return status;
}
