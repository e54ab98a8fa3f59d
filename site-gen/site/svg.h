/*
 * site-gen/site/svg.h - drawings (SVG) that are published as an author made them. A browser that opens
 * one treats it as a page of this site, so it may hold shapes and text only: no script, link,
 * animation or other document, nothing from elsewhere, and no comment that was meant for nobody.
 *
 * Its texts are read for numbers typed by hand (markdown/traced.h). An attribute data-waive="why" waives
 * those of an element and all in it.
 */
#ifndef SITE_GEN_SITE_SVG_H
#define SITE_GEN_SITE_SVG_H

#include "site-gen/markdown/traced.h"

/* What the lint said of a drawing; both newest first. */
struct svg_said {
	struct traced_found *found;
	struct waiver *waivers;
};

/*
 * Reads a drawing; the first thing that must not be in it is the error. Everything in *out is
 * allocated in `a`. Without `l` its texts are not looked at; `advice` says what to do about a finding.
 */
bool svg_check(struct str bytes, const char *path, const struct lint *l, const char *advice,
               struct arena *a, struct svg_said *out, struct err *e);

extern const char svg_advice[]; /* for a drawing of a post: waive it */

#endif
