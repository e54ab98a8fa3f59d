/*
 * site-gen/diagram/index.h - index expressions of kernels: which element does a lane ask for? They
 * are integer arithmetic as C has it, with names.
 *
 *   access  -> name '[' sum ']' [ '[' sum ']' ] [ '[' sum ']' ]  |  sum
 *   sum     -> operands joined by ^ & << >> + - * / %, in C's order of precedence
 *   operand -> number | name | 'sizeof' '(' name ')' | '(' type ')' operand | '(' sum ')'
 *            | '-' operand
 *
 * A type is one of C's integer types; a cast to it changes nothing. The built-in names are `lane`
 * (0 to 31) or `thread` (of a block), `step` (of a loop), and `row` and `col` of a tile. All others
 * have to be bound first. Values have 64 bits; what does not fit, divides by zero or shifts too far
 * is an error. There is no '|', which no placeholder may contain.
 */
#ifndef SITE_GEN_DIAGRAM_INDEX_H
#define SITE_GEN_DIAGRAM_INDEX_H

#include <stdint.h>

#include "lib/err.h"
#include "site-gen/base/placeholder.h"

enum { INDEX_MOST_NODES = 160, INDEX_MOST_NAMES = 24, INDEX_MOST_CLOSED = 4096 };

/* A value of an expression: a number, a built-in name, or an operation on two nodes before it. */
struct index_node {
	char op; /* '#' number; 'l' lane, 's' step, 'r' row, 'c' col; else an operator, '<', '>'
	            shift */
	int64_t value;
	int a, b;
};

struct index_name {
	struct str name;
	int node;
};

/* The expressions of one placeholder. Start with all zero, but for `p`. */
struct index {
	const struct placeholder *p; /* gives errors their place */
	int64_t size;                /* what sizeof() is */
	struct index_node node[INDEX_MOST_NODES];
	int nnodes;
	struct index_name name[INDEX_MOST_NAMES];
	int nnames;
};

/* The built-in names at one moment. */
struct index_at {
	int64_t lane, row, col, step;
};

/* Binds a name to a number. False: too many names. */
bool index_bind(struct index *x, struct str name, int64_t value);
/* Binds a list: "x = lane, i = 0, PAD = 4 / sizeof(T)". A later value may use earlier names. */
MUST_CHECK bool index_let(struct index *x, struct str list, struct err *e);
/* Reads a sum; *node is its value. The text must lie in the placeholder. */
MUST_CHECK bool index_sum(struct index *x, struct str text, int *node, struct err *e);
/*
 * Reads an access. `pitch`: elements from one row to the next; -1: there are no rows. Of three
 * indices the first names a plane, and adds nothing.
 */
MUST_CHECK bool index_access(struct index *x, struct str text, int pitch, int *node, struct err *e);

/* The value of a node. `of` is the text that it was read from, for errors. */
MUST_CHECK bool index_value(const struct index *x, int node, struct index_at at, struct str of,
                            int64_t *out, struct err *e);
/*
 * Writes a node with all names replaced, fully in parentheses: "((lane*33)+2)". `row` and `col` are
 * what replaces those two: "lane" or a number; the step is 0. The audit reads it (audit/drawn.h).
 * False: it has more than INDEX_MOST_CLOSED bytes, which names of names can make of a short text.
 */
MUST_CHECK bool index_closed(const struct index *x, int node, const char *row, const char *col,
                             struct sb *to, struct err *e);

#endif
