/*
 * site-gen/kinds/shortcode.h - shortcodes: templates of the author's own, in templates/shortcodes/,
 * which posts use through <<bench:shortcode NAME …>>.
 */
#ifndef SITE_GEN_KINDS_SHORTCODE_H
#define SITE_GEN_KINDS_SHORTCODE_H

#include "site-gen/base/placeholder.h"
#include "site-gen/lua/template.h"

#define SHORTCODE_FOLDER "shortcodes/" /* below templates/ */

/* The templates of a site, and the script that runs them in this process. */
struct shortcodes {
	const struct template *all; /* all templates; shortcodes are those in the folder */
	size_t n;
	struct script *script;         /* NULL until one is used */
	const struct placeholder *now; /* the one that runs */
	const char *base;
};

#endif
