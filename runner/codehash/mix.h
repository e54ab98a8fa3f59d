/*
 * runner/codehash/mix.h - what device code is made of: its instructions,
 * counted by class. Counted in the code, not as they run: a loop's body once.
 *
 * How to add a class: a row in mix.c.
 */
#ifndef RUNNER_CODEHASH_MIX_H
#define RUNNER_CODEHASH_MIX_H

#include "runner/codehash/elf.h"

enum { MIX_MAX = 96 };

/* Counts by class, in the order of mix.c's table, and all instructions but NOP. */
struct mix {
	size_t count[MIX_MAX], all;
};

/* Adds the functions of a device ELF file; `mix` is a struct mix. */
bool mix_add(const struct elf *f, void *mix);

/* Appends "FFMA 16, LDG.128 4, all 214": the classes that occur. */
void mix_put(const struct mix *m, struct sb *to);

#endif
