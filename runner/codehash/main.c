/*
 * runner/codehash - the hash of the machine code in object files.
 *
 *   codehash OBJECT...     64 hex digits for all of them, in this order
 *
 * Run by runner/stamp.sh; data/builds/README.md says what the hash states. It
 * covers every section that is loaded, with its relocations by symbol name:
 * an object is not linked yet, so nothing in it depends on an address. Not
 * covered are debugging and line information (never loaded), unwind tables,
 * notes, and the eight hex digits that nvcc and its front end put into names
 * of internal linkage, which follow from the text of the source.
 *
 * nvcc leaves device code in the section .nv_fatbin, as ELF files within the
 * file, each read in the same way. A compressed one cannot be read: an object
 * with device code and no such file is an error.
 *
 * ELF: System V ABI, chapter 4, and elf(5).
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/hash.h"

enum {
	MAX_OBJECT_BYTES = 256 << 20,
	MACHINE_CUDA = 190, /* EM_CUDA of the ELF registry; not in every elf.h */
};

/* One ELF file in memory. */
struct elf {
	struct str bytes;
	Elf64_Ehdr head;
	struct str names; /* section names */
};

static bool part(struct str s, uint64_t at, uint64_t n, struct str *out)
{
	if (at > s.n || n > s.n - at)
		return false;
	*out = str_sub(s, (size_t)at, (size_t)(at + n));
	return true;
}

static struct str name_at(struct str table, uint32_t at)
{
	struct str rest;
	if (!part(table, at, table.n - (at < table.n ? at : table.n), &rest))
		return STR("");
	return str_sub(rest, 0, str_find(rest, 0, 0));
}

static bool section(const struct elf *f, size_t i, Elf64_Shdr *out)
{
	struct str s;
	if (i >= f->head.e_shnum ||
	    !part(f->bytes, f->head.e_shoff + i * sizeof *out, sizeof *out, &s))
		return false;
	memcpy(out, s.p, sizeof *out);
	return true;
}

/* The bytes of a section; those it has only in memory are none. */
static bool contents(const struct elf *f, const Elf64_Shdr *h, struct str *out)
{
	if (h->sh_type != SHT_NOBITS)
		return part(f->bytes, h->sh_offset, h->sh_size, out);
	*out = STR("");
	return true;
}

static bool elf_open(struct str bytes, struct elf *f)
{
	Elf64_Shdr names;
	*f = (struct elf){.bytes = bytes};
	if (bytes.n < sizeof f->head)
		return false;
	memcpy(&f->head, bytes.p, sizeof f->head);
	return memcmp(f->head.e_ident, ELFMAG, SELFMAG) == 0 &&
	       f->head.e_ident[EI_CLASS] == ELFCLASS64 && f->head.e_ident[EI_DATA] == ELFDATA2LSB &&
	       f->head.e_shentsize == sizeof names && section(f, f->head.e_shstrndx, &names) &&
	       contents(f, &names, &f->names);
}

static bool is_code(const struct elf *f, const Elf64_Shdr *h, struct str name)
{
	static const char *const out[] = {".eh_frame", ".note", ".nv_fatbin"};
	for (size_t i = 0; i < sizeof out / sizeof out[0]; i++)
		if (str_starts(name, out[i]))
			return false;
	/* registers, stack and shared memory of kernels: read by the driver */
	if (f->head.e_machine == MACHINE_CUDA && str_starts(name, ".nv.info"))
		return true;
	return h->sh_flags & SHF_ALLOC;
}

/* What a relocation points to: a symbol's name, or its section's. */
static struct str target(const struct elf *f, const Elf64_Shdr *symbols, uint64_t i)
{
	Elf64_Shdr strings, home;
	Elf64_Sym s;
	struct str table, text, one;
	if (!contents(f, symbols, &table) || !part(table, i * sizeof s, sizeof s, &one) ||
	    !section(f, symbols->sh_link, &strings) || !contents(f, &strings, &text))
		return STR("?");
	memcpy(&s, one.p, sizeof s);
	if (s.st_name == 0 && section(f, s.st_shndx, &home))
		return name_at(f->names, home.sh_name);
	return name_at(text, s.st_name);
}

static bool put_relocations(const struct elf *f, const Elf64_Shdr *h, struct sb *to)
{
	Elf64_Shdr symbols;
	Elf64_Rela r;
	struct str table, one;
	if (!section(f, h->sh_link, &symbols) || !contents(f, h, &table))
		return false;
	for (size_t at = 0; part(table, at, sizeof r, &one); at += sizeof r) {
		memcpy(&r, one.p, sizeof r);
		struct str name = target(f, &symbols, ELF64_R_SYM(r.r_info));
		sb_printf(to, "%llx %llx " STR_FMT " %llx\n", (unsigned long long)r.r_offset,
		          (unsigned long long)ELF64_R_TYPE(r.r_info), STR_ARG(name),
		          (unsigned long long)r.r_addend);
	}
	return true;
}

/* Every section that counts: name, size, bytes; relocations follow what they mend. */
static bool put_elf(const struct elf *f, struct sb *to)
{
	Elf64_Shdr h, about;
	struct str bytes;
	for (size_t i = 0; i < f->head.e_shnum; i++) {
		if (!section(f, i, &h))
			return false;
		struct str name = name_at(f->names, h.sh_name);
		if (h.sh_type == SHT_RELA && section(f, h.sh_info, &about)) {
			if (is_code(f, &about, name_at(f->names, about.sh_name)) &&
			    !put_relocations(f, &h, to))
				return false;
		} else if (h.sh_type != SHT_RELA && is_code(f, &h, name)) {
			if (!contents(f, &h, &bytes))
				return false;
			sb_printf(to, "section " STR_FMT " %llu\n", STR_ARG(name),
			          (unsigned long long)h.sh_size);
			sb_str(to, bytes);
		}
	}
	return true;
}

/* The device code within an object: ELF files in its section .nv_fatbin. */
static bool put_device(const struct elf *host, struct sb *to)
{
	Elf64_Shdr h;
	struct str bytes;
	size_t found = 0;
	bool has = false;
	for (size_t i = 0; section(host, i, &h); i++) {
		if (!str_eq(name_at(host->names, h.sh_name), STR(".nv_fatbin")))
			continue;
		if (!contents(host, &h, &bytes))
			return false;
		has = true;
		for (size_t at = 0; at + sizeof(Elf64_Ehdr) <= bytes.n; at += 8) {
			struct elf f;
			if (!elf_open(str_sub(bytes, at, bytes.n), &f) ||
			    f.head.e_machine != MACHINE_CUDA)
				continue;
			sb_cstr(to, "device\n");
			found++;
			if (!put_elf(&f, to))
				return false;
		}
	}
	return found > 0 || !has;
}

/* Names of internal linkage hold a hash of the source's text: zeros instead. */
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
	return put_device(&f, to) || err_set(e, "%s: its device code cannot be read", path);
}

int main(int argc, char **argv)
{
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct sb text = {0};
	char hex[HASH_SHA256_HEX + 1];
	for (int i = 1; i < argc && !e.set; i++)
		if (!put_object(argv[i], &a, &text, &e))
			fprintf(stderr, "codehash: %s\n", e.text);
	if (!e.set) {
		plain_names(&text);
		hash_sha256(sb_view(&text), hex);
		puts(hex);
	}
	sb_free(&text);
	arena_free(&a);
	return e.set;
}
