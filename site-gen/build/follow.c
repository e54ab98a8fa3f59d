#include "site-gen/build/follow.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/shared_figure.h"
#include "site-gen/site/site.h"

void follow_left_out(const struct site *s, struct sb *to)
{
	for (size_t i = 0; i < s->index.unpublished.n; i++) {
		const struct page *p = s->index.unpublished.all[i];
		if (p->front.draft)
			sb_printf(to, "%s is left out: a draft (--drafts)\n", p->path);
		else
			sb_printf(to, "%s is left out: scheduled for %s (--future)\n", p->path,
			          p->front.scheduled);
	}
}

bool follow_write(const struct site *s, const char *to, struct err *e)
{
	struct sb text = {0};
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *p = s->pages.all[i];
		/* redirects and figures have a source, too, but do not show it, or little of it */
		if (p->path && p->kind->template && !shared_figure(p) &&
		    str_ends(str_of(p->path), ".md"))
			sb_printf(&text, "%s %s\n", p->path, p->url);
	}
	follow_left_out(s, &text);
	/* the preview reads the file right after the build, so it needs no sync */
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	bool ok = fd >= 0 ? file_put_all(fd, sb_view(&text), to, e)
	                  : err_sys(e, "%s: cannot write", to);
	if (fd >= 0)
		close(fd);
	sb_free(&text);
	return ok;
}

struct str follow_page(struct str sources, struct str path)
{
	struct str line, source, url;
	while (sources.n) {
		if (!str_cut(sources, '\n', &line, &sources))
			sources.n = 0;
		if (str_cut(line, ' ', &source, &url) && str_eq(source, path) &&
		    str_starts(url, "/"))
			return url;
	}
	return (struct str){NULL, 0};
}

void follow_say_left_out(struct str sources, struct str path, FILE *to)
{
	struct str line, source, rest;
	while (sources.n) {
		if (!str_cut(sources, '\n', &line, &sources))
			sources.n = 0;
		if (str_cut(line, ' ', &source, &rest) && !str_starts(rest, "/") &&
		    (!path.n || str_eq(source, path)))
			fprintf(to, "site-gen: " STR_FMT "\n", STR_ARG(line));
	}
}

/* A heading with an anchor, and everything up to the next one. */
struct section {
	struct str id, markup;
};

/* Finds the next h2, h3 or h4 that has an id; false if there is none. */
static bool next_heading(struct html_scan *h, struct str *id)
{
	struct str name;
	for (enum html_token t; (t = html_scan_next(h)) != HTML_NONE && t != HTML_BROKEN;)
		if (t == HTML_START && h->name.n == 2 && h->name.p[0] == 'h' &&
		    h->name.p[1] >= '2' && h->name.p[1] <= '4' &&
		    html_scan_attribute(h, &name, id) && str_is(name, "id"))
			return true;
	return false;
}

/* Finds the section that begins at or after *at, and moves *at to its end; false if none. */
static bool next_section(struct str html, size_t *at, struct section *out)
{
	struct html_scan h = {.src = html, .i = *at};
	struct str next;
	if (!next_heading(&h, &out->id))
		return false;
	size_t from = h.i - h.token.n;
	*at = next_heading(&h, &next) ? h.i - h.token.n : html.n;
	out->markup = str_sub(html, from, *at);
	return true;
}

static bool find_section(struct str html, struct str id, struct section *out)
{
	for (size_t at = 0; next_section(html, &at, out);)
		if (str_eq(out->id, id))
			return true;
	return false;
}

/* Prefers a new heading: it ends the section above it early, so that one has changed, too. */
struct str follow_section(struct str before, struct str after)
{
	struct section s, was;
	struct str changed = {NULL, 0};
	for (size_t at = 0; next_section(after, &at, &s);) {
		if (!find_section(before, s.id, &was))
			return s.id;
		if (!changed.n && !str_eq(was.markup, s.markup))
			changed = s.id;
	}
	return changed;
}
