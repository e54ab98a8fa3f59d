/*
 * runner/codehash/mix.h - the instruction mix of device code: instructions counted by
 * class. This is a static count: a loop's body counts once.
 *
 * To add a class, add a row to mix.c.
 */
#ifndef RUNNER_CODEHASH_MIX_H
#define RUNNER_CODEHASH_MIX_H

#include "runner/codehash/elf.h"

enum { MIX_MAX = 96 };

/* Counts by class, in the order of mix.c's table, and the count of all instructions but NOP. */
struct mix {
	size_t count[MIX_MAX], all;
};

/* Adds the code of a device ELF file; `mix` points to a struct mix. For elf_each_device(). */
bool mix_add(const struct elf *f, void *mix);

/* Appends the classes that occur: "FFMA 16, LDG.128 4, all 214". */
void mix_put(const struct mix *m, struct sb *to);

#endif
