/*
 * site-gen/build.h - from the work tree to a published site, or to all the
 * reasons why not.
 */
#ifndef SITE_GEN_BUILD_H
#define SITE_GEN_BUILD_H

#include <stdio.h>

#include "site-gen/site.h"

/*
 * Builds the repository in the current folder. Problems go to stderr, one a
 * line, sorted; then the output is as it was. With options->write == false
 * nothing is written at all. Returns the exit status.
 */
int build_site(const struct site_options *options);

/* Loads settings, repository and records, and no content: for `explain`. */
bool build_load_data(struct site *s, struct err *e);

#endif
