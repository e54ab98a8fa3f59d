/*
 * site-gen/site/content.h - what the author wrote:
 *
 *   content/posts/NAME.md            a post; its slug is NAME unless it says otherwise
 *   content/posts/NAME/index.md      a post with files beside it, which are
 *   content/posts/NAME/FILE          published below the post's address, if of a kind that is
 *                                    looked at (file_kind.h)
 *   content/pages/NAME.md            a page at /NAME/; home.md is the home page's text
 *   content/sections/NN-NAME.md      a section of the handbook, at /handbook/NAME/ (handbook.h)
 *   content/paths/NAME.md            a reading path through it, at /paths/NAME/
 *   content/kernels/FAMILY.md        what the page of a kernel family says before its numbers
 *   …/NAME.LANG.md, …/index.LANG.md  the same in another language of the site, below /LANG/;
 *                                    beside NAME.md it is a translation of it (translation.h),
 *                                    alone an original
 *   static/FILE                      published as /static/FILE
 *   content/words.txt                words that the spelling checker need not know (commands/spell.h)
 *
 * Anything else there is an error.
 */
#ifndef SITE_GEN_SITE_CONTENT_H
#define SITE_GEN_SITE_CONTENT_H

#include "site-gen/base/front.h"
#include "site-gen/site/site.h"

/* Adds a page for each source; problems go to the parent's list. */
void content_pages(struct site *s);

/* The source of the home page in a language, or NULL. */
const char *content_home(const struct site *s, size_t language);

/* The row function of what has a source (build/page_kinds.h). */
bool content_load(struct maker *m, struct page *p, struct err *e);
/* What the front matter of its source is like. */
enum front_kind content_front(const struct page *p);
/* Copies what a page used and quotes, and the worst state of it. */
void content_keep_uses(struct maker *m, struct page *p, const struct expand_ctx *ctx);
/* Bytes of a file that is published as it is. */
bool content_file_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

/* Adds the files beside posts, which need the posts' slugs. */
void content_post_files(struct site *s);

#endif
