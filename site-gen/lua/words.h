/*
 * site-gen/lua/words.h - the generator's own words on a page, such as table heads and
 * captions: in English here, in other languages in templates/words.lua. A site may also
 * replace words under the same keys in its settings (config.h). The English words for
 * states of numbers are in records/data_state.c.
 */
#ifndef SITE_GEN_LUA_WORDS_H
#define SITE_GEN_LUA_WORDS_H

#include "lib/arena.h"
#include "lib/str.h"
#include "site-gen/lua/config.h"

/* The words of one language. All zero, or a NULL pointer, means English as in words.c. */
struct words {
	const struct config *config;
	const char *lang;
};

/*
 * The text of a key: in this language, else in the site's own, else the English of
 * words.c. The key must be in words.c.
 */
const char *words_get(const struct words *w, const char *key);

/* The same, with {1}, {2}, … replaced by the n texts of `with`, which are not escaped. */
const char *words_fill_all(const struct words *w, struct arena *a, const char *key,
                           const char *const *with, size_t n);
/* The same for {1} and {2}. */
const char *words_fill(const struct words *w, struct arena *a, const char *key, const char *one,
                       const char *two);

/*
 * Translates a name from another module's table (a metric, a label of the
 * conditions). The English text is the key.
 */
const char *words_label(const struct words *w, const char *english);

/*
 * A record's title or idea: in the page's language if content/kernels/words.lua
 * translates that text, else in English as recorded. `lang` is the attribute of the
 * element around it: "" or " lang=\"en\"".
 */
struct words_said {
	const char *text, *lang;
};
struct words_said words_said(const struct words *w, const char *recorded);

/* The name of a state ("stale") for readers: key "state_stale". */
const char *words_state(const struct words *w, const char *state);

/* A state's sentence for readers: key "state_text_stale", else `english`. */
const char *words_state_text(const struct words *w, const char *state, const char *english);

/* " lang=\"en\"" if the page's language is not that of the records, else "". */
const char *words_record_lang(const struct words *w);

/* The rows of words.c, sorted by key. */
struct words_row {
	const char *key, *english;
};
const struct words_row *words_table(size_t *n);
/* The English text of a key; NULL if the key is unknown. */
const char *words_english(struct str key);

#endif
