/*
 * site-gen/lua/template.h - templates/FILE.html, as templates/README.md describes
 * them, translated to Lua once and compiled once per process.
 */
#ifndef SITE_GEN_LUA_TEMPLATE_H
#define SITE_GEN_LUA_TEMPLATE_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/script.h"

/* The version of templates/README.md: another one where a look must change to go on working. */
#define TEMPLATE_API 1

struct template
{
	const char *name; /* "post.html" */
	const char *path; /* "templates/post.html" */
	struct str code;  /* Lua, one line for each line of the template */
	struct script_literals literals;
};

/*
 * Translates one template. Text becomes pieces that are printed by number,
 * so Lua never sees it; line breaks stay where they are, so Lua's line
 * numbers are the template's.
 */
bool template_translate(struct str src, const char *name, const char *path, struct arena *a,
                        struct template *out, struct err *e);

/* Compiles one more; an error if it is wrong, or takes too much memory beside the others. */
bool template_add(struct script *s, const struct template *t, struct err *e);

/* A script with all of these compiled, or NULL and an error. */
struct script *template_compile(const struct template *t, size_t n, struct err *e);

#endif
