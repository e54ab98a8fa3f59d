/*
 * Memory for cmark-gfm. Its callbacks take no context, so this is the generator's
 * only mutable static. A process renders one post at a time (cmark-gfm is not
 * thread-safe anyway), and starts each with empty memory.
 *
 * A bump allocator makes parsing a third faster than malloc, because the thousands
 * of small nodes of a tree are not freed one by one. The first megabyte is kept for
 * the next post; the rest is freed.
 */
#include "site-gen/markdown/inner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1024 * 1024, LIMIT_BYTES = 256 * 1024 * 1024, ALIGN = 16 };

struct block {
	struct block *older;
	size_t size; /* in bytes */
	_Alignas(ALIGN) char bytes[];
};

static struct {
	cmark_mem mem;
	struct block *block; /* newest first */
	char *p, *end;       /* free part of the newest block */
	size_t total;        /* bytes of all blocks */
	jmp_buf *full;       /* jump target beyond LIMIT_BYTES */
} bump;

/* Precedes each allocation and has its size, so that it can grow. */
struct header {
	_Alignas(ALIGN) size_t size;
};

static void die(void)
{
	fputs("ridgepoint: out of memory\n", stderr);
	abort();
}

static void grow(size_t need)
{
	size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
	if (bump.full && bump.total + size > LIMIT_BYTES)
		longjmp(*bump.full, 1);
	struct block *b = malloc(sizeof *b + size);
	if (!b)
		die();
	b->older = bump.block;
	b->size = size;
	bump.total += size;
	bump.block = b;
	bump.p = b->bytes;
	bump.end = b->bytes + size;
}

static void *take(size_t size)
{
	if (size > SIZE_MAX / 4)
		die();
	size_t need = sizeof(struct header) + ((size + ALIGN - 1) & ~(size_t)(ALIGN - 1));
	if (!bump.p || (size_t)(bump.end - bump.p) < need)
		grow(need);
	struct header *h = (struct header *)bump.p;
	h->size = size;
	bump.p += need;
	return h + 1;
}

static void *bump_calloc(size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 4 / size)
		die();
	return memset(take(n * size), 0, n * size);
}

static void *bump_realloc(void *old, size_t size)
{
	if (!old)
		return take(size);
	struct header *h = (struct header *)old - 1;
	if (size <= h->size)
		return old;
	void *new = take(size);
	memcpy(new, old, h->size);
	return new;
}

static void bump_free(void *p)
{
	(void)p;
}

cmark_mem *md_mem(void)
{
	bump.mem = (cmark_mem){bump_calloc, bump_realloc, bump_free};
	return &bump.mem;
}

void md_mem_limit(jmp_buf *full)
{
	bump.full = full;
}

void md_mem_reset(void)
{
	while (bump.block && bump.block->older) {
		struct block *older = bump.block->older;
		bump.total -= bump.block->size;
		free(bump.block);
		bump.block = older;
	}
	if (bump.block) {
		bump.p = bump.block->bytes;
		bump.end = bump.p + bump.block->size;
	}
}
