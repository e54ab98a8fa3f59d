/* Prints blocks: callouts, paragraphs, lists, footnotes. */
#include "lib/array.h"
#include "site-gen/markdown/inner.h"

#include <stdio.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/numbers/number.h"

static bool is_type(cmark_node *n, const char *name)
{
	return strcmp(cmark_node_get_type_string(n), name) == 0;
}

struct md_mark *md_lone_mark(struct md_render *r, cmark_node *paragraph)
{
	cmark_node *n = cmark_node_first_child(paragraph);
	if (!n || cmark_node_next(n) || cmark_node_get_type(n) != CMARK_NODE_TEXT)
		return NULL;
	size_t start, end;
	struct str text = str_trim(md_literal(n));
	struct md_mark *m = md_mark_next(&r->source, text, 0, &start, &end);
	return m && start == 0 && end == text.n && md_mark_looks_up(m) ? m : NULL;
}

/* --- callouts -------------------------------------------------------------- */

/* Class of a note in the margin, if there is room. Only screen readers get its title. */
static const char margin[] = "aside";

/* Class of what is folded until the reader asks: details, whose summary stands after the marker. */
static const char folded[] = "more";

/* To add a callout, add a row here, its title to lua/words.c, and its class to static/site.css. */
static const struct callout {
	const char *marker, *class, *title; /* a key of lua/words.c */
} callouts[] = {
        {"[!NOTE]", "note", "callout_note"},
        {"[!TIP]", "tip", "callout_tip"},
        {"[!IMPORTANT]", "important", "callout_important"},
        {"[!WARNING]", "warning", "callout_warning"},
        {"[!CAUTION]", "caution", "callout_caution"},
        {"[!HIGHLIGHTS]", "highlights", "callout_highlights"},
        {"[!ASIDE]", margin, "callout_aside"},
        {"[!MORE]", folded, NULL},
};

/* callout -> '> [!' NAME ']' newline … ; *out is NULL for an ordinary quote */
static bool find_callout(struct md_render *r, cmark_node *quote, const struct callout **out)
{
	cmark_node *p = cmark_node_first_child(quote);
	cmark_node *n = p ? cmark_node_first_child(p) : NULL;
	*out = NULL;
	if (!n || cmark_node_get_type(p) != CMARK_NODE_PARAGRAPH ||
	    cmark_node_get_type(n) != CMARK_NODE_TEXT)
		return true;
	struct str text = str_trim(md_literal(n));
	if (!str_starts(text, "[!"))
		return true;
	struct str marker = str_sub(text, 0, str_find(text, ']', 0) + 1);
	for (size_t i = 0; i < ARRAY_LEN(callouts); i++)
		if (str_is(marker, callouts[i].marker))
			*out = &callouts[i];
	struct loc at = md_node_loc(&r->source, n);
	if (!*out)
		return err_at(r->e, at,
		              "callout '" STR_FMT
		              "', expected [!NOTE], [!TIP], [!IMPORTANT], [!WARNING], [!CAUTION], "
		              "[!HIGHLIGHTS], [!ASIDE] or [!MORE]",
		              STR_ARG(marker));
	cmark_node *next = cmark_node_next(n);
	bool alone = marker.n == text.n, plain = !next || is_type(next, "softbreak");
	if ((*out)->class == folded && (alone || !plain))
		return err_at(r->e, at,
		              "'" STR_FMT "' needs a summary after it, of words without markup",
		              STR_ARG(marker));
	if ((*out)->class != folded && (!alone || !plain))
		return err_at(r->e, at, "'" STR_FMT "' stands alone on its line", STR_ARG(marker));
	r->marker = n;
	return true;
}

/* The words after the marker of what is folded. */
static struct str summary_of(cmark_node *quote)
{
	cmark_node *first = cmark_node_first_child(cmark_node_first_child(quote));
	struct str text = str_trim(md_literal(first));
	return str_trim(str_sub(text, str_find(text, ']', 0) + 1, text.n));
}

static void close_quote(struct md_render *r, cmark_node *n)
{
	/* find_callout() set the user data of a callout */
	const struct callout *c = cmark_node_get_user_data(n);
	html_raw(&r->html, !c                   ? "</blockquote>\n"
	                   : c->class == folded ? "</details>\n"
	                                        : "</aside>\n");
}

static bool print_quote(struct md_render *r, cmark_node *n, bool enter)
{
	if (!enter) {
		close_quote(r, n);
		return true;
	}
	const struct callout *c;
	if (!find_callout(r, n, &c))
		return false;
	if (!c) {
		html_raw(&r->html, "<blockquote>\n");
		return true;
	}
	cmark_node_set_user_data(n, (void *)c);
	if (c->class == folded) {
		html_raw(&r->html, "<details class=\"more\"><summary>");
		html_text(&r->html, summary_of(n));
		html_raw(&r->html, "</summary>\n");
		return true;
	}
	/* without the role it would be a landmark inside the article */
	if (c->class == margin)
		sb_printf(&r->html, "<aside class=\"%s\" role=\"note\" aria-label=\"%s\">\n",
		          margin, words_get(r->ctx->words, c->title));
	else
		sb_printf(&r->html,
		          "<aside class=\"callout %s\" role=\"note\">\n<p "
		          "class=\"callout-title\">%s</p>\n",
		          c->class, words_get(r->ctx->words, c->title));
	return true;
}

