/*
 * Code blocks and the notes for their lines. The notes are an ordered list right
 * after the code, with one item for each marker.
 *
 *   info -> [ language { word } ]
 *   word -> path | 'file=' path | 'title="' text '"' | 'lines=' number | 'mark=' ranges
 */
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/base/problems.h"
#include "site-gen/kinds/listing.h"
#include "site-gen/records/data.h"

/* --- the info string ------------------------------------------------------- */

struct info {
	struct str language, caption, lines, mark; /* p == NULL: not given */
};

static bool info_fail(struct md_render *r, struct str word, struct loc at)
{
	return err_at(r->e, at,
	              "code block has '" STR_FMT
	              "' after its language, expected a file name, file=…, title=\"…\", lines=… "
	              "or mark=…",
	              STR_ARG(md_restore(&r->source, word)));
}

/* Takes the first word, which may contain a quoted text; *rest follows it. */
static struct str take_word(struct str s, struct str *rest)
{
	size_t i = 0;
	for (bool quoted = false; i < s.n && (quoted || s.p[i] != ' '); i++)
		quoted ^= s.p[i] == '"';
	*rest = str_trim(str_sub(s, i, s.n));
	return str_sub(s, 0, i);
}

static bool take_info(struct info *info, struct str word)
{
	static const char title[] = "title=\"";
	struct str name, value;
	bool quoted = str_starts(word, title) && word.n > sizeof title && str_ends(word, "\"");
	if (quoted && str_find(word, '"', sizeof title - 1) == word.n - 1) {
		name = STR("title");
		value = str_sub(word, sizeof title - 1, word.n - 1);
	} else if (memchr(word.p, '"', word.n)) {
		return false;
	} else if (!str_cut(word, '=', &name, &value)) {
		name = STR("file");
		value = word;
	}
	struct str *to = str_is(name, "file") || str_is(name, "title") ? &info->caption
	                 : str_is(name, "lines")                       ? &info->lines
	                 : str_is(name, "mark")                        ? &info->mark
	                                                               : NULL;
	if (!to || to->p || value.n == 0)
		return false;
	*to = value;
	return true;
}

static bool split_info(struct md_render *r, struct str text, struct loc at, struct info *out)
{
	struct str rest;
	*out = (struct info){0};
	out->language = take_word(str_trim(text), &rest);
	while (rest.n) {
		struct str all = rest, word = take_word(rest, &rest);
		if (!take_info(out, word))
			return info_fail(r, all, at);
	}
	return true;
}

/* --- notes ----------------------------------------------------------------- */

/* The list that explains the lines of a code block. */
static cmark_node *notes_after(cmark_node *code)
{
	cmark_node *list = cmark_node_next(code);
	bool ok = list && cmark_node_get_type(list) == CMARK_NODE_LIST &&
	          cmark_node_get_list_type(list) == CMARK_ORDERED_LIST &&
	          cmark_node_get_list_start(list) == 1;
	return ok ? list : NULL;
}

static bool has_note(const struct listing *l, int note)
{
	for (size_t i = 0; i < listing_lines(l->code); i++)
		if (l->note[i] == note)
			return true;
	return false;
}

static bool bind_notes(struct md_render *r, cmark_node *code, struct listing *l, int most)
{
	cmark_node *list = notes_after(code);
	struct loc at = md_node_loc(&r->source, code);
	int items = 0;
	if (!list)
		return err_at(
		        r->e, at,
		        "code with the note <%d> in it, expected a list '1. …' right after it",
		        most);
	for (cmark_node *n = cmark_node_first_child(list); n; n = cmark_node_next(n))
		items++;
	if (most > items)
		return err_at(r->e, at,
		              "the code has a note <%d>, but the list after it ends at %d", most,
		              items);
	for (int i = 1; i <= items; i++)
		if (!has_note(l, i))
			return err_at(r->e, md_node_loc(&r->source, list),
			              "note %d of the code before has no line there, expected one "
			              "that ends with a comment '<%d>'",
			              i, i);
	r->notes_of_code = list;
	l->id = ++r->noted;
	return true;
}

/* The list after a placeholder has an item for each note of its code. */
static bool bind_placeholder(struct md_render *r, cmark_node *n, int notes)
{
	cmark_node *list = notes_after(n);
	int items = 0;
	for (cmark_node *i = list ? cmark_node_first_child(list) : NULL; i; i = cmark_node_next(i))
		items++;
	if (items != notes)
		return err_at(r->e, md_node_loc(&r->source, n),
		              "notes= names %d lines, and the list '1. …' right after it has %d "
		              "items, expected as many",
		              notes, items);
	r->notes_of_code = list;
	r->noted++;
	return true;
}

bool md_print_lone(struct md_render *r, cmark_node *n, struct md_mark *m)
{
	struct expand_ctx *ctx = r->ctx;
	ctx->code_id = r->noted + 1;
	ctx->code_notes = 0;
	bool ok = expand_html(ctx, &m->p, &r->html, r->e);
	ctx->code_id = 0;
	return ok && (!ctx->code_notes || bind_placeholder(r, n, ctx->code_notes));
}

