#include "lib/array.h"
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/base/problems.h"

/*
 * cmark-gfm's autolinks of bare addresses stay off (CVE-2023-22485). The tree has
 * positions without CMARK_OPT_SOURCEPOS, which only prints them.
 */
static const int parse_options = CMARK_OPT_SMART | CMARK_OPT_FOOTNOTES |
                                 CMARK_OPT_FULL_INFO_STRING | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE;

enum { MAX_HTML_BYTES = 8 * 1024 * 1024 };

/* Parses a source. NULL: it would need too much memory. */
static cmark_node *parse(struct str src)
{
	jmp_buf full;
	if (setjmp(full)) {
		md_mem_limit(NULL);
		return NULL;
	}
	md_mem_limit(&full);
	static const char *const extensions[] = {"table", "strikethrough", "tasklist"};
	cmark_gfm_core_extensions_ensure_registered();
	cmark_parser *p = cmark_parser_new_with_mem(parse_options, md_mem());
	for (size_t i = 0; i < ARRAY_LEN(extensions); i++)
		cmark_parser_attach_syntax_extension(p, cmark_find_syntax_extension(extensions[i]));
	cmark_parser_feed(p, src.p, src.n);
	cmark_node *root = cmark_parser_finish(p);
	md_mem_limit(NULL);
	return root; /* md_mem_reset() frees it */
}

/* Elements nest as deep as the Markdown, and the audit reads at most AUDIT_MAX_DEPTH levels. */
static bool check_depth(struct md_render *r, cmark_node *root)
{
	enum { MAX_DEPTH = 100 };
	int depth = 0;
	for (cmark_node *n = root, *next; n; n = next) {
		next = cmark_node_first_child(n);
		if (next && ++depth > MAX_DEPTH)
			return err_at(r->e, md_node_loc(&r->source, n), "nested more than %d deep",
			              MAX_DEPTH);
		for (; !next && n != root; n = cmark_node_parent(n), depth--)
			if ((next = cmark_node_next(n)))
				break;
	}
	return true;
}

cmark_node *md_parse(struct md_render *r)
{
	if (!md_source_init(&r->source, r->e))
		return NULL;
	cmark_node *root = parse(r->source.marked);
	if (!root)
		err_at(r->e, (struct loc){.path = r->source.path},
		       "too expensive to read: links or tables unfold without end");
	return root && check_depth(r, root) ? root : NULL;
}

