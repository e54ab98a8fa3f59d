/* Prints headings, and gives each a unique id. */
#include "lib/array.h"
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"

static unsigned hash(const char *s)
{
	unsigned h = 2166136261u; /* FNV-1a */
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

/*
 * Does the id begin with a prefix that other parts of the page use? These are fn-…
 * and fnref-… for footnotes, code-1-… for notes of code, para-… for blocks of a
 * translated page, and ref-… and cite-… if the page cites.
 */
static bool has_reserved_prefix(const struct md_render *r, const char *id)
{
	if (strncmp(id, "code-", 5) == 0 && id[5 + strspn(id + 5, "0123456789")] == '-')
		return true;
	if (r->source.cites && (strncmp(id, "ref-", 4) == 0 || strncmp(id, "cite-", 5) == 0))
		return true;
	return strncmp(id, "fn-", 3) == 0 || strncmp(id, "fnref-", 6) == 0 ||
	       (strncmp(id, "para-", 5) == 0 && strspn(id + 5, "0123456789") == strlen(id + 5));
}

/* Is the id reserved? Also reserves b1, b2, … for blocks of numbers, and ids used in templates/. */
static bool id_reserved(const struct md_render *r, const char *id)
{
	static const char *const parts[] = {"content",          "kernels", "latest",     "recent",
	                                    "references-title", "series",  "theme-place"};
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strcmp(id, parts[i]) == 0)
			return true;
	return has_reserved_prefix(r, id) ||
	       (id[0] == 'b' && id[1] && !id[1 + strspn(id + 1, "0123456789")]);
}

bool md_id_taken(const struct md_render *r, const char *id)
{
	unsigned h = hash(id);
	for (size_t i = 0; i < r->nids; i++)
		if (r->ids[i].hash == h && strcmp(r->ids[i].id, id) == 0)
			return true;
	return id_reserved(r, id);
}

enum { MAX_HEADINGS = 500, FIRST_IDS = 512 };

void md_id_take(struct md_render *r, const char *id)
{
	size_t n = r->nids;
	if (n == 0 || (n >= FIRST_IDS && (n & (n - 1)) == 0)) { /* full */
		struct md_id *more = ARENA_ARRAY(r->arena, struct md_id, n ? 2 * n : FIRST_IDS);
		if (n)
			memcpy(more, r->ids, n * sizeof *more);
		r->ids = more;
	}
	r->ids[r->nids++] = (struct md_id){id, hash(id)};
}

bool md_id_allowed(struct str id)
{
	for (size_t i = 0; i < id.n; i++) {
		char c = id.p[i], l = c | 0x20;
		bool letter = l >= 'a' && l <= 'z';
		if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '-' || c == '_')))
			return false;
	}
	return id.n > 0;
}

/* heading -> title '{#' id '}'. The id, or NULL; records where the text of the title ends. */
static bool explicit_id(struct md_render *r, cmark_node *heading, const char **id)
{
	cmark_node *last = cmark_node_last_child(heading);
	*id = NULL;
	if (!last || cmark_node_get_type(last) != CMARK_NODE_TEXT)
		return true;
	struct str text = md_literal(last);
	const char *open = text.n ? memmem(text.p, text.n, "{#", 2) : NULL;
	if (!open || !str_ends(text, "}"))
		return true;
	struct str name = {open + 2, (size_t)(text.p + text.n - 1 - open - 2)};
	struct loc at = md_node_loc(&r->source, heading);
	*id = str_dup(r->arena, name);
	if (!md_id_allowed(name))
		return err_at(
		        r->e, at,
		        "heading has the id '%s', expected a letter, then letters, digits, '-' "
		        "or '_'",
		        *id);
	if (md_id_taken(r, *id))
		return err_at(r->e, at, "id '%s' is taken already on this page", *id);
	r->trimmed = last;
	r->trimmed_to = (size_t)(open - text.p);
	while (r->trimmed_to > 0 && text.p[r->trimmed_to - 1] == ' ')
		r->trimmed_to--;
	return true;
}

