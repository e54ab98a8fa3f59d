/*
 * site-gen/base/html_scan.h - reader of the generator's own HTML, SVG and Atom, token by token.
 * Tokens are tags, text and comments, as views of the input.
 *
 * Our markup is well-formed: every element is closed and every attribute is quoted. Input that
 * breaks these rules ends the scan with HTML_BROKEN. The scan does not check nesting; the audit
 * does, with its own reader (audit/html.h).
 */
#ifndef SITE_GEN_BASE_HTML_SCAN_H
#define SITE_GEN_BASE_HTML_SCAN_H

#include "lib/str.h"

enum html_token {
	HTML_NONE,    /* the input ends */
	HTML_START,   /* <name …> or <name …/> */
	HTML_END,     /* </name> */
	HTML_TEXT,    /* up to the next tag, with entities as written; all of a script or style */
	HTML_COMMENT, /* <!-- … -->, <!doctype …> or <?xml …?> */
	HTML_BROKEN,  /* no token begins at this byte; the scan stays there */
};

struct html_scan {
	struct str src;
	size_t i; /* next byte */

	/* The current token. */
	struct str token; /* all its bytes */
	struct str name;  /* of a tag */
	bool empty;       /* a start tag that ends in "/>" */
	size_t attribute; /* where html_scan_attribute goes on in `token` */
	bool raw;         /* the next text belongs to a script or style */
};

/* A scan of `markup` that stands before its first token. */
struct html_scan html_scan(struct str markup);

/* Moves to the next token and returns its kind. */
enum html_token html_scan_next(struct html_scan *h);

/* Moves to the next start tag of this name; false if there is none. */
bool html_scan_find(struct html_scan *h, const char *name);

/*
 * Moves from a start tag to its end tag and sets *content to the markup between them. False if the
 * element is not closed; then *content is all remaining input.
 */
bool html_scan_inside(struct html_scan *h, struct str *content);

/* The start tag's next attribute with its raw value (see html_scan_plain); false after the last. */
bool html_scan_attribute(struct html_scan *h, struct str *name, struct str *value);

/* The raw value of the start tag's attribute of this name; .p is NULL if it has none. */
struct str html_scan_value(const struct html_scan *h, const char *name);

/* True if the start tag has this class. */
bool html_scan_class(const struct html_scan *h, const char *class);

/* Appends raw text or a raw attribute value, with the entities of our escapers decoded. */
void html_scan_plain(struct sb *to, struct str written);

/*
 * Appends the decoded text of markup, without tags and comments. A space parts the texts of
 * neighbouring cells, list items and other blocks; nothing parts those of inline elements.
 */
void html_scan_strip(struct sb *to, struct str markup);

#endif
