/*
 * site-gen/site/traced.h - runs the lint (rule `traced`, markdown/traced.h) over the
 * texts of sources, settings, templates and records.
 */
#ifndef SITE_GEN_SITE_TRACED_H
#define SITE_GEN_SITE_TRACED_H

#include "site-gen/markdown/traced.h"

struct data_run;
struct front;
struct maker;
struct md_doc;
struct page;
struct site;

/* Checks a source: its front matter, and Markdown's findings in its body. Keeps its waivers. */
void traced_page(struct maker *m, struct page *p, const struct front *f, const struct md_doc *d);

/* Checks content/site.lua, templates/words.lua and content/kernels/words.lua. */
void traced_settings(struct site *s, struct problems *to);

/* Checks the words of a template: text, visible attributes, and strings in Lua. */
void traced_template(const struct lint *l, struct str src, const char *path, struct problems *to);

/* A text of a record with a finding. It cannot change any more. */
struct traced_record {
	const char *what; /* "idea", … */
	const char *name; /* the kernel that it describes: "reduce/cub" */
	const char *text;
	const char *found;          /* the words that the lint found */
	const struct data_run *run; /* the newest run with this text */
};
/* All such texts, each once; those that a preview has found for several builds, if it has. */
const struct traced_record *traced_records(const struct site *s, struct arena *a, size_t *n);

#endif
