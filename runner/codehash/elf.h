/*
 * runner/codehash/elf.h - reading ELF files in memory: sections, names and contents.
 * Results are views into the file; nothing is copied.
 *
 * ELF: System V ABI, chapter 4, and elf(5).
 *
 * Why not libelf: it gave the same hash and the same instruction counts for all 664 objects
 * of a build, 118 of them with device code. But elf.c was 12 lines longer with it, because
 * each file must be closed again, and every machine that builds a runner would need its package.
 *
 * A file with 65280 sections or more is refused: their number does not fit in its header.
 */
#ifndef RUNNER_CODEHASH_ELF_H
#define RUNNER_CODEHASH_ELF_H

#include <elf.h>

#include "lib/str.h"

enum { MACHINE_CUDA = 190 }; /* EM_CUDA of the ELF registry; not in every elf.h */

/* One ELF file in memory. */
struct elf {
	struct str bytes;
	Elf64_Ehdr head;
	struct str names; /* section names */
};

/* Opens an ELF file; false if it is not 64-bit and little-endian. */
bool elf_open(struct str bytes, struct elf *f);

/* Takes n bytes of s from offset `at`; false if there are not so many. */
bool elf_part(struct str s, uint64_t at, uint64_t n, struct str *out);

/* The name at an offset in a string table; empty if the offset is outside. */
struct str elf_name(struct str table, uint32_t at);

/* Header of section i; false if there are not so many. */
bool elf_section(const struct elf *f, size_t i, Elf64_Shdr *out);

/* The bytes of a section in the file: none for one like .bss. False if the file is cut short. */
bool elf_contents(const struct elf *f, const Elf64_Shdr *h, struct str *out);

/* How many bytes the file takes: `bytes` may go on behind it. 0 if it is cut short. */
size_t elf_size(const struct elf *f);

/*
 * Calls each() for every ELF file of device code within an object; nvcc puts them into
 * the section .nv_fatbin. False if each() returns false, or if that section exists but
 * contains no readable file (a compressed one is not).
 */
bool elf_each_device(const struct elf *object, bool (*each)(const struct elf *f, void *ctx),
                     void *ctx);

#endif
