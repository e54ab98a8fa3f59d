/*
 * site-gen/base/html.h - writing of markup. There is one escaper per context, named so
 * that a missing one is noticed. Only html_raw writes markup as it is.
 */
#ifndef SITE_GEN_BASE_HTML_H
#define SITE_GEN_BASE_HTML_H

#include "lib/str.h"

void html_raw(struct sb *to, const char *markup); /* our own literals, or rendered markup */
void html_text(struct sb *to, struct str s);      /* element content: & < > */
void html_attr(struct sb *to, struct str s);      /* inside "…": & < > " ' */
/* Appends a space, the name, and the escaped value in quotes: ` class="num"`. */
void html_attribute(struct sb *to, const char *name, struct str value);
void html_url(struct sb *to, struct str s); /* an URL in an attribute: percent-encodes
                                                     what RFC 3986 does not allow, then html_attr */
void html_xml(struct sb *to, struct str s); /* Atom and sitemap: & < > " ' , no control bytes */
/* The same for markup as an element's text, with as few entities as XML needs: & < and ]]> */
void html_xml_text(struct sb *to, struct str s);

/*
 * True for addresses that a page may link to: http, https, mailto, a path, a
 * fragment. False for an empty address, `//host`, and any with a backslash, white
 * space or a control byte, because browsers interpret those in surprising ways.
 */
bool html_url_allowed(struct str url);

/*
 * False for characters that no page may contain: controls and noncharacters, which
 * are parse errors in HTML, and bidi overrides and isolates, which show text in an
 * order that is not its own (CVE-2021-42574).
 */
bool html_char_allowed(uint32_t codepoint);

/* The first character of s that is not allowed, or NULL. s is valid UTF-8. */
const char *html_bad_char(struct str s, uint32_t *codepoint);

/* Decodes an entity of the escapers at the start of s. Returns its length; 0: no entity. */
size_t html_entity(struct str s, char *out);

/*
 * Appends a slug: `Bytes in flight!` -> `bytes-in-flight`. It joins the words of any
 * script, in lower case and compatibility form (base/unicode.h), by '-'. A text
 * without words appends nothing.
 */
void html_slug(struct sb *to, struct str text);

#endif
