/*
 * site-gen/audit/chart.h - the points of a drawing: each is a link to its
 * number, whose title says it; labels beside points repeat one of them in
 * three digits.
 */
#ifndef SITE_GEN_AUDIT_CHART_H
#define SITE_GEN_AUDIT_CHART_H

#include "site-gen/audit/state.h"

struct audit_chart {
	struct sb amounts; /* of its points, in three digits, a line each */
	struct audit_label {
		const char *at;
		struct str text; /* as written */
	} label[64];
	size_t nlabels;
};

/*
 * "tile, rows = 4096, f32, cold: 2.85 TB/s", the title of the point that
 * links to `href`. False: it is not so; e says what is, without a place.
 */
bool audit_chart_point(struct audit *a, struct audit_chart *c, struct str href, struct str title,
                       struct err *e);

/* Is a label one of the points' numbers? To be asked when all points are known. */
bool audit_chart_label(const struct audit_chart *c, struct str plain);

#endif
