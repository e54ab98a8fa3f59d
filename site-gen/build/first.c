#include "site-gen/build/first.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/build/jobs.h"
#include "site-gen/lua/config.h"
#include "site-gen/output/publish.h"
#include "site-gen/site/links.h"
#include "site-gen/site/log_check.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"

enum { MAX_BYTES = 64 << 20 };

/* The page that was shown, and what it loads beside its markup. */
struct first_shown {
	const struct page *page;
	char sha256[HASH_SHA256_HEX + 1];
	const char **loads; /* their paths from the root of the site, "/posts/x/picture.png" */
	size_t nloads, cap;
};

/* The page of the saved source; not one of its figures, nor a former address of it. */
static struct page *page_of(const struct site *s, const char *source)
{
	for (size_t i = 0; i < s->pages.n; i++) {
		struct page *p = s->pages.all[i];
		if (p->path && p->kind->template && p->kind->load && p->loaded &&
		    !p->source.has_problems && str_ends(str_of(p->url), "/") &&
		    strcmp(p->path, source) == 0)
			return p;
	}
	return NULL;
}

/* --- what the page loads ---------------------------------------------------------------------- */

struct loads {
	struct site *site;
	struct first_shown *of;
	struct sb path;
	bool all; /* so far, everything is published */
};

static bool is_published(const struct site *s, struct str path)
{
	struct stat st;
	return path.n > 1 && s->publish->old >= 0 &&
	       fstatat(s->publish->old, path.p + 1, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode);
}

static bool note(void *ctx, enum links_attribute kind, struct str value)
{
	struct loads *l = ctx;
	struct first_shown *f = l->of;
	struct str base = str_of(l->site->config->base), fragment;
	if (kind != LINKS_SRC || links_is_external(value))
		return true;
	if (base.n && str_starts(value, base.p))
		value = str_sub(value, base.n, value.n);
	l->all = links_resolve(f->page->url, value, &l->path, &fragment) &&
	         is_published(l->site, sb_view(&l->path));
	if (l->all) {
		f->loads =
		        arena_grow(l->site->arena, f->loads, f->nloads, &f->cap, sizeof *f->loads);
		f->loads[f->nloads++] = str_dup(l->site->arena, sb_view(&l->path));
	}
	return l->all;
}

/* Lists what the page loads; false: some of it is not there yet. */
static bool has_all(struct site *s, struct first_shown *f, struct str html)
{
	struct loads l = {.site = s, .of = f, .all = true};
	links_scan(html, note, &l);
	sb_free(&l.path);
	return l.all;
}

/* --- telling the preview ---------------------------------------------------------------------- */

static bool put_file(const struct first *f, const struct page *p, struct str html)
{
	struct err ignored = ERR_NONE;
	struct sb url = {0};
	sb_printf(&url, "%s\n", p->url);
	int fd = open(f->to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	bool ok = fd >= 0 && file_put_all(fd, sb_view(&url), f->to, &ignored) &&
	          file_put_all(fd, html, f->to, &ignored);
	if (fd >= 0)
		close(fd);
	sb_free(&url);
	return ok;
}

static bool tell(const struct first *f, char what)
{
	return write(f->fd, &what, 1) == 1;
}

/* Templates ask for addresses: of sections, for the breadcrumbs. index_files() enters all again. */
static void enter_outputs(struct site *s)
{
	outputs_begin(s);
	for (size_t i = 0; i < s->pages.n; i++)
		unchecked(!outputs_enter(s, s->pages.all[i]));
}

void first_show(struct site *s)
{
	const struct first *f = s->options.first;
	struct page *p = f && !jobs_failed(s) ? page_of(s, f->source) : NULL;
	struct str html;
	if (!p)
		return;
	enter_outputs(s);
	log_check_compare(s);
	if (!jobs_render(s, p, &html))
		return;
	struct first_shown *shown = ARENA_NEW(s->arena, struct first_shown);
	shown->page = p;
	hash_sha256(html, shown->sha256);
	if (has_all(s, shown, html) && put_file(f, p, html) && tell(f, FIRST_SHOWN))
		s->first = shown;
}

void first_settle(const struct site *s)
{
	const struct first_shown *f = s->first;
	bool same = f && strcmp(f->page->output.file.sha256, f->sha256) == 0;
	for (size_t i = 0; same && i < f->nloads; i++) {
		const struct page *p = outputs_find(s, str_of(f->loads[i]));
		same = p && !p->output.file.changed;
	}
	/* who is not told reloads the page */
	if (same)
		unchecked(tell(s->options.first, FIRST_KEPT));
}

bool first_read(const char *path, struct arena *a, struct str *url, struct str *html)
{
	struct err ignored = ERR_NONE;
	struct str all;
	return file_read(path, MAX_BYTES, a, &all, &ignored) && str_cut(all, '\n', url, html);
}