bool md_is_code_note(const struct md_render *r, cmark_node *item)
{
	return item && r->notes_of_code && cmark_node_parent(item) == r->notes_of_code;
}

static int item_number(cmark_node *item)
{
	int n = 1;
	while ((item = cmark_node_previous(item)))
		n++;
	return n;
}

void md_code_note_open(struct md_render *r, cmark_node *item)
{
	sb_printf(&r->html, "<li id=\"code-%d-%d\">", r->noted, item_number(item));
}

void md_code_note_back(struct md_render *r, cmark_node *item)
{
	int n = item_number(item);
	sb_printf(&r->html,
	          " <a class=\"backref\" href=\"#code-%d-%d-line\" role=\"doc-backlink\" "
	          "aria-label=\"",
	          r->noted, n);
	html_attr(&r->html, str_of(words_fill(r->ctx->words, r->arena, "code_note_back",
	                                      arena_printf(r->arena, "%d", n), NULL)));
	html_raw(&r->html, "\">↩</a>");
}

/* --- code ------------------------------------------------------------------ */

static bool print_formula(struct md_render *r, cmark_node *n, struct str label)
{
	struct str tex = str_trim(md_restore(&r->source, md_literal(n)));
	struct sb plain = {0};
	md_math_plain(tex, &plain);
	bool ok = md_text_string(r, sb_view(&plain), n) &&
	          md_math_display(r, n, tex, md_node_loc(&r->source, n), label);
	sb_free(&plain);
	return ok;
}

/* lines=10: the number of the first line. */
static bool number_lines(struct md_render *r, struct str from, struct loc at, struct listing *l)
{
	int64_t first;
	if (!str_i64(from, &first) || first < 1 || first > 1000000)
		return err_at(r->e, at, "lines=" STR_FMT ", expected the number of the first line",
		              STR_ARG(from));
	size_t n = listing_lines(l->code);
	int *number = ARENA_ARRAY(r->arena, int, n + 1);
	for (size_t i = 0; i < n; i++)
		number[i] = (int)first + (int)i;
	l->number = number;
	return true;
}

static bool print_lines(struct md_render *r, cmark_node *n, const struct info *info,
                        struct listing *l)
{
	struct loc at = md_node_loc(&r->source, n);
	int most;
	if (listing_notes(l->lang, &l->code, &l->note, &most, r->arena) &&
	    !bind_notes(r, n, l, most))
		return false;
	if (info->lines.p && !number_lines(r, info->lines, at, l))
		return false;
	if (info->mark.p &&
	    !(l->lit = listing_marks(info->mark, listing_lines(l->code), at, r->arena, r->e)))
		return false;
	listing_print(l, r->arena, &r->html);
	return true;
}

/* The highlighter's language of that name; of plain text, with a warning, if it has none. */
static const struct highlight_lang *code_language(struct md_render *r, struct str name,
                                                  struct loc at)
{
	const struct highlight_lang *l = highlight_find(name);
	if (!l && r->ctx->problems)
		problems_warn(r->ctx->problems, at,
		              "the highlighter does not know the language '" STR_FMT
		              "', so the code has no colours; docs/writing.md lists those that it "
		              "knows, and 'text' is plain text",
		              STR_ARG(name));
	return l ? l : highlight_find(STR("text"));
}

/* A variant that was measured with the file among its sources; NULL if none was. */
static const struct run_case *measured_with(const struct data *d, const char *path)
{
	for (size_t i = d->nruns; i-- > 0;)
		for (size_t k = 0; k < d->runs[i].run.ncases; k++) {
			const struct run_case *c = &d->runs[i].run.cases[k];
			for (size_t n = 0; n < c->nsource; n++)
				if (strcmp(c->source[n].path, path) == 0)
					return c;
		}
	return NULL;
}

/* A copy of measured code says other things than the measured one as soon as one of them changes.
 */
static bool is_no_copy(struct md_render *r, const char *path, struct loc at)
{
	const struct run_case *c = path && r->ctx->data ? measured_with(r->ctx->data, path) : NULL;
	return !c || err_at(r->e, at,
	                    "%s is the source of a measured kernel, expected no copy of it but "
	                    "<<bench:source %s/%s file=%s lines=A-B>>, which shows it as it was "
	                    "measured",
	                    path, c->family, c->variant, path);
}

bool md_print_code(struct md_render *r, cmark_node *n)
{
	struct loc at = md_node_loc(&r->source, n);
	struct str label;
	struct info info;
	if (md_math_block(n, &label))
		return print_formula(r, n, label);
	if (!split_info(r, str_of(cmark_node_get_fence_info(n)), at, &info) ||
	    !md_text_string(r, info.caption, n))
		return false;
	struct listing l = {.code = md_restore(&r->source, md_literal(n)), .words = r->ctx->words};
	struct str language = info.language.n ? md_restore(&r->source, info.language) : STR("text");
	l.lang = code_language(r, language, at);
	sb_clear(&r->scratch);
	if (info.caption.n && !md_plain(r, info.caption, NULL, MD_PLAIN, &r->scratch))
		return false;
	l.caption = info.caption.n ? str_dup(r->arena, sb_view(&r->scratch)) : NULL;
	return is_no_copy(r, l.caption, at) && print_lines(r, n, &info, &l);
}
