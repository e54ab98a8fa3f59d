#include "site-gen/pages/code_page.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/base/problems.h"
#include "site-gen/kinds/source.h"
#include "site-gen/lua/script.h"
#include "site-gen/records/data.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

/* --- finding them ----------------------------------------------------------------- */

static int by_file(const void *a, const void *b)
{
	const struct code_file *x = a, *y = b;
	int d = strcmp(x->blob, y->blob);
	return d ? d : strcmp(x->path, y->path);
}

/* The run that a number's page shows (files/number_view.h). */
static struct pick shown_of(const struct data_number *n)
{
	size_t i = n->newest < n->nruns ? n->newest : 0;
	return (struct pick){n->runs[i], n->in[i]};
}

static void list_files(const struct site *s, struct code_files *f)
{
	size_t cap = 0;
	for (size_t i = 0; i < s->data->nnumbers; i++) {
		struct pick p = shown_of(&s->data->numbers[i]);
		for (size_t k = 0; !p.d->c->foreign && k < p.d->c->nsource; k++) {
			const struct run_source *file = &p.d->c->source[k];
			f->all = arena_grow(s->arena, f->all, f->n, &cap, sizeof *f->all);
			f->all[f->n++] = (struct code_file){.path = file->path,
			                                    .blob = file->blob,
			                                    .shown = k == 0,
			                                    .of = p,
			                                    .i = k};
		}
	}
}

/* Keeps each file once. */
static void unite(struct code_files *f)
{
	size_t n = 0;
	if (f->n)
		qsort(f->all, f->n, sizeof *f->all, by_file);
	for (size_t i = 0; i < f->n; i++) {
		if (n > 0 && by_file(&f->all[n - 1], &f->all[i]) == 0)
			f->all[n - 1].shown = f->all[n - 1].shown || f->all[i].shown;
		else
			f->all[n++] = f->all[i];
	}
	f->n = n;
}

static const char *url_of(const struct code_file *f, struct arena *a)
{
	struct sb url = {0};
	sb_cstr(&url, "/code/");
	html_slug(&url, str_of(f->path));
	sb_printf(&url, "-%.12s/", f->blob);
	return sb_take(a, &url);
}

void code_page_find(struct site *s)
{
	struct code_files *f = ARENA_NEW(s->arena, struct code_files);
	struct arena texts = {0};
	struct expand_ctx ctx = {.data = s->data, .arena = &texts};
	list_files(s, f);
	unite(f);
	for (size_t i = 0; i < f->n; i++) {
		struct code_file *file = &f->all[i];
		struct err told_by_the_number = ERR_NONE;
		struct str text;
		const char *why;
		file->changed = source_changed(&ctx, &file->of, file->i);
		if ((file->shown || file->changed) &&
		    source_text(&ctx, &file->of, file->i, &text, &why, &told_by_the_number))
			file->url = url_of(file, s->shared);
		arena_reset(&texts);
	}
	arena_free(&texts);
	s->code = f;
}

const struct code_file *code_page_file(const struct site *s, const struct pick *p, size_t i)
{
	const struct run_source *r = &p->d->c->source[i];
	struct code_file want = {.path = r->path, .blob = r->blob};
	return bsearch(&want, s->code->all, s->code->n, sizeof want, by_file);
}

/* --- a page ------------------------------------------------------------------------- */

/* The id is inside the fold: a browser that goes to it unfolds it. */
static void open_fold(struct sb *to, const char *id, const char *words, bool open)
{
	sb_printf(to, "<details class=\"listing\"%s><summary>%s</summary>\n<span id=\"%s\"></span>",
	          open ? " open" : "", words, id);
}

/* A variant's own file is open, and of another the changes, for which readers come. */
static bool put_body(struct maker *m, const struct code_file *f, struct sb *to, struct err *e)
{
	struct expand_ctx ctx = site_context(m, NULL);
	struct kind_call k = {.ctx = &ctx, .to = to, .html = true};
	const char *why;
	struct str text;
	ctx.arena = &m->scratch;
	html_raw(to, "<p>The file as it was compiled for measured numbers: git blob <code>");
	html_text(to, str_of(f->blob));
	html_raw(to, "</code>.</p>\n");
	if (!source_text(&ctx, &f->of, f->i, &text, &why, e))
		return false;
	open_fold(to, "code", "As it was compiled", f->shown);
	source_whole(&k, f->path, text);
	html_raw(to, "</details>\n");
	if (!f->changed)
		return true;
	open_fold(to, "since", "What has changed since", !f->shown);
	bool ok = source_since(&k, &f->of, f->i, e);
	html_raw(to, "</details>\n");
	return ok;
}

void code_page_vars(struct maker *m, struct script *s, const struct page *p)
{
	const struct code_file *f = p->subject;
	struct sb body = {0};
	struct err e = ERR_NONE;
	if (!put_body(m, f, &body, &e))
		problems_add(m->problems, &e);
	script_markup(s, "body", str_keep(&m->scratch, sb_view(&body)));
	sb_free(&body);
}
