/*
 * derived: arithmetic over datasheet numbers with checked dimensions, so that a
 * derivation on a page is computed, not typed. A result that is a time, a rate or
 * a share must depend on a datasheet number.
 *
 *   expr   -> term { ('+' | '-') term }
 *   term   -> factor { ('*' | '/') factor }
 *   factor -> number [ 'FLOP' | 'B' | 's' ] | 'spec:' key [ '@' device ] | '(' expr ')'
 */
#include "lib/array.h"
#include "site-gen/kinds/kinds.h"

#include "site-gen/base/html.h"

#include <math.h>
#include <string.h>

/* A value in SI base units with the exponents of FLOP, byte and second. */
struct quantity {
	double value;
	int flop, byte, second;
};

struct parse {
	struct kind_call *k;
	struct str s; /* the expression */
	size_t i;
	bool sizes;   /* it has a literal of bytes or operations */
	bool shifted; /* evaluate with changed datasheet numbers */
	struct err *e;
};

static const struct {
	const char *unit;
	int flop, byte, second;
	double scale;
} units[] = {
        {"s", 0, 0, 1, 1},    {"B", 0, 1, 0, 1},       {"B/s", 0, 1, -1, 1},
        {"FLOP", 1, 0, 0, 1}, {"FLOP/s", 1, 0, -1, 1}, {"FLOP/B", 1, -1, 0, 1},
        {"%", 0, 0, 0, 100},  {"×", 0, 0, 0, 1},       {"tokens/s", 0, 0, -1, 1},
};

enum { NUNITS = ARRAY_LEN(units), MAX_DEPTH = 16 };

static bool fail(struct parse *p, const char *want)
{
	struct str at = str_sub(p->s, p->i, p->s.n);
	return rule_err(p->e, RULE_TYPED, placeholder_loc(p->k->p, at),
	                "'" STR_FMT "' in a derivation, expected %s", STR_ARG(at), want);
}

static char peek(struct parse *p)
{
	while (p->i < p->s.n && p->s.p[p->i] == ' ')
		p->i++;
	return p->i < p->s.n ? p->s.p[p->i] : 0;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.' || c == ':' || c == '@';
}

static struct str word(struct parse *p)
{
	size_t from = p->i;
	while (p->i < p->s.n && is_word(p->s.p[p->i]))
		p->i++;
	return str_sub(p->s, from, p->i);
}

/* Parses the unit of a literal: a base unit, or none. */
static void literal_unit(struct parse *p, struct quantity *q)
{
	peek(p);
	size_t from = p->i;
	struct str w = word(p);
	q->flop = str_is(w, "FLOP");
	q->byte = str_is(w, "B");
	q->second = str_is(w, "s");
	p->sizes = p->sizes || q->flop || q->byte;
	if (!q->flop && !q->byte && !q->second)
		p->i = from;
}

static bool unit_of(const char *si, struct quantity *q)
{
	for (int i = 0; i < NUNITS; i++) {
		if (strcmp(units[i].unit, si) != 0)
			continue;
		q->flop = units[i].flop;
		q->byte = units[i].byte;
		q->second = units[i].second;
		return true;
	}
	return false;
}

/* A factor between 1.1 and 1.9 that depends only on the datasheet number. */
static double shift_of(const struct data_spec *s)
{
	unsigned h = 5381;
	for (const char *c = s->device; *c; c++)
		h = 33 * h + (unsigned char)*c;
	for (const char *c = s->key; *c; c++)
		h = 33 * h + (unsigned char)*c;
	return 1.1 + 0.8 * (h % 9973) / 9973;
}

static bool spec_quantity(struct parse *p, struct str name, struct quantity *q)
{
	struct str key, device;
	if (!str_cut(str_sub(name, strlen("spec:"), name.n), '@', &key, &device))
		device = placeholder_key(p->k->p, "device");
	if (!device.p)
		device = str_of(query_default_device(p->k->ctx));
	const struct data_spec *s = kind_spec_find(p->k, device, key, p->e);
	if (!s)
		return false;
	if (!unit_of(s->si, q))
		return err_at(p->e, placeholder_loc(p->k->p, name),
		              "spec '%s' is in %s, which derivations do not know", s->key, s->si);
	q->value = p->shifted ? s->value * shift_of(s) : s->value;
	return true;
}

static bool expr(struct parse *p, int depth, struct quantity *q);

static bool factor(struct parse *p, int depth, struct quantity *q)
{
	char c = peek(p);
	size_t from = p->i;
	if (c == '(') {
		p->i++;
		if (depth == MAX_DEPTH || !expr(p, depth + 1, q))
			return depth == MAX_DEPTH ? fail(p, "fewer nested brackets") : false;
		if (peek(p) != ')')
			return fail(p, "')'");
		p->i++;
		return true;
	}
	struct str w = word(p);
	if (str_starts(w, "spec:"))
		return spec_quantity(p, w, q);
	*q = (struct quantity){0};
	if (str_f64(w, &q->value)) {
		literal_unit(p, q);
		return true;
	}
	p->i = from;
	return fail(p, "a number, spec:KEY or '('");
}

