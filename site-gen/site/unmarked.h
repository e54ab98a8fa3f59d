/*
 * site-gen/site/unmarked.h - rule `unmarked`: a title, description, key result or take-away
 * must not show a number that is superseded, unsteady, stale or withdrawn. Lists, feeds
 * and social cards repeat these texts, and a mark would be unexplained there.
 *
 * Previews pass this rule, because --strict refuses them everywhere.
 */
#ifndef SITE_GEN_SITE_UNMARKED_H
#define SITE_GEN_SITE_UNMARKED_H

#include "site-gen/numbers/number.h"
#include "site-gen/base/problems.h"

/*
 * Reports each marked number among ctx's quotes and facts newer than `quotes` and
 * `facts`. `what` names the text: "the title".
 */
void unmarked_check(const struct expand_ctx *ctx, const struct quote *quotes,
                    const struct fact *facts, const char *what, struct problems *to);

/* Does the figure with this number (quote.figure) show a number that breaks the rule? */
bool unmarked_figure_breaks(const struct quote *quotes, int figure);

#endif
