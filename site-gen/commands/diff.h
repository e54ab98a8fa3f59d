/*
 * site-gen/commands/diff.h - `site-gen diff REV`: which published numbers would change
 * against an earlier revision, on which pages. The site of REV is loaded from
 * its tree (content, templates, data) in a private temporary folder, by this
 * program; so a change of the formatter shows, too.
 */
#ifndef SITE_GEN_COMMANDS_DIFF_H
#define SITE_GEN_COMMANDS_DIFF_H

#include "site-gen/site/site.h"

/* Prints the differences, as text or JSON Lines. 0: none, 1: some, 2: could not tell. */
int diff_run(const struct site_options *options, const char *rev, bool json);

#endif
