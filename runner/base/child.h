/*
 * runner/base/child.h - child processes. Work that may crash, hang or start CUDA runs in one.
 */
#ifndef RUNNER_BASE_CHILD_H
#define RUNNER_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/arena.h"
#include "lib/err.h"

/*
 * Forks a child that is killed when its parent dies. A pipe joins the two: the child owns its
 * write end in fd[1], the parent its read end in fd[0]. Returns the child's pid in the parent,
 * 0 in the child, and -1 with an error.
 */
MUST_CHECK pid_t child_start(int fd[2], struct err *e);

/*
 * Runs `what(out, ctx)` in a child and copies the n bytes that it left at `out`.
 * False if the child died, or was killed after timeout_s seconds (as patience.h counts them).
 */
MUST_CHECK bool child_ask(void (*what)(void *out, const void *ctx), const void *ctx, void *out,
                          size_t n, int timeout_s, struct err *e);

/* Finds a program in $PATH. Returns its path, in the arena, or NULL. */
const char *child_find(const char *name, struct arena *a);

/*
 * Creates an empty temporary file for what a program reads or answers; its path is in the arena.
 * The caller unlinks it. NULL after an error.
 */
MUST_CHECK const char *child_temporary(const char *what, struct arena *a, struct err *e);

/*
 * Runs the program argv (NULL-terminated) to its end, at most timeout_s seconds and until stop_fd
 * (-1: none) can be read. `text`, of `size` bytes, receives the beginning of what it prints.
 * Returns NULL, or why it failed, in the arena.
 */
const char *child_run(const char *const *argv, int timeout_s, int stop_fd, char *text, size_t size,
                      struct arena *a);

#endif
