/*
 * site-gen/audit/markup.h - the closed list of markup that a published page may have:
 * elements, attributes, addresses, scripts. What is not on it could show or run something
 * that no record and no hash of a page's text can hold: a frame, an inline script or style,
 * an address of another site for code, a handler of events.
 */
#ifndef SITE_GEN_AUDIT_MARKUP_H
#define SITE_GEN_AUDIT_MARKUP_H

#include "site-gen/audit/html.h"
#include "site-gen/audit/state.h"

/* Adds an error to a->found if the current start tag of an HTML page is not on the list. */
void audit_markup(struct audit *a, const struct audit_html *h);

#endif
