/* Prints inline nodes: text, links, code, emphasis. Counts words, and gives nodes as plain text. */
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/base/unicode.h"

/* --- marks ----------------------------------------------------------------- */

bool md_mark_parse(struct md_render *r, struct md_mark *m)
{
	if (m->parsed)
		return true;
	if (m->kind == MD_UNCLOSED)
		return err_at(r->e, m->at,
		              "placeholder '" STR_FMT
		              "' is not closed, expected '>>' on the same line",
		              STR_ARG(m->text));
	m->parsed = placeholder_parse(m->text, m->at, &m->p, r->e) &&
	            expand_place_of(&m->p, &m->place, r->e);
	return m->parsed;
}

static void add_link(struct md_render *r, struct str url, struct loc at)
{
	struct md_doc *d = r->out;
	d->links = arena_grow(r->arena, d->links, d->nlinks, &r->links_cap, sizeof *d->links);
	d->links[d->nlinks++] = (struct md_link){str_dup(r->arena, url), at};
}

/* Prints a bare address as a link, unless it is already inside a link. */
static void put_bare_address(struct md_render *r, const struct md_mark *m, bool html, struct sb *to)
{
	struct str url = md_address_of(m, r->arena);
	bool link = html && !r->in_link;
	if (!html) {
		sb_str(to, url);
		return;
	}
	if (link) {
		add_link(r, url, m->at);
		html_raw(to, "<a href=\"");
		html_url(to, url);
		html_raw(to, "\">");
	}
	html_text(to, url);
	html_raw(to, link ? "</a>" : "");
}

static bool refuse_comment(struct md_render *r, struct loc at)
{
	return err_at(r->e, at,
	              "comment '<!--' is raw HTML, expected Markdown only; "
	              "remove it, or write it as code");
}

bool md_expand(struct md_render *r, struct md_mark *m, bool html, struct sb *to)
{
	if (m->kind == MD_COMMENT)
		return refuse_comment(r, m->at);
	if (m->kind == MD_MISTYPED)
		return placeholder_mistyped_fail(m->text, m->at, r->e);
	if (m->kind == MD_ADDRESS) {
		put_bare_address(r, m, html, to);
		return true;
	}
	if (m->kind == MD_LAUNCH) {
		if (html)
			html_text(to, m->text);
		else
			sb_str(to, m->text);
		return true;
	}
	if (m->kind == MD_MATH && html)
		return md_math_inline(r, m, to);
	if (m->kind == MD_MATH) {
		bool display;
		sb_str(to, md_math_tex(m, &display));
		return true;
	}
	if (m->open || (m->parsed && m->place == EXPAND_SPAN))
		return !html || md_span_print(r, m, to);
	if (!md_mark_parse(r, m))
		return false;
	if (m->place == EXPAND_BLOCK)
		return err_at(r->e, m->at,
		              "'" STR_FMT "' is a block, expected it alone in a paragraph, with "
		              "empty lines around it",
		              STR_ARG(m->p.kind));
	if (html && !r->in_link)
		return expand_html(r->ctx, &m->p, to, r->e);
	if (!html)
		return expand_text(r->ctx, &m->p, to, r->e);
	return expand_in_link(r->ctx, &m->p, to, r->e);
}

/* --- words ----------------------------------------------------------------- */

/* Bit 0: part of a word; bit 1: continues a word, but does not start one. */
enum word_byte { SPACE = 0, ALNUM = 1, OTHER = 2, LONG = 4 };

static const unsigned char word_bytes[256] = {
        ['!' ... '/'] = OTHER,  ['0' ... '9'] = ALNUM,  [':' ... '@'] = OTHER,
        ['A' ... 'Z'] = ALNUM,  ['[' ... '`'] = OTHER,  ['a' ... 'z'] = ALNUM,
        ['{' ... 0x7f] = OTHER, [0x80 ... 0xff] = LONG,
};

/* The kind of a character beyond ASCII; signs neither start nor end a word. */
static enum word_byte word_char(struct md_render *r, uint32_t c)
{
	if (unicode_is_cjk(c)) {
		r->out->words++;
		r->out->cjk++;
		return SPACE;
	}
	if (c >= 0x3000 && c <= 0x303f)
		return SPACE;
	return c >= 0xc0 && !(c >= 0x2000 && c <= 0x2fff) ? ALNUM : OTHER;
}

