#include "site-gen/kinds/diagram_lengths.h"

#include <string.h>

#include "lib/array.h"

/* --- lengths= ------------------------------------------------------------------------------ */

static int find(const struct lengths *l, struct str name)
{
	int i = 0;
	while (i < l->n && !str_eq(l->of[i].name, name))
		i++;
	return i;
}

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= 'a' && s.p[i] <= 'z') &&
		    !(i > 0 && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '_')))
			return false;
	return s.n > 0;
}

static void keep_picks(struct lengths *l, const struct derivation *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct pick *p = &d->number[i].n.pick;
		size_t k = 0;
		while (k < l->npicks && l->pick[k].d != p->d)
			k++;
		if (k == l->npicks && k < LENGTHS_MOST_PICKS)
			l->pick[l->npicks++] = *p;
	}
}

/* "kernels = 32 * [gemv/row:layer=o time]" */
static bool read_one(struct lengths *l, struct str text, struct err *e)
{
	struct str name, expression;
	struct length *own = &l->of[l->n];
	struct derived_made m;
	struct loc at = placeholder_loc(l->k->p, text);
	if (!str_cut(text, '=', &name, &expression) || !is_name(str_trim(name)))
		return err_at(e, at,
		              "'" STR_FMT
		              "' does not name a length, expected NAME = EXPRESSION, the name of "
		              "small letters, digits and _",
		              STR_ARG(text));
	*own = (struct length){.name = str_trim(name), .expression = str_trim(expression)};
	if (find(l, own->name) < l->n)
		return err_at(e, at, "the length '" STR_FMT "' is there twice", STR_ARG(own->name));
	if (l->n == LENGTHS_MOST - 1)
		return err_at(e, at, "more than %d lengths", LENGTHS_MOST - 1);
	if (!derived_make(l->k, own->expression, (struct str){0}, &m, e))
		return false;
	if (!(m.n.value > 0))
		return err_at(e, at, "the length '" STR_FMT "' is %.3g %s, expected more than 0",
		              STR_ARG(own->name), m.n.value, m.n.si);
	own->value = m.n.value;
	keep_picks(l, &m.d);
	l->n++;
	return true;
}

bool lengths_read(struct kind_call *k, struct lengths *l, struct err *e)
{
	struct str list = placeholder_key(k->p, "lengths"), one;
	*l = (struct lengths){.k = k};
	if (!list.p)
		return true;
	for (bool more = true; more;) {
		more = str_cut(list, ';', &one, &list);
		if (!read_one(l, str_trim(one), e))
			return false;
	}
	return true;
}

/* --- places -------------------------------------------------------------------------------- */

static bool unknown(const struct lengths *l, struct str name, struct err *e)
{
	struct sb all = {0};
	for (int i = 0; i < l->n; i++)
		sb_printf(&all, "%s" STR_FMT, i ? ", " : "", STR_ARG(l->of[i].name));
	unchecked(err_at(e, placeholder_loc(l->k->p, name),
	                 "no length '" STR_FMT "' in lengths=, expected 0 or a sum of some of %s",
	                 STR_ARG(name), all.p));
	sb_free(&all);
	return false;
}

bool lengths_place(struct lengths *l, struct str written, struct length_sum *out, struct err *e)
{
	struct str rest = written, one;
	*out = (struct length_sum){{0}};
	if (str_is(written, "0"))
		return true;
	for (bool more = true; more;) {
		more = str_cut(rest, '+', &one, &rest);
		int i = find(l, one);
		if (i == l->n)
			return unknown(l, one, e);
		out->times[i]++;
		l->of[i].used = true;
	}
	return true;
}

bool lengths_are_used(const struct lengths *l, struct err *e)
{
	for (int i = 0; i < l->n; i++)
		if (!l->of[i].used)
			return err_at(e, placeholder_loc(l->k->p, l->of[i].name),
			              "the length '" STR_FMT "' is in no step",
			              STR_ARG(l->of[i].name));
	return true;
}

double lengths_value(const struct lengths *l, const struct length_sum *of)
{
	double sum = 0;
	for (int i = 0; i < l->n; i++)
		sum += of->times[i] * l->of[i].value;
	return sum;
}

struct length_sum lengths_between(const struct length_sum *from, const struct length_sum *to)
{
	struct length_sum out;
	for (int i = 0; i < LENGTHS_MOST; i++)
		out.times[i] = to->times[i] - from->times[i];
	return out;
}

/* --- numbers ------------------------------------------------------------------------------- */

/* May it stand in a sum as it is? A measured number may, and what has no operator. */
static bool is_factor(struct str expression)
{
	size_t end = str_find(expression, ']', 0);
	return expression.p[0] == '[' ? end + 1 == expression.n
	                              : str_find(expression, ' ', 0) >= expression.n;
}

static void put_terms(const struct lengths *l, const struct length_sum *of, int sign, struct sb *to)
{
	for (int i = 0; i < l->n; i++) {
		struct str expression = l->of[i].expression;
		int times = sign * of->times[i];
		if (times <= 0)
			continue;
		if (to->n)
			sb_cstr(to, sign < 0 ? " - " : " + ");
		if (times > 1)
			sb_printf(to, "%d * ", times);
		bool alone = is_factor(expression) || (sign > 0 && times == 1);
		sb_printf(to, alone ? STR_FMT : "(" STR_FMT ")", STR_ARG(expression));
	}
}

/* The length that the sum is, if it is a single one. */
static const struct length *single(const struct lengths *l, const struct length_sum *of)
{
	const struct length *found = NULL;
	for (int i = 0; i < l->n; i++) {
		if (of->times[i] == 0)
			continue;
		if (found || of->times[i] != 1)
			return NULL;
		found = &l->of[i];
	}
	return found;
}

bool lengths_number(struct lengths *l, const struct length_sum *of, struct str at,
                    struct derived_made *out, struct err *e)
{
	const struct length *only = single(l, of);
	struct sb text = {0};
	if (only)
		return derived_make(l->k, only->expression, at, out, e);
	put_terms(l, of, 1, &text);
	put_terms(l, of, -1, &text);
	return derived_make(l->k, str_of(sb_take(l->k->ctx->arena, &text)), at, out, e);
}
