/*
 * The address that a post had, if its front matter does not say it: from the place of its source,
 * and with Jekyll and Hexo from `permalink` in _config.yml. Where it cannot tell one, it gives
 * none.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/commands/importer.h"

enum { MAX_CONFIG_BYTES = 1 << 20 };

/* Folders below which the place of a source is its address. */
static const char *const roots[] = {"content", "src/content", "src/pages"};

/* Jekyll's names for templates; its own is `date`. */
static const char *const styles[][2] = {
        {"date", "/:categories/:year/:month/:day/:title.html"},
        {"pretty", "/:categories/:year/:month/:day/:title/"},
        {"none", "/:categories/:title.html"},
};

static struct str config_of(const char *from, const char *name, struct import_report *r,
                            struct arena *a)
{
	struct err ignored = ERR_NONE;
	struct str text;
	const char *path = arena_printf(a, "%s/%s", from, name);
	if (!importer_exists(r, path) ||
	    !importer_read(r, path, MAX_CONFIG_BYTES, a, &text, &ignored))
		return STR("");
	return text;
}

/* The value of `permalink` in _config.yml, empty if it has none. False: it cannot be read. */
static bool permalink_of(const char *from, struct import_report *r, struct arena *a,
                         struct str *out)
{
	struct str yaml = config_of(from, "_config.yml", r, a);
	struct import_report unused = {0};
	struct import_front f;
	struct err ignored = ERR_NONE;
	const char *text = arena_printf(a, "---\n" STR_FMT "\n---\n", STR_ARG(yaml));
	bool ok = import_front_read(str_of(text), "_config.yml", a, &f, &unused, &ignored);
	sb_free(&unused.text);
	*out = STR("");
	for (size_t i = 0; ok && i < f.n; i++)
		if (str_is(f.field[i].name, "permalink") && f.field[i].nvalues) {
			*out = f.field[i].value[0];
			return true;
		}
	return ok && f.n < IMPORT_MAX_FIELDS;
}

static const char *template_of(struct str permalink, struct arena *a)
{
	for (size_t i = 0; i < ARRAY_LEN(styles); i++)
		if (str_is(permalink, styles[i][0]) || (i == 0 && !permalink.n))
			return styles[i][1];
	return memchr(permalink.p, ':', permalink.n) ? str_dup(a, permalink) : NULL;
}

struct import_former importer_former(const char *from, const char *folder, struct import_report *r,
                                     struct arena *a)
{
	struct import_former f = {0};
	struct str toml, permalink;
	if (str_ends(str_of(folder), "/_posts")) {
		if (!permalink_of(from, r, a, &permalink))
			return f;
		bool hexo = str_ends(str_of(folder), "/source/_posts");
		f.template = hexo && !permalink.n ? "/:year/:month/:day/:title/"
		                                  : template_of(permalink, a);
		return f;
	}
	static const char *const configs[] = {"hugo.toml",   "hugo.yaml",   "hugo.yml",
	                                      "config.toml", "config.yaml", "config.yml"};
	for (size_t i = 0; i < ARRAY_LEN(configs); i++) {
		toml = config_of(from, configs[i], r, a);
		if (memmem(toml.p, toml.n, "permalinks", strlen("permalinks")))
			return f; /* addresses by a template of their own */
		f.undated = f.undated || memmem(toml.p, toml.n, "base_url", strlen("base_url"));
	}
	for (size_t i = 0; i < ARRAY_LEN(roots) && !f.root; i++) {
		const char *root = arena_printf(a, "%s/%s/", from, roots[i]);
		if (str_starts(str_of(arena_printf(a, "%s/", folder)), root))
			f.root = root;
	}
	return f;
}

static struct str stem_of(const char *path)
{
	struct str name = str_of(importer_base(path));
	return str_sub(name, 0, str_find(name, '.', 0));
}

static void put_lower(struct sb *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		sb_char(to, s.p[i] == ' ' ? '-' : (char)tolower((unsigned char)s.p[i]));
}

/* What a word of a template stands for. False: it is not known here. */
static bool put_word(struct sb *to, struct str word, const char *path, const struct import_post *p)
{
	struct str title = p->own_slug.n ? p->own_slug : importer_without_date(stem_of(path));
	const char *d = p->date;
	if (str_is(word, "title") || str_is(word, "slug") || str_is(word, "name")) {
		sb_str(to, title);
	} else if (str_is(word, "categories") || str_is(word, "category")) {
		for (size_t i = 0; i < p->ncategories; i++) {
			sb_cstr(to, i ? "/" : "");
			put_lower(to, p->category[i]);
		}
	} else if (!d) {
		return false;
	} else if (str_is(word, "year")) {
		sb_printf(to, "%.4s", d);
	} else if (str_is(word, "short_year")) {
		sb_printf(to, "%.2s", d + 2);
	} else if (str_is(word, "month") || str_is(word, "i_month")) {
		sb_printf(to, "%.*s", word.p[0] == 'i' && d[5] == '0' ? 1 : 2,
		          d + 5 + (word.p[0] == 'i' && d[5] == '0'));
	} else if (str_is(word, "day") || str_is(word, "i_day")) {
		sb_printf(to, "%.*s", word.p[0] == 'i' && d[8] == '0' ? 1 : 2,
		          d + 8 + (word.p[0] == 'i' && d[8] == '0'));
	} else {
		return str_is(word, "output_ext") && (sb_cstr(to, ".html"), true);
	}
	return true;
}

static bool fill(struct sb *to, const char *template, const char *path, const struct import_post *p)
{
	for (const char *c = template; *c;) {
		size_t n = 1;
		if (*c == ':') {
			while (islower((unsigned char)c[n]) || c[n] == '_')
				n++;
			if (!put_word(to, (struct str){c + 1, n - 1}, path, p))
				return false;
		} else if (*c != '/' || !to->n || to->p[to->n - 1] != '/') {
			sb_char(to, *c); /* without "//", where there is no category */
		}
		c += n;
	}
	return true;
}

/* The source "Two Words" in content/blog: "/blog/two-words/" */
static bool place(struct sb *to, const struct import_former *f, const char *path,
                  const struct import_post *p)
{
	const char *base = importer_base(path);
	struct str dir = {path + strlen(f->root), (size_t)(base - path) - strlen(f->root)};
	struct str stem = stem_of(path), name = str_of(base);
	if (memchr(name.p + stem.n + 1, '.', name.n - stem.n - 1))
		return false; /* NAME.es.md: in another language */
	bool bundle = str_is(stem, "index");
	sb_char(to, '/');
	put_lower(to, dir);
	if (!bundle) {
		put_lower(to, f->undated ? importer_without_date(stem) : stem);
		sb_char(to, '/');
	}
	if (p->own_slug.n) { /* in place of the last part */
		size_t at = to->n - 1;
		while (at > 0 && to->p[at - 1] != '/')
			at--;
		to->n = at;
		sb_str(to, p->own_slug);
		sb_char(to, '/');
	}
	return true;
}

struct str importer_former_of(const struct import_former *f, const char *path,
                              const struct import_post *p, struct arena *a)
{
	struct sb to = {0};
	struct str out = {NULL, 0};
	bool ok = f->template                                    ? fill(&to, f->template, path, p)
	          : f->root && str_starts(str_of(path), f->root) ? place(&to, f, path, p)
	                                                         : false;
	if (ok && to.n)
		out = str_keep(a, sb_view(&to));
	sb_free(&to);
	return out;
}
