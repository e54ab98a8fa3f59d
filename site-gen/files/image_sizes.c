#include "site-gen/files/image_sizes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/base/image.h"
#include "site-gen/site/links.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/tool.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"
#include "site-gen/markdown/markdown.h"

enum { CPU_SECONDS = 60, MEMORY_BYTES = 1 << 30 };

/* The subject of a smaller picture. */
struct smaller {
	const struct md_picture *of;
	int width;
};

/* --- listing the sizes --- */

struct wanted {
	const char *url;
	struct smaller what;
};

static int by_url(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->url, ((const struct wanted *)b)->url);
}

static size_t count(const struct site *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->pages.n; i++)
		n += s->pages.all[i]->source.npictures;
	return n;
}

/* Lists the sizes of one picture of a page. */
static size_t list_picture(struct site *s, const struct page *p, const struct md_picture *of,
                           struct wanted *to)
{
	int width[IMAGE_MOST_WIDTHS];
	size_t n = image_widths(&of->image, width);
	struct str fragment;
	for (size_t i = 0; i < n; i++) {
		struct sb name = {0}, path = {0};
		image_address(str_of(of->url), width[i], &name);
		links_resolve(p->url, sb_view(&name), &path, &fragment);
		to[i] = (struct wanted){str_dup(s->shared, sb_view(&path)), {of, width[i]}};
		sb_free(&name);
		sb_free(&path);
	}
	return n;
}

/* Adds each picture once, even if several pages show it. */
void image_sizes_add(struct site *s)
{
	size_t n = 0;
	struct wanted *all = ARENA_ARRAY(s->arena, struct wanted, count(s) * IMAGE_MOST_WIDTHS);
	for (size_t i = 0; i < s->pages.n; i++)
		for (size_t k = 0; k < s->pages.all[i]->source.npictures; k++)
			n += list_picture(s, s->pages.all[i], &s->pages.all[i]->source.pictures[k],
			                  all + n);
	if (n)
		qsort(all, n, sizeof *all, by_url);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && strcmp(all[i].url, all[i - 1].url) == 0)
			continue;
		struct smaller *subject = ARENA_NEW(s->shared, struct smaller);
		*subject = all[i].what;
		struct page *p = site_add(s, page_kind(s, "smaller"), all[i].url, subject);
		p->text.title = p->text.description = "";
		p->text.lang = s->config->language;
		p->loaded = true;
	}
}

/* --- making one --- */

static bool run_in(const char *program, const struct smaller *w, struct str picture,
                   const char *dir, struct arena *a, struct str *out, struct err *e)
{
	struct str said;
	const char *width = arena_printf(a, "%d", w->width);
	bool photo = w->of->image.format == IMAGE_JPEG;
	/* drawings have sharp edges, so they are compressed almost without loss */
	const char *const photo_args[] = {"-quiet", "-metadata", "icc", "-preset", "photo", "-q",
	                                  "80",     "-m",        "6",   "-resize", width,   "0",
	                                  "in",     "-o",        "out", NULL};
	const char *const drawn_args[] = {"-quiet", "-metadata", "icc", "-near_lossless",
	                                  "60",     "-m",        "6",   "-resize",
	                                  width,    "0",         "in",  "-o",
	                                  "out",    NULL};
	const struct tool t = {.name = "cwebp",
	                       .path = program,
	                       .args = photo ? photo_args : drawn_args,
	                       .dir = dir,
	                       .cpu_seconds = CPU_SECONDS,
	                       .memory_bytes = MEMORY_BYTES,
	                       .file_bytes = IMAGE_MAX_BYTES};
	return tool_put(arena_printf(a, "%s/in", dir), picture, a, e) &&
	       tool_run(&t, a, &said, e) &&
	       file_read(arena_printf(a, "%s/out", dir), IMAGE_MAX_BYTES, a, out, e);
}

static bool make(const char *program, const struct smaller *w, struct str picture, struct arena *a,
                 struct str *out, struct err *e)
{
	struct err why = ERR_NONE;
	const char *dir = tool_folder(a, e);
	if (!dir)
		return false;
	bool ok = run_in(program, w, picture, dir, a, out, &why);
	tool_folder_remove(dir);
	return ok || err_set(e, "%s: %s", w->of->file, why.text);
}

/* Hashes the program, the picture and the width. */
static bool key_of(const char *program, struct str picture, int width,
                   char key[HASH_SHA256_HEX + 1], struct err *e)
{
	struct sb all = {0};
	if (!tool_version(program, &all, e))
		return false;
	sb_printf(&all, "%d\n", width);
	sb_str(&all, picture);
	hash_sha256(sb_view(&all), key);
	sb_free(&all);
	return true;
}

bool image_sizes_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct smaller *w = p->subject;
	struct arena *a = &m->scratch;
	char key[HASH_SHA256_HEX + 1];
	struct str picture, webp;
	const char *program = tool_find("cwebp", a);
	const char *folder = arena_printf(a, "%s/pictures", m->site->options.cache);
	if (!program)
		return err_set(e,
		               "%s: cwebp is not installed: pictures of more than 480 pixels "
		               "need the package webp ('make setup site' installs it)",
		               w->of->file);
	if (!file_read(w->of->file, IMAGE_MAX_BYTES, a, &picture, e) ||
	    !key_of(program, picture, w->width, key, e) || !file_mkdirs(folder, e))
		return false;
	const char *path = arena_printf(a, "%s/%s.webp", folder, key);
	if (!kept_read(path, IMAGE_MAX_BYTES, a, &webp)) {
		if (!make(program, w, picture, a, &webp, e))
			return false;
		kept_write(path, webp, a);
	}
	sb_str(to, webp);
	return true;
}
