/*
 * site-gen/commands/diff.h - `site-gen diff REV`: published numbers that would change
 * against an earlier revision, with their pages. This program loads the site of REV
 * from REV's tree (content, templates, data) in a private temporary folder. So both
 * sites are formatted by the same program.
 */
#ifndef SITE_GEN_COMMANDS_DIFF_H
#define SITE_GEN_COMMANDS_DIFF_H

#include <stdbool.h>

struct site_options;

/* Prints the differences as text or JSON Lines. Returns 0: none, 1: some, 2: an error. */
int diff_run(const struct site_options *options, const char *rev, bool json);

#endif
