/*
 * site-gen/lua/words.h - the words that the generator itself puts on a page: heads
 * of tables, captions, labels for screen readers. English is in words.c; a
 * site adds languages, and may say it differently, in templates/words.lua and
 * in its settings (config.h), under the same keys.
 */
#ifndef SITE_GEN_LUA_WORDS_H
#define SITE_GEN_LUA_WORDS_H

#include "lib/arena.h"
#include "lib/str.h"
#include "site-gen/lua/config.h"

/* The words of one language. All zero, or a NULL pointer to it: English as in words.c. */
struct words {
	const struct config *config;
	const char *lang;
};

/*
 * The text of a key: in the language, else in the site's own, else as in
 * words.c. The key must be in words.c.
 */
const char *words_get(const struct words *w, const char *key);

/* The same with {1} and {2} replaced by the texts given, as they are: not for markup. */
const char *words_fill(const struct words *w, struct arena *a, const char *key, const char *one,
                       const char *two);

/*
 * A name that a table elsewhere has in English (a metric, a label of the
 * conditions): its other languages have the English text as the key.
 */
const char *words_label(const struct words *w, const char *english);

/*
 * A title or an idea that a record says in English: in the page's language
 * where content/kernels/words.lua has that text, else as recorded. `lang` is the
 * attribute of the element around it: "" or " lang=\"en\"".
 */
struct words_said {
	const char *text, *lang;
};
struct words_said words_said(const struct words *w, const char *recorded);

/* The name of a state ("stale") for readers: key "state_stale". */
const char *words_state(const struct words *w, const char *state);

/* Its sentence for readers: key "state_text_stale", else the English one. */
const char *words_state_text(const struct words *w, const char *state, const char *english);

/* " lang=\"en\"" where the page is in another language than the records are, else "". */
const char *words_record_lang(const struct words *w);

/* The rows of words.c, sorted by key. */
struct words_row {
	const char *key, *english;
};
const struct words_row *words_table(size_t *n);
/* The English text of a key, or NULL. */
const char *words_english(struct str key);

#endif
