/*
 * sass, sass-count: the machine code of a case, as it was measured, and how many instructions of a
 * kind it has.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/base/sass_class.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/listing.h"
#include "site-gen/kinds/source.h"
#include "site-gen/numbers/listed.h"

enum { MOST_LINES = 160 };

static const char gap[] = "// …";

/* --- what both kinds do --- */

/* Finds the part, and notes that the page shows it. */
static bool find(struct kind_call *k, const struct pick *p, struct listed *out, struct err *e)
{
	const char *why;
	struct str source;
	if (!source_text(k->ctx, p, 0, &source, &why, e))
		return err_at(e, k->p->at, "%s", why ? why : "");
	if (!listed_find(k->ctx->data, k->p, p, source, k->ctx->arena, out, e))
		return false;
	number_use(k->ctx, p);
	return true;
}

static void remember(struct kind_call *k, const struct listed *l, const char *key, size_t n,
                     const char *text)
{
	number_fact(k->ctx, (struct fact){.key = key,
	                                  .text = text,
	                                  .unit = "",
	                                  .value = (double)n,
	                                  .run = l->file->sass.id,
	                                  .source = l->file->sass.tool});
}

static void put_count(struct kind_call *k, const struct pick *p, const struct listed *l,
                      struct str opcode)
{
	struct arena *a = k->ctx->arena;
	const struct words *w = k->ctx->words;
	size_t n = listed_count(l, opcode);
	const char *text = arena_printf(a, "%zu", n);
	const char *key = arena_printf(a, "%s " STR_FMT, listed_key(l, p, a), STR_ARG(opcode));
	const char *in = arena_printf(a, "%s; %s", l->function->title, l->file->sass.tool);
	bool preview = !l->file->file.committed, all = str_is(opcode, "*");
	remember(k, l, key, n, text);
	if (k->html) {
		html_raw(k->to, "<a class=\"num opcodes\" href=\"");
		html_attr(k->to, str_of(k->ctx->base));
		html_attr(k->to, str_of(p->d->url));
		html_raw(k->to, "\" data-n=\"");
		html_attr(k->to, str_of(key));
		html_raw(k->to, "\" title=\"");
		html_attr(k->to, str_of(words_fill(w, a, all ? "sass_count_all" : "sass_count", in,
		                                   all ? NULL : str_dup(a, opcode))));
		html_raw(k->to, preview ? "\" data-state=\"preview\">" : "\">");
	}
	if (k->html)
		unit_count(str_of(text), k->to);
	else
		sb_cstr(k->to, text);
	if (k->html && preview)
		number_mark(w, DATA_PREVIEW, k->to);
	if (k->html)
		html_raw(k->to, "</a>");
	else if (preview)
		sb_printf(k->to, " (%s)", words_state(w, data_state_name(DATA_PREVIEW)));
}

/* --- a listing --- */

/* Lines of a listing, and what is known of each. */
struct lines {
	struct sb code;
	int *number;
	const char **is;
	size_t n;
};

static void put(struct lines *l, const char *text, int number, const char *is)
{
	sb_printf(&l->code, "%s\n", text);
	l->number[l->n] = number;
	l->is[l->n++] = is;
}

/* The line of the unit's file that an instruction comes from; 0: of another file alone. */
static int line_of(const struct listed *l, const struct sass_instruction *c)
{
	for (size_t i = 0; i < c->nplaces; i++)
		if (strcmp(c->place[i].file, l->unit->file) == 0)
			return (int)c->place[i].line;
	return 0;
}

/* Labels stand on lines of their own; a gap stands for instructions that are not in the part. */
static void make_lines(struct kind_call *k, const struct listed *l, struct lines *to)
{
	const struct sass_function *f = l->function;
	struct arena *a = k->ctx->arena;
	size_t most = 2 * f->n + f->nlabels + 1, label = 0;
	to->number = ARENA_ARRAY(a, int, most);
	to->is = ARENA_ARRAY(a, const char *, most);
	bool before = true;
	for (size_t i = 0; i < f->n; i++) {
		const struct sass_instruction *c = &f->code[i];
		if (l->in[i] && !before && to->n > 0)
			put(to, gap, 0, NULL);
		before = l->in[i];
		for (; label < f->nlabels && f->label[label].offset <= c->offset; label++)
			if (l->in[i])
				put(to, arena_printf(a, "%s:", f->label[label].name), 0, NULL);
		if (l->in[i])
			put(to, arena_printf(a, "  %s", c->text), line_of(l, c),
			    sass_class_name(sass_class_of(sass_opcode(c->text))));
	}
}

static bool print_lines(struct kind_call *k, const struct lines *lines, struct err *e)
{
	struct str mark = placeholder_key(k->p, "mark"), notes = placeholder_key(k->p, "notes");
	struct arena *a = k->ctx->arena;
	struct listing l = {.lang = highlight_find(STR("sass")),
	                    .code = sb_view(&lines->code),
	                    .number = lines->number,
	                    .is = lines->is,
	                    .words = k->ctx->words};
	if (mark.p && !(l.lit = listing_marks(mark, lines->n, placeholder_loc(k->p, mark), a, e)))
		return false;
	if (notes.p && !(l.note = listing_noted(notes, l.code, placeholder_loc(k->p, notes),
	                                        &k->ctx->code_notes, a, e)))
		return false;
	l.id = k->ctx->code_id;
	l.again = k->ctx->device_no > 1;
	listing_print(&l, a, k->to);
	return true;
}

