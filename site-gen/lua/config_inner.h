/*
 * site-gen/lua/config_inner.h - declarations shared by the readers of the settings.
 *
 *   config.c        the table of keys, and most of their readers
 *   config_look.c   keys of the look: theme, version, colours, logo, favicon
 *   config_place.c  places of keys and values, for errors
 */
#ifndef SITE_GEN_LUA_CONFIG_INNER_H
#define SITE_GEN_LUA_CONFIG_INNER_H

#include "site-gen/lua/config.h"
#include "site-gen/lua/script.h"

struct config_reader {
	const char *path;
	struct str src;
	struct arena *arena;
	struct config *out;
	struct err *err;
};

/* Finds the first `word` in the code; returns the place of the file if the code lacks it. */
struct loc config_place(const struct config_reader *r, const char *word);

/* The place of the last of n words, of which each is the first after the one before. */
struct loc config_place_in(const struct config_reader *r, const char *const *word, size_t n);

/* The place of a quoted text; the place of `nav` if it is not found. */
struct loc config_place_of_text(const struct config_reader *r, struct str text);

/* The error that a key has a value of another kind. Returns false. */
bool config_wrong_type(struct config_reader *r, const char *name, enum script_kind got,
                       enum script_kind wanted);

/* The value of a key of a table; NULL if it has none. */
const struct script_value *config_member(const struct script_value *v, const char *key);

/* theme -> name ; a folder of themes/ that has templates */
MUST_CHECK bool config_read_theme(struct config_reader *r, const struct script_value *v);

MUST_CHECK bool config_read_version(struct config_reader *r, const struct script_value *v);

/*
 * colours -> { light = theme, dark = theme } ; theme -> { accent, background, text = "#rrggbb" }
 * The look has been read. Text and links must have the contrast of WCAG 2.2, AA, with what they
 * stand on.
 */
MUST_CHECK bool config_read_colours(struct config_reader *r, const struct script_value *v);

/* logo, favicon -> "static/NAME" ; a file of the look */
MUST_CHECK bool config_read_logo(struct config_reader *r, const struct script_value *v);
MUST_CHECK bool config_read_favicon(struct config_reader *r, const struct script_value *v);

#endif
