/*
 * site-gen/site/content.h - the author's sources under content/ and static/:
 *
 *   content/posts/NAME.md            a post; its slug is NAME unless the front matter has another
 *   content/posts/NAME/index.md      a post with files beside it
 *   content/posts/NAME/FILE          published below the post's address, if its kind is in
 *                                    file_kind.h
 *   content/pages/NAME.md            a page at /NAME/; home.md is the home page's text
 *   content/sections/NN-NAME.md      a section of the handbook, at /handbook/NAME/ (handbook.h)
 *   content/paths/NAME.md            a reading path through it, at /paths/NAME/
 *   content/series/NAME.md           the text of a series of posts, at /series/NAME/; its title is
 *                                    the name in `series:` of the posts
 *   content/kernels/FAMILY.md        the text before the numbers on a kernel family's page
 *   …/NAME.LANG.md, …/index.LANG.md  the same in another language of the site, below /LANG/;
 *                                    a translation if NAME.md exists (translation.h), else an
 *                                    original
 *   static/FILE                      published as /static/FILE
 *   content/words.txt                words that the spelling checker accepts (commands/spell.h)
 *
 * Any other file there is an error.
 */
#ifndef SITE_GEN_SITE_CONTENT_H
#define SITE_GEN_SITE_CONTENT_H

#include "lib/err.h"
#include "site-gen/base/front.h"

struct expand_ctx;
struct maker;
struct page;
struct site;
struct waiver;

/* A folder of sources. */
struct content_place {
	const char *folder, *kind, *url;
	enum front_kind front;
	bool folders; /* also NAME/index.md, with files beside it */
};

/* The place of a source; NULL: none of the folders of sources. */
const struct content_place *content_place(const char *path);

/* Adds a page for each source. Problems go to the parent's list. */
void content_pages(struct site *s);

/* The source of the home page in a language, or NULL. */
const char *content_home(const struct site *s, size_t language);

/* The kind of front matter in its source. */
enum front_kind content_front(const struct page *p);
/* Copies a page's uses, quotes and facts from ctx, and sets their worst state. */
void content_keep_uses(struct maker *m, struct page *p, const struct expand_ctx *ctx);
/* The bytes of a file that is published unchanged. */
MUST_CHECK bool content_file_bytes(struct maker *m, const struct page *p, struct sb *to,
                                   struct err *e);

/* Adds the files beside posts. Needs the posts' slugs. */
void content_post_files(struct site *s);

/* The folder of a post with files beside it: "content/posts/x/"; NULL: any other source. */
const char *content_folder(const struct page *p, struct arena *a);

/* Checks a post's files along with its first version, for all versions. Returns their waivers. */
struct waiver *content_check_files(struct maker *m, const struct page *p);

#endif
