/*
 * site-gen/commands/why.h - `site-gen why FILE:LINE`: explains every number on a line
 * of a content file or of an output page.
 */
#ifndef SITE_GEN_COMMANDS_WHY_H
#define SITE_GEN_COMMANDS_WHY_H

struct site_options;

/* Loads the site of the current folder and prints the explanation. Returns the exit status. */
int why_run(const struct site_options *options, const char *place);

#endif
