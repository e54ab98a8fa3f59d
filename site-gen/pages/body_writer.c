#include "site-gen/pages/body_writer.h"

#include <string.h>

#include "lib/ways.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/base/html.h"

enum { MAX_HEADINGS = 512 };

struct writer writer_over(struct expand_ctx *ctx, struct body *out, const char *path, struct err *e)
{
	ctx->generated = true;
	*out = (struct body){.headings =
	                             ARENA_ARRAY(ctx->arena, struct body_heading, MAX_HEADINGS)};
	return (struct writer){.ctx = ctx, .out = out, .path = path, .e = e};
}

bool writer_finish(struct writer *w, bool ok)
{
	w->out->html = (struct str){arena_strndup(w->ctx->arena, w->to.p ? w->to.p : "", w->to.n),
	                            w->to.n};
	sb_free(&w->to);
	return ok;
}

static bool heading_has(const struct body *b, const char *id)
{
	for (size_t i = 0; i < b->nheadings; i++)
		if (strcmp(b->headings[i].id, id) == 0)
			return true;
	return false;
}

/* The id of a heading; a number is added if the words alone are taken. */
static const char *heading_id(const struct writer *w, const char *text)
{
	struct sb id = {0};
	html_slug(&id, str_of(text));
	const char *slug = str_dup(w->ctx->arena, sb_view(&id)), *one = slug;
	sb_free(&id);
	for (int n = 2; heading_has(w->out, one); n++)
		one = arena_printf(w->ctx->arena, "%s-%d", slug, n);
	return one;
}

void body_fold_open(struct sb *to, bool open, int level, const char *id, const char *text,
                    const char *lang, const char *words)
{
	sb_printf(to, "<details class=\"fold\"%s><summary><h%d", open ? " open" : "", level);
	html_attribute(to, "id", str_of(id));
	html_raw(to, lang);
	html_raw(to, ">");
	html_text(to, str_of(text));
	sb_printf(to, "</h%d> <span class=\"fold-words\">", level);
	html_text(to, str_of(words));
	html_raw(to, "</span></summary>\n");
}

void body_fold_close(struct sb *to)
{
	html_raw(to, "</details>\n");
}

/* Lists a heading for the contents; returns its anchor. */
static const char *list_heading(struct writer *w, int level, const char *id, const char *text)
{
	const char *slug = id ? id : heading_id(w, text);
	if (w->out->nheadings < MAX_HEADINGS)
		w->out->headings[w->out->nheadings++] = (struct body_heading){level, slug, text};
	return slug;
}

void writer_fold(struct writer *w, const char *anchor, const char *text, const char *words)
{
	const char *id = list_heading(w, 2, heading_id(w, anchor), text);
	body_fold_open(&w->to, false, 2, id, text, w->lang ? w->lang : "", words);
}

void writer_heading(struct writer *w, int level, const char *id, const char *text)
{
	const char *slug = list_heading(w, level, id, text);
	sb_printf(&w->to, "<h%d id=\"", level);
	html_attr(&w->to, str_of(slug));
	sb_printf(&w->to, "\"%s>", w->lang ? w->lang : "");
	html_text(&w->to, str_of(text));
	html_raw(&w->to, " <a class=\"anchor\" href=\"#");
	html_attr(&w->to, str_of(slug));
	html_raw(&w->to, "\" aria-label=\"");
	html_attr(&w->to,
	          str_of(words_fill(w->ctx->words, w->ctx->arena, "link_to_section", text, NULL)));
	html_raw(&w->to, "\">#</a>");
	sb_printf(&w->to, "</h%d>\n", level);
}

void writer_variant(struct writer *w, int level, const char *recorded)
{
	struct words_said s = words_said(w->ctx->words, recorded);
	w->lang = s.lang;
	writer_heading(w, level, heading_id(w, recorded), s.text);
	w->lang = NULL;
}

void writer_said(struct writer *w, const char *classes, const char *recorded)
{
	struct words_said s = words_said(w->ctx->words, recorded);
	w->lang = s.lang;
	writer_paragraph(w, classes, s.text);
	w->lang = NULL;
}

void writer_paragraph(struct writer *w, const char *classes, const char *text)
{
	if (!text || !*text)
		return;
	html_raw(&w->to, *classes ? "<p class=\"" : "<p");
	html_raw(&w->to, classes);
	sb_printf(&w->to, "%s%s>", *classes ? "\"" : "", w->lang ? w->lang : "");
	html_text(&w->to, str_of(text));
	html_raw(&w->to, "</p>\n");
}

static bool place(struct writer *w, const char *inside, struct err *e)
{
	struct placeholder p;
	const char *text = arena_printf(w->ctx->arena, "<<bench:%s>>", inside);
	return placeholder_parse(str_of(text), (struct loc){w->path, 0, 0}, &p, e) &&
	       expand_html(w->ctx, &p, &w->to, e);
}

bool writer_place(struct writer *w, const char *inside)
{
	return place(w, inside, w->e);
}

bool writer_try(struct writer *w, const char *inside)
{
	struct err nothing = ERR_NONE;
	size_t before = w->to.n;
	if (place(w, inside, &nothing))
		return true;
	w->to.n = before;
	if (w->to.p)
		w->to.p[before] = 0;
	return false;
}

bool writer_picks(struct writer *w, const char *family, const char *device, struct pick **picks,
                  size_t *n, struct err *e)
{
	struct sb inside = {0};
	sb_printf(&inside, "<<bench:count cases %s", family);
	for (int i = 0; i < WAYS_COUNT; i++)
		sb_printf(&inside, " %s=*", ways_keys[i].name);
	sb_printf(&inside, " device=%s>>", device);
	const char *text = sb_take(w->ctx->arena, &inside);
	struct placeholder p;
	struct query q;
	return placeholder_parse(str_of(text), (struct loc){w->path, 0, 0}, &p, e) &&
	       query_parse(&p, p.word[1], NULL, true, &q, e) && query_all(w->ctx, &q, picks, n, e);
}
