/*
 * runner/codehash/main.c - a program that prints the hash of the machine code in object
 * files, or its instruction mix.
 *
 *   codehash OBJECT...      one hash of all objects, in this order: 64 hex digits
 *   codehash --mix OBJECT   the device code's instructions by class, with their
 *                           counts; nothing if there is no device code
 *   codehash --device OBJECT  SHA-256 of each ELF file of device code in it, a line each: by
 *                           it `runner sass` knows the file in the linked program
 *
 * runner/scripts/stamp.sh runs it; data/builds/README.md says what an equal hash means.
 * The hash covers every section that is loaded, with its relocations by symbol name. An
 * object is not linked yet, so no byte of it depends on an address. It leaves out debug
 * and line information (never loaded), unwind tables, notes, and eight hex digits in the
 * names of internal symbols: nvcc and its front end derive them from the source's text.
 *
 * Device code is read in the same way. An object whose device code cannot be read,
 * because it is compressed, is an error.
 */
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/array.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "runner/codehash/elf.h"
#include "runner/codehash/mix.h"

enum { MAX_OBJECT_BYTES = 256 << 20 };

static bool is_code(const struct elf *f, const Elf64_Shdr *h, struct str name)
{
	static const char *const out[] = {".eh_frame", ".note", ".nv_fatbin"};
	for (size_t i = 0; i < ARRAY_LEN(out); i++)
		if (str_starts(name, out[i]))
			return false;
	/* the driver reads registers, stack and shared memory of kernels here */
	if (f->head.e_machine == MACHINE_CUDA && str_starts(name, ".nv.info"))
		return true;
	return h->sh_flags & SHF_ALLOC;
}

/* Target of a relocation: the symbol's name, or its section's. */
static struct str target(const struct elf *f, const Elf64_Shdr *symbols, uint64_t i)
{
	Elf64_Shdr strings, home;
	Elf64_Sym s;
	struct str table, text, one;
	if (!elf_contents(f, symbols, &table) || !elf_part(table, i * sizeof s, sizeof s, &one) ||
	    !elf_section(f, symbols->sh_link, &strings) || !elf_contents(f, &strings, &text))
		return STR("?");
	memcpy(&s, one.p, sizeof s);
	if (s.st_name == 0 && elf_section(f, s.st_shndx, &home))
		return elf_name(f->names, home.sh_name);
	return elf_name(text, s.st_name);
}

static bool put_relocations(const struct elf *f, const Elf64_Shdr *h, struct sb *to)
{
	Elf64_Shdr symbols;
	Elf64_Rela r;
	struct str table, one;
	if (!elf_section(f, h->sh_link, &symbols) || !elf_contents(f, h, &table))
		return false;
	for (size_t at = 0; elf_part(table, at, sizeof r, &one); at += sizeof r) {
		memcpy(&r, one.p, sizeof r);
		struct str name = target(f, &symbols, ELF64_R_SYM(r.r_info));
		sb_printf(to, "%llx %llx " STR_FMT " %llx\n", (unsigned long long)r.r_offset,
		          (unsigned long long)ELF64_R_TYPE(r.r_info), STR_ARG(name),
		          (unsigned long long)r.r_addend);
	}
	return true;
}

/* Appends every covered section: name, size, bytes. Relocations follow their section. */
static bool put_elf(const struct elf *f, struct sb *to)
{
	Elf64_Shdr h, about;
	struct str bytes;
	for (size_t i = 0; i < f->head.e_shnum; i++) {
		if (!elf_section(f, i, &h))
			return false;
		struct str name = elf_name(f->names, h.sh_name);
		if (h.sh_type == SHT_RELA && elf_section(f, h.sh_info, &about)) {
			if (is_code(f, &about, elf_name(f->names, about.sh_name)) &&
			    !put_relocations(f, &h, to))
				return false;
		} else if (h.sh_type != SHT_RELA && is_code(f, &h, name)) {
			if (!elf_contents(f, &h, &bytes))
				return false;
			sb_printf(to, "section " STR_FMT " %llu\n", STR_ARG(name),
			          (unsigned long long)h.sh_size);
			sb_str(to, bytes);
		}
	}
	return true;
}

