/*
 * site-gen/base/math.h - formulas: TeX to MathML when the site is built, by
 * blahtexml (Debian's package of that name), confined and cached. Pages need
 * no script and no fonts for them.
 */
#ifndef SITE_GEN_BASE_MATH_H
#define SITE_GEN_BASE_MATH_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/*
 * Appends <math> for the formula, `display` for one that stands alone. `cache`
 * is a folder that is made when missing. What TeX does not know is an error
 * at `at` with the translator's words.
 */
bool math_mathml(struct str tex, bool display, struct loc at, const char *cache, struct arena *a,
                 struct sb *to, struct err *e);

#endif
