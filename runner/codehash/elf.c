#include "runner/codehash/elf.h"

#include <string.h>

bool elf_part(struct str s, uint64_t at, uint64_t n, struct str *out)
{
	if (at > s.n || n > s.n - at)
		return false;
	*out = str_sub(s, (size_t)at, (size_t)(at + n));
	return true;
}

struct str elf_name(struct str table, uint32_t at)
{
	struct str rest;
	if (!elf_part(table, at, table.n - (at < table.n ? at : table.n), &rest))
		return STR("");
	return str_sub(rest, 0, str_find(rest, 0, 0));
}

bool elf_section(const struct elf *f, size_t i, Elf64_Shdr *out)
{
	struct str s;
	if (i >= f->head.e_shnum ||
	    !elf_part(f->bytes, f->head.e_shoff + i * sizeof *out, sizeof *out, &s))
		return false;
	memcpy(out, s.p, sizeof *out);
	return true;
}

bool elf_contents(const struct elf *f, const Elf64_Shdr *h, struct str *out)
{
	if (h->sh_type != SHT_NOBITS)
		return elf_part(f->bytes, h->sh_offset, h->sh_size, out);
	*out = STR("");
	return true;
}

bool elf_open(struct str bytes, struct elf *f)
{
	Elf64_Shdr names;
	*f = (struct elf){.bytes = bytes};
	if (bytes.n < sizeof f->head)
		return false;
	memcpy(&f->head, bytes.p, sizeof f->head);
	return memcmp(f->head.e_ident, ELFMAG, SELFMAG) == 0 &&
	       f->head.e_ident[EI_CLASS] == ELFCLASS64 && f->head.e_ident[EI_DATA] == ELFDATA2LSB &&
	       f->head.e_shentsize == sizeof names && elf_section(f, f->head.e_shstrndx, &names) &&
	       elf_contents(f, &names, &f->names);
}

/* Makes *size at least the end of n bytes from offset `at`; false if they are not all there. */
static bool reach(const struct elf *f, uint64_t at, uint64_t n, uint64_t *size)
{
	struct str part;
	if (!elf_part(f->bytes, at, n, &part))
		return false;
	*size = at + n > *size ? at + n : *size;
	return true;
}

size_t elf_size(const struct elf *f)
{
	const Elf64_Ehdr *h = &f->head;
	uint64_t size = sizeof *h;
	Elf64_Shdr s;
	bool ok = reach(f, h->e_shoff, (uint64_t)h->e_shnum * h->e_shentsize, &size) &&
	          reach(f, h->e_phoff, (uint64_t)h->e_phnum * h->e_phentsize, &size);
	for (size_t i = 0; ok && i < h->e_shnum; i++)
		ok = elf_section(f, i, &s) &&
		     (s.sh_type == SHT_NOBITS || reach(f, s.sh_offset, s.sh_size, &size));
	return ok ? (size_t)size : 0;
}

bool elf_each_device(const struct elf *object, bool (*each)(const struct elf *f, void *ctx),
                     void *ctx)
{
	Elf64_Shdr h;
	struct str bytes;
	size_t found = 0;
	bool has = false;
	for (size_t i = 0; elf_section(object, i, &h); i++) {
		if (!str_is(elf_name(object->names, h.sh_name), ".nv_fatbin"))
			continue;
		if (!elf_contents(object, &h, &bytes))
			return false;
		has = true;
		for (size_t at = 0; at + sizeof(Elf64_Ehdr) <= bytes.n; at += 8) {
			struct elf f;
			if (!elf_open(str_sub(bytes, at, bytes.n), &f) ||
			    f.head.e_machine != MACHINE_CUDA)
				continue;
			found++;
			if (!each(&f, ctx))
				return false;
		}
	}
	return found > 0 || !has;
}
