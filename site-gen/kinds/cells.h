/*
 * site-gen/kinds/cells.h - the cells of tables that several kinds and pages share.
 */
#ifndef SITE_GEN_KINDS_CELLS_H
#define SITE_GEN_KINDS_CELLS_H

#include "site-gen/kinds/kinds.h"

/* <div class="scroll"> for a wide table, and the names a table's cells take. */
void table_open(struct sb *to, const char *classes);
void table_close(struct sb *to);
/*
 * <td> of a table "labelled stack", in which a phone shows each cell on a line of its own:
 * what heads the column goes with the cell.
 */
void table_cell(struct sb *to, const char *classes, const char *label);
/* A cell with the state of a case, empty if it is ok; the reason is its title. */
void table_state(const struct data_case *d, struct sb *to);
/* The number of a case in a table: its link, named by case and metric, and its interval. */
void table_number(struct kind_call *k, const struct number *n);
/* A link to an address of the site, which gets the site's prefix. */
void link_inside(const struct expand_ctx *ctx, const char *url, const char *text, struct sb *to);
/* Name of a variant as a row head: colour, title, id; its idea. */
void table_variant(const struct run_case *c, bool idea, const struct words *w, struct sb *to);

#endif
