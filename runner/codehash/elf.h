/*
 * runner/codehash/elf.h - ELF files in memory: sections, their names and bytes.
 * Views into the file; nothing is copied.
 *
 * ELF: System V ABI, chapter 4, and elf(5).
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

/* False: not a 64-bit little-endian ELF file. */
bool elf_open(struct str bytes, struct elf *f);

/* n bytes from `at`, or false. */
bool elf_part(struct str s, uint64_t at, uint64_t n, struct str *out);

/* The name at an offset of a string table; empty if there is none. */
struct str elf_name(struct str table, uint32_t at);

/* Section i; false: there are not so many. */
bool elf_section(const struct elf *f, size_t i, Elf64_Shdr *out);

/* The bytes of a section; those it has only in memory are none. */
bool elf_contents(const struct elf *f, const Elf64_Shdr *h, struct str *out);

/*
 * Calls each() for every ELF file of device code within an object: nvcc leaves
 * them in the section .nv_fatbin. False: each() was, or there is such a section
 * and no file in it that can be read (a compressed one cannot).
 */
bool elf_each_device(const struct elf *object, bool (*each)(const struct elf *f, void *ctx),
                     void *ctx);

#endif