/* Counts words with a letter or digit. A word may span several texts: *d*on't. */
static void count_words(struct md_render *r, struct str s)
{
	unsigned in_word = r->in_word, words = 0;
	for (size_t i = 0, n; i < s.n; i += n) {
		unsigned kind = word_bytes[(unsigned char)s.p[i]];
		n = 1;
		if (kind == LONG)
			kind = word_char(r, unicode_at(s, i, &n));
		words += kind & ~in_word & 1;
		in_word = (kind | (in_word & kind >> 1)) & 1;
	}
	r->out->words += words;
	r->in_word = in_word;
}

/* --- text ------------------------------------------------------------------ */

bool md_is_escaped(struct md_render *r, struct str label)
{
	struct str src = r->source.marked;
	struct sb b = {0};
	sb_char(&b, '\\');
	sb_str(&b, label);
	bool found = memmem(src.p, src.n, b.p, b.n);
	sb_free(&b);
	return found;
}

/*
 * Reports a reference to a missing footnote. cmark-gfm leaves it as text, and
 * truncates the text if it spans several lines.
 */
static bool check_footnote(struct md_render *r, struct str text, cmark_node *n)
{
	enum { SHOWN = 60 };
	for (size_t i = str_find(text, '[', 0); i < text.n; i = str_find(text, '[', i + 1)) {
		size_t close = str_find(text, ']', i);
		struct str label = str_sub(text, i, close + 1);
		if (!str_starts(label, "[^") || close == text.n || label.n < 4 ||
		    md_is_escaped(r, label))
			continue;
		if (label.n > SHOWN || !str_utf8(label) || memchr(label.p, '\n', label.n))
			label = STR("[^…]");
		return err_at(r->e, md_node_loc(&r->source, n),
		              "no footnote '" STR_FMT "', expected a line '" STR_FMT
		              ": …', or '\\[' for a bracket",
		              STR_ARG(label), STR_ARG(label));
	}
	return true;
}

static void put_words(struct md_render *r, struct str text)
{
	struct sb set = {0};
	typeset(&set, text);
	html_text(&r->html, sb_view(&set));
	sb_free(&set);
	count_words(r, text);
}

/* Prints the text between two marks. */
static bool print_words(struct md_render *r, struct str text, cmark_node *n)
{
	size_t from = 0, start, end;
	for (; md_cite_next(r, text, from, &start, &end); from = end) {
		put_words(r, str_sub(text, from, start));
		if (!md_cite_print(r, str_sub(text, start, end), n))
			return false;
	}
	put_words(r, str_sub(text, from, text.n));
	return true;
}

/* The text from one mark to the next; a unit stays on the line of the number before it. */
static struct str unit_of_mark(struct md_render *r, struct str text, size_t from, size_t to)
{
	struct str words = str_sub(text, from, to);
	if (from == 0 || !str_starts(words, " ") || !typeset_is_unit(str_sub(words, 1, words.n)))
		return words;
	html_raw(&r->html, NBSP);
	return str_sub(words, 1, words.n);
}

bool md_print_text(struct md_render *r, struct str text, cmark_node *n)
{
	if (!check_footnote(r, text, n))
		return false;
	size_t from = 0, start, end;
	struct md_mark *m;
	for (; (m = md_mark_next(&r->source, text, from, &start, &end)); from = end) {
		if (!print_words(r, unit_of_mark(r, text, from, start), n))
			return false;
		r->out->words += !r->in_word;
		r->in_word = true;
		if (!md_expand(r, m, true, &r->html))
			return false;
	}
	return print_words(r, unit_of_mark(r, text, from, text.n), n);
}

static bool print_text_node(struct md_render *r, cmark_node *n)
{
	struct str text = md_literal(n);
	if (n == r->marker) {
		cmark_node *after = cmark_node_next(n); /* also drop the break after [!NOTE] */
		r->marker =
		        after && cmark_node_get_type(after) == CMARK_NODE_SOFTBREAK ? after : NULL;
		return true;
	}
	if (n == r->trimmed)
		text = str_sub(text, 0, r->trimmed_to);
	return md_print_text(r, text, n);
}

/* --- plain text ------------------------------------------------------------ */

bool md_plain(struct md_render *r, struct str text, cmark_node *n, enum md_plain how, struct sb *to)
{
	if (n && n == r->trimmed)
		text = str_sub(text, 0, r->trimmed_to);
	size_t from = 0, start, end;
	struct md_mark *m;
	for (; (m = md_mark_next(&r->source, text, from, &start, &end)); from = end) {
		md_cite_plain(r, str_sub(text, from, start), to);
		if ((how == MD_PLAIN || !md_mark_looks_up(m)) && !md_expand(r, m, false, to))
			return false;
	}
	md_cite_plain(r, str_sub(text, from, text.n), to);
	return true;
}

