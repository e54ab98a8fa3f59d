/*
 * cited: a number of another author, quoted from a reference (records/cited.h).
 *
 *   value -> digits [ '.' digits ] ; the unit follows in the same word or as the next one
 */
#include <string.h>

#include "site-gen/base/unicode.h"
#include "site-gen/records/cited.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/lint/lint.h"
#include "site-gen/base/rules.h"

struct cite {
	struct str value, unit;
	const struct cited_unit *kind;
	const struct reference *source;
};

static bool no_source(struct kind_call *k, struct str key, struct err *e)
{
	const struct references *all = k->ctx->data->references;
	struct sb keys = {0};
	for (size_t i = 0; all && i < all->n; i++)
		sb_printf(&keys, "%s%s", i ? ", " : "", all->all[i].key);
	rule_err(e, RULE_TRACED, key.p ? placeholder_loc(k->p, key) : k->p->at,
	         "no reference '" STR_FMT "', data/references has %s", STR_ARG(key),
	         keys.n ? keys.p : "none");
	sb_free(&keys);
	return false;
}

/* Splits "3.35" from "TB/s", given as one word or two. */
static bool split(struct kind_call *k, struct cite *c, struct err *e)
{
	struct str w = k->p->word[0];
	size_t digits = 0;
	while (digits < w.n && strchr("0123456789.-+", w.p[digits]) && w.p[digits])
		digits++;
	double v;
	c->value = str_sub(w, 0, digits);
	c->unit = str_sub(w, digits, w.n);
	if (!str_f64(c->value, &v))
		return err_at(e, placeholder_loc(k->p, w),
		              "'" STR_FMT "' is no number, expected <<bench:%s>>", STR_ARG(w),
		              k->kind->usage);
	if (c->unit.n > 0 && k->p->nwords > 1)
		return err_at(e, placeholder_loc(k->p, k->p->word[1]),
		              "'" STR_FMT "' is a second unit", STR_ARG(k->p->word[1]));
	if (c->unit.n == 0 && k->p->nwords > 1)
		c->unit = k->p->word[1];
	return true;
}

static bool typed(struct kind_call *k, struct cite *c, struct err *e)
{
	struct str of = placeholder_key(k->p, "of");
	c->kind = cited_unit(c->unit);
	if (c->unit.n == 0)
		return rule_err(e, RULE_TYPED, k->p->at,
		                "'" STR_FMT "' has no unit, expected one such as GB/s, µs, %% or ×",
		                STR_ARG(c->value));
	if (!c->kind)
		return rule_err(e, RULE_TYPED, placeholder_loc(k->p, c->unit),
		                "'" STR_FMT "' is no unit of performance, expected one such as "
		                "GB/s, µs, %% or ×",
		                STR_ARG(c->unit));
	if (c->kind->needs_of && !unicode_is_visible(of))
		return rule_err(e, RULE_TYPED, placeholder_loc(k->p, c->unit),
		                "%s says what it is of, expected of=\"…\"", c->kind->what);
	struct lint_finding typed_by_hand;
	if (k->ctx->lint && lint_text(k->ctx->lint, of, &typed_by_hand, 1) > 0)
		return rule_err(e, RULE_TRACED, placeholder_loc(k->p, of),
		                "'" STR_FMT "' has a number that is not cited, expected words",
		                STR_ARG(of));
	return true;
}

static void put_title(const struct kind_call *k, const struct cite *c, struct str of, struct sb *to)
{
	const struct reference *r = c->source;
	struct arena *a = k->ctx->arena;
	const char *what = words_label(k->ctx->words, c->kind->what);
	sb_cstr(to,
	        words_fill(k->ctx->words, a, of.p ? "cited_of" : "cited_as", what, str_dup(a, of)));
	sb_printf(to, ": “%s” %s, %s, %s", r->quote, r->authors, r->title, r->date);
}

bool kind_cited(struct kind_call *k, struct err *e)
{
	struct str key = placeholder_key(k->p, "source");
	struct cite c = {.source = reference_find(k->ctx->data->references, key)};
	struct sb title = {0}, text = {0};
	if (!split(k, &c, e) || !typed(k, &c, e))
		return false;
	if (!key.p)
		return rule_err(e, RULE_TRACED, k->p->at,
		                "a cited number names its source, expected <<bench:%s>>",
		                k->kind->usage);
	if (!c.source)
		return no_source(k, key, e);
	if (!cited_in_quote(c.source, c.value, c.unit))
		return rule_err(e, RULE_TRACED, placeholder_loc(k->p, c.value),
		                "'" STR_FMT " " STR_FMT
		                "' does not stand in the quote of '%s': “%s”",
		                STR_ARG(c.value), STR_ARG(c.unit), c.source->key, c.source->quote);
	bool factor = str_is(c.unit, "×") || str_is(c.unit, "x");
	sb_printf(&text, STR_FMT "%s" STR_FMT, STR_ARG(c.value), factor ? "" : NBSP,
	          factor ? (int)strlen("×") : (int)c.unit.n, factor ? "×" : c.unit.p);
	if (k->html) {
		put_title(k, &c, placeholder_key(k->p, "of"), &title);
		html_raw(k->to, "<a class=\"num cited\"");
		html_attribute(k->to, "data-source", key);
		html_attribute(k->to, "title", sb_view(&title));
		html_raw(k->to, " href=\"");
		html_url(k->to, str_of(c.source->url));
		html_raw(k->to, "\">");
		html_text(k->to, sb_view(&text));
		html_raw(k->to, "</a>");
	} else {
		sb_str(k->to, sb_view(&text));
	}
	sb_free(&title);
	sb_free(&text);
	return true;
}
