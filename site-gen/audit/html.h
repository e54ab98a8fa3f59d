/*
 * site-gen/audit/html.h - published markup read back, by rules of our own:
 * what the generator writes is well-formed (every element is closed, every
 * attribute quoted), so whatever is not was edited, and is an error. HTML and
 * Atom alike; no tree is built.
 */
#ifndef SITE_GEN_AUDIT_HTML_H
#define SITE_GEN_AUDIT_HTML_H

#include "lib/err.h"
#include "lib/str.h"

enum audit_token {
	AUDIT_START, /* <name …>; a void element and <name …/> have no end */
	AUDIT_END,   /* </name> */
	AUDIT_TEXT,  /* everything between two tags, as written; also of script and style */
	AUDIT_EOF,
};

enum { AUDIT_MAX_ATTRIBUTES = 48, AUDIT_MAX_DEPTH = 256 };

struct audit_html {
	const char *path;
	struct str src;
	bool xml; /* no void elements, no raw text */
	size_t i; /* next byte */

	/* of the token at hand */
	const char *at; /* its first byte */
	struct str name, text;
	bool empty; /* AUDIT_START without an end */
	struct {
		struct str name, value; /* the value as written, between its quotes */
	} attribute[AUDIT_MAX_ATTRIBUTES];
	size_t nattributes;

	struct str open[AUDIT_MAX_DEPTH]; /* names of the elements around the next token */
	size_t depth;
};

void audit_html_open(struct audit_html *h, const char *path, struct str src);

/* The next token. False: markup that the generator would not write. */
bool audit_html_next(struct audit_html *h, enum audit_token *out, struct err *e);

/* Line and column of a byte of the file. */
struct loc audit_html_loc(const struct audit_html *h, const char *at);

/* An attribute of the start tag at hand, as written; .p == NULL: it has none. */
struct str audit_html_attribute(const struct audit_html *h, const char *name);

/* Has the start tag at hand this class? */
bool audit_html_class(const struct audit_html *h, const char *class);
/* The same of the value of its class attribute. */
bool audit_html_is_among(struct str classes, const char *class);

/* Appends text or an attribute's value with its character references resolved. */
void audit_html_plain(struct sb *to, struct str written);

#endif
