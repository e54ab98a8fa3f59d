/*
 * site-gen/base/html.h - writing markup: one escaper per context, named so that a
 * missing one shows. Raw markup goes through html_raw alone.
 */
#ifndef SITE_GEN_BASE_HTML_H
#define SITE_GEN_BASE_HTML_H

#include "lib/str.h"

void html_raw(struct sb *to, const char *markup); /* our own literals, or rendered markup */
void html_text(struct sb *to, struct str s);      /* element content: & < > */
void html_attr(struct sb *to, struct str s);      /* inside "…": & < > " ' */
void html_url(struct sb *to, struct str s);       /* an URL in an attribute: percent-encodes
                                                     what RFC 3986 does not allow, then html_attr */
void xml_text(struct sb *to, struct str s); /* Atom and sitemap: & < > " ' , no control bytes */

/*
 * True for http, https, mailto, a path, a fragment: what a page may link to.
 * An empty address, `//host`, a backslash, white space or a control byte is
 * none of them, because browsers read more into those than they say.
 */
bool html_url_allowed(struct str url);

/*
 * False for what a page may not hold: controls, noncharacters (parse errors
 * in HTML) and bidi overrides and isolates, which show text in another order
 * than it has (CVE-2021-42574).
 */
bool html_char_allowed(uint32_t codepoint);

/* The first character of s that is not allowed, or NULL. s is valid UTF-8. */
const char *html_bad_char(struct str s, uint32_t *codepoint);

/* The code point of the valid UTF-8 sequence at p; its length in *n. */
uint32_t html_decode(const char *p, size_t *n);

/* The text of rendered markup: tags dropped, entities of our own escapers decoded. */
void html_strip(struct sb *to, struct str markup);

/*
 * `Bytes in flight!` -> `bytes-in-flight`; letters and digits of any script
 * kept, capitals of Latin, Greek and Cyrillic made small. May append nothing.
 */
void html_slug(struct sb *to, struct str text);

#endif
