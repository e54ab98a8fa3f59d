/*
 * site-gen/build/inner.h - steps of build.c that check_files.c takes, too.
 */
#ifndef SITE_GEN_BUILD_INNER_H
#define SITE_GEN_BUILD_INNER_H

#include <stdbool.h>

struct err;
struct site;

/* Checks the texts that are on every page; true. */
bool build_check_settings(struct site *s);

/* Closes and frees everything of a site without a base. */
void build_close(struct site *s);

/* Prints the problems, then closes. Returns the exit status. */
int build_finish(struct site *s, bool ok, const struct err *e);

#endif
