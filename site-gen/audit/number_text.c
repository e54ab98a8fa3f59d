/* The printed forms of numbers, made again. */
#include "site-gen/audit/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(const struct unit_text *u, struct sb *to)
{
	sb_printf(to, "%s%s%s", u->number, *u->unit && strcmp(u->unit, "×") != 0 ? NBSP : "",
	          u->unit);
}

void audit_number_text(const struct audit_number *n, struct sb *to)
{
	struct unit_text u;
	for (int i = 0; i < 2 && n->at_speed[0]; i++) {
		unit_format(n->speed[i], 0, n->si, &u);
		sb_cstr(to, i ? " / " : "");
		put(&u, to);
	}
	if (n->at_speed[0])
		return;
	unit_format(n->value, (n->hi - n->lo) / 2, n->si, &u);
	put(&u, to);
}

bool audit_number_loss(const struct audit_number *n, struct sb *to)
{
	double percent = 100 - 100 * n->value;
	if (n->kind != AUDIT_RATIO || n->hi >= 1)
		return false;
	sb_printf(to, percent < 0.95 ? "−%.2f" NBSP "%%" : "−%.1f" NBSP "%%", percent);
	return true;
}

void audit_number_amount(const struct audit_number *n, struct sb *to)
{
	struct unit_text u;
	unit_format(n->value, 0, n->si, &u);
	put(&u, to);
}

void audit_number_range(const struct audit_number *n, struct sb *to)
{
	struct unit_text u, lo, hi;
	unit_format(n->value, (n->hi - n->lo) / 2, n->si, &u);
	unit_format_as(n->lo, u.scale, u.decimals + 1, u.unit, &lo);
	unit_format_as(n->hi, u.scale, u.decimals + 1, u.unit, &hi);
	sb_printf(to, "%s–", lo.number);
	put(&hi, to);
}

void audit_bounds_text(double lo, double hi, const char *si, struct sb *to)
{
	struct unit_text a, b;
	unit_format(lo, (hi - lo) / 2, si, &a);
	unit_format_as(hi, a.scale, a.decimals, a.unit, &b);
	if (strcmp(a.number, b.number) != 0)
		sb_printf(to, "%s–", a.number);
	sb_printf(to, "%s" NBSP "%s", b.number, b.unit);
}

void audit_number_interval(const struct audit_number *n, struct sb *to)
{
	double percent = fmax(100 * ((n->hi - n->lo) / 2) / fabs(n->value), 0.01);
	if (!(n->hi > n->lo))
		return;
	sb_cstr(to, "±");
	if (percent > 100)
		sb_cstr(to, ">100");
	else
		sb_printf(to, "%.*f", percent < 0.095 ? 2 : percent < 9.5 ? 1 : 0, percent);
	sb_cstr(to, NBSP "%");
}

void audit_spec_text(double value, const char *si, struct sb *to)
{
	enum { MOST = 4 };
	struct unit_text u, v;
	unit_format(value, 0, si, &u);
	for (int decimals = 0; decimals <= MOST; decimals++) {
		double back;
		unit_format_as(value, u.scale, decimals, u.unit, &v);
		if (str_f64(str_of(v.number), &back) &&
		    fabs(back * u.scale - value) <= 1e-9 * value)
			break;
	}
	put(&v, to);
}
