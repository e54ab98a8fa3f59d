/*
 * site-gen/pages/family_lead.h - what a family's page says first: the result of its headline case
 * (numbers/headline.h) on one device, and what limits it, in a sentence.
 */
#ifndef SITE_GEN_PAGES_FAMILY_LEAD_H
#define SITE_GEN_PAGES_FAMILY_LEAD_H

#include "site-gen/numbers/headline.h"
#include "site-gen/pages/body_writer.h"

/* Writes p.lead (the result) and p.lead-limit (the limiter). */
void family_lead_write(struct writer *w, const struct headline *h, const struct headline_result *r);

#endif
