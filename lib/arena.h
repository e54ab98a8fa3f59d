/*
 * lib/arena.h - memory by lifetime. Everything allocated from an arena lives
 * until the arena is reset or freed; nothing is freed on its own. Running out of
 * memory aborts with a message. An arena over a fixed region (arena_over) hands
 * out memory that other processes share.
 */
#ifndef LIB_ARENA_H
#define LIB_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *block; /* newest first; NULL when fixed */
	char *p, *end;             /* free part of the newest block */
	bool fixed;
};

/* Prints `what` with the name of the project, and aborts. */
_Noreturn void arena_die(const char *what);

/* An empty arena is all zeros: `struct arena a = {0};` */

/* An arena over `size` bytes that the caller owns; running out of them aborts. */
struct arena arena_over(void *mem, size_t size);

/* `size` bytes, zeroed, aligned for any type. Never NULL. */
void *arena_alloc(struct arena *a, size_t size);

/* `size` bytes that are not zeroed, for who fills them all. */
void *arena_bytes(struct arena *a, size_t size);

/* `n` objects of `size` bytes, zeroed; aborts on overflow. */
void *arena_array(struct arena *a, size_t n, size_t size);

/*
 * Makes room for one more object after the first n in an array of `size`-byte
 * objects with capacity *cap. Returns the array, or a copy of twice the capacity
 * with *cap updated. An empty array is NULL with a *cap of 0.
 */
void *arena_grow(struct arena *a, void *array, size_t n, size_t *cap, size_t size);

/* A NUL-terminated copy of the n bytes at p. */
char *arena_strndup(struct arena *a, const char *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);

/* A formatted string. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Forgets all allocations, but keeps the newest block for reuse. */
void arena_reset(struct arena *a);
void arena_free(struct arena *a);

/* Moves all memory of `from` into `a`, so that it lives as long as `a`. Neither may be fixed. */
void arena_adopt(struct arena *a, struct arena *from);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_array((a), (n), sizeof(type)))

#endif
