#include "site-gen/lua/layers.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"

enum { MOST_PARENTS = 6 }; /* of a program in a checkout: build/san/tests/… */

static bool is_look(const char *folder, struct arena *a)
{
	return file_exists(arena_printf(a, "%stemplates/words.lua", folder));
}

static bool is_checkout(const char *folder, struct arena *a)
{
	return is_look(folder, a) && file_exists(arena_printf(a, "%ssite-gen/main.c", folder));
}

/* "/usr/bin/site-gen" -> "/usr/bin/"; "/usr/bin/" -> "/usr/"; NULL: nothing is above it */
static const char *parent(const char *path, struct arena *a)
{
	size_t n = strlen(path);
	if (n > 0 && path[n - 1] == '/')
		n--;
	while (n > 0 && path[n - 1] != '/')
		n--;
	return n > 0 ? arena_strndup(a, path, n) : NULL;
}

const char *layers_default_of(const char *program, struct arena *a)
{
	const char *folder = parent(program, a), *prefix = folder ? parent(folder, a) : NULL;
	const char *share = prefix ? arena_printf(a, "%sshare/ridgepoint/", prefix) : NULL;
	if (share && is_look(share, a))
		return share;
	for (int i = 0; folder && i < MOST_PARENTS; i++, folder = parent(folder, a))
		if (is_checkout(folder, a))
			return folder;
	return NULL;
}

const char *layers_default(struct arena *a)
{
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	if (n <= 0)
		return NULL;
	program[n] = 0;
	return layers_default_of(program, a);
}

bool layers_is_here(const char *folder)
{
	struct stat here, there;
	return stat(".", &here) == 0 && stat(folder, &there) == 0 && here.st_dev == there.st_dev &&
	       here.st_ino == there.st_ino;
}

const char *layers_file(const struct layers *l, const char *name, struct arena *a)
{
	const char *own = arena_printf(a, "%s%s", l->own, name);
	const char *under = l->under ? arena_printf(a, "%s%s", l->under, name) : NULL;
	return under && !file_exists(own) && file_exists(under) ? under : own;
}

/* The files of one layer, and where their names begin. */
struct range {
	const struct input *at, *end;
	size_t skip;
};

static struct range range_of(const struct inputs *in, const char *layer, const char *folder,
                             struct arena *a)
{
	size_t from, to;
	const char *path = arena_printf(a, "%s%s", layer, folder);
	inputs_under(in, path, &from, &to);
	return (struct range){in->file + from, in->file + to, strlen(path)};
}

static const char *name_at(const struct range *r)
{
	return r->at < r->end ? r->at->path + r->skip : NULL;
}

/* Which comes first? An own file stands before one of the same name, an ended layer after all. */
static int order(const char *own, const char *under)
{
	return !own ? 1 : !under ? -1 : strcmp(own, under);
}

size_t layers_list(const struct layers *l, const struct inputs *in, const char *folder,
                   struct arena *a, struct layer_file **out)
{
	size_t n = 0;
	struct range own = range_of(in, l->own, folder, a), under = {0};
	if (l->under)
		under = range_of(in, l->under, folder, a);
	*out = ARENA_ARRAY(a, struct layer_file,
	                   (size_t)(own.end - own.at) + (size_t)(under.end - under.at) + 1);
	while (name_at(&own) || name_at(&under)) {
		int first = order(name_at(&own), name_at(&under));
		struct range *r = first <= 0 ? &own : &under;
		(*out)[n++] = (struct layer_file){name_at(r), r->at};
		under.at += first >= 0;
		own.at += first <= 0;
	}
	return n;
}
