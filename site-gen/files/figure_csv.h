/*
 * site-gen/files/figure_csv.h - the numbers of a figure as CSV (RFC 4180), for
 * whoever wants to draw it again: a row for each case, a column for each
 * quantity with its unit in its name, "low" and "high" being the 95 %
 * interval. Numbers have all their digits. A quantity that is held against
 * another case has a column that names it.
 */
#ifndef SITE_GEN_FILES_FIGURE_CSV_H
#define SITE_GEN_FILES_FIGURE_CSV_H

#include "site-gen/numbers/number.h"

/* From the quotes of a page in figure#b<figure>. */
void figure_csv(const struct quote *quotes, int figure, struct arena *a, struct sb *to);

#endif
