/*
 * site-gen/base/highlight.h - syntax highlighting by a table-driven lexer. It emits
 * classes only: k keyword, t type, b builtin (threadIdx, __syncthreads), s string,
 * n number, c comment, p preprocessor, f function name, o launch brackets; in a
 * diff also ins and del. highlight_lang.c says how to add a language.
 */
#ifndef SITE_GEN_BASE_HIGHLIGHT_H
#define SITE_GEN_BASE_HIGHLIGHT_H

#include "lib/str.h"

struct highlight_lang;

/* Finds a language by name or alias ("cuda", "cu", "c", "sh", "text", …); NULL if unknown. */
const struct highlight_lang *highlight_find(struct str name);
/* The same for a name that an author wrote at `at`: if it is unknown, the error lists all names. */
MUST_CHECK bool highlight_named(struct str name, struct loc at, const struct highlight_lang **out,
                                struct err *e);
/* The language of a file by its name's ending; plain text if no other fits. Never NULL. */
const struct highlight_lang *highlight_for_path(const char *path);

/*
 * Appends `code` as escaped markup with <span class="…">. Each input line gives one
 * output line, and no span crosses a line break.
 */
void highlight_code(const struct highlight_lang *l, struct str code, struct sb *to);

/*
 * A whole block: <div class="code" data-lang="cuda">, in it <div
 * class="caption"> (none if caption is NULL; plain text) and <pre><code>.
 */
void highlight_block(const struct highlight_lang *l, struct str code, const char *caption,
                     struct sb *to);
/* Appends the markup before the code of such a block. */
void highlight_open(const struct highlight_lang *l, const char *caption, struct sb *to);

#endif
