/*
 * site-gen/commands/spell.h - spelling check of content/ by the author's own program:
 * `hunspell -l`, `aspell list`, or any other that reads words and prints those that it
 * does not know.
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
 * The words of a Markdown text that starts at line 1 of `path`, as views of `src`. A
 * word has letters and apostrophes, and at least two letters. Front matter, code,
 * placeholders, formulas, addresses, marks in braces, and words with digits or
 * underscores are skipped. Declared for tests.
 */
struct spell_word *spell_words(struct str src, const char *path, struct arena *a, size_t *n);

/*
 * Runs `command` (a program and its arguments, separated by spaces; no shell)
 * over the sources in the site's own language. Warns, once a file, of each word that
 * it prints and that content/words.txt (one word a line) does not have. If the program
 * is not installed, prints that on `to` and succeeds.
 */
MUST_CHECK bool spell_check(const char *command, struct problems *problems, FILE *to,
                            struct err *e);

#endif
