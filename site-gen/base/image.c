/* To add a format, add a row to `formats`: the bytes that its files begin with, and a function. */
#include "site-gen/base/image.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lib/array.h"

enum { MAX_SIZE = 1 << 20 };

/* --- the file's numbers; reading beyond the end gives 0 --- */

static unsigned byte(struct str s, size_t at)
{
	return at < s.n ? (unsigned char)s.p[at] : 0;
}

static unsigned big16(struct str s, size_t at)
{
	return byte(s, at) << 8 | byte(s, at + 1);
}

static unsigned little16(struct str s, size_t at)
{
	return byte(s, at) | byte(s, at + 1) << 8;
}

static uint32_t big32(struct str s, size_t at)
{
	return (uint32_t)big16(s, at) << 16 | big16(s, at + 2);
}

static bool is_at(struct str s, size_t at, const char *what)
{
	return str_starts(str_sub(s, at, s.n), what);
}

static bool sized(struct image *out, double width, double height, struct err *e)
{
	if (!(width >= 1 && height >= 1 && width <= MAX_SIZE && height <= MAX_SIZE))
		return err_set(e, "no size can be read from it: it is cut short, or empty");
	out->width = (int)lround(width);
	out->height = (int)lround(height);
	return true;
}

/* --- formats --- */

/* The chunk IHDR comes first (section 11.2.1); a chunk acTL means an animation. */
static bool read_png(struct str s, struct image *out, struct err *e)
{
	out->moves = memmem(s.p, s.n < 4096 ? s.n : 4096, "acTL", 4) != NULL;
	return sized(out, s.n < 24 ? 0 : big32(s, 16), big32(s, 20), e);
}

static bool read_gif(struct str s, struct image *out, struct err *e)
{
	out->moves = true; /* at least possibly: frames are not counted */
	return sized(out, s.n < 10 ? 0 : little16(s, 6), little16(s, 8), e);
}

/* Lossy: RFC 6386, section 9.1. Lossless and extended: size - 1 in 14 and in 24 bits. */
static bool read_webp(struct str s, struct image *out, struct err *e)
{
	if (!is_at(s, 8, "WEBP"))
		return err_set(e, "expected a picture in PNG, JPEG, WebP, GIF or SVG");
	if (is_at(s, 12, "VP8 "))
		return sized(out, s.n < 30 ? 0 : little16(s, 26) & 0x3fff, little16(s, 28) & 0x3fff,
		             e);
	if (is_at(s, 12, "VP8L")) {
		unsigned bits = little16(s, 21) | little16(s, 23) << 16;
		return sized(out, s.n < 25 ? 0 : (bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1, e);
	}
	out->moves = byte(s, 20) & 2;
	return sized(out, s.n < 30 ? 0 : (little16(s, 24) | byte(s, 26) << 16) + 1,
	             (little16(s, 27) | byte(s, 29) << 16) + 1, e);
}

/* Exif orientation: entry 0x0112 of the first directory; 1 is upright. */
static unsigned orientation(struct str exif)
{
	bool little = str_starts(exif, "II");
	unsigned (*u16)(struct str, size_t) = little ? little16 : big16;
	size_t dir = u16(exif, little ? 4 : 6), n = u16(exif, dir);
	for (size_t i = 0; i < n && dir + 2 + 12 * i < exif.n; i++)
		if (u16(exif, dir + 2 + 12 * i) == 0x0112)
			return u16(exif, dir + 2 + 12 * i + 8);
	return 1;
}

/* A segment is 0xff, a marker and a length. The start-of-frame segment has the size. */
static bool read_jpeg(struct str s, struct image *out, struct err *e)
{
	for (size_t at = 2; at + 9 < s.n && byte(s, at) == 0xff;) {
		unsigned mark = byte(s, at + 1);
		if (mark == 0xff) { /* padding */
			at++;
			continue;
		}
		if (mark == 0xe1 && is_at(s, at + 4, "Exif") &&
		    orientation(str_sub(s, at + 10, at + 2 + big16(s, at + 2))) > 1)
			return err_set(e, "its Exif data ask readers to turn it; save it upright");
		bool frame = mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 &&
		             mark != 0xcc;
		if (frame)
			return sized(out, big16(s, at + 7), big16(s, at + 5), e);
		at += 2 + (size_t)big16(s, at + 2);
	}
	return sized(out, 0, 0, e);
}

/* attribute -> name '="' value '"' ; in `tag`, the first tag */
static struct str attribute(struct str tag, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 1; i + n + 2 < tag.n; i++) {
		bool here = strchr(" \t\r\n", tag.p[i - 1]) && memcmp(tag.p + i, name, n) == 0 &&
		            tag.p[i + n] == '=' && strchr("\"'", tag.p[i + n + 1]);
		if (!here)
			continue;
		size_t close = str_find(tag, tag.p[i + n + 1], i + n + 2);
		return str_sub(tag, i + n + 2, close);
	}
	return STR("");
}

