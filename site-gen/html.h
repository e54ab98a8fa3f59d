/*
 * site-gen/html.h - writing markup: one escaper per context, named so that a
 * missing one shows. Raw markup goes through html_raw alone.
 */
#ifndef SITE_GEN_HTML_H
#define SITE_GEN_HTML_H

#include "lib/str.h"

void html_raw(struct sb *to, const char *markup); /* our own literals, or rendered markup */
void html_text(struct sb *to, struct str s);      /* element content: & < > */
void html_attr(struct sb *to, struct str s);      /* inside "…": & < > " ' */
void html_url(struct sb *to, struct str s);       /* an URL in an attribute: percent-encodes
                                                     what RFC 3986 does not allow, then html_attr */
void xml_text(struct sb *to, struct str s); /* Atom and sitemap: & < > " ' , no control bytes */

/* True for http, https, mailto, a path, a fragment: schemes a page may link to. */
bool html_url_allowed(struct str url);

/* The text of rendered markup: tags dropped, entities of our own escapers decoded. */
void html_strip(struct sb *to, struct str markup);

/* `Bytes in flight!` -> `bytes-in-flight`; letters and digits of any script kept. */
void html_slug(struct sb *to, struct str text);

#endif
