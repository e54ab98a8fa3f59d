/*
 * site-gen/site/words_check.h - which texts of records a page in another language
 * still shows in English.
 */
#ifndef SITE_GEN_SITE_WORDS_CHECK_H
#define SITE_GEN_SITE_WORDS_CHECK_H

#include "site-gen/site/site.h"

/*
 * Warns of each family title, variant title and idea, in the newest run of a
 * case, that content/kernels/words.lua has not in a language of the site. Says
 * nothing on a site without that file: its kernels are in English everywhere.
 */
void words_check(struct site *s, struct problems *to);

#endif