/* "360" and "360px"; a length in another unit is not known here */
static double pixels(struct str s)
{
	double v;
	if (str_ends(s, "px"))
		s.n -= 2;
	return str_f64(s, &v) ? v : 0;
}

static bool read_svg(struct str s, struct image *out, struct err *e)
{
	const char *open = memmem(s.p, s.n, "<svg", 4);
	struct str tag = str_sub(s, (size_t)(open - s.p), s.n), part;
	tag.n = str_find(tag, '>', 0);
	double box[4] = {0}, width = pixels(attribute(tag, "width")),
	       height = pixels(attribute(tag, "height"));
	struct str rest = attribute(tag, "viewBox");
	for (int i = 0; i < 4 && rest.n; i++) {
		str_cut(str_trim(rest), ' ', &part, &rest);
		box[i] = pixels(str_trim(part));
	}
	if (width < 1 || height < 1) {
		width = box[2];
		height = box[3];
	}
	if (width < 1 || height < 1)
		return err_set(e,
		               "the drawing has neither width and height in pixels nor a viewBox");
	return sized(out, width, height, e);
}

static const struct format {
	enum image_format id;
	const char *begins;
	size_t n;
	bool (*read)(struct str s, struct image *out, struct err *e);
} formats[] = {
        {IMAGE_PNG, "\x89PNG\r\n\x1a\n", 8, read_png},
        {IMAGE_JPEG, "\xff\xd8\xff", 3, read_jpeg},
        {IMAGE_WEBP, "RIFF", 4, read_webp},
        {IMAGE_GIF, "GIF8", 4, read_gif},
};

bool image_read(struct str bytes, struct image *out, struct err *e)
{
	*out = (struct image){.format = IMAGE_SVG};
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (bytes.n >= formats[i].n &&
		    memcmp(bytes.p, formats[i].begins, formats[i].n) == 0) {
			out->format = formats[i].id;
			return formats[i].read(bytes, out, e);
		}
	/* a drawing may begin with a declaration and comments */
	if (str_utf8(bytes) && bytes.n && memmem(bytes.p, bytes.n, "<svg", 4))
		return read_svg(bytes, out, e);
	return err_set(e, "expected a picture in PNG, JPEG, WebP, GIF or SVG");
}

size_t image_widths(const struct image *i, int out[IMAGE_MOST_WIDTHS])
{
	enum { SMALL = 480, LARGE = 2400 };
	static const int usual[] = {SMALL, 960, 1440};
	bool stays = i->format == IMAGE_SVG || i->format == IMAGE_GIF || i->moves;
	size_t n = 0;
	if (stays || i->width <= SMALL)
		return 0;
	for (size_t k = 0; k < ARRAY_LEN(usual); k++)
		if (usual[k] < i->width)
			out[n++] = usual[k];
	if (i->width <= LARGE)
		out[n++] = i->width;
	return n;
}

/* name -> { any } '.' extension */
void image_address(struct str url, int width, struct sb *to)
{
	size_t dot = url.n;
	while (dot > 0 && url.p[dot - 1] != '.' && url.p[dot - 1] != '/')
		dot--;
	bool has = dot > 0 && url.p[dot - 1] == '.';
	sb_str(to, has ? str_sub(url, 0, dot - 1) : url);
	sb_printf(to, "-%d.webp", width);
}
