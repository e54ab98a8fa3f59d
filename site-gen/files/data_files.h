/*
 * site-gen/files/data_files.h - data files beside the pages, for programs:
 *
 *   /numbers/<device>/<case>/number.json   one number, whole (number_json.h)
 *   <page>numbers.json                     every number the page shows
 *   <page><name>.csv                       the numbers of a figure (kinds/figure.h)
 *   <page><name>.columns.json              the same by columns
 *   /runs/<id>/<id>.jsonl                  the lines of the record, byte for byte
 *
 * To add one, add a row to build/page_kinds.c whose `bytes` makes the file, and a
 * line to data_files_add().
 */
#ifndef SITE_GEN_FILES_DATA_FILES_H
#define SITE_GEN_FILES_DATA_FILES_H

#include "lib/err.h"
#include "site-gen/numbers/number.h"

struct maker;
struct page;
struct site;

/* Adds the files that belong to the loaded pages. */
void data_files_add(struct site *s);

/* The row functions of these files (build/page_kinds.h). */
MUST_CHECK bool data_files_number_bytes(struct maker *m, const struct page *p, struct sb *to,
                                        struct err *e);
MUST_CHECK bool data_files_numbers_bytes(struct maker *m, const struct page *p, struct sb *to,
                                         struct err *e);
MUST_CHECK bool data_files_figure_bytes(struct maker *m, const struct page *p, struct sb *to,
                                        struct err *e);
MUST_CHECK bool data_files_table_bytes(struct maker *m, const struct page *p, struct sb *to,
                                       struct err *e);
MUST_CHECK bool data_files_record_bytes(struct maker *m, const struct page *p, struct sb *to,
                                        struct err *e);

#endif
