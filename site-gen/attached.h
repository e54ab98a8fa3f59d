/*
 * site-gen/attached.h - files beside the pages, for programs to read:
 *
 *   /numbers/<device>/<case>/number.json   one number, whole (number_json.h)
 *   <page>numbers.json                     every number the page shows
 *   <page>b<n>.csv                         the numbers of its figure b<n>
 *   /runs/<id>/<id>.jsonl                  the record, byte for byte
 *
 * How to add one: a row in pages.c whose `bytes` makes the file, and a line
 * in attached_add().
 */
#ifndef SITE_GEN_ATTACHED_H
#define SITE_GEN_ATTACHED_H

#include "site-gen/number.h"
#include "site-gen/site.h"

/* Adds the files that follow from what the loaded pages show. */
void attached_add(struct site *s);

/* The row functions of these files (pages.h). */
bool attached_number_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool attached_numbers_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool attached_figure_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool attached_record_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
