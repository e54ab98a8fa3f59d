#include "site-gen/look/cite.h"

#include <string.h>

#include "site-gen/base/html.h"

/* Text as TeX sets it: its ten special characters escaped. */
static void tex_text(struct sb *to, const char *s)
{
	static const struct {
		char c;
		const char *tex;
	} special[] = {{'\\', "\\textbackslash{}"},
	               {'~', "\\textasciitilde{}"},
	               {'^', "\\textasciicircum{}"}};
	for (; *s; s++) {
		const char *tex = NULL;
		for (size_t i = 0; i < sizeof special / sizeof *special; i++)
			if (*s == special[i].c)
				tex = special[i].tex;
		if (tex)
			sb_cstr(to, tex);
		else if (strchr("{}$&#_%", *s))
			sb_printf(to, "\\%c", *s);
		else
			sb_char(to, *s);
	}
}

/* field -> name '=' '{' text '}'; inner braces keep capitals as they are */
static void put_field(struct sb *to, const char *name, const char *text, bool last)
{
	sb_printf(to, "  %s = {", name);
	tex_text(to, text);
	sb_cstr(to, last ? "}\n" : "},\n");
}

/* The last part of "/posts/x/". */
static struct str slug_of(const struct page *p)
{
	struct str url = str_of(p->url);
	url.n -= url.n > 1;
	size_t from = url.n;
	while (from > 0 && url.p[from - 1] != '/')
		from--;
	return str_sub(url, from, url.n);
}

const char *cite_bibtex(const struct site *s, const struct page *p, struct arena *a)
{
	const struct config *c = &s->config;
	struct sb to = {0}, name = {0};
	html_slug(&name, str_of(c->title));
	sb_printf(&to, "@online{" STR_FMT "-" STR_FMT "-%s,\n", STR_ARG(name), STR_ARG(slug_of(p)),
	          p->lang);
	put_field(&to, "author", *c->author ? c->author : c->title, false);
	sb_cstr(&to, "  title = {{");
	tex_text(&to, p->title);
	sb_cstr(&to, "}},\n");
	put_field(&to, "date", p->updated ? p->updated : p->date, false);
	put_field(&to, "organization", c->title, false);
	sb_printf(&to, "  url = {%s%s}\n}", c->base_url, p->url); /* verbatim in biblatex */
	char *text = arena_strndup(a, to.p, to.n);
	sb_free(&to);
	sb_free(&name);
	return text;
}

/* Percent-encoded, all but what RFC 3986 calls unreserved. */
static void put_escaped(struct sb *to, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		             (c >= '0' && c <= '9') || strchr("-._~", c);
		if (plain)
			sb_char(to, *s);
		else
			sb_printf(to, "%%%02X", c);
	}
}

const char *cite_mail(const struct site *s, const struct page *p, struct arena *a)
{
	struct sb to = {0};
	sb_cstr(&to, "mailto:?subject=");
	put_escaped(&to, p->title);
	sb_cstr(&to, "&body=");
	put_escaped(&to, s->config.base_url);
	put_escaped(&to, p->url);
	char *text = arena_strndup(a, to.p, to.n);
	sb_free(&to);
	return text;
}
