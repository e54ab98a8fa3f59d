/*
 * site-gen/commands/query_command.h - `site-gen query`: what there is to write
 * placeholders about, and which cases a post quotes.
 */
#ifndef SITE_GEN_COMMANDS_QUERY_COMMAND_H
#define SITE_GEN_COMMANDS_QUERY_COMMAND_H

#include "site-gen/site/site.h"

/*
 * Without a selector: kinds, families, metrics, devices, datasheet numbers,
 * runs. FAMILY lists its variants and the values of its parameters;
 * FAMILY/VARIANT (globs) the cases with their newest run. `device` NULL: the
 * site's.
 */
int catalogue_run(const struct site_options *options, const char *selector, const char *device);

/*
 * What the post or page of this slug shows, sorted, each line once:
 * "<number>\t<text>\t<run id>", or with `cases` "<run id>\t<commit>\t<case id>"
 * for each case that is behind it (runner/reproduce.sh reads those).
 */
int catalogue_post(const struct site_options *options, const char *slug, bool cases);

#endif
