/*
 * site-gen/site/strict.h - the checks of --strict, and waivers for them. In an
 * author's text, --strict refuses a number that is unsteady, stale, withdrawn or a
 * preview (data_state_refused()), unless the front matter has
 *
 *   waive:
 *     - {rule: steady, for: "gemv/cublas:m=256", why: "…"}
 *
 * with the rule that the state breaks and a selector that finds its case. The same
 * holds for counters of another build than the measured one (rule `fresh`).
 * Generated lists (kernels, runs, numbers, predictions, and the numbers below the
 * text of a family) show all numbers with their states; there --strict refuses
 * only previews.
 */
#ifndef SITE_GEN_SITE_STRICT_H
#define SITE_GEN_SITE_STRICT_H

struct problems;
struct site;

/*
 * Finds the numbers that each waiver of the front matter covers, and records them
 * in the waiver's text. Runs in every build: a waiver without effect is a problem.
 */
void strict_waivers(struct site *s, struct problems *to);

/* Reports what --strict refuses. Call it after strict_waivers(). */
void strict_check(const struct site *s, struct problems *to);

/*
 * Warns of incomplete records, of records in a later version of the format than this program knows,
 * and of other files among the records. The first and the last are errors under --strict. Pages
 * ignore these records and use older ones instead.
 */
void strict_records(const struct site *s, struct problems *to);

#endif
