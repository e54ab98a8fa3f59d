/*
 * site-gen/diagram/clock.h - a quantity over the time of measuring, a line for each process: first
 * in the warm-up, then while samples are taken.
 */
#ifndef SITE_GEN_DIAGRAM_CLOCK_H
#define SITE_GEN_DIAGRAM_CLOCK_H

#include "site-gen/diagram/canvas.h"

enum clock_phase { CLOCK_WARM_UP, CLOCK_SAMPLES, CLOCK_PHASES };
enum { CLOCK_MOST_SERIES = 4, CLOCK_BINS = 90 };

struct clock_point {
	double at, hz; /* seconds since the phase began; */
};

struct clock_line {
	struct clock_point point[CLOCK_BINS];
	int n, series;
	enum clock_phase phase;
};

struct clock {
	struct clock_line *line;
	size_t n;
	const char *name[CLOCK_MOST_SERIES];
	int nnames;
};

void clock_draw(struct canvas *c, const struct clock *k, const struct canvas_said *said);

#endif
