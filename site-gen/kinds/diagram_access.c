/* diagram access: 32 lanes, and the sectors, lines or banks that one access of theirs touches. */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/access.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/diagram.h"

/* What the placeholder says. */
struct call {
	struct index x;
	bool has_case;
	struct pick pick;
	struct str text; /* expr= or index= */
	bool is_index;
	int node;
	enum access_unit unit;
	struct lanes lanes;
	const char *closed; /* the byte address, for keys of facts */
};

/* --- reading it ----------------------------------------------------------------------- */

static bool read_unit(struct kind_call *k, enum access_unit *out, struct err *e)
{
	static const char *const names[] = {"sector", "line", "bank"};
	struct str s = placeholder_key(k->p, "unit");
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!s.p || str_is(s, names[i])) {
			*out = (enum access_unit)i;
			return true;
		}
	return err_at(e, placeholder_loc(k->p, s),
	              "unit='" STR_FMT "', expected sector, line or bank", STR_ARG(s));
}

static bool read_text(struct kind_call *k, struct call *c, struct err *e)
{
	struct str expr = placeholder_key(k->p, "expr"), index = placeholder_key(k->p, "index");
	c->is_index = index.n > 0;
	c->text = c->is_index ? index : expr;
	if ((expr.n > 0) == (index.n > 0))
		return err_at(e, k->p->at,
		              "diagram access needs either index=\"…\", elements as the kernel's "
		              "source has them, or expr=\"…\", a byte address");
	if (c->is_index && !c->has_case)
		return err_at(e, placeholder_loc(k->p, index),
		              "index= is looked for in the source of a case, expected a selector "
		              "after 'access', or expr=");
	return true;
}

static bool read_index(struct kind_call *k, struct call *c, struct err *e)
{
	struct str let = placeholder_key(k->p, "let"), pitch = placeholder_key(k->p, "pitch");
	int rows = -1;
	if (let.n && !index_let(&c->x, let, e))
		return false;
	if (pitch.n && !index_sum(&c->x, pitch, &rows, e))
		return false;
	if (!index_access(&c->x, c->text, rows, &c->node, e) ||
	    (c->is_index && !diagram_constants_hold(k, &c->pick, let, e)))
		return false;
	return !c->is_index || diagram_in_source(k, &c->pick, c->text, e);
}

/* The byte addresses of the lanes. */
static bool read_lanes(struct kind_call *k, struct call *c, struct err *e)
{
	int64_t each = c->is_index ? c->lanes.bytes : 1;
	for (int i = 0; i < LANES; i++) {
		int64_t v;
		if (!index_value(&c->x, c->node, (struct index_at){.lane = i}, c->text, &v, e))
			return false;
		if (v < 0 || v > INT64_MAX / LANES_LINE)
			return err_at(e, placeholder_loc(k->p, c->text),
			              "lane %d asks for place %lld, expected none below 0 or above "
			              "memory",
			              i, (long long)v);
		c->lanes.at[i] = v * each;
	}
	struct sb closed = {0};
	if (c->is_index)
		sb_char(&closed, '(');
	bool ok = index_closed(&c->x, c->node, "0", "0", &closed, e);
	if (c->is_index)
		sb_printf(&closed, "*%d)", c->lanes.bytes);
	c->closed = sb_take(k->ctx->arena, &closed);
	return ok;
}

static bool read_call(struct kind_call *k, struct call *c, struct err *e)
{
	int64_t bytes = LANES_WORD;
	c->x.p = k->p;
	c->has_case = k->p->nwords > 1;
	if (c->has_case && !diagram_pick(k, k->p->word[1], &c->pick, e))
		return false;
	if (!c->has_case && k->p->nwords > 2)
		return err_at(e, placeholder_loc(k->p, k->p->word[2]), "one selector at most");
	if (c->has_case) {
		bytes = diagram_bytes_of(c->pick.d->c->dtype);
		diagram_bind_case(&c->x, c->pick.d->c);
	}
	if (!diagram_number(k, "bytes", 1, LANES_MOST_BYTES, &bytes, e))
		return false;
	if (bytes == 0 || (bytes & (bytes - 1)))
		return err_at(e, k->p->at, "bytes= has to be 1, 2, 4, 8 or 16");
	c->lanes.bytes = (int)bytes;
	c->x.size = bytes;
	return read_unit(k, &c->unit, e) && read_text(k, c, e) && read_index(k, c, e) &&
	       read_lanes(k, c, e);
}

/* --- words ---------------------------------------------------------------------------- */

