#include "site-gen/preview/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/lua/layers.h"
#include "lib/str.h"

enum { QUIET_MS = 8 };

static const uint32_t events = IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE |
                               IN_DELETE | IN_ONLYDIR | IN_DONT_FOLLOW;

struct watch {
	int fd;
	char **folder; /* by watch descriptor */
	size_t nfolders;
};

static bool is_git(const char *path)
{
	return str_starts(str_of(path), ".git");
}

static void remember(struct watch *w, int wd, const char *path)
{
	if ((size_t)wd >= w->nfolders) {
		size_t n = (size_t)wd * 2 + 64;
		w->folder = realloc(w->folder, n * sizeof *w->folder);
		if (!w->folder)
			abort();
		memset(w->folder + w->nfolders, 0, (n - w->nfolders) * sizeof *w->folder);
		w->nfolders = n;
	}
	free(w->folder[wd]);
	w->folder[wd] = strdup(path);
}

static bool add_tree(struct watch *w, const char *path, struct err *e);

struct parent {
	struct watch *w;
	const char *path;
};

static bool add_subfolder(void *ctx, int fd, const char *name, struct err *e)
{
	const struct parent *p = ctx;
	struct stat st;
	if (name[0] == '.' || fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISDIR(st.st_mode))
		return true;
	struct sb sub = {0};
	sb_printf(&sub, "%s/%s", p->path, name);
	bool ok = add_tree(p->w, sub.p, e);
	sb_free(&sub);
	return ok;
}

/* Watches the subfolders; a folder that has vanished has none. */
static bool add_subfolders(struct watch *w, const char *path, struct err *e)
{
	struct parent p = {w, path};
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return true;
	struct err why = ERR_NONE;
	return file_each(fd, path, add_subfolder, &p, &why) || !file_exists(path) ||
	       err_set(e, "%s", why.text);
}

static bool add_tree(struct watch *w, const char *path, struct err *e)
{
	int wd = inotify_add_watch(w->fd, path, events);
	if (wd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return true;
	if (wd < 0)
		return err_sys(e, "%s: cannot watch the folder", path);
	remember(w, wd, path);
	/* in .git only HEAD and the branches matter */
	return strcmp(path, ".git") == 0 || add_subfolders(w, path, e);
}

/* The default look, of an author who works on it beside a site of hers. */
static bool add_default(struct watch *w, struct err *e)
{
	struct arena a = {0};
	const char *under = layers_default(&a);
	bool ok = !under || layers_is_here(under) ||
	          (add_tree(w, arena_printf(&a, "%stemplates", under), e) &&
	           add_tree(w, arena_printf(&a, "%sstatic", under), e));
	arena_free(&a);
	return ok;
}

struct watch *watch_open(struct err *e)
{
	static const char *const roots[] = {"content", "templates", "static",         "themes",
	                                    "data",    ".git",      ".git/refs/heads"};
	struct watch *w = calloc(1, sizeof *w);
	if (!w)
		abort();
	w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	bool ok = w->fd >= 0 || err_sys(e, "cannot watch files");
	for (size_t i = 0; ok && i < ARRAY_LEN(roots); i++)
		ok = add_tree(w, roots[i], e);
	if (ok && add_default(w, e))
		return w;
	watch_close(w);
	return NULL;
}

void watch_close(struct watch *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	for (size_t i = 0; i < w->nfolders; i++)
		free(w->folder[i]);
	free(w->folder);
	free(w);
}

/* True if the event changes an input of a build. Starts to watch new folders. */
static bool matters(struct watch *w, const struct inotify_event *ev, struct err *e)
{
	const char *folder = ev->wd >= 0 && (size_t)ev->wd < w->nfolders ? w->folder[ev->wd] : NULL;
	const char *name = ev->len ? ev->name : "";
	if (ev->mask & IN_Q_OVERFLOW)
		return true;
	if (!folder || (ev->mask & IN_IGNORED) || str_ends(str_of(name), ".lock"))
		return false;
	if (strcmp(folder, ".git") == 0)
		return strcmp(name, "HEAD") == 0 || strcmp(name, "packed-refs") == 0;
	if (name[0] == '.' || str_ends(str_of(name), "~"))
		return false;
	if (!(ev->mask & IN_ISDIR))
		return !(ev->mask & IN_CREATE); /* an event follows when its writer closes it */
	if (ev->mask & (IN_CREATE | IN_MOVED_TO)) {
		struct sb path = {0};
		sb_printf(&path, "%s/%s", folder, name);
		add_tree(w, path.p, e);
		sb_free(&path);
	}
	return !is_git(folder);
}

/* The Markdown file that changed, if it is the only one. */
struct edit {
	struct sb *path;
	bool several;
};

static void note_edit(const struct watch *w, const struct inotify_event *ev, struct edit *edit)
{
	if (!ev->len || !str_ends(str_of(ev->name), ".md") ||
	    !(ev->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)))
		return;
	struct sb path = {0};
	sb_printf(&path, "%s/%s", w->folder[ev->wd], ev->name);
	edit->several = edit->several ||
	                (edit->path->n > 0 && !str_eq(sb_view(&path), sb_view(edit->path)));
	sb_clear(edit->path);
	if (!edit->several)
		sb_str(edit->path, sb_view(&path));
	sb_free(&path);
}

/* Reads all pending events; true if one of them matters. */
static bool drain(struct watch *w, struct edit *edit, struct err *e)
{
	_Alignas(struct inotify_event) char buf[16384];
	bool any = false;
	ssize_t n;
	while ((n = read(w->fd, buf, sizeof buf)) > 0)
		for (char *p = buf; p < buf + n;) {
			const struct inotify_event *ev = (const struct inotify_event *)p;
			if (matters(w, ev, e)) {
				note_edit(w, ev, edit);
				any = true;
			}
			p += sizeof *ev + ev->len;
		}
	return any;
}

bool watch_wait(struct watch *w, struct sb *edited, struct err *e)
{
	struct edit edit = {.path = edited};
	sb_clear(edited);
	struct pollfd p = {.fd = w->fd, .events = POLLIN};
	for (bool any = false;;) {
		int n = poll(&p, 1, any ? QUIET_MS : -1);
		if (n < 0 && errno != EINTR)
			return err_sys(e, "cannot wait for files");
		if (n == 0)
			return true;
		any = drain(w, &edit, e) || any;
		if (e->set)
			return false;
	}
}
