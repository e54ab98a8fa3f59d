#include "site-gen/look/picture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/base/html.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/tool.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/config.h"

enum {
	MAX_FONT_BYTES = 16 << 20,
	MAX_PNG_BYTES = 8 << 20,
	CPU_SECONDS = 10,
	MEMORY_BYTES = 1 << 30,
	KEY_DIGITS = 16,
};

/* Debian's fonts-droid-fallback: every character of GB 18030's first plane, in one file. */
static const char chinese_folder[] = "/usr/share/fonts/truetype/droid";
static const char chinese_file[] = "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf";

/* --- fonts --- */

/* "fonts/serif.woff2" -> "serif", else NULL */
static const char *font_name(const char *asset, struct arena *a)
{
	struct str s = str_of(asset);
	size_t head = strlen("fonts/"), tail = strlen(".woff2");
	if (!str_starts(s, "fonts/") || !str_ends(s, ".woff2"))
		return NULL;
	return arena_strndup(a, s.p + head, s.n - head - tail);
}

/* The cache folder of the unpacked fonts. Assets' addresses contain a digest of their bytes. */
static const char *fonts_folder(const struct site *s, struct arena *a)
{
	char hex[HASH_SHA256_HEX + 1];
	struct sb all = {0};
	for (size_t i = 0; i < s->repo.nassets; i++)
		if (font_name(s->repo.assets[i].name, a))
			sb_printf(&all, "%s\n", s->repo.assets[i].url);
	hash_sha256(sb_view(&all), hex);
	sb_free(&all);
	return arena_printf(a, "%s/fonts/%.*s", s->options.cache, KEY_DIGITS, hex);
}

/* Unpacks static/fonts/NAME.woff2 to NAME.ttf, because rsvg-convert cannot read WOFF2. */
static bool unpack(const char *source, const char *to, struct arena *a, struct err *e)
{
	struct str packed, font, said;
	const char *const args[] = {"font.woff2", NULL};
	const char *path = tool_find("woff2_decompress", a);
	if (!path)
		return err_set(e, "woff2_decompress is not installed: social cards need the "
		                  "package woff2 ('make setup site' installs it)");
	const char *dir = tool_folder(a, e);
	if (!dir)
		return false;
	const struct tool t = {.name = "woff2_decompress",
	                       .path = path,
	                       .args = args,
	                       .dir = dir,
	                       .cpu_seconds = CPU_SECONDS,
	                       .memory_bytes = MEMORY_BYTES,
	                       .file_bytes = MAX_FONT_BYTES};
	struct err why = ERR_NONE;
	bool ok = file_read(source, MAX_FONT_BYTES, a, &packed, &why) &&
	          tool_put(arena_printf(a, "%s/font.woff2", dir), packed, a, &why) &&
	          tool_run(&t, a, &said, &why) &&
	          file_read(arena_printf(a, "%s/font.ttf", dir), MAX_FONT_BYTES, a, &font, &why) &&
	          tool_put(to, font, a, &why);
	tool_folder_remove(dir);
	return ok || err_set(e, "%s: %s", source, why.text);
}

static bool add_font(struct picture_fonts *f, const char *name, const char *path, struct arena *a,
                     struct err *e)
{
	struct str bytes;
	struct picture_font *font = &f->all[f->n];
	if (f->n == PICTURE_MOST_FONTS)
		return err_set(e, "%s: more than %d fonts", path, PICTURE_MOST_FONTS);
	if (!file_read(path, MAX_FONT_BYTES, a, &bytes, e))
		return false;
	font->name = name;
	if (!sfnt_open(bytes, &font->font))
		return err_set(e, "%s: not a TrueType font with Unicode letters", path);
	f->n++;
	return true;
}

bool picture_fonts(const struct site *s, struct arena *a, struct picture_fonts *out, struct err *e)
{
	char now[4096];
	*out = (struct picture_fonts){.chinese = file_exists(chinese_file)};
	const char *folder = fonts_folder(s, a);
	if (!file_mkdirs(folder, e))
		return false;
	out->folder = folder;
	if (folder[0] != '/') {
		if (!getcwd(now, sizeof now))
			return err_sys(e, "current folder");
		out->folder = arena_printf(a, "%s/%s", now, folder);
	}
	for (size_t i = 0; i < s->repo.nassets; i++) {
		const char *name = font_name(s->repo.assets[i].name, a);
		if (!name)
			continue;
		const char *path = arena_printf(a, "%s/%s.ttf", folder, name);
		const char *source = layers_file(
		        &s->config->look, arena_printf(a, "static/%s", s->repo.assets[i].name), a);
		if ((!file_exists(path) && !unpack(source, path, a, e)) ||
		    !add_font(out, name, path, a, e))
			return false;
	}
	if (out->n == 0)
		return err_set(
		        e,
		        "%sstatic/fonts/ has no .woff2: social cards are drawn with the fonts "
		        "of the look; without any, expected 'cards' not to be set",
		        s->config->look.own);
	return !out->chinese || add_font(out, "chinese", chinese_file, a, e);
}

