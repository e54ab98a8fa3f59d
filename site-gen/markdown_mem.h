/*
 * site-gen/markdown_mem.h - the memory cmark-gfm parses into: all of it is
 * forgotten at once, by md_mem_reset, after a post is printed.
 */
#ifndef SITE_GEN_MARKDOWN_MEM_H
#define SITE_GEN_MARKDOWN_MEM_H

#include <cmark-gfm.h>

cmark_mem *md_mem(void);
void md_mem_reset(void);

#endif
