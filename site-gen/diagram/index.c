#include "site-gen/diagram/index.h"

#include <string.h>

#include "lib/array.h"

/* Where a text is being read. */
struct reading {
	struct index *x;
	struct str s;
	size_t i;
	int depth;
	struct err *e;
};

enum { MOST_DEPTH = 24, MOST_INDICES = 3, NONE = -1 };

/* --- small things ------------------------------------------------------------------- */

static char peek(struct reading *r)
{
	while (r->i < r->s.n && r->s.p[r->i] == ' ')
		r->i++;
	return r->i < r->s.n ? r->s.p[r->i] : 0;
}

static bool take(struct reading *r, char c)
{
	if (peek(r) != c)
		return false;
	r->i++;
	return true;
}

static int fail(struct reading *r, const char *want)
{
	struct str rest = str_sub(r->s, r->i, r->s.n);
	unchecked(rest.n ? err_at(r->e, placeholder_loc(r->x->p, rest),
	                          "expected %s in the index expression, got '" STR_FMT "'", want,
	                          STR_ARG(rest))
	                 : err_at(r->e, placeholder_loc(r->x->p, r->s),
	                          "the index expression '" STR_FMT "' ends early, expected %s",
	                          STR_ARG(r->s), want));
	return NONE;
}

static int add(struct reading *r, char op, int64_t value, int a, int b)
{
	struct index *x = r->x;
	if (x->nnodes == INDEX_MOST_NODES)
		return fail(r, "fewer numbers, names and operators");
	x->node[x->nnodes] = (struct index_node){op, value, a, b};
	return x->nnodes++;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* threadIdx.x is a name, too. */
static struct str take_name(struct reading *r)
{
	size_t from = r->i;
	while (r->i < r->s.n && (is_letter(r->s.p[r->i]) || is_digit(r->s.p[r->i]) ||
	                         (r->s.p[r->i] == '.' && r->i > from)))
		r->i++;
	return str_sub(r->s, from, r->i);
}

/* --- operands ----------------------------------------------------------------------- */

static int sum(struct reading *r, int least);

static int number(struct reading *r)
{
	size_t from = r->i;
	int64_t value;
	while (r->i < r->s.n && is_digit(r->s.p[r->i]))
		r->i++;
	if (!str_i64(str_sub(r->s, from, r->i), &value)) {
		r->i = from;
		return fail(r, "a number of at most 64 bits");
	}
	if (r->i < r->s.n && r->s.p[r->i] == 'u')
		r->i++;
	return add(r, '#', value, NONE, NONE);
}

static int size_of(struct reading *r)
{
	if (!take(r, '('))
		return fail(r, "'(' after sizeof");
	peek(r);
	if (take_name(r).n == 0 || !take(r, ')'))
		return fail(r, "a type and ')'");
	return add(r, '#', r->x->size, NONE, NONE);
}

static int named(struct reading *r)
{
	static const struct {
		const char *name;
		char op;
	} built_in[] = {{"lane", 'l'}, {"thread", 'l'}, {"step", 's'}, {"row", 'r'}, {"col", 'c'}};
	size_t from = r->i;
	struct str name = take_name(r);
	if (str_is(name, "sizeof"))
		return size_of(r);
	for (int i = r->x->nnames; i-- > 0;) /* the last binding counts */
		if (str_eq(r->x->name[i].name, name))
			return r->x->name[i].node;
	for (size_t i = 0; i < ARRAY_LEN(built_in); i++)
		if (str_is(name, built_in[i].name))
			return add(r, built_in[i].op, 0, NONE, NONE);
	r->i = from;
	return fail(
	        r,
	        "lane, thread, step, row, col, a parameter of the case or a name that let= binds");
}

static bool is_type(struct str s)
{
	static const char *const types[] = {"size_t",   "int",      "unsigned", "int64_t",
	                                    "uint64_t", "uint32_t", "long"};
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (str_is(s, types[i]))
			return true;
	return false;
}

/* Passes over "(size_t)". */
static bool cast(struct reading *r)
{
	size_t from = r->i;
	if (take(r, '(') && peek(r) && is_type(take_name(r)) && take(r, ')'))
		return true;
	r->i = from;
	return false;
}

static int operand(struct reading *r)
{
	char c = peek(r);
	int v;
	if (++r->depth > MOST_DEPTH)
		return fail(r, "fewer parentheses");
	if (c == '(' && cast(r)) {
		v = operand(r);
	} else if (take(r, '(')) {
		v = sum(r, 0);
		if (v != NONE && !take(r, ')'))
			return fail(r, "')'");
	} else if (take(r, '-')) {
		int zero = add(r, '#', 0, NONE, NONE);
		v = operand(r);
		v = zero == NONE || v == NONE ? NONE : add(r, '-', 0, zero, v);
	} else {
		v = is_digit(c)    ? number(r)
		    : is_letter(c) ? named(r)
		                   : fail(r, "a number or a name");
	}
	r->depth--;
	return v;
}

/* --- operators ---------------------------------------------------------------------- */

/* C's order: the higher, the closer it binds. */
static const struct sign {
	const char *text;
	char op;
	int level;
} signs[] = {{"^", '^', 1}, {"&", '&', 2}, {"<<", '<', 3}, {">>", '>', 3}, {"+", '+', 4},
             {"-", '-', 4}, {"*", '*', 5}, {"/", '/', 5},  {"%", '%', 5}};

static const struct sign *sign_at(struct reading *r)
{
	if (!peek(r))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (str_starts(str_sub(r->s, r->i, r->s.n), signs[i].text))
			return &signs[i];
	return NULL;
}

static int sum(struct reading *r, int least)
{
	const struct sign *o;
	int v = operand(r);
	while (v != NONE && (o = sign_at(r)) && o->level > least) {
		r->i += strlen(o->text);
		int w = sum(r, o->level);
		v = w == NONE ? NONE : add(r, o->op, 0, v, w);
	}
	return v;
}

static bool ends(struct reading *r)
{
	return !peek(r) || fail(r, "an operator or the end") != NONE;
}

/* --- whole texts -------------------------------------------------------------------- */

bool index_bind(struct index *x, struct str name, int64_t value)
{
	struct err ignored = ERR_NONE; /* too many nodes: the caller says so, too */
	struct reading r = {.x = x, .s = name, .e = &ignored};
	if (x->nnames == INDEX_MOST_NAMES)
		return false;
	int node = add(&r, '#', value, NONE, NONE);
	x->name[x->nnames++] = (struct index_name){name, node};
	return node != NONE;
}

bool index_sum(struct index *x, struct str text, int *node, struct err *e)
{
	struct reading r = {.x = x, .s = text, .e = e};
	*node = sum(&r, 0);
	return *node != NONE && ends(&r);
}

bool index_let(struct index *x, struct str list, struct err *e)
{
	struct str one, value;
	for (bool more = true; more;) {
		struct index_name n;
		more = str_cut(list, ',', &one, &list);
		struct reading r = {.x = x, .s = one, .e = e};
		if (!is_letter(peek(&r)))
			return fail(&r, "a name") != NONE;
		n.name = take_name(&r);
		if (!take(&r, '='))
			return fail(&r, "'=' after the name") != NONE;
		value = str_sub(one, r.i, one.n);
		if (!index_sum(x, value, &n.node, e))
			return false;
		if (x->nnames == INDEX_MOST_NAMES)
			return err_at(e, placeholder_loc(x->p, one), "more than %d names",
			              INDEX_MOST_NAMES);
		x->name[x->nnames++] = n;
	}
	return true;
}

/* The values in brackets, at least one. */
static bool brackets(struct reading *r, int value[MOST_INDICES], int *n)
{
	for (*n = 0; take(r, '['); ++*n) {
		if (*n == MOST_INDICES)
			return fail(r, "at most three indices") != NONE;
		value[*n] = sum(r, 0);
		if (value[*n] == NONE)
			return false;
		if (!take(r, ']'))
			return fail(r, "']'") != NONE;
	}
	return *n > 0 ? ends(r) : fail(r, "'[' after the name of an array") != NONE;
}

bool index_access(struct index *x, struct str text, int pitch, int *node, struct err *e)
{
	struct reading r = {.x = x, .s = text, .e = e};
	int value[MOST_INDICES] = {NONE, NONE, NONE}, n;
	if (str_find(text, '[', 0) == text.n)
		return index_sum(x, text, node, e);
	peek(&r);
	if (take_name(&r).n == 0)
		return fail(&r, "the name of an array") != NONE;
	if (!brackets(&r, value, &n))
		return false;
	*node = value[0];
	if (n == 1)
		return true;
	if (pitch == NONE)
		return err_at(e, placeholder_loc(x->p, text),
		              "'" STR_FMT
		              "' has more than one index, expected pitch= as well: how many "
		              "elements a row has",
		              STR_ARG(text));
	int rows = add(&r, '*', 0, value[n - 2], pitch);
	*node = rows == NONE ? NONE : add(&r, '+', 0, rows, value[n - 1]);
	return *node != NONE;
}

/* --- values ------------------------------------------------------------------------- */

/* NULL: *out is the value; else what is wrong. */
static const char *apply(char op, int64_t a, int64_t b, int64_t *out)
{
	enum { BITS = 63 };
	static const char too_large[] = "is larger than 64 bits hold";
	switch (op) {
	case '+':
		return __builtin_add_overflow(a, b, out) ? too_large : NULL;
	case '-':
		return __builtin_sub_overflow(a, b, out) ? too_large : NULL;
	case '*':
		return __builtin_mul_overflow(a, b, out) ? too_large : NULL;
	case '/':
	case '%':
		if (b == 0 || (a == INT64_MIN && b == -1))
			return b == 0 ? "divides by zero" : too_large;
		*out = op == '/' ? a / b : a % b;
		return NULL;
	case '<':
	case '>':
		if (b < 0 || b >= BITS || a < 0)
			return "shifts a negative number, or by more than it has bits";
		if (op == '<' && a > INT64_MAX >> b)
			return too_large;
		*out = op == '<' ? a << b : a >> b;
		return NULL;
	default:
		*out = op == '&' ? (a & b) : (a ^ b);
		return NULL;
	}
}

static bool is_built_in(char op)
{
	return strchr("lsrc", op) != NULL;
}

/* Nodes come after those that they use, so one pass over them is enough. */
bool index_value(const struct index *x, int node, struct index_at at, struct str of, int64_t *out,
                 struct err *e)
{
	int64_t value[INDEX_MOST_NODES] = {0};
	const char *why[INDEX_MOST_NODES] = {NULL};
	for (int i = 0; i <= node; i++) {
		const struct index_node *n = &x->node[i];
		if (n->op == '#')
			value[i] = n->value;
		else if (is_built_in(n->op))
			value[i] = n->op == 'l'   ? at.lane
			           : n->op == 's' ? at.step
			           : n->op == 'r' ? at.row
			                          : at.col;
		else
			why[i] = why[n->a]   ? why[n->a]
			         : why[n->b] ? why[n->b]
			                     : apply(n->op, value[n->a], value[n->b], &value[i]);
	}
	*out = value[node];
	return !why[node] ||
	       err_at(e, placeholder_loc(x->p, of),
	              "'" STR_FMT "' %s, with lane %lld, row %lld, col %lld", STR_ARG(of),
	              why[node], (long long)at.lane, (long long)at.row, (long long)at.col);
}

static void put_closed(const struct index *x, int node, const char *row, const char *col,
                       struct sb *to)
{
	const struct index_node *n = &x->node[node];
	if (to->n > INDEX_MOST_CLOSED)
		return;
	if (n->op == '#') {
		sb_printf(to, "%lld", (long long)n->value);
	} else if (is_built_in(n->op)) {
		sb_cstr(to, n->op == 'l' ? "lane" : n->op == 's' ? "0" : n->op == 'r' ? row : col);
	} else {
		sb_char(to, '(');
		put_closed(x, n->a, row, col, to);
		sb_char(to, n->op);
		put_closed(x, n->b, row, col, to);
		sb_char(to, ')');
	}
}

bool index_closed(const struct index *x, int node, const char *row, const char *col, struct sb *to,
                  struct err *e)
{
	put_closed(x, node, row, col, to);
	return to->n <= INDEX_MOST_CLOSED ||
	       err_at(e, x->p->at,
	              "an index expression has more than %d characters, its names "
	              "replaced",
	              INDEX_MOST_CLOSED);
}
