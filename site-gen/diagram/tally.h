/*
 * site-gen/diagram/tally.h - a count for each SM: a dot for each, in the order of the SMs' numbers,
 * and a line at their mean.
 */
#ifndef SITE_GEN_DIAGRAM_TALLY_H
#define SITE_GEN_DIAGRAM_TALLY_H

#include <stdint.h>

#include "site-gen/diagram/canvas.h"

struct tally {
	const int64_t *sm; /* ascending */
	const double *times;
	size_t n;
	const char *event; /* in the page's language */
};

void tally_draw(struct canvas *c, const struct tally *t, const struct canvas_said *said);

#endif
