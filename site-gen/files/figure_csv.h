/*
 * site-gen/files/figure_csv.h - the numbers of a figure as CSV (RFC 4180), so that
 * readers can draw it again. Each case has a row, and each quantity a column whose
 * name contains the unit. "low" and "high" are the 95 % interval. Numbers have all
 * their digits. A quantity that compares with another case has a column that names
 * that case.
 */
#ifndef SITE_GEN_FILES_FIGURE_CSV_H
#define SITE_GEN_FILES_FIGURE_CSV_H

#include "site-gen/numbers/number.h"

#define FIGURE_TABLE_SCHEMA "ridgepoint-table/1.0"

/*
 * Appends the same as JSON by columns: an object `columns`, whose members are those of the CSV's
 * head, each a list with a value for each row. A column of numbers has numbers, another one texts;
 * an empty cell is null.
 */
void figure_csv_columns(const struct quote *quotes, int figure, struct arena *a, struct sb *to);

/* Appends the CSV of figure#b<figure>, from the page's quotes. */
void figure_csv(const struct quote *quotes, int figure, struct arena *a, struct sb *to);

#endif
