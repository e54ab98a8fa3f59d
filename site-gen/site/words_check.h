/*
 * site-gen/site/words_check.h - finds texts of records that pages in another language
 * still show in English.
 */
#ifndef SITE_GEN_SITE_WORDS_CHECK_H
#define SITE_GEN_SITE_WORDS_CHECK_H

struct problems;
struct site;

/*
 * Warns of each family title, variant title and idea in the newest run of a case, and of each
 * title and note of a data sheet, that content/kernels/words.lua does not translate to a language
 * of the site. Does nothing on a site without that file, which shows kernels in English.
 */
void words_check(struct site *s, struct problems *to);

#endif
