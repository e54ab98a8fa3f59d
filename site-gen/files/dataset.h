/*
 * site-gen/files/dataset.h - a number, or a run, as a schema.org Dataset in JSON-LD
 * (https://schema.org/Dataset). '<' is escaped, so that the text fits into a <script> element.
 */
#ifndef SITE_GEN_FILES_DATASET_H
#define SITE_GEN_FILES_DATASET_H

#include "site-gen/site/backlinks.h"

struct number_view;

void dataset_of_number(const struct number_view *v, struct sb *to);
void dataset_of_run(const struct site *s, const struct data_run *r, struct arena *a, struct sb *to);

#endif
