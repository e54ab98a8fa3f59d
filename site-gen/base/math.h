/*
 * site-gen/base/math.h - formulas, translated from TeX to MathML during the build.
 * blahtexml (Debian's package of that name) translates them, confined; results are
 * cached. Pages need no script and no fonts for them.
 */
#ifndef SITE_GEN_BASE_MATH_H
#define SITE_GEN_BASE_MATH_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/*
 * Appends <math> for the formula; `display`: it stands on a line of its own. Creates
 * the folder `cache` if it is missing. A formula that blahtexml refuses is an error
 * at `at` with blahtexml's message.
 */
MUST_CHECK bool math_mathml(struct str tex, bool display, struct loc at, const char *cache,
                            struct arena *a, struct sb *to, struct err *e);

#endif
