#include "site-gen/records/again.h"

#include <string.h>

#include "lib/record_foreign.h"

#include "site-gen/git/git.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"

bool again_is_there(const struct data *d, const struct data_run *r, const struct run_case *c)
{
	const char *commit = r->run.head.commit;
	struct arena a = {0};
	if (!d->git || !commit || c->nsource == 0 || d->history.shallow)
		return true;
	bool has = git_blob_at(d->git, commit, c->source[0].path, &a);
	arena_free(&a);
	return has;
}

/* The first commit with the file, or NULL. */
static const char *first_with(const struct data *d, const char *path, struct arena *a)
{
	struct git_history h;
	struct err ignored = ERR_NONE;
	const char *slash = strrchr(path, '/');
	const char *folder = slash ? arena_strndup(a, path, (size_t)(slash - path)) : "";
	if (!slash || !git_history(d->git, folder, a, &h, &ignored))
		return NULL;
	for (size_t i = 0; i < h.n; i++)
		if (h.change[i].after && strcmp(h.change[i].path, path) == 0)
			return h.change[i].commit;
	return NULL;
}

static void put_commands(const char *commit, const char *run, const char *then, const char *caption,
                         struct sb *to)
{
	struct sb code = {0};
	if (commit)
		sb_printf(&code, "git checkout %s\n", commit);
	sb_printf(&code, "make runner\nbuild/runner %s\n%s", run, then);
	highlight_block(highlight_find(STR("sh")), sb_view(&code), caption, to);
	sb_free(&code);
}

void again_put(const struct words *w, const struct data *d, const struct data_run *r,
               const struct run_case *c, const char *run, const char *then, const char *caption,
               struct sb *to)
{
	const char *commit = r->run.head.commit;
	struct arena a = {0};
	bool python = c->nsource && str_ends(str_of(c->source[0].path), ".py");
	if (python && str_starts(str_of(run), "run")) /* `runner python` measured it */
		run = arena_printf(&a, "python %s%s", c->source[0].path, run + strlen("run"));
	if (again_is_there(d, r, c)) {
		put_commands(commit, run, then, caption, to);
		arena_free(&a);
		return;
	}
	const char *path = c->source[0].path, *other = first_with(d, path, &a);
	html_raw(to, "<p>");
	html_text(to, str_of(words_fill(w, &a, other ? "again_moved" : "again_nowhere",
	                                arena_printf(&a, "%.12s", commit), path)));
	html_raw(to, "</p>\n");
	if (other)
		put_commands(other, run, then, caption, to);
	arena_free(&a);
}

void again_put_foreign(const struct words *w, const struct data_run *r, const char *caption,
                       struct sb *to)
{
	const struct run_foreign *f = r->run.head.foreign;
	enum data_state state = record_foreign_is_exec(&r->run.head) ? DATA_PROGRAM : DATA_FOREIGN;
	struct arena a = {0};
	html_raw(to, "<p>");
	html_text(to, str_of(words_state_text(w, data_state_name(state), data_state_title(state))));
	html_raw(to, " ");
	for (size_t i = 0; i < r->run.ncases; i++)
		if (r->cases[i].why[state]) { /* all say the same */
			html_text(to, str_of(data_case_why(w, &r->cases[i], state, &a)));
			html_text(to, str_of(words_get(w, "stop")));
			break;
		}
	html_raw(to, "</p>\n");
	if (f->command)
		highlight_block(highlight_find(STR("sh")), str_of(f->command), caption, to);
	arena_free(&a);
}
