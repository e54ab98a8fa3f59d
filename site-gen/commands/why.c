#include "site-gen/commands/why.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/build/build.h"
#include "site-gen/numbers/claim.h"
#include "site-gen/commands/explain.h"
#include "site-gen/base/html.h"
#include "site-gen/markdown/traced.h"

enum { MAX_FILE_BYTES = 64 << 20, MOST_IN_FULL = 12 };

struct call {
	const char *path; /* as given */
	int64_t line;
	struct str text; /* of that line */
	size_t shown;    /* numbers, claims and waivers so far */
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

/* A block has many numbers: then a line for each. */
static void quotes_at(struct expand_ctx *ctx, const struct page *p, struct call *c, struct sb *to)
{
	size_t n = 0;
	for (const struct quote *q = p->quotes; q; q = q->next)
		n += q->at.line == c->line;
	bool whole = n <= MOST_IN_FULL;
	if (!whole)
		sb_printf(to, "\n%zu numbers; explain one with 'site-gen explain PLACEHOLDER'\n",
		          n);
	for (const struct quote *q = p->quotes; q; q = q->next)
		if (q->at.line == c->line)
			put_quote(ctx, q, whole, to);
	for (const struct fact *f = p->facts; f; f = f->next) {
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
	for (const struct waiver *w = p->waivers; w; w = w->next) {
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
	explain_number(ctx, &r.compared, to);
	c->shown++;
	return true;
}

/* A post's own device is that of the numbers on the line; NULL: it has none. */
static const char *device_of(const struct page *p, int64_t line)
{
	for (const struct quote *q = p->quotes; q; q = q->next)
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

/* The number that any page shows under this address. */
static const struct number *number_at(struct expand_ctx *ctx, const struct site *s, const char *url)
{
	for (size_t i = 0; i < s->npages; i++)
		for (const struct quote *q = s->pages[i]->quotes; q; q = q->next)
			if (strcmp(number_url(ctx, &q->n), url) == 0)
				return &q->n;
	return NULL;
}

static struct str attribute(struct str tag, const char *name)
{
	struct str value = {"", 0};
	const char *at = memmem(tag.p, tag.n, name, strlen(name));
	if (at) {
		size_t from = (size_t)(at - tag.p) + strlen(name);
		value = str_sub(tag, from, str_find(tag, '"', from));
	}
	return value;
}

static void put_link(struct expand_ctx *ctx, const struct site *s, struct str tag, struct str inner,
                     struct sb *to)
{
	struct sb text = {0};
	struct str url = attribute(tag, "href=\"");
	html_strip(&text, inner);
	const struct number *n = number_at(ctx, s, arena_strndup(ctx->arena, url.p, url.n));
	sb_printf(to, "\n%s\n", text.p ? text.p : "");
	if (n) {
		explain_number(ctx, n, to);
	} else {
		struct str run = attribute(tag, "data-run=\"");
		explain_field(to, "page", arena_strndup(ctx->arena, url.p, url.n));
		explain_field(to, "run", arena_strndup(ctx->arena, run.p, run.n));
	}
	sb_free(&text);
}

/* Every <a class="num …">…</a> of the line. */
static void of_output(struct site *s, struct call *c, struct sb *to)
{
	static const char open[] = "<a class=\"num", close[] = "</a>";
	struct maker m = {.site = s};
	struct expand_ctx ctx = site_context(&m, NULL);
	struct str rest = c->text;
	for (const char *at; rest.n && (at = memmem(rest.p, rest.n, open, sizeof open - 1));) {
		rest = str_sub(rest, (size_t)(at - rest.p), rest.n);
		size_t tag = str_find(rest, '>', 0);
		const char *end = memmem(rest.p, rest.n, close, sizeof close - 1);
		if (!end || tag == rest.n)
			break;
		put_link(&ctx, s, str_sub(rest, 0, tag),
		         str_sub(rest, tag + 1, (size_t)(end - rest.p)), to);
		rest = str_sub(rest, (size_t)(end - rest.p), rest.n);
		c->shown++;
	}
	arena_free(&m.scratch);
}

/* --- the command --------------------------------------------------------------------------- */

static const struct page *page_of(const struct site *s, const char *path)
{
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	for (size_t i = 0; i < s->npages; i++)
		if (s->pages[i]->path && strcmp(s->pages[i]->path, path) == 0)
			return s->pages[i];
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
	/* a line of the output is markup: what it shows is below */
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