cmark_node *md_after(cmark_node *n, cmark_node *root)
{
	while (n != root && !cmark_node_next(n))
		n = cmark_node_parent(n);
	return n == root ? NULL : cmark_node_next(n);
}

bool md_plain_node(struct md_render *r, cmark_node *root, enum md_plain how, struct sb *to)
{
	for (cmark_node *n = root; n;) {
		switch (cmark_node_get_type(n)) {
		case CMARK_NODE_TEXT:
			if (!md_plain(r, md_literal(n), n, how, to))
				return false;
			break;
		case CMARK_NODE_CODE:
			sb_str(to, md_restore(&r->source, md_literal(n)));
			break;
		case CMARK_NODE_SOFTBREAK:
			if (!md_is_solid_break(r, n))
				sb_char(to, ' ');
			break;
		case CMARK_NODE_LINEBREAK:
			sb_char(to, ' ');
			break;
		case CMARK_NODE_LINK:
			sb_cstr(to, md_reference(r, n) ? md_reference(r, n) : "");
			break;
		default:
			break;
		}
		cmark_node *child = cmark_node_first_child(n);
		n = child ? child : md_after(n, root);
	}
	return true;
}

/* --- links and images ------------------------------------------------------ */

bool md_address(struct md_render *r, cmark_node *n, bool image, struct str *out)
{
	struct str url = str_of(cmark_node_get_url(n));
	struct loc at = md_node_loc(&r->source, n);
	size_t from = 0, start, end;
	for (struct md_mark *m; (m = md_mark_next(&r->source, url, from, &start, &end)); from = end)
		if (m->kind == MD_COMMENT)
			return refuse_comment(r, m->at);
		else if (md_mark_looks_up(m) || m->kind == MD_MISTYPED)
			return err_at(r->e, m->at, "a placeholder cannot stand in an address");
	url = md_restore(&r->source, url);
	if (!html_url_allowed(url))
		return err_at(r->e, at,
		              "address '" STR_FMT
		              "' is not allowed, expected http:, https:, mailto:, "
		              "a path or '#…'",
		              STR_ARG(url));
	size_t colon = str_find(url, ':', 0);
	if (image && colon < str_find(url, '/', 0))
		return err_at(r->e, at,
		              "image '" STR_FMT "' is on another site, expected a path on this one",
		              STR_ARG(url));
	add_link(r, url, at);
	*out = url;
	return true;
}

void md_print_address(struct md_render *r, const char *attribute, struct str url)
{
	sb_printf(&r->html, " %s=\"", attribute);
	if (url.p[0] == '/' && r->ctx->base)
		html_url(&r->html, str_of(r->ctx->base));
	html_url(&r->html, url);
	sb_char(&r->html, '"');
}

/* Prints a title or an alternative text, with its numbers as text. */
bool md_print_attribute(struct md_render *r, const char *attribute, struct str text)
{
	sb_clear(&r->scratch);
	if (!md_plain(r, text, NULL, MD_PLAIN, &r->scratch))
		return false;
	sb_printf(&r->html, " %s=\"", attribute);
	html_attr(&r->html, sb_view(&r->scratch));
	sb_char(&r->html, '"');
	return true;
}

/* Is it an entry of the glossary, in any language? "/glossary/#warp" */
static bool is_term(struct str url)
{
	static const char glossary[] = "/glossary/#";
	return str_starts(url, "/") && memmem(url.p, url.n, glossary, sizeof glossary - 1);
}

static bool print_link(struct md_render *r, cmark_node *n, bool enter)
{
	r->in_link = enter;
	if (!enter) {
		html_raw(&r->html, "</a>");
		return true;
	}
	struct str url, title = str_of(cmark_node_get_title(n));
	if (!md_address(r, n, false, &url) || !md_text_string(r, title, n))
		return false;
	const char *reference = md_reference(r, n);
	if (!cmark_node_first_child(n) && !reference)
		return str_starts(url, "#")
		               ? md_reference_fail(r, n)
		               : err_at(r->e, md_node_loc(&r->source, n), "link without a text");
	html_raw(&r->html, is_term(url) ? "<a class=\"term\"" : "<a");
	md_print_address(r, "href", url);
	if (title.n && !md_print_attribute(r, "title", title))
		return false;
	sb_char(&r->html, '>');
	html_text(&r->html, str_of(reference));
	r->out->words += reference ? 2 : 0; /* "Figure 2" */
	return true;
}

