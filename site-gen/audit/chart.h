/*
 * site-gen/audit/chart.h - the points of a drawing. Each point links to its number,
 * which the link's title gives. A label beside a point repeats the number of one
 * point in three digits.
 */
#ifndef SITE_GEN_AUDIT_CHART_H
#define SITE_GEN_AUDIT_CHART_H

#include "lib/err.h"
#include "site-gen/audit/state.h"

struct audit_chart {
	struct sb amounts; /* numbers of its points in three digits, one a line */
	struct audit_label {
		const char *at;
		struct str text; /* as written */
	} label[64];
	size_t nlabels;
};

/*
 * Checks the title of the point that links to `href`, for example
 * "tile, rows = 4096, f32, cold: 2.85 TB/s". False: it is wrong; e has the reason,
 * without a place.
 */
MUST_CHECK bool audit_chart_point(struct audit *a, struct audit_chart *c, struct str href,
                                  struct str title, struct err *e);

/* Is a label the number of one of the points? Call it after the last point. */
bool audit_chart_label(const struct audit_chart *c, struct str plain);

#endif
