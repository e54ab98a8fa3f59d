/*
 * site-gen/files/data_files.h - files beside the pages, for programs to read:
 *
 *   /numbers/<device>/<case>/number.json   one number, whole (number_json.h)
 *   <page>numbers.json                     every number the page shows
 *   <page>b<n>.csv                         the numbers of its figure b<n>
 *   /runs/<id>/<id>.jsonl                  the record, byte for byte
 *
 * How to add one: a row in build/page_kinds.c whose `bytes` makes the file, and a line
 * in attached_add().
 */
#ifndef SITE_GEN_FILES_DATA_FILES_H
#define SITE_GEN_FILES_DATA_FILES_H

#include "site-gen/numbers/number.h"
#include "site-gen/site/site.h"

/* Adds the files that follow from what the loaded pages show. */
void attached_add(struct site *s);

/* The row functions of these files (build/page_kinds.h). */
bool attached_number_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool attached_numbers_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool attached_figure_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool attached_record_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
