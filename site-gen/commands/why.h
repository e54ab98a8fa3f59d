/*
 * site-gen/commands/why.h - `site-gen why FILE:LINE`: what every number on a line is,
 * of a content file or of a page of the output.
 */
#ifndef SITE_GEN_COMMANDS_WHY_H
#define SITE_GEN_COMMANDS_WHY_H

#include "site-gen/site/site.h"

/* Loads the site of the current folder and prints. Returns the exit status. */
int why_run(const struct site_options *options, const char *place);

#endif
