/* tests/unit/help/folder.h - a temporary folder under /tmp for one test, and its files. */
#ifndef TESTS_UNIT_HELP_FOLDER_H
#define TESTS_UNIT_HELP_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/file.h"

struct folder {
	struct arena arena;
	char path[64];
};

static inline int folder_setup(void **state)
{
	struct folder *f = calloc(1, sizeof *f);
	strcpy(f->path, "/tmp/ridgepoint_test.XXXXXX");
	assert_non_null(mkdtemp(f->path));
	*state = f;
	return 0;
}

static inline int folder_teardown(void **state)
{
	struct folder *f = *state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", f->path);
	assert_int_equal(system(command), 0);
	arena_free(&f->arena);
	free(f);
	return 0;
}

/* The path of a name in it. */
static inline const char *folder_path(struct folder *f, const char *name)
{
	return arena_printf(&f->arena, "%s/%s", f->path, name);
}

/* Writes a file, and the folders that it lies in; returns its path. */
static inline const char *folder_put(struct folder *f, const char *name, const char *text)
{
	struct err e = ERR_NONE;
	const char *path = folder_path(f, name);
	char *parent = arena_strdup(&f->arena, path);
	*strrchr(parent, '/') = 0;
	if (!file_mkdirs(parent, &e) || !file_write(path, str_of(text), &e))
		fail_msg("%s", e.text);
	return path;
}

#endif
