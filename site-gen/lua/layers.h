/*
 * site-gen/lua/layers.h - the look of a site in two layers: its own templates/ and static/, which
 * lie file by file over the default look of Ridgepoint. A site without a default has its own alone.
 */
#ifndef SITE_GEN_LUA_LAYERS_H
#define SITE_GEN_LUA_LAYERS_H

#include <stddef.h>

#include "lib/arena.h"
#include "site-gen/base/inputs.h"

struct layers {
	const char *own;   /* path before templates/ and static/: "", "themes/plain/" */
	const char *under; /* the same of the default: "/usr/share/ridgepoint/"; NULL: none */
};

/* A file of the look. */
struct layer_file {
	const char *name; /* below the folder: "fonts/sans.woff2" */
	const struct input *input;
};

/*
 * The folder of the default look, with a slash at its end; NULL if there is none.
 * PREFIX/bin/site-gen has PREFIX/share/ridgepoint/, and a program that was built in a checkout,
 * such as build/site-gen, has that checkout.
 */
const char *layers_default(struct arena *a);

/* The same for a program at the absolute path `program`. Declared for tests. */
const char *layers_default_of(const char *program, struct arena *a);

/* Are the current folder and `folder` the same? */
bool layers_is_here(const char *folder);

/* The path of the file `name` ("static/site.css") of the look; its own path if no layer has it. */
const char *layers_file(const struct layers *l, const char *name, struct arena *a);

/* The files below `folder` ("static/") of both layers, by name. Returns how many there are. */
size_t layers_list(const struct layers *l, const struct inputs *in, const char *folder,
                   struct arena *a, struct layer_file **out);

#endif
