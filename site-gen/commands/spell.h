/*
 * site-gen/commands/spell.h - the author's own spelling checker over the prose of
 * content/: `hunspell -l` or `aspell list`, any program that reads words and
 * prints those it does not know.
 */
#ifndef SITE_GEN_COMMANDS_SPELL_H
#define SITE_GEN_COMMANDS_SPELL_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/base/problems.h"

struct spell_word {
	struct str text;
	struct loc at;
};

/*
 * The words of a Markdown text that starts at line 1 of `path`: letters and
 * apostrophes, of two letters or more. Front matter, code, placeholders,
 * formulas, addresses, marks in braces and words with digits or underscores are none. Views of `src`.
 */
struct spell_word *spell_words(struct str src, const char *path, struct arena *a, size_t *n);

/*
 * Runs `command` (a program and its arguments, separated by spaces; no shell)
 * over the sources in the site's own language and warns, once a file, of each
 * word that it prints and content/words.txt (a word a line) does not have.
 * A program that is not installed is said on `to`, and is no error.
 */
bool spell_check(const char *command, struct problems *problems, FILE *to, struct err *e);

#endif
