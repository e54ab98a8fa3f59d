/*
 * lib/err.h - one error type, with a place.
 *
 * A function that can fail returns bool (true = success), takes a
 * `struct err *` last and is marked MUST_CHECK. The first error wins: setting an error that is set
 * does nothing, so a caller may add *where* but never change *what*. Wrong input
 * is an error, a broken promise between our own functions is an assert, and
 * running out of memory aborts (lib/arena.h).
 */
#ifndef LIB_ERR_H
#define LIB_ERR_H

#include <stdarg.h>
#include <stdbool.h>

/* A place in a file the user can edit. line and col count from 1; 0 = none. */
struct loc {
	const char *path; /* borrowed; NULL: no place */
	int line, col;
};

struct err {
	bool set;
	char text[1024]; /* "path:line:col: what, and what was expected" */
};

#define ERR_NONE ((struct err){0})

/*
 * Marks a function whose result says whether it failed: the compiler warns where a caller
 * ignores it. Every function with a `struct err *` and a result bears it, except those below,
 * which only set an error (tests/must-check.sh).
 */
#define MUST_CHECK __attribute__((warn_unused_result))

/*
 * Around a call whose result nobody needs: its error is read later, or its failure costs
 * nothing. A comment at the call says which.
 */
static inline void unchecked(bool ok)
{
	(void)ok;
}

/* Sets the error without a place. Returns false, so `return err_set(...)`. */
bool err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the error at a place. Returns false. */
bool err_at(struct err *e, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/*
 * Adds more about *where* to an error that is set. If it is too long, the error loses its end, but
 * the addition stays whole.
 */
void err_add(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Like err_set, with ": " and the text of errno added. Returns false. */
bool err_sys(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
