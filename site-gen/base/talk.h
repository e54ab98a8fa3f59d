/*
 * site-gen/base/talk.h - conversations with a program that keeps running. It is confined as in
 * tool.h, started once, and asked many times over its standard streams.
 *
 * Such a program has no folder, so it can write only its answers. It ends with the process that
 * started it. A forked process may not use its parent's conversation; it starts its own.
 */
#ifndef SITE_GEN_BASE_TALK_H
#define SITE_GEN_BASE_TALK_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/base/tool.h"

struct talk;

/*
 * Starts the program. Ignores the members `dir`, `input`, `output` and `wall_seconds` of `t`;
 * cpu_seconds limits the cost of all answers together. NULL and an error if it cannot be started.
 */
MUST_CHECK struct talk *talk_start(const struct tool *t, struct arena *a, struct err *e);

/*
 * Sends `question` and appends the program's output to `answer`, up to the line `end`, which is
 * left out. Fails if the program ended, took more than `seconds`, answered more than `most` bytes,
 * or complained; `said`, in the arena, is its stderr. After an error, call talk_end().
 */
MUST_CHECK bool talk_ask(struct talk *c, struct str question, const char *end, int seconds,
                         size_t most, struct arena *a, struct sb *answer, struct str *said,
                         struct err *e);

/* Ends the program. NULL is fine. */
void talk_end(struct talk *c);

#endif
