/*
 * diagram: drawings whose facts come from an index expression or from records. To add one:
 *   1. write its reader in diagram_<name>.c, and what it draws in site-gen/diagram/;
 *   2. add a row to `diagrams` below, and its keys to kind_diagram_keys in kinds.c;
 *   3. give an example in docs/diagrams.md, and a case in the unit test;
 *   4. if it prints a number from no record, let audit/drawn.c derive it.
 */
#include "site-gen/kinds/diagram.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/source.h"

static const struct {
	const char *name;
	diagram_reader *read;
	const char *keys; /* its own, each with a space behind it */
} diagrams[] = {
        {"access", diagram_access, "title expr index let pitch bytes unit check per "},
        {"timeline", diagram_timeline, "title metric steps work kernels "},
        {"clock", diagram_clock, "title "},
        {"pipeline", diagram_pipeline,
         "title names steps links legend mark window from scale lengths unit metric "},
        {"tickets", diagram_tickets, "title "},
        {"map", diagram_map, "title names pipes latencies "},
        {"tile", diagram_tile,
         "title index let pitch bytes unit check per names tile threads vector steps mark need "},
        {"swizzle", diagram_swizzle, "title let layouts names tile bytes of per "},
};

/* --- keys ---------------------------------------------------------------------------- */

bool diagram_needs(struct kind_call *k, const char *key, struct str *out, struct err *e)
{
	*out = placeholder_key(k->p, key);
	return out->n > 0 || err_at(e, k->p->at, "a diagram of this kind needs %s=", key);
}

bool diagram_number(struct kind_call *k, const char *key, int64_t least, int64_t most, int64_t *out,
                    struct err *e)
{
	struct str s = placeholder_key(k->p, key);
	int64_t v;
	if (!s.p)
		return true;
	if (!str_i64(s, &v) || v < least || v > most)
		return err_at(e, placeholder_loc(k->p, s),
		              "%s='" STR_FMT "', expected a number from %lld to %lld", key,
		              STR_ARG(s), (long long)least, (long long)most);
	*out = v;
	return true;
}

bool diagram_pick(struct kind_call *k, struct str selector, struct pick *out, struct err *e)
{
	struct query q;
	return query_parse(k->p, selector, kind_diagram_keys, true, &q, e) &&
	       query_one(k->ctx, &q, out, e);
}

int diagram_bytes_of(const char *dtype)
{
	static const struct {
		const char *dtype;
		int bytes;
	} sizes[] = {{"f32", 4}, {"i32", 4}, {"u32", 4}, {"f64", 8}, {"bf16", 2},
	             {"f16", 2}, {"u16", 2}, {"u8", 1},  {"i8", 1},  {"fp8", 1}};
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (strcmp(dtype, sizes[i].dtype) == 0)
			return sizes[i].bytes;
	return 0;
}

void diagram_bind_case(struct index *x, const struct run_case *c)
{
	for (size_t i = 0; i < c->nparams; i++)
		if (!c->param[i].word && !index_bind(x, str_of(c->param[i].name), c->param[i].num))
			return; /* a name that did not fit is unknown where it is used */
}

/* --- the measured source -------------------------------------------------------------- */

static void squeeze(struct str s, struct sb *to)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr(" \t\r\n", s.p[i]))
			sb_char(to, s.p[i]);
}

static bool contains(struct str all, struct str part)
{
	return part.n > 0 && all.n >= part.n && memmem(all.p, all.n, part.p, part.n);
}

bool diagram_in_source(struct kind_call *k, const struct pick *p, struct str text, struct err *e)
{
	struct sb want = {0}, have = {0};
	bool found = false, ok = true;
	squeeze(text, &want);
	for (size_t i = 0; i < p->d->c->nsource && ok && !found; i++) {
		const char *why = NULL;
		struct str source;
		ok = source_text(k->ctx, p, i, &source, &why, e) ||
		     (why && err_at(e, placeholder_loc(k->p, text), "cannot look for it: %s", why));
		if (!ok)
			break;
		sb_clear(&have);
		squeeze(source, &have);
		found = contains(sb_view(&have), sb_view(&want));
	}
	sb_free(&want);
	sb_free(&have);
	return ok && (found || rule_err(e, RULE_DRAWN, placeholder_loc(k->p, text),
	                                "'" STR_FMT "' is not in the source of %s as it was "
	                                "measured (%s)",
	                                STR_ARG(text), p->d->c->id,
	                                p->d->c->nsource ? p->d->c->source[0].path : "none"));
}