static void put_code(struct kind_call *k, const char *before, const char *code, const char *after)
{
	html_text(k->to, str_of(before));
	html_raw(k->to, "<code>");
	html_text(k->to, str_of(code));
	html_raw(k->to, "</code>");
	html_raw(k->to, after);
}

static void open_figure(struct kind_call *k, const struct listed *l)
{
	const struct words *w = k->ctx->words;
	const char *hash = arena_printf(k->ctx->arena, "%.12s", l->unit->code_sha256);
	block_open(k, NULL);
	html_raw(k->to, "<details class=\"listing\" open><summary>");
	put_code(k, words_get(w, "sass_measured"), l->function->title, " ");
	html_raw(k->to, "<span class=\"commit\">");
	html_text(k->to, str_of(words_fill(w, k->ctx->arena, "sass_code", hash, NULL)));
	html_raw(k->to, "</span></summary>\n");
}

static bool has_class(const struct listed *l, enum sass_class c)
{
	for (size_t i = 0; i < l->function->n; i++)
		if (l->in[i] && sass_class_of(sass_opcode(l->function->code[i].text)) == c)
			return true;
	return false;
}

/* The classes that occur, in their colours; sass_classes has their words, in this order. */
static void put_classes(struct kind_call *k, const struct listed *l)
{
	static const enum sass_class shown[] = {SASS_MEMORY, SASS_TENSOR, SASS_ARITHMETIC,
	                                        SASS_CONTROL};
	struct str rest = str_of(words_get(k->ctx->words, "sass_classes")), word;
	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		str_cut(rest, ';', &word, &rest);
		if (!has_class(l, shown[i]))
			continue;
		html_raw(k->to, "<span class=\"l ");
		html_raw(k->to, sass_class_name(shown[i]));
		html_raw(k->to, "\"><span class=\"k\">");
		html_text(k->to, word);
		html_raw(k->to, "</span></span> ");
	}
}

/* How many instructions, of which file, which tool made the listing, and how to make it again. */
static void put_foot(struct kind_call *k, const struct pick *p, const struct listed *l)
{
	const char *const code[] = {l->unit->file, l->file->sass.tool, l->file->sass.arch,
	                            arena_printf(k->ctx->arena, "build/runner sass %s/%s",
	                                         p->d->c->family, p->d->c->variant)};
	struct str rest = str_of(words_get(k->ctx->words, "sass_foot")), text;
	html_raw(k->to, "<p class=\"fine sass-key\">");
	put_classes(k, l);
	put_count(k, p, l, STR("*"));
	while (str_cut(rest, '{', &text, &rest)) { /* "{1}" is code[0] */
		html_text(k->to, text);
		size_t i = rest.n > 1 ? (size_t)(rest.p[0] - '1') : ARRAY_LEN(code);
		if (i < ARRAY_LEN(code))
			put_code(k, "", code[i], "");
		rest = str_sub(rest, 2, rest.n);
	}
	html_text(k->to, text);
	html_raw(k->to, "</p>\n");
}

static bool print_listing(struct kind_call *k, const struct pick *p, const struct listed *l,
                          struct err *e)
{
	struct lines lines = {0};
	const char *key = listed_key(l, p, k->ctx->arena);
	make_lines(k, l, &lines);
	bool ok = lines.n <= MOST_LINES ||
	          err_at(e, k->p->at,
	                 "this part of %s has %zu lines, at most %d fit a page: region=, loop=, or "
	                 "from= and to= choose fewer",
	                 l->function->title, lines.n, MOST_LINES);
	if (ok) {
		open_figure(k, l);
		html_raw(k->to, "<div class=\"listed\" data-n=\"");
		html_attr(k->to, str_of(key));
		html_raw(k->to, "\">");
		ok = print_lines(k, &lines, e);
		html_raw(k->to, "</div>\n");
		put_foot(k, p, l);
		html_raw(k->to, "</details>\n");
		block_close(k);
	}
	sb_free(&lines.code);
	return ok;
}

bool kind_sass(struct kind_call *k, struct err *e)
{
	static const char *const own[] = {"function", "region", "lines", "loop", "from",
	                                  "to",       "mark",   "notes", NULL};
	struct pick p;
	struct listed l;
	return source_variant(k, own, &p, e) && find(k, &p, &l, e) && print_listing(k, &p, &l, e);
}

/* --- a count --- */

/* The opcode must be one that the function has: a count of nothing is a mistake in writing. */
static bool check_opcode(struct kind_call *k, const struct listed *l, struct str opcode,
                         struct err *e)
{
	struct sb all = {0};
	for (size_t i = 0; i < l->function->n; i++) {
		struct str is = sass_opcode(l->function->code[i].text);
		if (str_glob(opcode, is)) {
			sb_free(&all);
			return true;
		}
		if (all.n == 0 || !memmem(all.p, all.n, is.p, is.n))
			sb_printf(&all, "%s" STR_FMT, all.n ? ", " : "", STR_ARG(is));
	}
	err_at(e, placeholder_loc(k->p, opcode),
	       "%s has no instruction '" STR_FMT "', expected one of %s", l->function->title,
	       STR_ARG(opcode), all.p);
	sb_free(&all);
	return false;
}

bool kind_sass_count(struct kind_call *k, struct err *e)
{
	struct pick p;
	struct listed l;
	struct str opcode = k->p->word[1];
	if (!source_variant(k, listed_keys, &p, e) || !find(k, &p, &l, e) ||
	    !check_opcode(k, &l, opcode, e))
		return false;
	put_count(k, &p, &l, opcode);
	return true;
}