static bool is_block(cmark_node *n)
{
	return (cmark_node_get_type(n) & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK;
}

static bool print(struct md_render *r, cmark_node *n, bool enter, bool *skip)
{
	return is_block(n) ? md_print_block(r, n, enter, skip) : md_print_inline(r, n, enter, skip);
}

/* Leaves have no children, so they are visited only once. */
static bool is_leaf(cmark_node *n)
{
	switch (cmark_node_get_type(n)) {
	case CMARK_NODE_TEXT:
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
	case CMARK_NODE_CODE:
	case CMARK_NODE_CODE_BLOCK:
	case CMARK_NODE_THEMATIC_BREAK:
	case CMARK_NODE_FOOTNOTE_REFERENCE:
	case CMARK_NODE_HTML_INLINE:
	case CMARK_NODE_HTML_BLOCK:
		return true;
	default:
		return false;
	}
}

/* --- blocks of a page in several languages -------------------------------- */

static void open_block(struct md_render *r, cmark_node *n)
{
	const struct md_options *o = r->options;
	const char *older = o->blocks && r->block < o->nblocks ? o->blocks[r->block].older : NULL;
	if (older && cmark_node_get_type(n) != CMARK_NODE_FOOTNOTE_DEFINITION) {
		html_raw(&r->html, "<div class=\"older\">\n<p class=\"older-mark\"><a href=\"");
		html_url(&r->html, str_of(r->ctx->base));
		html_url(&r->html, str_of(o->original));
		if (*older)
			sb_char(&r->html, '#');
		html_url(&r->html, str_of(older));
		html_raw(&r->html, "\">");
		html_text(&r->html, str_of(words_get(r->ctx->words, "older_block")));
		html_raw(&r->html, "</a></p>\n");
	}
	r->block_at = r->html.n;
}

/* Adds the id to the first tag; if that has an id already, adds an element before it. */
static void put_anchor(struct md_render *r, int anchor)
{
	struct sb rest = {0}, id = {0};
	struct str block = str_sub(sb_view(&r->html), r->block_at, r->html.n);
	struct html_scan h = html_scan(block);
	bool tag = html_scan_next(&h) == HTML_START, has = !tag || html_scan_value(&h, "id").p;
	sb_printf(&id, has ? "<span id=\"para-%d\"></span>\n" : " id=\"para-%d\"", anchor);
	size_t at = r->block_at + (has ? 0 : 1 + h.name.n);
	sb_str(&rest, str_sub(sb_view(&r->html), at, r->html.n));
	r->html.n = at;
	sb_str(&r->html, sb_view(&id));
	sb_str(&r->html, sb_view(&rest));
	sb_free(&rest);
	sb_free(&id);
}

static void close_block(struct md_render *r, cmark_node *n)
{
	const struct md_options *o = r->options;
	cmark_node_type type = cmark_node_get_type(n);
	const struct md_block_mark *b =
	        o->blocks && r->block < o->nblocks ? &o->blocks[r->block] : NULL;
	int anchor = b ? b->anchor : o->anchors ? (int)r->block + 1 : 0;
	r->block++;
	if (type == CMARK_NODE_FOOTNOTE_DEFINITION || r->html.n == r->block_at)
		return;
	if (anchor && type != CMARK_NODE_HEADING)
		put_anchor(r, anchor);
	if (b && b->older)
		html_raw(&r->html, "</div>\n");
}

/*
 * Handles an error: reports it and skips the rest of its top-level block, to which
 * *n is set. False: the caller collects no problems, or there are too many.
 */
static bool recover(struct md_render *r, cmark_node *root, cmark_node **n)
{
	enum { MOST_FAULTS = 50 };
	if (!r->ctx->problems || ++r->faults > MOST_FAULTS || *n == root)
		return false;
	problems_add(r->ctx->problems, r->e);
	*r->e = ERR_NONE;
	while (cmark_node_parent(*n) != root)
		*n = cmark_node_parent(*n);
	r->in_link = r->in_figure = false;
	r->marker = NULL;
	r->ctx->caption_no = r->ctx->caption_id = NULL;
	return true;
}

/* Walks the tree in a loop; recursion could overflow the stack on deep nesting. */
static bool walk(struct md_render *r, cmark_node *root)
{
	bool enter = true;
	for (cmark_node *n = root; n;) {
		bool skip = false, top = r->options && cmark_node_parent(n) == root;
		if (enter && top)
			open_block(r, n);
		if (!print(r, n, enter, &skip)) {
			if (!recover(r, root, &n))
				return false;
			enter = skip = true;
			top = false;
		}
		if (r->html.n > MAX_HTML_BYTES)
			return err_at(r->e, md_node_loc(&r->source, n),
			              "page grows beyond %d MiB here",
			              MAX_HTML_BYTES / 1024 / 1024);
		cmark_node *child = cmark_node_first_child(n);
		if (enter && !skip && child) {
			n = child;
			continue;
		}
		if (enter && !skip && !is_leaf(n)) {
			enter = false; /* empty: close it at once */
			continue;
		}
		if (top)
			close_block(r, n);
		cmark_node *next = n == root ? NULL : cmark_node_next(n);
		enter = next != NULL;
		n = next ? next : n == root ? NULL : cmark_node_parent(n);
	}
	return r->faults == 0;
}

static bool render(struct md_render *r)
{
	cmark_node *root = md_parse(r);
	if (!root)
		return false;
	md_notes_count(r, root);
	/* most markup is less than twice the text, so one allocation suffices */
	sb_room(&r->html, 2 * r->source.marked.n + 1024);
	md_prose_mend(r, root);
	bool ok = md_labels_find(r, root) && walk(r, root) && md_notes_check(r, root) &&
	          md_comments_check(r);
	if (ok && !str_utf8(sb_view(&r->html))) /* a bug in cmark-gfm or here: publish nothing */
		ok = err_at(r->e, (struct loc){.path = r->source.path},
		            "the markup that came out is not UTF-8");
	r->out->html = (struct str){arena_strndup(r->arena, r->html.p ? r->html.p : "", r->html.n),
	                            r->html.n};
	return ok;
}

bool markdown_render(struct expand_ctx *ctx, struct str src, const char *path, int first_line,
                     struct md_doc *out, struct err *e)
{
	return markdown_render_with(ctx, src, path, first_line, NULL, out, e);
}

bool markdown_render_with(struct expand_ctx *ctx, struct str src, const char *path, int first_line,
                          const struct md_options *options, struct md_doc *out, struct err *e)
{
	*out = (struct md_doc){0};
	if (!md_check_source(src, path, first_line, e))
		return false;
	struct md_render r = {
	        .ctx = ctx, .arena = ctx->arena, .e = e, .out = out, .options = options};
	r.source = (struct md_source){
	        .src = src, .path = path, .first_line = first_line, .arena = ctx->arena};
	bool ok = render(&r);
	sb_free(&r.html);
	sb_free(&r.scratch);
	sb_free(&r.text);
	md_mem_reset();
	return ok;
}

int markdown_minutes(const struct md_doc *d)
{
	enum { WORDS = 220, CHARACTERS = 400 }; /* a minute */
	double minutes = (double)(d->words - d->cjk) / WORDS + (double)d->cjk / CHARACTERS;
	return minutes < 1.5 ? 1 : (int)(minutes + 0.5);
}