static bool term(struct parse *p, int depth, struct quantity *q)
{
	if (!factor(p, depth, q))
		return false;
	for (char c = peek(p); c == '*' || c == '/'; c = peek(p)) {
		struct quantity r;
		int sign = c == '*' ? 1 : -1;
		p->i++;
		if (!factor(p, depth, &r))
			return false;
		q->value = c == '*' ? q->value * r.value : q->value / r.value;
		q->flop += sign * r.flop;
		q->byte += sign * r.byte;
		q->second += sign * r.second;
	}
	return true;
}

static bool expr(struct parse *p, int depth, struct quantity *q)
{
	if (!term(p, depth, q))
		return false;
	for (char c = peek(p); c == '+' || c == '-'; c = peek(p)) {
		struct quantity r;
		p->i++;
		if (!term(p, depth, &r))
			return false;
		if (r.flop != q->flop || r.byte != q->byte || r.second != q->second)
			return fail(p, "both sides of + and - in the same unit");
		q->value += c == '+' ? r.value : -r.value;
	}
	return true;
}

/* Converts to the requested unit, which must have the dimensions of the result. */
static bool in_unit(struct parse *p, const struct quantity *q, struct number *n)
{
	struct str unit = placeholder_key(p->k->p, "unit");
	for (int i = 0; i < NUNITS; i++) {
		if (!str_is(unit, units[i].unit))
			continue;
		if (units[i].flop != q->flop || units[i].byte != q->byte ||
		    units[i].second != q->second)
			return rule_err(p->e, RULE_TYPED, placeholder_loc(p->k->p, unit),
			                "the derivation is in FLOP^%d B^%d s^%d, which is not '%s'",
			                q->flop, q->byte, q->second, units[i].unit);
		*n = (struct number){.value = q->value * units[i].scale, .si = units[i].unit};
		n->lo = n->hi = n->value;
		return true;
	}
	return rule_err(
	        p->e, RULE_TYPED, p->k->p->at,
	        "a derivation needs its unit, expected unit= one of s, B, B/s, FLOP, FLOP/s, "
	        "FLOP/B, %%, ×, tokens/s");
}

/* Would the result change with the datasheet's numbers? That of spec:x / spec:x would not. */
static bool depends(const struct parse *p, const struct quantity *q)
{
	struct err ignored = ERR_NONE;
	struct parse again = {.k = p->k, .s = p->s, .shifted = true, .e = &ignored};
	struct quantity r;
	return expr(&again, 0, &r) && !(fabs(r.value - q->value) <= 1e-9 * fabs(q->value));
}

/*
 * Rule `traced`: a text may state sizes (bytes and operations) and their ratios, but a time, a rate
 * or a share must depend on a datasheet number.
 */
static bool is_traced(struct parse *p, const struct quantity *q)
{
	bool size = q->second == 0 && (q->byte || q->flop);
	bool times = p->sizes && str_is(placeholder_key(p->k->p, "unit"), "×");
	return size || times || depends(p, q) ||
	       rule_err(p->e, RULE_TRACED, placeholder_loc(p->k->p, p->s),
	                "a derivation that looks nothing up is a number typed by hand, "
	                "expected a result that depends on a spec:KEY");
}

/*
 * Records the number as a fact of the page; returns its key. A number that no data sheet changes
 * is the site's device's, so that a page over several devices prints it once.
 */
static const char *derived_fact(struct kind_call *k, const struct number *n, bool depends)
{
	struct arena *a = k->ctx->arena;
	struct str device = placeholder_key(k->p, "device");
	struct sb text = {0};
	if (!device.p)
		device = str_of(depends ? query_default_device(k->ctx)
		                        : k->ctx->data->default_device);
	number_text(n, &text);
	const char *key = arena_printf(a, "derived " STR_FMT " " STR_FMT " %s", STR_ARG(device),
	                               STR_ARG(k->p->word[0]), n->si);
	number_fact(k->ctx, (struct fact){.key = key,
	                                  .text = str_dup(a, sb_view(&text)),
	                                  .unit = n->si,
	                                  .value = n->value});
	sb_free(&text);
	return key;
}

bool kind_derived(struct kind_call *k, struct err *e)
{
	struct parse p = {.k = k, .s = k->p->word[0], .e = e};
	struct quantity q;
	struct number n;
	if (!expr(&p, 0, &q))
		return false;
	if (peek(&p))
		return fail(&p, "an operator or the end");
	if (!isfinite(q.value))
		return err_at(e, placeholder_loc(k->p, k->p->word[0]),
		              "the derivation divides by zero");
	if (!in_unit(&p, &q, &n) || !is_traced(&p, &q))
		return false;
	const char *key = derived_fact(k, &n, depends(&p, &q));
	if (!k->html) {
		number_text(&n, k->to);
		return true;
	}
	html_raw(k->to, "<span class=\"num derived\" title=\"");
	html_attr(k->to, str_of(words_get(k->ctx->words, "derived")));
	sb_char(k->to, ' ');
	html_attr(k->to, k->p->word[0]);
	html_raw(k->to, "\" data-n=\"");
	html_attr(k->to, str_of(key));
	html_raw(k->to, "\">");
	struct sb text = {0};
	number_text(&n, &text);
	html_text(k->to, sb_view(&text));
	html_raw(k->to, "</span>");
	sb_free(&text);
	return true;
}
