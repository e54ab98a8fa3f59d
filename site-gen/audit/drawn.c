#include "site-gen/audit/drawn.h"

#include <stdlib.h>

enum { WARP = 32, SECTOR = 32, LINE = 128, WORD = 4, BANKS = 32, MOST_DEPTH = 400 };

/* --- the expression ------------------------------------------------------------------------- */

struct reading {
	struct str s;
	size_t i;
	int depth;
	bool bad;
};

static char take(struct reading *r)
{
	r->bad = r->bad || r->i >= r->s.n;
	return r->bad ? 0 : r->s.p[r->i++];
}

static int64_t number(struct reading *r)
{
	size_t from = r->i;
	int64_t v = 0;
	while (r->i < r->s.n && r->s.p[r->i] >= '0' && r->s.p[r->i] <= '9')
		r->i++;
	r->bad = r->bad || !str_i64(str_sub(r->s, from, r->i), &v);
	return v;
}

static int64_t shifted(struct reading *r, int64_t a, char op, int64_t b)
{
	r->bad = r->bad || a < 0 || b < 0 || b > 62 || (op == '<' && a > INT64_MAX >> b);
	return r->bad ? 0 : op == '<' ? a << b : a >> b;
}

static int64_t combine(struct reading *r, int64_t a, char op, int64_t b)
{
	int64_t v = 0;
	bool over = false;
	if (op == '+' || op == '-')
		over = op == '+' ? __builtin_add_overflow(a, b, &v)
		                 : __builtin_sub_overflow(a, b, &v);
	else if (op == '*')
		over = __builtin_mul_overflow(a, b, &v);
	else if (op == '/' || op == '%')
		over = b == 0 || (b == -1 && a == INT64_MIN);
	else if (op != '&' && op != '^')
		return op == '<' || op == '>' ? shifted(r, a, op, b) : (r->bad = true, 0);
	r->bad = r->bad || over;
	if (r->bad)
		return 0;
	return op == '/'   ? a / b
	       : op == '%' ? a % b
	       : op == '&' ? (a & b)
	       : op == '^' ? (a ^ b)
	                   : v;
}

static int64_t value(struct reading *r, int64_t lane)
{
	if (r->bad || r->i >= r->s.n || ++r->depth > MOST_DEPTH)
		return r->bad = true, 0;
	int64_t v;
	if (r->s.p[r->i] == 'l') {
		r->bad = !str_starts(str_sub(r->s, r->i, r->s.n), "lane");
		r->i += 4;
		v = lane;
	} else if (r->s.p[r->i] == '(') {
		r->i++;
		v = value(r, lane);
		char op = take(r);
		int64_t b = value(r, lane);
		v = combine(r, v, op, b);
		r->bad = r->bad || take(r) != ')';
	} else {
		v = number(r);
	}
	r->depth--;
	return v;
}

/* --- what is touched ------------------------------------------------------------------------- */

struct warp {
	int64_t at[WARP], bytes;
};

static bool read_warp(struct str expression, struct warp *w)
{
	for (int i = 0; i < WARP; i++) {
		struct reading r = {.s = expression};
		w->at[i] = value(&r, i);
		if (r.bad || r.i != expression.n || w->at[i] < 0 || w->at[i] > INT64_MAX / LINE)
			return false;
	}
	return true;
}

/* How many different pieces of `unit` bytes lanes [from, to) touch, if `bank` < 0 or in a bank. */
static int touched(const struct warp *w, int from, int to, int unit, int bank)
{
	int64_t seen[WARP * 16];
	int n = 0;
	for (int i = from; i < to; i++)
		for (int64_t b = w->at[i]; b < w->at[i] + w->bytes; b++) {
			int64_t piece = b / unit;
			int k = 0;
			while (k < n && seen[k] != piece)
				k++;
			if (k == n && (bank < 0 || piece % BANKS == bank))
				seen[n++] = piece;
		}
	return n;
}

static int groups_of(const struct warp *w)
{
	return w->bytes > WORD ? (int)w->bytes / WORD : 1;
}

static int passes(const struct warp *w)
{
	int all = 0, groups = groups_of(w), each = WARP / groups;
	for (int g = 0; g < groups; g++) {
		int most = 0;
		for (int b = 0; b < BANKS; b++) {
			int n = touched(w, g * each, (g + 1) * each, WORD, b);
			most = n > most ? n : most;
		}
		all += most;
	}
	return all;
}

/* --- the number ------------------------------------------------------------------------------ */

/* Its unit, "" for none; NULL: `what` is nothing. */
static const char *derive(struct str what, const struct warp *w, double *out)
{
	double used = touched(w, 0, WARP, 1, -1);
	double sectors = touched(w, 0, WARP, SECTOR, -1), lines = touched(w, 0, WARP, LINE, -1);
	if (str_is(what, "sectors") || str_is(what, "lines")) {
		*out = str_is(what, "lines") ? lines : sectors;
		return "";
	}
	if (str_is(what, "moved") || str_is(what, "line-bytes") || str_is(what, "used")) {
		*out = str_is(what, "used")    ? used
		       : str_is(what, "moved") ? SECTOR * sectors
		                               : LINE * lines;
		return "B";
	}
	if (str_is(what, "share") || str_is(what, "line-share")) {
		*out = 100 * used / (str_is(what, "share") ? SECTOR * sectors : LINE * lines);
		return "%";
	}
	if (str_is(what, "passes") || str_is(what, "least") || str_is(what, "conflicts")) {
		*out = str_is(what, "least")    ? groups_of(w)
		       : str_is(what, "passes") ? passes(w)
		                                : passes(w) - groups_of(w);
		return "";
	}
	return NULL;
}

bool audit_drawn(struct str rest, struct sb *to, double *out, struct err *e)
{
	struct str what, bytes;
	struct warp w;
	if (!str_cut(rest, ' ', &what, &rest) || !str_cut(rest, ' ', &bytes, &rest) ||
	    !str_i64(bytes, &w.bytes) || w.bytes < 1 || w.bytes > 16 || (w.bytes & (w.bytes - 1)) ||
	    !read_warp(rest, &w))
		return err_set(e, "'" STR_FMT "' is no access of a warp", STR_ARG(rest));
	const char *unit = derive(what, &w, out);
	if (!unit)
		return err_set(e, "'" STR_FMT "' is nothing that a diagram says", STR_ARG(what));
	if (str_is(str_of(unit), "%"))
		sb_printf(to, "%.3g" NBSP "%%", *out);
	else
		sb_printf(to, *unit ? "%.0f" NBSP "%s" : "%.0f%s", *out, unit);
	return true;
}
