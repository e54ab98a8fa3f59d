#include "site-gen/commands/diff.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/json.h"
#include "site-gen/site/published_now.h"
#include "site-gen/build/build.h"
#include "site-gen/numbers/number.h"
#include "site-gen/numbers/published.h"
#include "site-gen/base/tool.h"
#include "site-gen/site/site.h"

enum { CANNOT_TELL = 2 };

/* --- the site as it was -------------------------------------------------------------------- */

struct then {
	const char *folder; /* temporary folder with its files */
	struct git *git;    /* the repository, with that commit as HEAD */
	int fd;             /* receives its numbers, as lines of the log */
};

static bool send_numbers(struct site *s, void *ctx, struct err *e)
{
	const struct then *t = ctx;
	struct sb out = {0};
	size_t n;
	struct published *now = published_now(s, s->arena, &n);
	for (size_t i = 0; i < n; i++) {
		now[i].noted = "";
		published_put(&out, &now[i]);
	}
	bool ok = file_put_all(t->fd, out.n ? sb_view(&out) : STR(""), "the numbers", e);
	sb_free(&out);
	return ok;
}

static struct str read_to_end(int fd, struct arena *a)
{
	struct sb all = {0};
	for (;;) {
		ssize_t n = read(fd, sb_room(&all, 65536), 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		all.n += (size_t)n;
	}
	struct str out = str_keep(a, sb_view(&all));
	sb_free(&all);
	return out;
}

/* Loads the numbers in a process of its own, whose current folder is the temporary one. */
static bool numbers_then(const struct site_options *o, struct then *t, struct arena *a,
                         struct str *out, struct err *e)
{
	int fd[2], status = -1;
	if (pipe(fd) != 0)
		return err_sys(e, "cannot make a pipe");
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		close(fd[0]);
		t->fd = fd[1];
		if (chdir(t->folder) != 0)
			_exit(CANNOT_TELL);
		_exit(build_loaded(o, t->git, send_numbers, t));
	}
	close(fd[1]);
	if (pid > 0) {
		*out = read_to_end(fd[0], a);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(fd[0]);
	return (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
	       err_set(e,
	               "the site at %.12s does not load with this program, so its numbers are "
	               "not known",
	               git_head(t->git));
}

/* Writes REV's files, except run files, which are read from the repository itself. */
static bool export_all(struct then *t, struct arena *a, struct err *e)
{
	return git_export(t->git, "content", NULL, t->folder, a, e) &&
	       git_export(t->git, "templates", NULL, t->folder, a, e) &&
	       git_export(t->git, "static", NULL, t->folder, a, e) &&
	       git_export(t->git, "themes", NULL, t->folder, a, e) &&
	       git_export(t->git, "data", "data/runs/", t->folder, a, e);
}

static size_t count_lines(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

static bool read_numbers(struct str text, struct arena *a, struct published **out, size_t *n,
                         struct err *e)
{
	struct str line;
	*n = 0;
	*out = ARENA_ARRAY(a, struct published, count_lines(text) + 1);
	while (text.n > 0) {
		str_cut(text, '\n', &line, &text);
		if (!published_read(line, (int)*n + 1, "the numbers", a, &(*out)[*n], e))
			return false;
		(*n)++;
	}
	return true;
}

static bool load_then(const struct site_options *o, const char *rev, struct arena *a,
                      struct published **out, size_t *n, const char **head, struct err *e)
{
	struct then t = {0};
	struct str text;
	if (!git_open_at(".", rev, &t.git, e))
		return false;
	*head = arena_strdup(a, git_head(t.git));
	bool ok = (t.folder = tool_folder(a, e)) != NULL;
	if (ok) {
		ok = export_all(&t, a, e) && numbers_then(o, &t, a, &text, e) &&
		     read_numbers(text, a, out, n, e);
		tool_folder_remove(t.folder);
	}
	git_close(t.git);
	return ok;
}

/* --- beside the site as it is -------------------------------------------------------------- */

struct call {
	const struct published **before;
	size_t nbefore;
	const char *rev, *head;
	bool json;
	size_t changed, appear, vanish, again;
};

static const char *word_of(enum published_change c)
{
	return c == PUBLISHED_FIRST ? "appears" : c == PUBLISHED_GONE ? "vanishes" : "changes";
}

static void put_place(const struct published *now)
{
	if (now && now->at.path)
		printf("          %s:%d:%d", now->at.path, now->at.line, now->at.col);
	if (now && now->quote && now->quote->placeholder)
		printf(" %s", now->quote->placeholder);
	if (now && now->at.path)
		putchar('\n');
}

static void put_runs(const struct published *x)
{
	if (x->run)
		printf(" [%s%s%s]", x->run, x->over_run ? " over " : "",
		       x->over_run ? x->over_run : "");
}

static void print_text(const struct published_diff *d, const char *verdict)
{
	const struct published *x = d->now ? d->now : d->before;
	printf("%-9s %s %s\n", word_of(d->change), x->page, x->number);
	put_place(d->now);
	printf("          ");
	if (d->before) {
		printf("%s", d->before->text);
		put_runs(d->before);
	}
	if (d->before && d->now)
		printf(" -> ");
	if (d->now) {
		printf("%s", d->now->text);
		put_runs(d->now);
	}
	if (verdict)
		printf(", %s", verdict);
	if (d->change == PUBLISHED_BROKEN)
		printf(", though no run did");
	putchar('\n');
}

static void put_side(struct json_out *w, const char *key, const struct published *p)
{
	if (!p)
		return;
	json_open(w, key, '{');
	json_put_str(w, "text", p->text);
	json_put_f64(w, "value", p->value);
	json_put_f64(w, "lo", p->lo);
	json_put_f64(w, "hi", p->hi);
	json_put_str(w, "unit", p->unit);
	json_put_str(w, "run", p->run);
	json_put_str(w, "over_run", p->over_run);
	json_close(w, '}');
}

static void print_json(const struct published_diff *d, const char *verdict)
{
	const struct published *x = d->now ? d->now : d->before;
	struct sb line = {0};
	struct json_out w = json_to(&line);
	json_open(&w, NULL, '{');
	json_put_str(&w, "change", word_of(d->change));
	json_put_str(&w, "page", x->page);
	json_put_str(&w, "number", x->number);
	if (d->now && d->now->quote)
		json_put_str(&w, "placeholder", d->now->quote->placeholder);
	if (d->now && d->now->at.path) {
		json_put_str(&w, "file", d->now->at.path);
		json_put_i64(&w, "line", d->now->at.line);
	}
	put_side(&w, "before", d->before);
	put_side(&w, "now", d->now);
	json_put_str(&w, "verdict", verdict);
	json_close(&w, '}');
	puts(line.p);
	sb_free(&line);
}

static void count(struct call *c, enum published_change change)
{
	c->appear += change == PUBLISHED_FIRST;
	c->vanish += change == PUBLISHED_GONE;
	c->again += change == PUBLISHED_AGAIN;
	c->changed += change == PUBLISHED_CHANGED || change == PUBLISHED_BROKEN;
}

static bool compare(struct site *s, void *ctx, struct err *e)
{
	struct call *c = ctx;
	size_t nnow, n;
	struct published *now = published_now(s, s->arena, &nnow);
	struct published_diff *d =
	        published_compare(c->before, c->nbefore, now, nnow, s->arena, &n);
	(void)e;
	for (size_t i = 0; i < n; i++) {
		count(c, d[i].change);
		if (d[i].change == PUBLISHED_AGAIN)
			continue;
		bool both = d[i].before && d[i].now;
		const char *verdict =
		        both ? published_verdict(s->data, d[i].before, d[i].now) : NULL;
		if (c->json)
			print_json(&d[i], verdict);
		else
			print_text(&d[i], verdict);
	}
	if (!c->json)
		printf("against %s (%.12s): %zu change, %zu appear, %zu vanish, %zu measured again "
		       "with the same digits\n",
		       c->rev, c->head, c->changed, c->appear, c->vanish, c->again);
	return true;
}

int diff_run(const struct site_options *options, const char *rev, bool json)
{
	struct site_options o = *options;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct published *before = NULL;
	struct call c = {.rev = rev, .json = json};
	char cache[PATH_MAX];
	bool ok = file_mkdirs(o.cache, &e) &&
	          (realpath(o.cache, cache) || err_sys(&e, "%s: cannot be found", o.cache));
	o.cache = cache; /* both folders share it */
	ok = ok && load_then(&o, rev, &a, &before, &c.nbefore, &c.head, &e);
	if (ok) {
		c.before = ARENA_ARRAY(&a, const struct published *, c.nbefore + 1);
		for (size_t i = 0; i < c.nbefore; i++)
			c.before[i] = &before[i];
		ok = build_loaded(&o, NULL, compare, &c) == 0;
	} else {
		fprintf(stderr, "site-gen: %s\n", e.text);
	}
	arena_free(&a);
	return !ok ? CANNOT_TELL : c.changed + c.appear + c.vanish > 0;
}