/* Appends a device ELF file. For elf_each_device(). */
static bool put_device(const struct elf *f, void *to)
{
	sb_cstr(to, "device\n");
	return put_elf(f, to);
}

/* Replaces the hash of the source's text in names of internal symbols with zeros. */
static void plain_names(struct sb *text)
{
	static const char *const before[] = {"_INTERNAL_", "_GLOBAL__N__"};
	for (size_t k = 0; k < 2; k++) {
		size_t n = strlen(before[k]);
		for (char *p = text->p, *end = text->p + text->n;
		     (p = memmem(p, (size_t)(end - p), before[k], n));) {
			p += n;
			if (end - p > 8 && p[8] == '_')
				memset(p, '0', 8);
		}
	}
}

static bool put_object(const char *path, struct arena *a, struct sb *to, struct err *e)
{
	struct str bytes;
	struct elf f;
	if (!file_read(path, MAX_OBJECT_BYTES, a, &bytes, e))
		return false;
	sb_cstr(to, "object\n");
	if (!elf_open(bytes, &f) || !put_elf(&f, to))
		return err_set(e, "%s: not a 64-bit little-endian ELF object", path);
	return elf_each_device(&f, put_device, to) ||
	       err_set(e, "%s: its device code cannot be read", path);
}

static int print_hash(int n, char **path, struct arena *a, struct err *e)
{
	struct sb text = {0};
	char hex[HASH_SHA256_HEX + 1];
	for (int i = 0; i < n && !e->set; i++)
		put_object(path[i], a, &text, e);
	if (!e->set) {
		plain_names(&text);
		hash_sha256(sb_view(&text), hex);
		puts(hex);
	}
	sb_free(&text);
	return e->set;
}

static int print_mix(const char *path, struct arena *a, struct err *e)
{
	struct str bytes;
	struct elf f;
	struct mix m = {0};
	struct sb text = {0};
	if (!file_read(path, MAX_OBJECT_BYTES, a, &bytes, e))
		return 1;
	if (!elf_open(bytes, &f) || !elf_each_device(&f, mix_add, &m))
		return !err_set(e, "%s: its device code cannot be read", path);
	if (m.all) {
		mix_put(&m, &text);
		puts(text.p);
	}
	sb_free(&text);
	return 0;
}

/* Prints the hash of a device ELF file. For elf_each_device(). */
static bool print_device_hash(const struct elf *f, void *ctx)
{
	(void)ctx;
	char hex[HASH_SHA256_HEX + 1];
	size_t n = elf_size(f);
	hash_sha256(str_sub(f->bytes, 0, n), hex);
	puts(hex);
	return n > 0;
}

static int print_device(const char *path, struct arena *a, struct err *e)
{
	struct str bytes;
	struct elf f;
	if (!file_read(path, MAX_OBJECT_BYTES, a, &bytes, e))
		return 1;
	if (!elf_open(bytes, &f) || !elf_each_device(&f, print_device_hash, NULL))
		return !err_set(e, "%s: its device code cannot be read", path);
	return 0;
}

int main(int argc, char **argv)
{
	struct err e = ERR_NONE;
	struct arena a = {0};
	bool mix = argc == 3 && strcmp(argv[1], "--mix") == 0;
	bool device = argc == 3 && strcmp(argv[1], "--device") == 0;
	int status = mix      ? print_mix(argv[2], &a, &e)
	             : device ? print_device(argv[2], &a, &e)
	                      : print_hash(argc - 1, argv + 1, &a, &e);
	if (e.set)
		fprintf(stderr, "codehash: %s\n", e.text);
	arena_free(&a);
	return status;
}