int picture_width(const struct picture_fonts *f, const char *name, uint32_t letter)
{
	int other = -1;
	for (size_t i = 0; i < f->n; i++) {
		int width = sfnt_width(&f->all[i].font, letter);
		if (width >= 0 && strcmp(f->all[i].name, name) == 0)
			return width;
		other = other >= 0 ? other : width;
	}
	return other;
}

/* --- drawing --- */

/* Hashes the program, the fonts and the drawing. */
static bool key_of(const struct picture_fonts *f, const char *program, struct str svg, int width,
                   char key[HASH_SHA256_HEX + 1], struct err *e)
{
	struct stat font = {0};
	struct sb all = {0};
	if (f->chinese && stat(chinese_file, &font) != 0)
		return err_sys(e, "%s", chinese_file);
	if (!tool_version(program, &all, e))
		return false;
	sb_printf(&all, "%lld %s %d\n", (long long)font.st_size, f->folder, width);
	sb_str(&all, svg);
	hash_sha256(sb_view(&all), key);
	sb_free(&all);
	return true;
}

/* Writes fontconfig's configuration, which names these folders and no others. */
static bool put_fonts_conf(const struct picture_fonts *f, const char *dir, struct arena *a,
                           struct err *e)
{
	struct sb text = {0};
	sb_cstr(&text, "<?xml version=\"1.0\"?>\n<fontconfig><dir>");
	html_xml(&text, str_of(f->folder));
	sb_cstr(&text, "</dir><dir>");
	html_xml(&text, str_of(chinese_folder));
	sb_cstr(&text, "</dir><cachedir>");
	html_xml(&text, str_of(dir));
	sb_cstr(&text, "</cachedir></fontconfig>\n");
	bool ok = tool_put(arena_printf(a, "%s/fonts.conf", dir), sb_view(&text), a, e);
	sb_free(&text);
	return ok;
}

static bool draw_in(const struct picture_fonts *f, const char *program, const char *dir,
                    struct str svg, int width, struct arena *a, struct str *png, struct err *e)
{
	struct str said;
	const char *const args[] = {"--width",
	                            arena_printf(a, "%d", width),
	                            "--keep-aspect-ratio",
	                            "--output",
	                            "out.png",
	                            "in.svg",
	                            NULL};
	const char *const env[] = {arena_printf(a, "FONTCONFIG_FILE=%s/fonts.conf", dir), NULL};
	const struct tool t = {.name = "rsvg-convert",
	                       .path = program,
	                       .args = args,
	                       .dir = dir,
	                       .reads = f->folder,
	                       .env = env,
	                       .cpu_seconds = CPU_SECONDS,
	                       .memory_bytes = MEMORY_BYTES,
	                       .file_bytes = MAX_PNG_BYTES};
	return put_fonts_conf(f, dir, a, e) &&
	       tool_put(arena_printf(a, "%s/in.svg", dir), svg, a, e) &&
	       tool_run(&t, a, &said, e) &&
	       file_read(arena_printf(a, "%s/out.png", dir), MAX_PNG_BYTES, a, png, e);
}

static bool draw(const struct picture_fonts *f, const char *program, struct str svg, int width,
                 struct arena *a, struct str *png, struct err *e)
{
	const char *dir = tool_folder(a, e);
	if (!dir)
		return false;
	bool ok = draw_in(f, program, dir, svg, width, a, png, e);
	tool_folder_remove(dir);
	return ok;
}

bool picture_png(const struct picture_fonts *f, struct str svg, int width, const char *cache,
                 struct arena *a, struct sb *to, struct err *e)
{
	char key[HASH_SHA256_HEX + 1];
	struct str png;
	const char *program = tool_find("rsvg-convert", a);
	if (!program)
		return err_set(e, "rsvg-convert is not installed: social cards need the package "
		                  "librsvg2-bin ('make setup site' installs it)");
	const char *folder = arena_printf(a, "%s/cards", cache);
	if (!key_of(f, program, svg, width, key, e) || !file_mkdirs(folder, e))
		return false;
	const char *path = arena_printf(a, "%s/%s.png", folder, key);
	if (!kept_read(path, MAX_PNG_BYTES, a, &png)) {
		if (!draw(f, program, svg, width, a, &png, e))
			return false;
		kept_write(path, png, a);
	}
	sb_str(to, png);
	return true;
}
