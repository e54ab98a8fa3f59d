/*
 * site-gen/files/number_said.h - a number in the words of its card (static/number-card.js), in
 * every language of the site, as members `said` of number.json. The words hold no measured digits:
 * {1} stands for the number's `text`.
 */
#ifndef SITE_GEN_FILES_NUMBER_SAID_H
#define SITE_GEN_FILES_NUMBER_SAID_H

#include "site-gen/files/number_view.h"

struct json_out;

/* Of the page: case, processes and device, the words around a number, what a click opens. */
void number_said_page(struct json_out *w, const struct number_view *v);
/* Of one of its numbers: what it is, or is held against; its state, if it is a marked one. */
void number_said(struct json_out *w, const struct site *s, const struct number *n, struct arena *a);

/* "{1} of 4.8 TB/s, data sheet (HBM3e bandwidth)": what the number is, or is held
 * against, in one line. Declared for tests. */
const char *number_said_text(const struct words *w, const struct data *d, const struct number *n,
                             struct arena *a);
/* `who`, the other case of a comparison; with "on H100" if the two cases ran on two devices. */
const char *number_said_other(const struct words *w, const struct data *d, const struct number *n,
                              const char *who, struct arena *a);

#endif
