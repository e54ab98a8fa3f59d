/* Finds the predictions, and reads the history of each. */
#include "site-gen/numbers/prediction.h"

#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/rules.h"
#include "site-gen/records/need.h"

#define FOLDER "data/predictions"

enum { PREDICTION_MAX_BYTES = 64 << 10 };

static const char *const verdicts[PREDICTION_VERDICTS] = {"missed",  "held",         "undecided",
                                                          "amended", "not-foretold", "untested"};

const char *prediction_verdict_name(enum prediction_verdict v)
{
	return verdicts[v];
}

/* A file that may be a prediction: in HEAD, in the work tree, or in both. */
struct source {
	const char *path, *name;
	const char *head;  /* its blob in HEAD, or NULL */
	bool in_work_tree; /* of this repository's folder */
};

struct loader {
	const struct data *d;
	struct arena *a;
	struct source *source; /* by path */
	size_t n;
	struct predictions *out;
	struct err *e;
};

/* --- files ------------------------------------------------------------------- */

static void add_source(struct loader *l, const char *name, const char *head, bool in_work_tree)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->source[i].name, name) == 0) {
			l->source[i].in_work_tree |= in_work_tree;
			return;
		}
	l->source[l->n++] =
	        (struct source){arena_printf(l->a, FOLDER "/%s", name), name, head, in_work_tree};
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

static bool find_sources(struct loader *l)
{
	struct git_file *file = NULL;
	struct file_entry *entry = NULL;
	size_t nfiles = 0, nentries = 0;
	const char *full = arena_printf(l->a, "%s/" FOLDER, l->d->root);
	if (l->d->git && !git_files(l->d->git, FOLDER, l->a, &file, &nfiles, l->e))
		return false;
	if (file_exists(full) && !file_list(full, l->a, &entry, &nentries, l->e))
		return false;
	l->source = ARENA_ARRAY(l->a, struct source, nfiles + nentries + 1);
	for (size_t i = 0; i < nfiles; i++)
		add_source(l, file[i].path + strlen(FOLDER "/"), file[i].blob, false);
	for (size_t i = 0; i < nentries; i++)
		if (entry[i].name[0] != '.' && !str_ends(str_of(entry[i].name), "~"))
			add_source(l, entry[i].name, NULL, true);
	if (l->n > 0)
		qsort(l->source, l->n, sizeof *l->source, by_path);
	return true;
}

/* titles.zh.md: titles of predictions in another language. */
static bool is_titles(const char *name)
{
	return str_starts(str_of(name), "titles.") && str_ends(str_of(name), ".md") &&
	       strlen(name) > strlen("titles..md");
}

static bool is_prediction(const char *name)
{
	return str_ends(str_of(name), ".md") && strcmp(name, "README.md") != 0 && !is_titles(name);
}

static bool is_stamp(const char *name)
{
	return str_ends(str_of(name), ".tsr") || str_ends(str_of(name), ".ots");
}

/* Reads the text from the work tree if it is there, else from HEAD. */
static bool text_of(struct loader *l, const struct source *s, struct str *out)
{
	bool found;
	if (s->in_work_tree)
		return file_read(arena_printf(l->a, "%s/%s", l->d->root, s->path),
		                 PREDICTION_MAX_BYTES, l->a, out, l->e);
	return git_bytes(l->d->git, s->head, l->a, out, &found, l->e) &&
	       (found ||
	        err_set(l->e, "%s: its blob %s is not in the repository", s->path, s->head));
}

/* --- history ------------------------------------------------------------------ */

static void read_history(const struct loader *l, struct prediction *p)
{
	const struct git_history *h = &l->d->history;
	for (size_t i = 0; i < h->n; i++) {
		const struct git_change *c = &h->change[i];
		if (strcmp(c->path, p->path) != 0 || !c->after)
			continue;
		if (!p->added) {
			p->added = c->commit;
			p->added_at = c->time;
		} else if (c->before && strcmp(c->after, p->blob) == 0) {
			p->changed = c->commit;
			p->changed_at = c->time;
		}
	}
}

static const char *stamp_of(const struct loader *l, const char *id)
{
	for (size_t i = 0; i < l->n; i++) {
		struct str name = str_of(l->source[i].name);
		if (is_stamp(l->source[i].name) &&
		    str_is(str_sub(name, 0, name.n - strlen(".tsr")), id))
			return l->source[i].name;
	}
	return NULL;
}

