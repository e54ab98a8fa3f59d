/*
 * site-gen/kinds/tables.h - parts of tables of numbers, shared by kinds and pages.
 */
#ifndef SITE_GEN_KINDS_TABLES_H
#define SITE_GEN_KINDS_TABLES_H

#include "site-gen/kinds/kinds.h"

/* Opens a table in a <div class="scroll"> for wide ones. */
void table_open(struct sb *to, const char *classes);
void table_close(struct sb *to);
/*
 * Open and close the head of a column. `sorts`: readers can sort the table by it, for which
 * static/sort.js makes a button of its span.sort.
 */
void table_head_open(struct sb *to, const char *classes, bool sorts);
void table_head_close(struct sb *to, bool sorts);
/* Writes the attribute of a cell that says what its column sorts by: a value in SI units. */
void table_sorted(struct sb *to, double value);
/*
 * Opens a <td> of a "labelled stack" table. On phones each cell has a line of its own, with its
 * column head as label.
 */
void table_cell(struct sb *to, const char *classes, const char *label);
/* Writes a cell with the state of a case, empty if ok; its title is the reason. */
void table_state(const struct data_case *d, const struct words *w, struct sb *to);
/* Writes a number and its interval; the title of its link has the case and the metric. */
void table_number(struct kind_call *k, const struct number *n);
/* Writes a variant's title and id. */
void table_name(const struct run_case *c, const struct words *w, struct sb *to);
/* Writes a variant as a row head: colour, title and id. */
void table_variant(const struct run_case *c, const struct words *w, struct sb *to);
/* Writes a step of a ladder: title, id, the tag (NULL: none) and the idea. */
void table_step(const struct run_case *c, const char *tag, const struct words *w, struct sb *to);

#endif
