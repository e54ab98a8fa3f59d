#include "site-gen/base/kept.h"

#include <fcntl.h>
#include <stdio.h>
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
