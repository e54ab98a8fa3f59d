/*
 * site-gen/commands/blog.h - first files of a new blog: a copy of start/, and the data sheets, from
 * the folder of the default look (lua/layers.h).
 */
#ifndef SITE_GEN_COMMANDS_BLOG_H
#define SITE_GEN_COMMANDS_BLOG_H

#include "lib/arena.h"
#include "lib/err.h"

/*
 * Makes a blog in the folder `dir`, which is not there yet or is empty; else nothing is touched.
 * `title` NULL: made from the folder's name. `date` is "2026-01-31". If a file cannot be written,
 * those before it go again.
 */
MUST_CHECK bool blog_start(const char *dir, const char *title, const char *date, struct arena *a,
                           struct err *e);

#endif