/* Rule `foretold`: a prediction, once committed, stays where it is. */
static bool none_removed(const struct loader *l)
{
	const struct git_history *h = &l->d->history;
	for (size_t i = 0; i < h->n; i++) {
		const struct git_change *c = &h->change[i];
		if (c->after || !str_starts(str_of(c->path), FOLDER "/") ||
		    !is_prediction(c->path + strlen(FOLDER "/")) ||
		    git_blob_at(l->d->git, NULL, c->path, l->a))
			continue;
		return rule_err(l->e, RULE_FORETOLD, (struct loc){.path = c->path},
		                "commit %.12s removed or renamed this prediction; expected it to "
		                "stay, also if it missed",
		                c->commit);
	}
	return true;
}

/* A tag is a proof if it contains the text and precedes the commit of the run that tests it. */
static bool find_tag(const struct loader *l, struct prediction *p, const struct git_tag *tag,
                     size_t n)
{
	const char *text = p->changed ? p->changed : p->added;
	const char *run = p->main ? p->main->pick.run->run.head.commit : NULL;
	bool known;
	for (size_t i = 0; p->committed && text && i < n; i++) {
		struct err ignored = ERR_NONE;
		bool over = git_is_before(l->d->git, text, tag[i].commit, &known, &ignored);
		if (over && run)
			over = git_is_before(l->d->git, tag[i].commit, run, &known, &ignored);
		if (over && (!p->tag || tag[i].is_signed > p->tag->is_signed))
			p->tag = &tag[i];
	}
	return true;
}

/* --- all of them --------------------------------------------------------------- */

static bool add_prediction(struct loader *l, const struct source *s)
{
	struct prediction *p = &l->out->all[l->out->n];
	struct str text;
	char blob[HASH_GIT_HEX + 1];
	*p = (struct prediction){
	        .path = s->path,
	        .id = arena_strndup(l->a, s->name, strlen(s->name) - strlen(".md"))};
	const char *want = front_check_slug(p->id);
	if (want)
		return err_set(l->e, "%s: the file's name is the prediction's, expected %s",
		               s->path, want);
	p->url = arena_printf(l->a, "/predictions/%s/", p->id);
	if (!text_of(l, s, &text))
		return false;
	hash_git_blob(text, blob);
	p->blob = arena_strdup(l->a, blob);
	p->committed = s->head && strcmp(s->head, blob) == 0;
	p->stamp = stamp_of(l, p->id);
	if (!prediction_read(l->d, text, l->a, p, l->e))
		return false;
	read_history(l, p);
	prediction_decide(l->d, l->a, p);
	l->out->n++;
	return true;
}

/* Does the text that is checked name it? */
static bool is_needed(const struct data *d, const char *name)
{
	return !d->need ||
	       need_prediction(d->need, (struct str){name, strlen(name) - strlen(".md")});
}

static bool add_source_file(struct loader *l, const struct source *s)
{
	if (is_prediction(s->name))
		return !is_needed(l->d, s->name) || add_prediction(l, s);
	return strcmp(s->name, "README.md") == 0 || is_stamp(s->name) || is_titles(s->name) ||
	       err_set(l->e,
	               "%s: not a prediction, expected NAME.md, or its time stamp NAME.tsr or "
	               "NAME.ots",
	               s->path);
}

static bool add_titles(struct loader *l, const struct source *s)
{
	struct str text;
	return text_of(l, s, &text) && prediction_titles_read(text, s->path, l->a, l->out, l->e);
}

static bool load(struct loader *l)
{
	struct git_tag *tag = NULL;
	size_t ntags = 0;
	if (!find_sources(l) || (l->d->git && !none_removed(l)))
		return false;
	l->out->all = ARENA_ARRAY(l->a, struct prediction, l->n + 1);
	for (size_t i = 0; i < l->n; i++)
		if (!add_source_file(l, &l->source[i]))
			return false;
	for (size_t i = 0; i < l->n; i++)
		if (is_titles(l->source[i].name) && !add_titles(l, &l->source[i]))
			return false;
	if (l->d->git && l->out->n > 0 && !git_tags(l->d->git, l->a, &tag, &ntags, l->e))
		return false;
	for (size_t i = 0; i < l->out->n; i++)
		if (!find_tag(l, &l->out->all[i], tag, ntags))
			return false;
	prediction_titles_set(l->out, l->a);
	return true;
}

bool predictions_load(const struct data *d, struct predictions *out, struct err *e)
{
	struct loader l = {.d = d, .a = d->arena, .out = out, .e = e};
	*out = (struct predictions){.some = d->need != NULL};
	return load(&l);
}

const struct predictions *prediction_all(const struct data *d)
{
	static const struct predictions none = {0};
	return d->predictions ? d->predictions : &none;
}

const struct prediction *prediction_find(const struct predictions *all, struct str id)
{
	for (size_t i = 0; all && i < all->n; i++)
		if (str_is(id, all->all[i].id))
			return &all->all[i];
	return NULL;
}
