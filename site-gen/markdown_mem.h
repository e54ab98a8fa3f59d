/*
 * site-gen/markdown_mem.h - the memory cmark-gfm parses into: all of it is
 * forgotten at once, by md_mem_reset, after a post is printed.
 */
#ifndef SITE_GEN_MARKDOWN_MEM_H
#define SITE_GEN_MARKDOWN_MEM_H

#include <cmark-gfm.h>
#include <setjmp.h>

cmark_mem *md_mem(void);

/*
 * While `full` is set, more than 256 MiB jumps there: some kilobytes of
 * references to one long definition would unfold to gigabytes, and cmark-gfm
 * has no way to fail. All it holds is in this memory, so nothing leaks.
 */
void md_mem_limit(jmp_buf *full);

void md_mem_reset(void);

#endif
