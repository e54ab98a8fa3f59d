/*
 * `site-gen check FILE`. It looks twice: first with no more records than the texts ask for, which
 * is quick and finds most texts in order. If anything is wrong, it loads all records and looks
 * again, and reports what it finds then.
 */
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/problems.h"
#include "site-gen/base/tool.h"
#include "site-gen/build/build.h"
#include "site-gen/build/index.h"
#include "site-gen/build/inner.h"
#include "site-gen/build/jobs.h"
#include "site-gen/build/load.h"
#include "site-gen/build/page_kinds.h"
#include "site-gen/git/git.h"
#include "site-gen/records/launches.h"
#include "site-gen/records/need.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/content.h"
#include "site-gen/site/site.h"

enum { MOST_BYTES = 4 << 20 };

/* Leaves only these sources in the list of pages. Reports a path that is no source of the site. */
static void keep_sources(struct site *s, const char *const *path, size_t n)
{
	struct page_list kept = {.all = ARENA_ARRAY(s->shared, struct page *, n + 1)};
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < s->pages.n &&
		       (!s->pages.all[k]->path || strcmp(s->pages.all[k]->path, path[i]) != 0))
			k++;
		if (k < s->pages.n)
			kept.all[kept.n++] = s->pages.all[k];
		else
			problems_say(jobs_problems(s), (struct loc){.path = path[i]},
			             "is the text of no page, expected a file such as "
			             "content/posts/NAME.md");
	}
	s->pages = kept;
}

static bool check_sources(struct site *s, const char *const *path, size_t n, struct err *e)
{
	bool ok = tool_ready(e) && jobs_start(s, e) && load_inputs(s, e) && load_git(s, e) &&
	          load_settings(s, e) && build_check_settings(s) && assets_load(s, e) &&
	          load_records(s, e) && load_templates(s);
	if (!ok)
		return false;
	index_add_written(s);
	content_pages(s);
	problems_keep(jobs_problems(s), path, n);
	keep_sources(s, path, n);
	return jobs_load(s, e) && !jobs_failed(s) && git_sound(s->repo.git, e) &&
	       launches_sound(s->data, e);
}

static struct site new_site(const struct site_options *options, struct arena *a)
{
	return (struct site){
	        .options = *options, .kinds = page_kinds_table(), .arena = a, .repo.head = ""};
}

/* Joins the texts. False: one lies outside content/posts/, or cannot be read. */
static bool read_texts(const char *const *path, size_t n, struct arena *a, struct str *out)
{
	struct sb all = {0};
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++) {
		struct err ignored = ERR_NONE;
		struct str text;
		ok = str_starts(str_of(path[i]), "content/posts/") &&
		     file_read(path[i], MOST_BYTES, a, &text, &ignored);
		if (ok)
			sb_str(&all, text);
		sb_char(&all, '\n');
	}
	*out = str_keep(a, sb_view(&all));
	sb_free(&all);
	return ok;
}

/* Are they in order, as far as the records tell that they ask for? Reports nothing. */
static bool are_in_order(const struct site_options *options, const char *const *path, size_t n)
{
	struct arena arena = {0};
	struct site s = new_site(options, &arena);
	struct err e = ERR_NONE;
	struct str text;
	struct need need;
	bool ok = read_texts(path, n, &arena, &text);
	if (ok) {
		need = need_of(text, ".", &arena);
		s.need = &need;
		s.options.werror = true; /* a warning is reported, too */
		ok = !need.all && check_sources(&s, path, n, &e) && !jobs_failed(&s);
	}
	build_close(&s);
	return ok;
}

int build_check_sources(const struct site_options *options, const char *const *path, size_t n)
{
	struct arena arena = {0};
	struct err e = ERR_NONE;
	bool ok = are_in_order(options, path, n);
	struct site s = new_site(options, &arena);
	if (!ok)
		ok = check_sources(&s, path, n, &e);
	if (ok && !s.options.quiet)
		printf("site-gen: %zu file%s, no problems\n", n, n == 1 ? "" : "s");
	return build_finish(&s, ok, &e);
}
