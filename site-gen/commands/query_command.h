/*
 * site-gen/commands/query_command.h - `site-gen query`: lists what placeholders can
 * name, and the cases that a post quotes.
 */
#ifndef SITE_GEN_COMMANDS_QUERY_COMMAND_H
#define SITE_GEN_COMMANDS_QUERY_COMMAND_H

#include <stdbool.h>

struct site_options;

/*
 * Without a selector, lists kinds, families, metrics, devices, datasheet numbers and
 * runs. FAMILY lists its variants and the values of its parameters. FAMILY/VARIANT
 * (globs) lists the cases with their newest run. `device` NULL: the site's default.
 */
int query_command_list(const struct site_options *options, const char *selector,
                       const char *device);

/*
 * Prints the numbers of the post or page with this slug, sorted, each line once:
 * "<number>\t<text>\t<run id>". With `cases`, prints "<run id>\t<commit>\t<case id>" for
 * each case behind them, which runner/scripts/reproduce.sh reads.
 */
int query_command_post(const struct site_options *options, const char *slug, bool cases);

#endif
