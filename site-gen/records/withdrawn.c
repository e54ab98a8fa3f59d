/*
 * Withdrawals: data/withdrawn/<run id>.md, in HEAD and in the work tree
 * (data/withdrawn/README.md).
 */
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/unicode.h"
#include "site-gen/records/judge.h"
#include "site-gen/base/front.h"
#include "site-gen/base/front_check.h"
#include "site-gen/records/query_inner.h"

#define FOLDER "data/withdrawn"

enum { MOST_BYTES = 256 << 10 };

static struct data_run *run_called(struct data *d, struct str id)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (str_is(id, d->runs[i].run.head.id))
			return &d->runs[i];
	return NULL;
}

/* --- cases --- */

static void take_back(struct data *d, struct data_withdrawal *w, struct data_case *k)
{
	if (k->why[DATA_WITHDRAWN])
		return; /* a second selector found it, too */
	data_case_add(k, DATA_WITHDRAWN,
	              (struct reason){.word = "why_taken_back", .with = {w->date}}, d->arena);
	w->cases++;
}

/* Withdraws the cases of one selector of the list; `at` is the place of its first byte. */
static bool take_selected(struct data *d, struct data_withdrawal *w, struct data_run *r,
                          struct str selector, struct loc at, struct err *e)
{
	struct placeholder p = {.text = selector, .at = at};
	struct query q;
	size_t before = w->cases, found = 0;
	if (!query_parse(&p, selector, NULL, false, &q, e))
		return false;
	for (size_t i = 0; i < r->run.ncases; i++) {
		if (!query_covers(&q, &r->run.cases[i]))
			continue;
		take_back(d, w, &r->cases[i]);
		found++;
	}
	return w->cases > before || found ||
	       err_at(e, at, "'" STR_FMT "' finds no case of run %s", STR_ARG(selector), w->run_id);
}

static bool take_cases(struct data *d, struct data_withdrawal *w, struct data_run *r,
                       const struct front_field *f, struct err *e)
{
	struct str rest = str_of(f->value), word;
	bool more = true;
	if ((w->all = str_is(rest, "all"))) {
		for (size_t i = 0; i < r->run.ncases; i++)
			take_back(d, w, &r->cases[i]);
		return true;
	}
	while (more) {
		struct loc at = f->at;
		at.col += (int)(rest.p - f->value);
		more = str_cut(rest, ' ', &word, &rest);
		if (word.n > 0 && !take_selected(d, w, r, word, at, e))
			return false;
	}
	return true;
}

/* --- one file --- */

static bool check_fields(const char *path, const struct front_fields *f, struct err *e)
{
	struct loc top = {path, 1, 1};
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->field[i].name, "date") != 0 && strcmp(f->field[i].name, "cases") != 0)
			return err_at(e, f->field[i].name_at,
			              "unknown key '%s', expected date or cases", f->field[i].name);
	const struct front_field *date = front_field(f, "date");
	if (!date || !front_field(f, "cases"))
		return err_at(e, top, "'%s' is missing", date ? "cases" : "date");
	const char *want = front_check_date(date->value);
	if (want)
		return err_at(e, date->at, "'%s' is no date, expected %s", date->value, want);
	return unicode_is_visible(f->body) ||
	       err_at(e, top, "the reason is missing: a text below the front matter");
}

static bool read_one(struct data *d, const char *path, struct str text, struct data_withdrawal *w,
                     struct err *e)
{
	struct front_fields f;
	const char *name = strrchr(path, '/') + 1;
	struct str id = {name, strlen(name) - strlen(".md")};
	struct data_run *r = run_called(d, id);
	if (!front_fields(text, path, d->arena, &f, e) || !check_fields(path, &f, e))
		return false;
	if (!r)
		return err_at(e, (struct loc){path, 1, 1},
		              "there is no run '" STR_FMT
		              "', expected a file named after the id of a run",
		              STR_ARG(id));
	struct str reason = str_trim(f.body);
	w->path = path;
	w->run_id = r->run.head.id;
	w->run = r;
	w->date = front_field(&f, "date")->value;
	w->reason = str_dup(d->arena, reason);
	return take_cases(d, w, r, front_field(&f, "cases"), e);
}

/* --- the folder --- */

static bool is_withdrawal(const char *path)
{
	return str_ends(str_of(path), ".md") && !str_ends(str_of(path), "/README.md");
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All paths, from HEAD and the work tree, sorted. */
static bool list_paths(struct data *d, const char ***out, size_t *n, struct err *e)
{
	struct git_file *head = NULL;
	struct file_entry *entry = NULL;
	size_t nhead = 0, nentry = 0;
	const char *full = arena_printf(d->arena, "%s/" FOLDER, d->root);
	if ((d->git && !git_files(d->git, FOLDER, d->arena, &head, &nhead, e)) ||
	    (file_exists(full) && !file_list(full, d->arena, &entry, &nentry, e)))
		return false;
	const char **all = ARENA_ARRAY(d->arena, const char *, nhead + nentry + 1);
	size_t total = 0;
	for (size_t i = 0; i < nhead; i++)
		all[total++] = head[i].path;
	for (size_t i = 0; i < nentry; i++)
		if (!entry[i].is_dir)
			all[total++] = arena_printf(d->arena, FOLDER "/%s", entry[i].name);
	if (total > 0)
		qsort(all, total, sizeof *all, by_string);
	*n = 0;
	for (size_t i = 0; i < total; i++)
		if (is_withdrawal(all[i]) && (*n == 0 || strcmp(all[*n - 1], all[i]) != 0))
			all[(*n)++] = all[i];
	*out = all;
	return true;
}

/* Reads the work tree's text, so that a new one counts at once; HEAD's if it is gone there. */
static bool read_text(struct data *d, const char *path, struct str *text, bool *committed,
                      struct err *e)
{
	const char *full = arena_printf(d->arena, "%s/%s", d->root, path);
	const char *blob = d->git ? git_blob_at(d->git, NULL, path, d->arena) : NULL;
	bool found;
	*committed = blob != NULL;
	if (file_exists(full))
		return file_read(full, MOST_BYTES, d->arena, text, e);
	return git_bytes(d->git, blob, d->arena, text, &found, e) &&
	       (found || err_set(e, "%s: its blob %s is not in this clone", path, blob));
}

bool judge_withdrawn(struct data *d, struct err *e)
{
	const char **path;
	size_t n;
	if (!list_paths(d, &path, &n, e))
		return false;
	d->withdrawn = ARENA_ARRAY(d->arena, struct data_withdrawal, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct data_withdrawal *w = &d->withdrawn[d->nwithdrawn];
		struct str text;
		if (!read_text(d, path[i], &text, &w->committed, e) ||
		    !read_one(d, path[i], text, w, e))
			return false;
		d->nwithdrawn++;
	}
	return true;
}