/* --- numbers -------------------------------------------------------------------------- */

const char *diagram_fact(struct kind_call *k, const char *key, double value, const char *unit)
{
	struct arena *a = k->ctx->arena;
	struct sb html = {0};
	const char *text = *unit ? arena_printf(a, "%.3g" NBSP "%s", value, unit)
	                         : arena_printf(a, "%.0f", value);
	if (strcmp(unit, "B") == 0)
		text = arena_printf(a, "%.0f" NBSP "B", value);
	number_fact(k->ctx, (struct fact){.key = key, .text = text, .unit = unit, .value = value});
	html_raw(&html, "<span class=\"num drawn\" data-n=\"");
	html_attr(&html, str_of(key));
	html_raw(&html, "\">");
	html_text(&html, str_of(text));
	html_raw(&html, "</span>");
	return sb_take(a, &html);
}

/* --- the figure ----------------------------------------------------------------------- */

static void draw(struct kind_call *k, const struct diagram *d, const char *title)
{
	struct arena *a = k->ctx->arena;
	struct canvas_said said = {
	        .id = arena_printf(a, "b%d", k->ctx->blocks), .title = title, .desc = d->desc};
	for (int narrow = 0; narrow < 2; narrow++) {
		struct canvas c = {
		        .to = k->to, .a = a, .words = k->ctx->words, .narrow = narrow == 1};
		d->draw(&c, &said, d->facts);
	}
}

/* Is a key of another diagram given? Then it would mean nothing here. */
static bool check_keys(struct kind_call *k, size_t kind, struct err *e)
{
	for (size_t i = 0; i < k->p->nkeys; i++) {
		struct str name = k->p->key[i].name;
		bool own = false, other = false;
		for (size_t n = 0; n < ARRAY_LEN(diagrams); n++) {
			const char *at =
			        strstr(diagrams[n].keys,
			               arena_printf(k->ctx->arena, STR_FMT " ", STR_ARG(name)));
			bool has = at && (at == diagrams[n].keys || at[-1] == ' ');
			own = own || (has && n == kind);
			other = other || has;
		}
		if (other && !own)
			return err_at(e, placeholder_loc(k->p, name),
			              "diagram %s has no key '" STR_FMT "', expected one of %s",
			              diagrams[kind].name, STR_ARG(name), diagrams[kind].keys);
	}
	return true;
}

static bool find(struct kind_call *k, size_t *out, struct err *e)
{
	struct sb all = {0};
	for (*out = 0; *out < ARRAY_LEN(diagrams); ++*out) {
		if (str_is(k->p->word[0], diagrams[*out].name)) {
			sb_free(&all);
			return true;
		}
		sb_printf(&all, "%s%s", *out ? ", " : "", diagrams[*out].name);
	}
	unchecked(err_at(e, placeholder_loc(k->p, k->p->word[0]),
	                 "no diagram '" STR_FMT "', expected one of %s", STR_ARG(k->p->word[0]),
	                 all.p));
	sb_free(&all);
	return false;
}

bool kind_diagram(struct kind_call *k, struct err *e)
{
	struct diagram d = {.desc = ""};
	size_t kind;
	bool ok = find(k, &kind, e) && check_keys(k, kind, e) &&
	          kind_traced(k, placeholder_key(k->p, "names"), e) &&
	          diagrams[kind].read(k, &d, e);
	if (ok) {
		block_open(k, d.about);
		draw(k, &d, k->finding.text);
		block_drawn(k);
		sb_str(k->to, sb_view(&d.foot));
		if (d.exact[0].n)
			block_exact_tables(k, d.exact, ARRAY_LEN(d.exact));
		block_close(k);
	}
	sb_free(&d.foot);
	return ok;
}
