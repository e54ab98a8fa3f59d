/*
 * tests/unit/help/synthetic_repo.h - a small repository in a temporary folder:
 * synthetic sources, datasheet numbers and runs (tests/unit/help/synthetic.h),
 * committed by git itself. Tests run from the root of the checkout.
 */
#ifndef TESTS_UNIT_HELP_SYNTHETIC_REPO_H
#define TESTS_UNIT_HELP_SYNTHETIC_REPO_H

#include <unistd.h>

#include "lib/file.h"
#include "site-gen/records/data.h"
#include "site-gen/records/launches.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/plot/plot.h"
#include "tests/unit/help/synthetic.h"

struct repo {
	char dir[64];
	char commit[41]; /* at which the sources were "measured" */
	struct arena arena;
	struct git *git;
	struct data data;
	struct expand_ctx ctx;
};

#define RUN_A "20260101T000000Z-synthetic-0000000a"
#define RUN_B "20260102T000000Z-synthetic-0000000b"

static inline void must(bool ok, const struct err *e)
{
	if (!ok) {
		fprintf(stderr, "%s\n", e->text);
		abort();
	}
}

static inline void repo_write(struct repo *r, const char *path, struct str text)
{
	struct err e = ERR_NONE;
	char *full = arena_printf(&r->arena, "%s/%s", r->dir, path);
	char *dir = arena_strdup(&r->arena, full);
	*strrchr(dir, '/') = 0;
	must(file_mkdirs(dir, &e) && file_write(full, text, &e), &e);
}

static inline void repo_git(struct repo *r, const char *command)
{
	const char *all = arena_printf(
	        &r->arena,
	        "cd %s && GIT_CONFIG_NOSYSTEM=1 HOME=%s GIT_AUTHOR_DATE='2026-01-01T01:00:00Z' "
	        "GIT_COMMITTER_DATE='2026-01-01T01:00:00Z' "
	        "git -c user.name=Test -c user.email=test@example.org -c gc.auto=0 %s",
	        r->dir, r->dir, command);
	if (system(all) != 0)
		abort();
}

static inline void repo_head(struct repo *r, char out[41])
{
	struct err e = ERR_NONE;
	struct git *g;
	must(git_open(r->dir, &g, &e), &e);
	memcpy(out, git_head(g), 41);
	git_close(g);
}

/* Makes the folder, sources and datasheet numbers; commits them if `with_git`. */
static inline void repo_make(struct repo *r, bool with_git)
{
	*r = (struct repo){.dir = "/tmp/ridgepoint-test-XXXXXX"};
	struct err e = ERR_NONE;
	struct str text;
	if (!mkdtemp(r->dir))
		abort();
	for (int f = 0; f < SYNTHETIC_FAMILIES; f++) {
		const struct synthetic_family *fam = &synthetic_families[f];
		for (int v = 0; v < 6 && fam->variant[v].id; v++)
			repo_write(r, synthetic_path(fam->id, fam->variant[v].id, &r->arena),
			           synthetic_source(fam->id, fam->variant[v].id, &r->arena));
	}
	must(file_read("data/specs/h200.json", 1 << 20, &r->arena, &text, &e), &e);
	repo_write(r, "data/specs/h200.json", text);
	struct file_entry *gp;
	size_t n;
	must(file_list("templates/plots", &r->arena, &gp, &n, &e), &e);
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(&r->arena, "templates/plots/%s", gp[i].name);
		must(file_read(path, 1 << 20, &r->arena, &text, &e), &e);
		repo_write(r, path, text);
	}
	if (!with_git)
		return;
	repo_git(r, "init -q -b main");
	repo_git(r, "add -A");
	repo_git(r, "commit -q -m sources");
	repo_head(r, r->commit);
}

/* A run's id begins with its start. */
static inline struct synthetic repo_run(const struct repo *r, const char *id)
{
	return (struct synthetic){.id = id,
	                          .start = strncmp(id, "20260102", 8) == 0 ? "2026-01-02T00:00:00Z"
	                                                                   : "2026-01-01T00:00:00Z",
	                          .device = "h200",
	                          .commit = r->commit[0] ? r->commit : NULL,
	                          .launches = 10,
	                          .slower = 1,
	                          .status = "complete"};
}

static inline const char *repo_run_path(struct repo *r, const struct synthetic *s)
{
	return arena_printf(&r->arena, "data/runs/%s/%s.jsonl", s->device, s->id);
}

static inline void repo_add_run(struct repo *r, const struct synthetic *s)
{
	struct sb text = {0};
	synthetic_run(&text, s, &r->arena);
	repo_write(r, repo_run_path(r, s), sb_view(&text));
	sb_free(&text);
}

static inline void repo_commit(struct repo *r)
{
	repo_git(r, "add -A");
	repo_git(r, "commit -q -m more");
}

static inline bool repo_try_load(struct repo *r, struct err *e)
{
	*e = ERR_NONE;
	git_close(r->git);
	r->git = NULL;
	if (!git_open(r->dir, &r->git, e) ||
	    !data_load(r->dir, r->git, NULL, "h200", &r->arena, &r->data, e))
		return false;
	r->ctx = (struct expand_ctx){.data = &r->data,
	                             .device = "h200",
	                             .base = "",
	                             .arena = &r->arena,
	                             .cache = arena_printf(&r->arena, "%s/cache", r->dir)};
	r->ctx.plots =
	        plotter_new(r->dir, arena_printf(&r->arena, "%s/cache/plots", r->dir), &r->arena);
	return true;
}

static inline void repo_load(struct repo *r)
{
	struct err e;
	must(repo_try_load(r, &e), &e);
}

/* Makes a repository with one committed run of every synthetic family. */
static inline void repo_ready(struct repo *r)
{
	repo_make(r, true);
	struct synthetic s = repo_run(r, RUN_A);
	repo_add_run(r, &s);
	repo_commit(r);
	repo_load(r);
}

static inline void repo_free(struct repo *r)
{
	const char *command = arena_printf(&r->arena, "rm -rf %s", r->dir);
	if (strncmp(r->dir, "/tmp/ridgepoint-test-", 21) != 0 || system(command) != 0)
		abort();
	plotter_rest(r->ctx.plots);
	git_close(r->git);
	launches_close(&r->data);
	arena_free(&r->arena);
}

/* Expands <<bench:INSIDE>> to text or markup, or to the error's text, in the arena. */
static inline const char *repo_expand(struct repo *r, const char *inside, bool html)
{
	struct err e = ERR_NONE;
	struct placeholder p;
	struct sb to = {0};
	const char *text = arena_printf(&r->arena, "<<bench:%s>>", inside);
	bool ok = placeholder_parse(str_of(text), (struct loc){"post.md", 3, 1}, &p, &e) &&
	          (html ? expand_html : expand_text)(&r->ctx, &p, &to, &e);
	const char *out = ok ? str_dup(&r->arena, sb_view(&to)) : arena_strdup(&r->arena, e.text);
	sb_free(&to);
	return out;
}

#endif
