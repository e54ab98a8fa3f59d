/*
 * site-gen/lua/template.h - translator of templates/FILE.html to Lua. It translates
 * each template once; each process compiles it once. templates/README.md describes
 * the language.
 */
#ifndef SITE_GEN_LUA_TEMPLATE_H
#define SITE_GEN_LUA_TEMPLATE_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/script.h"

/* Version of the API in templates/README.md. A change that breaks looks raises it. */
#define TEMPLATE_API 1

struct template
{
	const char *name; /* "post.html" */
	const char *path; /* "templates/post.html" */
	struct str code;  /* Lua, one line for each line of the template */
	struct script_literals literals;
};

/*
 * Translates one template. Text becomes pieces that are printed by number, so Lua
 * never sees it. Line breaks stay in place, so Lua's line numbers are the template's.
 */
MUST_CHECK bool template_translate(struct str src, const char *name, const char *path,
                                   struct arena *a, struct template *out, struct err *e);

/* Compiles one more template. Fails if it is wrong or if all together need too much memory. */
MUST_CHECK bool template_add(struct script *s, const struct template *t, struct err *e);

/* A script with all templates compiled; NULL and an error if one fails. */
MUST_CHECK struct script *template_compile(const struct template *t, size_t n, struct err *e);

#endif
