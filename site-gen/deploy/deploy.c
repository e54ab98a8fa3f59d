/*
 * Deployment. To add a kind of target, add a row to `kinds`, which recognizes it by its
 * spelling, and a function that sends the finished copy there.
 */
#include "site-gen/deploy/deploy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/output/compress.h"
#include "site-gen/git/git.h"
#include "site-gen/base/inputs.h"
#include "site-gen/output/publish.h"

enum {
	MAX_FILE_BYTES = 64 << 20,
	LEAST_BYTES = 256, /* for smaller files, headers cost what compression saves */
};

struct kind {
	const char *name, *prefix; /* prefix NULL: is_remote() decides; "": all others */
	bool (*send)(const struct deploy_options *o, struct err *e); /* NULL: copied in place */
};

static bool send_rsync(const struct deploy_options *o, struct err *e);
static bool send_git(const struct deploy_options *o, struct err *e);

static const struct kind kinds[] = {
        {"branch", "git:", send_git},
        {"rsync", "rsync://", send_rsync},
        {"rsync", NULL, send_rsync},
        {"folder", "", NULL},
};

/* host:path, as rsync and scp take it: a colon before any slash. */
static bool is_remote(const char *target)
{
	const char *colon = strchr(target, ':'), *slash = strchr(target, '/');
	return colon && colon > target && (!slash || colon < slash);
}

static const struct kind *kind_of(const char *target)
{
	size_t i = 0;
	while (kinds[i].prefix ? !str_starts(str_of(target), kinds[i].prefix) : !is_remote(target))
		i++;
	return &kinds[i];
}

/* --- the copy, with compressed forms --- */

struct copy {
	const struct deploy_options *o;
	struct publish publish;
	struct output_file *file;
	size_t n, cap, changed;
	struct arena arena, each; /* lifetimes: the whole copy; one file */
};

static bool put(struct copy *c, const char *path, struct str bytes, struct err *e)
{
	c->file = arena_grow(&c->arena, c->file, c->n, &c->cap, sizeof *c->file);
	struct output_file *f = &c->file[c->n++];
	return publish_put(&c->publish, arena_strdup(&c->arena, path), bytes, f, e);
}

/*
 * Compression costs more than everything else, so the cache keeps its results by content. Others
 * may be able to write to the cache, so a result counts only if it decompresses to these bytes.
 */
static bool compressed(struct copy *c, const struct compress_form *form, struct str bytes,
                       struct str *out, struct err *e)
{
	char hex[HASH_SHA256_HEX + 1];
	struct err none = ERR_NONE;
	hash_sha256(bytes, hex);
	const char *kept =
	        arena_printf(&c->each, "%s/compressed/%s%s", c->o->cache, hex, form->extension);
	if (file_exists(kept) && file_read(kept, MAX_FILE_BYTES, &c->each, out, &none) &&
	    form->holds(*out, bytes))
		return true;
	struct sb to = {0};
	bool ok = (form->compress(bytes, &to) && form->holds(sb_view(&to), bytes)) ||
	          err_set(e, "%s cannot compress it", form->name);
	if (ok) {
		*out = str_keep(&c->each, sb_view(&to));
		unchecked(file_write(kept, *out, &none)); /* only saves the next deploy work */
	}
	sb_free(&to);
	return ok;
}

static bool put_forms(struct copy *c, const char *path, struct str bytes, struct err *e)
{
	size_t n;
	const struct compress_form *form = compress_forms(&n);
	if (bytes.n < LEAST_BYTES || !compress_pays(str_of(path)))
		return true;
	for (size_t i = 0; i < n; i++) {
		struct str small;
		if (!compressed(c, &form[i], bytes, &small, e))
			return err_set(e, "%s: cannot be compressed", path);
		if (small.n < bytes.n &&
		    !put(c, arena_printf(&c->each, "%s%s", path, form[i].extension), small, e))
			return false;
	}
	return true;
}

