/*
 * site-gen/site/svg.h - the check of an author's drawings (SVG), which are published unchanged. A
 * browser treats an opened drawing as a page of this site, so it may contain only shapes and text:
 * no script, link, animation, other document, external resource or comment.
 *
 * The lint searches its texts for numbers typed by hand (markdown/traced.h). An attribute
 * data-waive="why" waives the findings in an element and its descendants.
 */
#ifndef SITE_GEN_SITE_SVG_H
#define SITE_GEN_SITE_SVG_H

#include "lib/err.h"
#include "site-gen/markdown/traced.h"

/* Findings of the lint in a drawing, and waivers; both newest first. */
struct svg_said {
	struct traced_found *found;
	struct waiver *waivers;
};

/*
 * Reads a drawing, and fails on the first part that is not allowed. Everything in *out is allocated
 * in `a`. Without `l` its texts are not searched; `advice` is the advice for a finding.
 */
MUST_CHECK bool svg_check(struct str bytes, const char *path, const struct lint *l,
                          const char *advice, struct arena *a, struct svg_said *out, struct err *e);

/* May a drawing have an element or an attribute of this name? */
bool svg_has_element(struct str name);
bool svg_has_attribute(struct str name);

extern const char svg_advice[]; /* advice for a drawing of a post: waive it */

#endif
