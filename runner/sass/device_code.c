#include "runner/sass/device_code.h"

#include <string.h>

#include "lib/file.h"

enum { MAX_PROGRAM_BYTES = 1 << 30 };

struct found {
	struct device_code *file;
	size_t n, cap;
	struct arena *a;
};

/* For elf_each_device(). */
static bool note(const struct elf *f, void *ctx)
{
	struct found *all = ctx;
	size_t size = elf_size(f);
	if (size == 0)
		return false;
	all->file = arena_grow(all->a, all->file, all->n, &all->cap, sizeof *all->file);
	struct device_code *d = &all->file[all->n++];
	d->bytes = str_sub(f->bytes, 0, size);
	hash_sha256(d->bytes, d->sha256);
	return elf_open(d->bytes, &d->elf);
}

bool device_code_read(const char *program, struct arena *a, struct device_code **out, size_t *n,
                      struct err *e)
{
	struct found all = {.a = a};
	struct str bytes;
	struct elf f;
	if (!file_read(program, MAX_PROGRAM_BYTES, a, &bytes, e))
		return false;
	if (!elf_open(bytes, &f) || !elf_each_device(&f, note, &all))
		return err_set(e, "%s: its device code cannot be read", program);
	*out = all.file;
	*n = all.n;
	return all.n > 0 || err_set(e,
	                            "%s: has no device code: it was built without nvcc; with "
	                            "it on PATH, make runner",
	                            program);
}

bool device_code_function(const struct device_code *d, const char *name,
                          char out[HASH_SHA256_HEX + 1])
{
	Elf64_Shdr h;
	struct str bytes;
	for (size_t i = 0; elf_section(&d->elf, i, &h); i++) {
		struct str section = elf_name(d->elf.names, h.sh_name);
		if (!str_starts(section, ".text.") ||
		    !str_is(str_sub(section, strlen(".text."), section.n), name) ||
		    !elf_contents(&d->elf, &h, &bytes))
			continue;
		hash_sha256(bytes, out);
		return true;
	}
	return false;
}