/* --- paragraphs ------------------------------------------------------------ */

/* Is it the first paragraph of a task? The task's box and this paragraph form one label. */
static bool is_task_text(cmark_node *paragraph)
{
	return !cmark_node_previous(paragraph) && is_type(cmark_node_parent(paragraph), "tasklist");
}

static bool in_tight_list(cmark_node *paragraph)
{
	cmark_node *item = cmark_node_parent(paragraph);
	cmark_node *list = item ? cmark_node_parent(item) : NULL;
	return list && cmark_node_get_type(list) == CMARK_NODE_LIST &&
	       cmark_node_get_list_tight(list);
}

static bool print_picture(struct md_render *r, cmark_node *image, const char *no, const char *id)
{
	bool skip;
	html_raw(&r->html, id ? "<figure id=\"" : "<figure");
	html_attr(&r->html, str_of(id));
	html_raw(&r->html, id ? "\">" : ">");
	r->in_figure = true;
	bool ok = md_print_inline(r, image, true, &skip);
	r->in_figure = false;
	html_raw(&r->html, "<figcaption><span class=\"caption-no\">");
	html_text(&r->html, str_of(no));
	html_raw(&r->html, "</span> ");
	ok = ok && md_print_text(r, str_of(cmark_node_get_title(image)), image);
	html_raw(&r->html, "</figcaption></figure>\n");
	return ok;
}

/* Prints a numbered block of the text: a picture, a plot, a table. */
static bool print_numbered(struct md_render *r, cmark_node *n, const struct md_number *number)
{
	const char *text, *id;
	if (!md_number_next(r, n, number, &text, &id))
		return false;
	text = words_fill(r->ctx->words, r->arena, "caption_no", text, NULL);
	if (number->image)
		return md_text_block(r, n, 0, NULL) && print_picture(r, number->image, text, id);
	r->ctx->caption_no = text;
	r->ctx->caption_id = id;
	bool ok = expand_html(r->ctx, &number->mark->p, &r->html, r->e);
	r->ctx->caption_no = r->ctx->caption_id = NULL;
	return ok;
}

static bool print_formula(struct md_render *r, cmark_node *n, struct md_mark *m, struct str label)
{
	bool display;
	return md_text_block(r, n, 0, NULL) &&
	       md_math_display(r, n, md_math_tex(m, &display), m->at, label);
}

static bool note_first_paragraph(struct md_render *r, cmark_node *n)
{
	if (r->out->first_paragraph ||
	    cmark_node_get_type(cmark_node_parent(n)) != CMARK_NODE_DOCUMENT)
		return true;
	struct md_doc *out = r->out;
	sb_clear(&r->scratch);
	out->before_quotes = r->ctx->quotes;
	out->before_facts = r->ctx->facts;
	if (!md_plain_node(r, n, MD_PLAIN, &r->scratch))
		return false;
	out->first_quotes = r->ctx->quotes;
	out->first_facts = r->ctx->facts;
	struct str text = str_trim(sb_view(&r->scratch));
	if (text.n > 0)
		out->first_paragraph = str_dup(r->arena, text);
	return true;
}

static void print_back_links(struct md_render *r)
{
	for (int k = 1; k <= r->refs[r->note - 1]; k++) {
		sb_printf(&r->html, " <a class=\"backref\" href=\"#fnref-%d", r->note);
		if (k > 1)
			sb_printf(&r->html, "-%d", k);
		const char *which = k > 1 ? arena_printf(r->arena, "%d, %d", r->note, k)
		                          : arena_printf(r->arena, "%d", r->note);
		html_raw(&r->html, "\" role=\"doc-backlink\" aria-label=\"");
		html_attr(&r->html, str_of(words_fill(r->ctx->words, r->arena, "footnote_back",
		                                      which, NULL)));
		html_raw(&r->html, "\">↩</a>");
	}
}

/* Is this the last block of a footnote? */
static bool ends_note(cmark_node *paragraph)
{
	cmark_node *p = cmark_node_parent(paragraph);
	return cmark_node_get_type(p) == CMARK_NODE_FOOTNOTE_DEFINITION &&
	       !cmark_node_next(paragraph);
}

static bool open_paragraph(struct md_render *r, cmark_node *n, bool *skip)
{
	struct md_mark *m = md_lone_mark(r, n), *formula;
	struct md_number number;
	struct str label;
	bool titles_table;
	if (m && !md_mark_parse(r, m))
		return false;
	if (!md_table_title(r, n, &titles_table))
		return false;
	*skip = true;
	if ((formula = md_math_alone(r, n, &label)))
		return print_formula(r, n, formula, label);
	if (md_numbered(r, n, &number))
		return print_numbered(r, n, &number);
	if (m && m->place == EXPAND_BLOCK)
		return md_print_lone(r, n, m);
	if (!md_text_block(r, n, 0, NULL))
		return false;
	if (r->marker && cmark_node_first_child(n) == r->marker && !cmark_node_next(r->marker)) {
		r->marker = NULL;
		return true;
	}
	*skip = false;
	if (!note_first_paragraph(r, n))
		return false;
	if (!in_tight_list(n))
		html_raw(&r->html, titles_table ? "<p class=\"table-title\">" : "<p>");
	if (is_task_text(n))
		sb_printf(&r->html, "<label><input type=\"checkbox\" disabled%s> ",
		          cmark_gfm_extensions_get_tasklist_item_checked(cmark_node_parent(n))
		                  ? " checked"
		                  : "");
	return true;
}

