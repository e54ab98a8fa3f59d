/*
 * site-gen/audit/html.h - a strict reader of published HTML and XML. The generator
 * writes well-formed markup: it closes every element and quotes every attribute.
 * Any other markup was edited afterwards, and is an error. The reader gives tokens
 * and builds no tree.
 */
#ifndef SITE_GEN_AUDIT_HTML_H
#define SITE_GEN_AUDIT_HTML_H

#include "lib/err.h"
#include "lib/str.h"

enum audit_token {
	AUDIT_START, /* <name …>; no AUDIT_END follows a void element or <name …/> */
	AUDIT_END,   /* </name> */
	AUDIT_TEXT,  /* everything between two tags, as written; also in script and style */
	AUDIT_EOF,
};

enum { AUDIT_MAX_ATTRIBUTES = 48, AUDIT_MAX_DEPTH = 256 };

struct audit_html {
	const char *path;
	struct str src;
	bool xml; /* no void elements, no raw text */
	size_t i; /* next byte */

	/* the current token */
	const char *at; /* its first byte */
	struct str name, text;
	bool empty; /* AUDIT_START without an AUDIT_END */
	struct {
		struct str name, value; /* value: as written between the quotes */
	} attribute[AUDIT_MAX_ATTRIBUTES];
	size_t nattributes;

	struct str open[AUDIT_MAX_DEPTH]; /* names of the elements that enclose the next token */
	size_t depth;
};

void audit_html_open(struct audit_html *h, const char *path, struct str src);

/* Reads the next token. False: markup that the generator would not write. */
MUST_CHECK bool audit_html_next(struct audit_html *h, enum audit_token *out, struct err *e);

/* Line and column of a byte of the file. */
struct loc audit_html_loc(const struct audit_html *h, const char *at);

/* An attribute of the current start tag, as written; .p == NULL if it has none. */
struct str audit_html_attribute(const struct audit_html *h, const char *name);

/* Does the current start tag have this class? */
bool audit_html_class(const struct audit_html *h, const char *class);
/* The same for the value of a class attribute. */
bool audit_html_is_among(struct str classes, const char *class);

/* Appends text or an attribute's value with its character references resolved. */
void audit_html_plain(struct sb *to, struct str written);

#endif
