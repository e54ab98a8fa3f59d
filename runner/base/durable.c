#include "runner/base/durable.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"

bool durable_names(const char *dir, struct err *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok || err_sys(e, "%s: cannot make durable", dir);
}

/* Replaces a path with its parent folder. */
static void cut_last(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash)
		snprintf(path, 2, ".");
	else if (slash == path)
		path[1] = 0;
	else
		*slash = 0;
}

bool durable_folder(const char *dir, struct err *e)
{
	char at[PATH_MAX], made[PATH_MAX];
	if (snprintf(at, sizeof at, "%s", dir) >= (int)sizeof at)
		return err_set(e, "%s: too long a path", dir);
	memcpy(made, at, sizeof made);
	while (!file_exists(at)) /* ends, because "." and "/" always exist */
		cut_last(at);
	if (!file_mkdirs(dir, e))
		return false;
	/* sync each folder that received a new folder, innermost first */
	while (strcmp(made, at) != 0) {
		cut_last(made);
		if (!durable_names(made, e))
			return false;
	}
	return true;
}
