/*
 * site-gen/diagram/lanes.h - what the 32 lanes of a warp touch with one access: sectors and lines
 * of global memory, or banks of shared memory.
 *
 * Global memory moves in sectors of 32 bytes; four of them are a cache line. Shared memory has 32
 * banks of 4 bytes, and a bank serves one word in a pass, for all lanes that want this word. Lanes
 * that want 8 or 16 bytes each are served in two or four groups, one after the other, since 32
 * banks serve 128 bytes in a pass at most (CUDA C++ Programming Guide 13.0, section 5.3.2.3 and
 * "Shared Memory" of compute capability 5.x).
 */
#ifndef SITE_GEN_DIAGRAM_LANES_H
#define SITE_GEN_DIAGRAM_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	LANES = 32,
	LANES_SECTOR = 32, /* bytes */
	LANES_LINE = 128,
	LANES_WORD = 4,
	LANES_BANKS = 32,
	LANES_MOST_BYTES = 16, /* of one lane */
};

/* Byte addresses, and how many bytes each lane asks for: 1, 2, 4, 8 or 16. */
struct lanes {
	int64_t at[LANES];
	int bytes;
};

/* Distinct sectors and lines in ascending order; a lane may lie in two of them. */
struct lanes_global {
	int64_t sector[2 * LANES], line[2 * LANES];
	int nsectors, nlines;
	int64_t moved, used; /* bytes */
};

struct lanes_shared {
	int pass[LANES]; /* in which pass each lane gets its word, or the last of its words */
	int passes;      /* of the whole access */
	int least;       /* passes without any conflict */
	int ways;        /* most distinct words that one group wants of one bank */
};

void lanes_global(const struct lanes *l, struct lanes_global *out);
void lanes_shared(const struct lanes *l, struct lanes_shared *out);
/* Does any lane want a byte of this word (its address)? */
bool lanes_want(const struct lanes *l, int64_t word);

#endif
