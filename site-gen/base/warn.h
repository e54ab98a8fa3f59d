/*
 * site-gen/base/warn.h - warnings about a page that breaks no rule. A warning fails the
 * build only with --werror. To add one, call problems_warn() where the fact is known:
 * site/links.c warns of links to drafts, markdown/note.c of unused footnotes.
 */
#ifndef SITE_GEN_BASE_WARN_H
#define SITE_GEN_BASE_WARN_H

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/base/problems.h"

/*
 * Checks the Markdown of a page, which starts at line `first_line` of `path`, for
 * paragraphs that take as long to read as 300 English words, or longer.
 */
void warn_markdown(struct str src, const char *path, int first_line, struct problems *to);

#endif
