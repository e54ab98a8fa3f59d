#include "site-gen/base/kept.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"

bool kept_read(const char *path, size_t max_bytes, struct arena *a, struct str *out)
{
	struct err none = ERR_NONE;
	struct str text, head;
	char sum[HASH_SHA256_HEX + 1];
	if (!file_exists(path) || !file_read(path, max_bytes + sizeof sum, a, &text, &none) ||
	    !str_cut(text, '\n', &head, out))
		return false;
	hash_sha256(*out, sum);
	return str_is(head, sum);
}

static bool put(int fd, const char *sum, struct str bytes)
{
	struct err none = ERR_NONE;
	bool ok = fd >= 0 && file_put_all(fd, str_of(sum), "", &none) &&
	          file_put_all(fd, STR("\n"), "", &none) && file_put_all(fd, bytes, "", &none);
	return fd >= 0 && close(fd) == 0 && ok;
}

void kept_write(const char *path, struct str bytes, struct arena *a)
{
	char sum[HASH_SHA256_HEX + 1];
	const char *temp = arena_printf(a, "%s.%ld", path, (long)getpid());
	hash_sha256(bytes, sum);
	unlink(temp); /* left by a killed process that had the same id */
	if (!put(open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644), sum, bytes) ||
	    rename(temp, path) != 0)
		unlink(temp);
}

/* The notes of one segment: name and descriptor are padded to four bytes. */
static void find_id(const char *p, const char *end, struct str *id)
{
	ElfW(Nhdr) n;
	while ((size_t)(end - p) >= sizeof n) {
		memcpy(&n, p, sizeof n);
		size_t name = (n.n_namesz + 3) & ~(size_t)3, bytes = (n.n_descsz + 3) & ~(size_t)3;
		p += sizeof n;
		if (name > (size_t)(end - p) || bytes > (size_t)(end - p) - name)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && memcmp(p, "GNU", 4) == 0)
			*id = (struct str){p + name, n.n_descsz};
		p += name + bytes;
	}
}

/* The first object is the program itself. Returns nonzero, so that no other follows. */
static int see_object(struct dl_phdr_info *o, size_t size, void *id)
{
	(void)size;
	for (size_t i = 0; i < o->dlpi_phnum; i++) {
		const char *p = (const char *)o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
		if (o->dlpi_phdr[i].p_type == PT_NOTE)
			find_id(p, p + o->dlpi_phdr[i].p_memsz, id);
	}
	return 1;
}

/* A program that was replaced since it started has another path, and so no hash. */
static bool hash_file(char hex[HASH_SHA256_HEX + 1])
{
	struct arena scratch = {0};
	struct str bytes;
	struct err none = ERR_NONE;
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	bool ok = n > 0 && file_read(path, 1 << 30, &scratch, &bytes, &none);
	if (ok)
		hash_sha256(bytes, hex);
	arena_free(&scratch);
	return ok;
}

const char *kept_program(struct arena *a)
{
	struct str id = {NULL, 0};
	char *hex = arena_alloc(a, HASH_SHA256_HEX + 1);
	dl_iterate_phdr(see_object, &id);
	if (id.n > 0)
		hash_sha256(id, hex);
	return id.n > 0 || hash_file(hex) ? hex : NULL;
}

static bool keeps(const struct kept_by *k)
{
	return k->folder && k->program;
}

static const char *path_of(const struct kept_by *k, const char *name, struct arena *a)
{
	return arena_printf(a, "%s/%s", k->folder, name);
}

bool kept_take(const struct kept_by *k, const char *name, const char *key, size_t max_bytes,
               struct arena *a, struct str *out)
{
	struct str bytes, head;
	return keeps(k) && !k->renew && kept_read(path_of(k, name, a), max_bytes, a, &bytes) &&
	       str_cut(bytes, '\n', &head, out) &&
	       str_is(head, arena_printf(a, "%s %s %s", k->program, name, key));
}

void kept_leave(const struct kept_by *k, const char *name, const char *key, struct str bytes)
{
	struct arena a = {0};
	struct sb all = {0};
	if (keeps(k)) {
		sb_printf(&all, "%s %s %s\n", k->program, name, key);
		sb_str(&all, bytes);
		kept_write(path_of(k, name, &a), sb_view(&all), &a);
	}
	sb_free(&all);
	arena_free(&a);
}