static const char *key_of(struct kind_call *k, const struct call *c, const char *what)
{
	return arena_printf(k->ctx->arena, "drawn %s %d %s", what, c->lanes.bytes, c->closed);
}

/* The sentences below the drawing: markup with numbers, and the same as text. */
static void say(struct kind_call *k, struct diagram *d, const char *word, const char *const *html,
                const char *const *text, size_t n, const char *counted)
{
	const struct words *w = k->ctx->words;
	html_raw(&d->foot, "<p class=\"diagram-facts\">");
	html_raw(&d->foot, words_fill_all(w, k->ctx->arena, word, html, n));
	html_raw(&d->foot, counted);
	html_raw(&d->foot, "</p>\n");
	d->desc = words_fill_all(w, k->ctx->arena, word, text, n);
}

static bool say_global(struct kind_call *k, const struct call *c, struct diagram *d, struct err *e)
{
	struct lanes_global g;
	struct arena *a = k->ctx->arena;
	struct str check = placeholder_key(k->p, "check");
	const struct pick *of = c->has_case ? &c->pick : NULL;
	const char *counted = "";
	bool lines = c->unit == ACCESS_LINE;
	lanes_global(&c->lanes, &g);
	if (check.n && !diagram_check_sectors(k, of, g.nsectors, &counted, e))
		return false;
	int64_t moved = lines ? (int64_t)g.nlines * LANES_LINE : g.moved;
	double share = 100.0 * (double)g.used / (double)moved;
	int touched = lines ? g.nlines : g.nsectors;
	const char *html[] = {
	        diagram_fact(k, key_of(k, c, lines ? "lines" : "sectors"), touched, ""),
	        diagram_fact(k, key_of(k, c, lines ? "line-bytes" : "moved"), (double)moved, "B"),
	        diagram_fact(k, key_of(k, c, "used"), (double)g.used, "B"),
	        diagram_fact(k, key_of(k, c, lines ? "line-share" : "share"), share, "%")};
	const char *text[] = {
	        arena_printf(a, "%d", touched), arena_printf(a, "%lld B", (long long)moved),
	        arena_printf(a, "%lld B", (long long)g.used), arena_printf(a, "%.3g %%", share)};
	say(k, d, lines ? "diagram_lines" : "diagram_sectors", html, text, ARRAY_LEN(html),
	    counted);
	return true;
}

static bool say_shared(struct kind_call *k, const struct call *c, struct diagram *d, struct err *e)
{
	struct lanes_shared s;
	struct arena *a = k->ctx->arena;
	struct str check = placeholder_key(k->p, "check");
	const struct pick *of = c->has_case ? &c->pick : NULL;
	const char *counted = "";
	lanes_shared(&c->lanes, &s);
	int conflicts = s.passes - s.least;
	if (check.n && !diagram_check_banks(k, of, conflicts, &counted, e))
		return false;
	const char *html[] = {diagram_fact(k, key_of(k, c, "passes"), s.passes, ""),
	                      diagram_fact(k, key_of(k, c, "least"), s.least, ""),
	                      diagram_fact(k, key_of(k, c, "conflicts"), conflicts, "")};
	const char *text[] = {arena_printf(a, "%d", s.passes), arena_printf(a, "%d", s.least),
	                      arena_printf(a, "%d", conflicts)};
	say(k, d, conflicts ? "diagram_conflicts" : "diagram_no_conflict", html, text,
	    ARRAY_LEN(html), counted);
	return true;
}

static const char *about(struct kind_call *k, const struct call *c)
{
	struct arena *a = k->ctx->arena;
	struct sb code = {0};
	if (c->has_case)
		return block_caption(
		        k, &c->pick, 1,
		        words_fill(k->ctx->words, a, "diagram_access", str_dup(a, c->text), NULL));
	html_raw(&code, "<code>");
	html_text(&code, c->text);
	html_raw(&code, "</code>");
	return words_fill(k->ctx->words, a, "diagram_access", sb_take(a, &code), NULL);
}

/* --- the drawing ---------------------------------------------------------------------- */

static void draw(struct canvas *canvas, const struct canvas_said *said, const void *facts)
{
	const struct call *c = facts;
	access_draw(canvas, &c->lanes, c->unit, said);
}

bool diagram_access(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct call *c = ARENA_NEW(k->ctx->arena, struct call);
	if (!read_call(k, c, e))
		return false;
	if (c->has_case)
		number_use(k->ctx, &c->pick);
	d->about = about(k, c);
	d->draw = draw;
	d->facts = c;
	return c->unit == ACCESS_BANK ? say_shared(k, c, d, e) : say_global(k, c, d, e);
}
