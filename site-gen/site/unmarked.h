/*
 * site-gen/site/unmarked.h - rule `unmarked`: a title, a description or a key result
 * shows no number that is superseded, unsteady, stale or withdrawn. Such texts
 * stand in lists, feeds and social cards, where no mark explains itself.
 *
 * Previews are let through: --strict refuses them wherever they stand.
 */
#ifndef SITE_GEN_SITE_UNMARKED_H
#define SITE_GEN_SITE_UNMARKED_H

#include "site-gen/numbers/number.h"
#include "site-gen/base/problems.h"

/* Has any case of this number a mark, other than that of a preview? */
bool unmarked_breaks(const struct number *n);

/*
 * Reports each marked number among the quotes and facts that ctx has gained
 * since `quotes` and `facts` were its newest. `what` names the text: "the title".
 */
void unmarked_check(const struct expand_ctx *ctx, const struct quote *quotes,
                    const struct fact *facts, const char *what, struct problems *to);

/* Shows the figure with this number (quote.figure) a number that breaks the rule? */
bool unmarked_figure_breaks(const struct quote *quotes, int figure);

#endif