/* --- the rest -------------------------------------------------------------- */

static bool refuse_html(struct md_render *r, cmark_node *n)
{
	enum { SHOWN = 40 };
	struct str html = md_restore(&r->source, str_trim(md_literal(n)));
	size_t end = str_find(html, '\n', 0);
	bool cut = end > SHOWN;
	while (cut && end > 0 && (end > SHOWN || ((unsigned char)html.p[end] & 0xc0) == 0x80))
		end--;
	struct loc at = md_node_loc(&r->source, n);
	return err_at(r->e, at,
	              "'" STR_FMT "%s' is raw HTML, expected Markdown only; to show it, write it "
	              "as code: `…`",
	              STR_ARG(str_sub(html, 0, end)), cut ? "…" : "");
}

static bool print_footnote_ref(struct md_render *r, cmark_node *n)
{
	int64_t note;
	if (r->in_link)
		return err_at(r->e, md_node_loc(&r->source, n),
		              "a footnote cannot stand inside a link");
	if (!str_i64(md_literal(n), &note) || note < 1 || note > r->nrefs)
		return err_at(r->e, md_node_loc(&r->source, n), "footnote without a number");
	int k = ++r->refs[note - 1];
	sb_printf(&r->html, "<sup class=\"fnref\"><a href=\"#fn-%d\" id=\"fnref-%d", (int)note,
	          (int)note);
	if (k > 1)
		sb_printf(&r->html, "-%d", k);
	html_raw(&r->html, "\" role=\"doc-noteref\" aria-label=\"");
	html_attr(&r->html, str_of(words_fill(r->ctx->words, r->arena, "footnote",
	                                      arena_printf(r->arena, "%d", (int)note), NULL)));
	sb_printf(&r->html, "\">%d</a></sup>", (int)note);
	return true;
}

static bool print_wrap(struct md_render *r, bool enter, const char *open, const char *close)
{
	html_raw(&r->html, enter ? open : close);
	return true;
}

/* Does a line of the source end between a number and its unit? */
static bool parts_a_unit(cmark_node *softbreak)
{
	cmark_node *before = cmark_node_previous(softbreak), *after = cmark_node_next(softbreak);
	return before && after && cmark_node_get_type(before) == CMARK_NODE_TEXT &&
	       cmark_node_get_type(after) == CMARK_NODE_TEXT &&
	       typeset_is_amount(md_literal(before)) && typeset_is_unit(md_literal(after));
}

static bool print_softbreak(struct md_render *r, cmark_node *n)
{
	r->in_word = false;
	if (n == r->marker)
		r->marker = NULL;
	else if (parts_a_unit(n))
		html_raw(&r->html, NBSP);
	else if (!md_is_solid_break(r, n))
		sb_char(&r->html, '\n');
	return true;
}

static bool print_code(struct md_render *r, cmark_node *n)
{
	html_raw(&r->html, "<code>");
	html_text(&r->html, md_restore(&r->source, md_literal(n)));
	html_raw(&r->html, "</code>");
	return true;
}

bool md_print_inline(struct md_render *r, cmark_node *n, bool enter, bool *skip)
{
	switch (cmark_node_get_type(n)) {
	case CMARK_NODE_TEXT:
		return print_text_node(r, n);
	case CMARK_NODE_SOFTBREAK:
		return print_softbreak(r, n);
	case CMARK_NODE_LINEBREAK:
		r->in_word = false;
		html_raw(&r->html, "<br>\n");
		return true;
	case CMARK_NODE_CODE:
		return print_code(r, n);
	case CMARK_NODE_EMPH:
		return print_wrap(r, enter, "<em>", "</em>");
	case CMARK_NODE_STRONG:
		return print_wrap(r, enter, "<strong>", "</strong>");
	case CMARK_NODE_LINK:
		return print_link(r, n, enter);
	case CMARK_NODE_IMAGE:
		*skip = true; /* its children become the alt attribute */
		return md_print_image(r, n);
	case CMARK_NODE_FOOTNOTE_REFERENCE:
		return print_footnote_ref(r, n);
	case CMARK_NODE_HTML_INLINE:
		return refuse_html(r, n);
	case CMARK_NODE_HTML_BLOCK:
		return refuse_html(r, n);
	default:
		if (strcmp(cmark_node_get_type_string(n), "strikethrough") == 0)
			return print_wrap(r, enter, "<del>", "</del>");
		return err_at(r->e, md_node_loc(&r->source, n), "cannot print '%s'",
		              cmark_node_get_type_string(n));
	}
}