static bool print_paragraph(struct md_render *r, cmark_node *n, bool enter, bool *skip)
{
	r->in_word = false;
	if (enter)
		return open_paragraph(r, n, skip);
	if (is_task_text(n))
		html_raw(&r->html, "</label>");
	if (ends_note(n)) {
		print_back_links(r);
		r->note_backed = true;
	}
	if (!cmark_node_previous(n) && md_is_code_note(r, cmark_node_parent(n)))
		md_code_note_back(r, cmark_node_parent(n));
	if (!in_tight_list(n))
		html_raw(&r->html, "</p>");
	if (!in_tight_list(n) || cmark_node_next(n))
		sb_char(&r->html, '\n');
	return true;
}

/* --- lists ----------------------------------------------------------------- */

static bool print_list(struct md_render *r, cmark_node *n, bool enter)
{
	bool ordered = cmark_node_get_list_type(n) == CMARK_ORDERED_LIST;
	int start = ordered ? cmark_node_get_list_start(n) : 1;
	if (!enter)
		html_raw(&r->html, ordered ? "</ol>\n" : "</ul>\n");
	else if (n == r->notes_of_code)
		html_raw(&r->html, "<ol class=\"code-notes\">\n");
	else if (start != 1)
		sb_printf(&r->html, "<ol start=\"%d\">\n", start);
	else
		html_raw(&r->html, ordered ? "<ol>\n" : "<ul>\n");
	return true;
}

static bool print_item(struct md_render *r, cmark_node *n, bool enter)
{
	bool task = is_type(n, "tasklist");
	cmark_node *child = cmark_node_first_child(n);
	if (!enter) {
		html_raw(&r->html, "</li>\n");
		return true;
	}
	if (md_is_code_note(r, n))
		md_code_note_open(r, n);
	else
		html_raw(&r->html, task ? "<li class=\"task\">" : "<li>");
	if (child && cmark_node_get_type(child) == CMARK_NODE_PARAGRAPH)
		return true;
	if (task)
		return err_at(r->e, md_node_loc(&r->source, n),
		              "task without a text, expected '- [ ] what to do'");
	if (child)
		sb_char(&r->html, '\n');
	return true;
}

/* --- footnotes ------------------------------------------------------------- */

static bool print_note(struct md_render *r, cmark_node *n, bool enter)
{
	if (enter) {
		if (!r->notes_open) {
			html_raw(&r->html, "<section class=\"footnotes\" role=\"doc-endnotes\" "
			                   "aria-label=\"");
			html_attr(&r->html, str_of(words_get(r->ctx->words, "footnotes")));
			html_raw(&r->html, "\">\n<ol>\n");
		}
		r->notes_open = true;
		sb_printf(&r->html, "<li id=\"fn-%d\">\n", ++r->note);
		r->note_backed = false;
		if (r->note > r->nrefs)
			return err_at(r->e, md_node_loc(&r->source, n),
			              "footnote without a number");
		return true;
	}
	if (!r->note_backed) { /* its last block is no paragraph: a list, a formula, a table */
		html_raw(&r->html, "<p>");
		print_back_links(r);
		html_raw(&r->html, "</p>\n");
	}
	html_raw(&r->html, "</li>\n");
	return true;
}

bool md_print_block(struct md_render *r, cmark_node *n, bool enter, bool *skip)
{
	switch (cmark_node_get_type(n)) {
	case CMARK_NODE_DOCUMENT:
		if (!enter && r->notes_open)
			html_raw(&r->html, "</ol>\n</section>\n");
		if (!enter)
			md_cite_list(r);
		return true;
	case CMARK_NODE_PARAGRAPH:
		return print_paragraph(r, n, enter, skip);
	case CMARK_NODE_HEADING:
		return md_print_heading(r, n, enter);
	case CMARK_NODE_BLOCK_QUOTE:
		return print_quote(r, n, enter);
	case CMARK_NODE_LIST:
		return print_list(r, n, enter);
	case CMARK_NODE_ITEM:
		return print_item(r, n, enter);
	case CMARK_NODE_CODE_BLOCK:
		return md_print_code(r, n);
	case CMARK_NODE_THEMATIC_BREAK:
		html_raw(&r->html, "<hr>\n");
		return true;
	case CMARK_NODE_FOOTNOTE_DEFINITION:
		return print_note(r, n, enter);
	default:
		break;
	}
	if (md_is_table(n))
		return md_print_table(r, n, enter);
	return md_print_inline(r, n, enter, skip); /* raw HTML: an error */
}
