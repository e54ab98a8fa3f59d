#include "lib/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	BLOCK_BYTES = 64 * 1024,
	PAGE_BYTES = 2 << 20, /* of a huge page, which costs one fault in place of 512 */
	/* aligning a block takes a page of addresses more: an eighth, for most bytes */
	MOST_BYTES = 8 * PAGE_BYTES,
	ALIGN = 16,
};

struct arena_block {
	struct arena_block *older;
	size_t size; /* of the payload */
	_Alignas(16) char payload[];
};

_Noreturn void arena_die(const char *what)
{
	fprintf(stderr, "ridgepoint: %s\n", what);
	abort();
}

struct arena arena_over(void *mem, size_t size)
{
	return (struct arena){.p = mem, .end = (char *)mem + size, .fixed = true};
}

/* A block is twice as large as the one before, up to a few huge pages. */
static struct arena_block *new_block(const struct arena_block *before, size_t need)
{
	struct arena_block *b;
	size_t all = before ? 2 * (sizeof *b + before->size) : BLOCK_BYTES;
	if (all > MOST_BYTES)
		all = MOST_BYTES;
	if (all < need + sizeof *b)
		all = need + sizeof *b;
	if (all > PAGE_BYTES) /* a whole file, for example */
		all = (all + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	bool huge = all % PAGE_BYTES == 0;
	b = huge ? aligned_alloc(PAGE_BYTES, all) : malloc(all);
	if (!b)
		arena_die("out of memory");
	if (huge)
		(void)madvise(b, all, MADV_HUGEPAGE); /* or small pages serve */
	b->size = all - sizeof *b;
	return b;
}

static void grow(struct arena *a, size_t need)
{
	if (a->fixed)
		arena_die("a shared arena is full");
	struct arena_block *b = new_block(a->block, need);
	b->older = a->block;
	a->block = b;
	a->p = b->payload;
	a->end = b->payload + b->size;
}

void *arena_bytes(struct arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		arena_die("out of memory");
	size_t need = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (need == 0)
		need = ALIGN;
	if (!a->p || (size_t)(a->end - a->p) < need)
		grow(a, need);
	void *p = a->p;
	a->p += need;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return memset(arena_bytes(a, size), 0, size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / 2 / size)
		arena_die("out of memory");
	return arena_alloc(a, n * size);
}

void *arena_grow(struct arena *a, void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap ? 2 * *cap : 32;
	void *more = arena_array(a, *cap, size);
	if (n > 0)
		memcpy(more, array, n * size);
	return more;
}

char *arena_strndup(struct arena *a, const char *p, size_t n)
{
	char *s = arena_bytes(a, n + 1);
	if (n)
		memcpy(s, p, n);
	s[n] = 0;
	return s;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	char buf[256]; /* most texts fit, so they are formatted only once */
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	char *s = arena_bytes(a, (size_t)n + 1);
	if ((size_t)n < sizeof buf)
		memcpy(s, buf, (size_t)n + 1);
	else
		vsnprintf(s, (size_t)n + 1, fmt, again);
	va_end(again);
	return s;
}

static void drop_older(struct arena_block *b)
{
	while (b) {
		struct arena_block *older = b->older;
		free(b);
		b = older;
	}
}

void arena_reset(struct arena *a)
{
	if (!a->block)
		return;
	drop_older(a->block->older);
	a->block->older = NULL;
	a->p = a->block->payload;
	a->end = a->p + a->block->size;
}

void arena_free(struct arena *a)
{
	drop_older(a->block);
	*a = (struct arena){0};
}

void arena_adopt(struct arena *a, struct arena *from)
{
	if (a->fixed || from->fixed)
		arena_die("a shared arena cannot give or take memory");
	struct arena_block **end = &a->block;
	while (*end)
		end = &(*end)->older;
	*end = from->block;
	*from = (struct arena){0};
}
