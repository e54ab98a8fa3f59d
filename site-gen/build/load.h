/*
 * site-gen/build/load.h - reading what a build is made of: the list of input files, the repository,
 * settings, records and templates.
 */
#ifndef SITE_GEN_BUILD_LOAD_H
#define SITE_GEN_BUILD_LOAD_H

#include "lib/arena.h"
#include "lib/err.h"

struct config;
struct git;
struct site;

/* Lists the files of the work tree that a build reads, and those of the default look. */
MUST_CHECK bool load_inputs(struct site *s, struct err *e);

/* Opens the repository, unless it is open, and sets its head. */
MUST_CHECK bool load_git(struct site *s, struct err *e);
/* HEAD, 40 hex digits; "": none. */
const char *load_head(const struct git *g);

MUST_CHECK bool load_settings(struct site *s, struct err *e);

/* Loads the records and what is decided by them, unless a base has (build.h). */
MUST_CHECK bool load_records(struct site *s, struct err *e);
/* Plot programs load each other, so their folder is one layer. */
const char *load_plots_root(const struct config *c, struct arena *a);

/*
 * Translates templates/NAME.html and NAME.svg; each wrong one is a problem. Compiles them together,
 * as each worker will, to make sure that their memory suffices there.
 */
MUST_CHECK bool load_templates(struct site *s);

#endif