static void prefix_slug(struct sb *slug)
{
	struct sb old = *slug;
	*slug = (struct sb){0};
	sb_cstr(slug, old.n ? "section-" : "section");
	sb_str(slug, sb_view(&old));
	sb_free(&old);
}

/* Would the slug, followed by a number, have a reserved prefix, as "code-1" and "fn" would? */
static bool reserves_its_numbers(const struct md_render *r, const struct sb *slug)
{
	return has_reserved_prefix(r, arena_printf(r->arena, "%s-", slug->p));
}

/* A slug that is taken gets a number appended, so not all of its numbers may be reserved. */
static bool slug_id(struct md_render *r, cmark_node *heading, const char **id)
{
	struct sb text = {0}, slug = {0};
	bool ok = md_plain_node(r, heading, MD_PLAIN_UNMARKED, &text);
	html_slug(&slug, sb_view(&text));
	if (slug.n == 0 || id_reserved(r, slug.p) ||
	    (md_id_taken(r, slug.p) && reserves_its_numbers(r, &slug)))
		prefix_slug(&slug);
	size_t n = slug.n;
	for (int k = 2; md_id_taken(r, slug.p); k++) {
		slug.n = n;
		sb_printf(&slug, "-%d", k);
	}
	*id = str_dup(r->arena, sb_view(&slug));
	sb_free(&text);
	sb_free(&slug);
	return ok;
}

bool md_heading_id(struct md_render *r, cmark_node *heading, const char **id, bool *given)
{
	if (!explicit_id(r, heading, id))
		return false;
	*given = *id;
	if (!*id && !slug_id(r, heading, id))
		return false;
	md_id_take(r, *id);
	return true;
}

static void add_heading(struct md_render *r, int level, const char *id, const char *text)
{
	struct md_doc *d = r->out;
	if (!d->headings)
		d->headings = ARENA_ARRAY(r->arena, struct md_heading, MAX_HEADINGS);
	d->headings[d->nheadings++] = (struct md_heading){level, id, text};
}

static bool open_heading(struct md_render *r, cmark_node *n, int level)
{
	struct loc at = md_node_loc(&r->source, n);
	if (level == 1)
		return err_at(
		        r->e, at,
		        "heading of level 1, expected '##' or more: the title is in the front "
		        "matter");
	if (r->out->nheadings == MAX_HEADINGS)
		return err_at(r->e, at, "more than %d headings", MAX_HEADINGS);
	const char *id;
	bool given;
	if (!md_heading_id(r, n, &id, &given))
		return false;
	if (r->options && r->options->ids)
		id = r->options->ids[r->out->nheadings];
	if (!md_text_block(r, n, 0, NULL))
		return false;
	sb_clear(&r->scratch);
	if (!md_plain_node(r, n, MD_PLAIN, &r->scratch))
		return false;
	struct str text = str_trim(sb_view(&r->scratch));
	if (text.n == 0)
		return err_at(r->e, at, "heading without a text");
	add_heading(r, level, id, str_dup(r->arena, text));
	sb_printf(&r->html, "<h%d id=\"", level);
	html_attr(&r->html, str_of(id));
	html_raw(&r->html, "\">");
	return true;
}

bool md_print_heading(struct md_render *r, cmark_node *n, bool enter)
{
	int level = cmark_node_get_heading_level(n);
	r->in_word = false;
	if (enter)
		return open_heading(r, n, level);
	const struct md_heading *h = &r->out->headings[r->out->nheadings - 1];
	html_raw(&r->html, " <a class=\"anchor\" href=\"#");
	html_url(&r->html, str_of(h->id));
	html_raw(&r->html, "\" aria-label=\"");
	html_attr(&r->html,
	          str_of(words_fill(r->ctx->words, r->arena, "link_to_section", h->text, NULL)));
	sb_printf(&r->html, "\">#</a></h%d>\n", level);
	return true;
}
