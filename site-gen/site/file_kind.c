/* To publish another kind of file, add a row to the table, with a function that checks it. */
#include "site-gen/site/file_kind.h"

#include <string.h>
#include <strings.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/base/image.h"
#include "site-gen/site/svg.h"

enum { MAX_BYTES = 64 << 20 };

struct check {
	struct str bytes;
	const char *path;
	const struct lint *lint;
	struct arena *keep;
	struct waiver **waivers;
	struct problems *to;
};

static bool is_format(const struct check *c, enum image_format want, const char *name,
                      struct err *e)
{
	struct image i;
	struct err why = ERR_NONE;
	struct loc at = {.path = c->path};
	if (!image_read(c->bytes, &i, &why))
		return err_at(e, at, "%s", why.text);
	return i.format == want || err_at(e, at, "expected a picture in %s", name);
}

static bool is_png(const struct check *c, struct err *e)
{
	return is_format(c, IMAGE_PNG, "PNG", e);
}

static bool is_jpeg(const struct check *c, struct err *e)
{
	return is_format(c, IMAGE_JPEG, "JPEG", e);
}

static bool is_webp(const struct check *c, struct err *e)
{
	return is_format(c, IMAGE_WEBP, "WebP", e);
}

static bool is_gif(const struct check *c, struct err *e)
{
	return is_format(c, IMAGE_GIF, "GIF", e);
}

static bool is_avif(const struct check *c, struct err *e)
{
	struct str brand = str_sub(c->bytes, 4, c->bytes.n < 12 ? c->bytes.n : 12);
	return str_is(brand, "ftypavif") || str_is(brand, "ftypavis") ||
	       err_at(e, (struct loc){.path = c->path}, "expected a picture in AVIF");
}

/* Copies a waiver, so that it outlives the reading of the file. */
static void keep_waiver(const struct check *c, const struct waiver *w)
{
	struct waiver *own = ARENA_NEW(c->keep, struct waiver);
	*own = *w;
	own->why = arena_strdup(c->keep, w->why);
	own->text = arena_strdup(c->keep, w->text);
	own->next = *c->waivers;
	*c->waivers = own;
}

static bool is_drawing(const struct check *c, struct err *e)
{
	struct svg_said said;
	struct arena scratch = {0};
	bool ok = svg_check(c->bytes, c->path, c->lint,
	                    c->waivers ? svg_advice : traced_on_every_page, &scratch, &said, e);
	if (ok)
		traced_say(said.found, c->to);
	for (const struct waiver *w = ok ? said.waivers : NULL; w && ok; w = w->next)
		if (c->waivers)
			keep_waiver(c, w);
		else
			ok = err_at(e, w->at, "a waiver of what is on every page; leave it out");
	arena_free(&scratch);
	return ok;
}

static bool is_text(const struct check *c, struct err *e)
{
	struct loc at = {.path = c->path};
	uint32_t bad;
	if (!str_utf8(c->bytes))
		return err_at(e, at, "not valid UTF-8 text");
	const char *p = html_bad_char(c->bytes, &bad);
	return !p ||
	       err_at(e, str_loc(c->bytes, c->path, p),
	              "character U+%04X is a control character, or reverses the order of the text",
	              (unsigned)bad);
}

/* Accepts a file of the look unread; the site's author is responsible for it. */
static bool is_trusted(const struct check *c, struct err *e)
{
	(void)c;
	(void)e;
	return true;
}

static const struct kind {
	const char *name; /* the part after the last '.' */
	bool (*is)(const struct check *c, struct err *e);
	enum file_place from;
} kinds[] = {
        {"png", is_png, FILE_OF_POST},          {"jpg", is_jpeg, FILE_OF_POST},
        {"jpeg", is_jpeg, FILE_OF_POST},        {"webp", is_webp, FILE_OF_POST},
        {"avif", is_avif, FILE_OF_POST},        {"gif", is_gif, FILE_OF_POST},
        {"svg", is_drawing, FILE_OF_POST},      {"csv", is_text, FILE_OF_POST},
        {"tsv", is_text, FILE_OF_POST},         {"txt", is_text, FILE_OF_POST},
        {"json", is_text, FILE_OF_POST},        {"c", is_text, FILE_OF_POST},
        {"h", is_text, FILE_OF_POST},           {"cu", is_text, FILE_OF_POST},
        {"cuh", is_text, FILE_OF_POST},         {"py", is_text, FILE_OF_POST},
        {"css", is_trusted, FILE_OF_LOOK},      {"js", is_trusted, FILE_OF_LOOK},
        {"mjs", is_trusted, FILE_OF_LOOK},      {"woff2", is_trusted, FILE_OF_LOOK},
        {"woff", is_trusted, FILE_OF_LOOK},     {"ico", is_trusted, FILE_OF_LOOK},
        {"webmanifest", is_text, FILE_OF_LOOK},
};
enum { KINDS = ARRAY_LEN(kinds) };

static const struct kind *kind_of(const char *path, enum file_place place)
{
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < KINDS; i++)
		if (strcasecmp(dot + 1, kinds[i].name) == 0 && kinds[i].from <= place)
			return &kinds[i];
	return NULL;
}

bool file_kind_known(const char *path, enum file_place place)
{
	return kind_of(path, place);
}

static void say_unknown(const char *path, enum file_place place, struct problems *to)
{
	struct sb all = {0};
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].from <= place)
			sb_printf(&all, "%s.%s", all.n ? ", " : "", kinds[i].name);
	problems_say(to, (struct loc){.path = path},
	             "a file of this kind is not published, since nobody reads what is in it; "
	             "expected one of %s",
	             all.p);
	sb_free(&all);
}

void file_kind_check(const char *path, enum file_place place, const struct lint *l,
                     struct arena *keep, struct waiver **waivers, struct problems *to)
{
	const struct kind *k = kind_of(path, place);
	struct arena scratch = {0};
	struct check c = {.path = path, .lint = l, .keep = keep, .waivers = waivers, .to = to};
	struct err e = ERR_NONE;
	if (!k)
		say_unknown(path, place, to);
	else if (k->is != is_trusted && file_read(path, MAX_BYTES, &scratch, &c.bytes, &e))
		k->is(&c, &e);
	problems_add(to, &e);
	arena_free(&scratch);
}
