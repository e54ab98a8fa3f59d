/*
 * Numbers of figures, tables and equations. Each kind is numbered separately, in
 * printing order. A reference, [](#label), may precede its target, so a page with
 * references is scanned first, by the same rules.
 */
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"

/* Keys of the words for a number, by enum md_numbered. */
static const char *const number_words[] = {"figure_n", "table_n", "equation_n"};

/* --- numbered blocks ------------------------------------------------------- */

/* ![alt](address "caption") and perhaps {#label}, alone in a paragraph */
static bool is_picture(cmark_node *paragraph, struct md_number *out)
{
	cmark_node *n = cmark_node_first_child(paragraph), *after = n ? cmark_node_next(n) : NULL;
	if (!n || cmark_node_get_type(n) != CMARK_NODE_IMAGE ||
	    str_of(cmark_node_get_title(n)).n == 0)
		return false;
	*out = (struct md_number){.what = MD_FIGURE, .image = n};
	if (!after)
		return true;
	struct str text = str_trim(md_literal(after));
	if (cmark_node_next(after) || cmark_node_get_type(after) != CMARK_NODE_TEXT ||
	    !str_starts(text, "{#") || str_find(text, '}', 0) != text.n - 1)
		return false;
	out->label = str_sub(text, 2, text.n - 1);
	return true;
}

/* Is it a placeholder for a drawing or a table, alone in a paragraph? */
static bool is_numbers(struct md_render *r, cmark_node *paragraph, struct md_number *out)
{
	struct md_mark *m = md_lone_mark(r, paragraph);
	if (!m || !md_mark_looks_up(m) || !md_mark_parse(r, m) || m->place != EXPAND_BLOCK)
		return false;
	enum expand_numbered what = expand_numbered(&m->p);
	*out = (struct md_number){.what = what == EXPAND_TABLE ? MD_TABLE : MD_FIGURE,
	                          .label = placeholder_key(&m->p, "id"),
	                          .mark = m};
	return what != EXPAND_UNNUMBERED;
}

bool md_numbered(struct md_render *r, cmark_node *block, struct md_number *out)
{
	struct str label;
	if (cmark_node_get_type(block) == CMARK_NODE_CODE_BLOCK) {
		if (!md_math_block(block, &label) || !label.p)
			return false;
		*out = (struct md_number){.what = MD_EQUATION, .label = label};
		return true;
	}
	if (cmark_node_get_type(block) != CMARK_NODE_PARAGRAPH)
		return false;
	struct md_mark *m = md_math_alone(r, block, &label);
	if (m && label.p) {
		*out = (struct md_number){.what = MD_EQUATION, .label = label, .mark = m};
		return true;
	}
	return is_picture(block, out) || is_numbers(r, block, out);
}

static const char *number_text(struct md_render *r, int *counts, enum md_numbered what)
{
	const char *n = arena_printf(r->arena, "%d", ++counts[what]);
	return words_fill(r->ctx->words, r->arena, number_words[what], n, NULL);
}

bool md_number_next(struct md_render *r, cmark_node *block, const struct md_number *n,
                    const char **text, const char **id)
{
	struct loc at = n->mark ? n->mark->at : md_node_loc(&r->source, block);
	*text = number_text(r, r->counts, n->what);
	*id = NULL;
	if (!n->label.p)
		return true;
	if (!md_id_allowed(n->label))
		return err_at(r->e, at,
		              "label '" STR_FMT
		              "', expected a letter, then letters, digits, '-' or '_'",
		              STR_ARG(n->label));
	*id = str_dup(r->arena, n->label);
	if (md_id_taken(r, *id))
		return err_at(r->e, at, "id '%s' is taken already on this page", *id);
	md_id_take(r, *id);
	return true;
}

/* --- references ------------------------------------------------------------ */

/* Ignores errors in blocks: printing reports them, in the order of the page. */
bool md_labels_find(struct md_render *r, cmark_node *root)
{
	struct str src = r->source.marked;
	struct err *e = r->e;
	size_t cap = 0;
	int counts[3] = {0};
	if (!md_has_bracket(src, "](#"))
		return true;
	for (cmark_node *n = root; n;) {
		struct err ignored = ERR_NONE;
		struct md_number number;
		r->e = &ignored;
		if (md_numbered(r, n, &number)) {
			const char *text = number_text(r, counts, number.what);
			r->labels = arena_grow(r->arena, r->labels, r->nlabels, &cap,
			                       sizeof *r->labels);
			struct str id = number.label;
			if (id.p)
				r->labels[r->nlabels++] =
				        (struct md_label){str_dup(r->arena, id), text};
		}
		cmark_node *child = cmark_node_first_child(n);
		n = child ? child : md_after(n, root);
	}
	r->e = e;
	return true;
}

const char *md_reference(const struct md_render *r, cmark_node *link)
{
	struct str url = str_of(cmark_node_get_url(link));
	if (cmark_node_first_child(link) || !str_starts(url, "#"))
		return NULL;
	for (size_t i = 0; i < r->nlabels; i++)
		if (str_is(str_sub(url, 1, url.n), r->labels[i].id))
			return r->labels[i].text;
	return NULL;
}

bool md_reference_fail(struct md_render *r, cmark_node *link)
{
	enum { CAP = 32 };
	struct str url = str_of(cmark_node_get_url(link)), id = str_sub(url, 1, url.n);
	struct loc at = md_node_loc(&r->source, link);
	const struct md_label *near = r->labels;
	for (size_t i = 1; i < r->nlabels; i++)
		if (str_distance(id, str_of(r->labels[i].id), CAP) <
		    str_distance(id, str_of(near->id), CAP))
			near = &r->labels[i];
	if (!near)
		return err_at(r->e, at,
		              "no figure, table or equation has the label '" STR_FMT
		              "'; this page has no labels",
		              STR_ARG(id));
	return err_at(r->e, at,
	              "no figure, table or equation has the label '" STR_FMT "', nearest is '%s'",
	              STR_ARG(id), near->id);
}
