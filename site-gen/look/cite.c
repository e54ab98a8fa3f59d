#include "site-gen/look/cite.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/base/moment.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"

/* Appends text with TeX's ten special characters escaped. */
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
		for (size_t i = 0; i < ARRAY_LEN(special); i++)
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
	const struct config *c = s->config;
	struct sb to = {0}, name = {0};
	html_slug(&name, str_of(c->title));
	sb_printf(&to, "@online{" STR_FMT "-" STR_FMT "-%s,\n", STR_ARG(name), STR_ARG(slug_of(p)),
	          p->text.lang);
	put_field(&to, "author",
	          p->front.author ? p->front.author
	          : *c->author    ? c->author
	                          : c->title,
	          false);
	sb_cstr(&to, "  title = {{");
	tex_text(&to, p->text.title);
	sb_cstr(&to, "}},\n");
	const char *date = p->front.updated ? p->front.updated : p->front.date;
	put_field(&to, "date", arena_strndup(a, date, MOMENT_DAY), false);
	put_field(&to, "organization", c->title, false);
	sb_printf(&to, "  url = {%s%s}\n}", c->base_url, p->url); /* verbatim in biblatex */
	char *text = sb_take(a, &to);
	sb_free(&name);
	return text;
}

/* Appends text percent-encoded, except RFC 3986's unreserved characters. */
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
	put_escaped(&to, p->text.title);
	sb_cstr(&to, "&body=");
	put_escaped(&to, s->config->base_url);
	put_escaped(&to, p->url);
	return sb_take(a, &to);
}
