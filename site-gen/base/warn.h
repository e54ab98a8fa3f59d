/*
 * site-gen/base/warn.h - what an author should know of a page that is right as far
 * as the rules go. A warning fails no build without --werror. To add one:
 * problems_warn() where the matter is known (site/links.c warns of links to drafts,
 * markdown/note.c of footnotes that nothing refers to).
 */
#ifndef SITE_GEN_BASE_WARN_H
#define SITE_GEN_BASE_WARN_H

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/base/problems.h"

/*
 * Looks at the Markdown of a page, which starts at line `first_line` of
 * `path`: paragraphs of more than 300 words, or as many minutes of Chinese.
 */
void warn_markdown(struct str src, const char *path, int first_line, struct problems *to);

#endif
