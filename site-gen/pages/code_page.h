/*
 * site-gen/pages/code_page.h - a page for each version of a source file that numbers were measured
 * with: the file as it was compiled, and what has changed in it since. Pages of numbers link to it,
 * because hundreds of cases share a file.
 *
 *   /code/<file>-<blob>/   #code: the file; #since: the difference to HEAD, if there is one
 */
#ifndef SITE_GEN_PAGES_CODE_PAGE_H
#define SITE_GEN_PAGES_CODE_PAGE_H

#include "lib/err.h"
#include "site-gen/kinds/kinds.h"

struct maker;
struct page;
struct script;
struct site;

struct code_file {
	const char *path, *blob; /* as the record names them */
	const char *url;         /* NULL: no page, since no page of a number shows the file */
	bool changed;            /* HEAD has other bytes at the path */
	bool shown;              /* the file of a variant itself; else another that it includes */
	struct pick of;          /* a case that was compiled from it: source[i] */
	size_t i;
};

struct code_files {
	struct code_file *all; /* by blob and path */
	size_t n;
};

/* Finds the files of all numbers; into s->code. A file that the repository lacks gets no page. */
void code_page_find(struct site *s);

/* source[i] of a number's case. */
const struct code_file *code_page_file(const struct site *s, const struct pick *p, size_t i);

/* Sets "body"; the page's subject is a code_file. */
void code_page_vars(struct maker *m, struct script *script, const struct page *p);

#endif
