#include "site-gen/build/follow.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/site/page_kind.h"

void follow_left_out(const struct site *s, struct sb *to)
{
	for (size_t i = 0; i < s->nleft_out; i++) {
		const struct page *p = s->left_out[i];
		if (p->draft)
			sb_printf(to, "%s is left out: a draft (--drafts)\n", p->path);
		else
			sb_printf(to, "%s is left out: scheduled for %s (--future)\n", p->path,
			          p->scheduled);
	}
}

bool follow_write(const struct site *s, const char *to, struct err *e)
{
	struct sb text = {0};
	for (size_t i = 0; i < s->npages; i++) {
		const struct page *p = s->pages[i];
		/* a redirect has a source, too, but shows nothing of it */
		if (p->path && p->kind->template && str_ends(str_of(p->path), ".md"))
			sb_printf(&text, "%s %s\n", p->path, p->url);
	}
	follow_left_out(s, &text);
	/* the preview reads it when the build has ended: it need not outlive anything */
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

/* A heading with an anchor, and all up to the next one. */
struct section {
	struct str id, markup;
};

/* Position of the next `<h2 id="`, `<h3 id="` or `<h4 id="`, or html.n. */
static size_t next_heading(struct str html, size_t at)
{
	for (; (at = str_find(html, '<', at)) < html.n; at++)
		if (at + 8 < html.n && html.p[at + 1] == 'h' && html.p[at + 2] >= '2' &&
		    html.p[at + 2] <= '4' && memcmp(html.p + at + 3, " id=\"", 5) == 0)
			return at;
	return html.n;
}

/* False: there is none at or after *at. */
static bool next_section(struct str html, size_t *at, struct section *out)
{
	size_t from = next_heading(html, *at);
	if (from == html.n)
		return false;
	*at = next_heading(html, from + 1);
	out->id = str_sub(html, from + 8, str_find(html, '"', from + 8));
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

/* A new heading comes first: it ends the section above it, which changes that, too. */
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