static bool copy_file(struct copy *c, const char *path, struct err *e)
{
	struct str bytes;
	const char *name = path + strlen(c->o->from) + 1;
	bool ok = file_read(path, MAX_FILE_BYTES, &c->each, &bytes, e) && put(c, name, bytes, e) &&
	          put_forms(c, name, bytes, e);
	arena_reset(&c->each);
	return ok;
}

static bool copy_all(struct copy *c, struct err *e)
{
	struct inputs in = {0};
	bool published;
	if (!inputs_add(&in, c->o->from, &c->arena, e))
		return false;
	if (in.n == 0)
		return err_set(e, "%s: there is no site; build it first", c->o->from);
	inputs_sort(&in);
	for (size_t i = 0; i < in.n; i++)
		if (!copy_file(c, in.file[i].path, e))
			return false;
	for (size_t i = 0; i < c->n; i++)
		c->changed += c->file[i].changed;
	return publish_commit(&c->publish, c->file, c->n, true, &published, e);
}

/* Copies everything below `from`, with compressed forms, to the folder `to`, all at once. */
static bool copy_site(const struct deploy_options *o, const char *to, bool write, struct err *e)
{
	struct copy c = {.o = o};
	bool ok = file_mkdirs(arena_printf(&c.arena, "%s/compressed", o->cache), e) &&
	          (write || publish_allowed(to, &c.arena, e)) &&
	          publish_open(to, write, &c.arena, &c.publish, e);
	if (ok) {
		ok = copy_all(&c, e);
		publish_close(&c.publish);
	}
	if (ok && !o->quiet)
		printf("site-gen: %s: %zu files, %zu %s\n", to, c.n, c.changed,
		       write ? "new or changed" : "would be new or changed");
	arena_free(&c.each);
	arena_free(&c.arena);
	return ok;
}

/* --- targets --- */

static bool run(char *const argv[], struct err *e)
{
	int status;
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return err_sys(e, "cannot start %s", argv[0]);
	if (pid == 0) {
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		return err_sys(e, "cannot wait for %s", argv[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(e, "'%s' is not installed", argv[0]);
	return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
	       err_set(e, "%s failed; its own message stands above", argv[0]);
}

static bool send_rsync(const struct deploy_options *o, struct err *e)
{
	struct arena a = {0};
	char *argv[] = {"rsync",
	                "--recursive",
	                "--checksum",
	                "--times",
	                "--delay-updates",
	                "--delete-delay",
	                o->quiet ? "--quiet" : "--itemize-changes",
	                o->dry_run ? "--dry-run" : "--chmod=D755,F644",
	                "--",
	                arena_printf(&a, "%s/", o->stage),
	                arena_strdup(&a, o->target),
	                NULL};
	bool ok = run(argv, e);
	arena_free(&a);
	return ok;
}

static bool send_git(const struct deploy_options *o, struct err *e)
{
	struct git *g = NULL;
	char commit[HASH_GIT_HEX + 1];
	const char *branch = o->target + strlen("git:");
	bool changed, ok = git_open(".", &g, e);
	if (ok && !g)
		ok = err_set(e, "there is no git repository here to hold branch '%s'", branch);
	if (ok && o->dry_run)
		ok = git_commit_allowed(g, branch, e);
	if (ok && o->dry_run)
		printf("site-gen: would commit %s to branch %s\n", o->stage, branch);
	else if (ok && git_commit_folder(g, branch, o->stage, commit, &changed, e)) {
		if (!o->quiet)
			printf("site-gen: branch %s %s %.12s\n", branch,
			       changed ? "is now" : "stays at", commit);
	} else {
		ok = false;
	}
	git_close(g);
	return ok;
}

bool deploy_site(const struct deploy_options *o, struct err *e)
{
	const struct kind *k = kind_of(o->target);
	if (!k->send)
		return copy_site(o, o->target, !o->dry_run, e);
	return copy_site(o, o->stage, true, e) && k->send(o, e);
}
