/*
 * site-gen/site/strict.h - what --strict refuses, and what authors waive. A number
 * that is unsteady, stale, withdrawn or a preview (data_state_refused) is
 * refused in what somebody wrote, unless the front matter has
 *
 *   waive:
 *     - {rule: steady, for: "gemv/cublas:m=256", why: "…"}
 *
 * with the rule that the state breaks and a selector that finds its case. So
 * are counters of another build than what was measured (rule `fresh`).
 * Lists that the generator makes (kernels, runs, numbers, predictions) show
 * everything with its state, below the text of a family, too; there only
 * previews are refused.
 */
#ifndef SITE_GEN_SITE_STRICT_H
#define SITE_GEN_SITE_STRICT_H

#include "site-gen/site/site.h"

/*
 * Finds what each waiver of the front matter is for, and notes it in the
 * waiver's text. In every build: one that waives nothing is a problem.
 */
void strict_waivers(struct site *s, struct problems *to);

/* Says what --strict refuses; after strict_waivers. */
void strict_check(const struct site *s, struct problems *to);

/*
 * Says which records are not whole, or of a later version of the format than this program knows, and
 * which files among them are none: warnings; the first and the last are errors under --strict. What
 * they would have said is passed over otherwise, for an older record.
 */
void strict_records(const struct site *s, struct problems *to);

#endif
