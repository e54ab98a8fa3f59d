#include "site-gen/base/font.h"

enum { FONT_TRUETYPE = 0x00010000, TABLE_BYTES = 16, HEADER_BYTES = 12 };

/* --- the file's numbers: big-endian; reading beyond the end gives 0 --- */

static unsigned u16(const struct sfnt *f, size_t at)
{
	if (at + 2 > f->bytes.n)
		return 0;
	const unsigned char *p = (const unsigned char *)f->bytes.p + at;
	return (unsigned)(p[0] << 8 | p[1]);
}

static uint32_t u32(const struct sfnt *f, size_t at)
{
	return (uint32_t)u16(f, at) << 16 | u16(f, at + 2);
}

/* Offset of the table of this name; 0 if there is none. */
static size_t table(const struct sfnt *f, const char *name)
{
	unsigned n = u16(f, 4);
	for (unsigned i = 0; i < n; i++) {
		size_t row = HEADER_BYTES + (size_t)i * TABLE_BYTES;
		if (str_starts(str_sub(f->bytes, row, row + 4), name))
			return u32(f, row + 8);
	}
	return 0;
}

/* Offset of the Unicode subtable: format 12 with all characters, else format 4 with 16 bits. */
static size_t unicode(const struct sfnt *f, size_t cmap)
{
	size_t found = 0;
	for (unsigned i = 0, n = u16(f, cmap + 2); cmap && i < n; i++) {
		size_t row = cmap + 4 + (size_t)i * 8, at = cmap + u32(f, row + 4);
		unsigned platform = u16(f, row), format = u16(f, at);
		if ((platform != 0 && platform != 3) || (format != 4 && format != 12))
			continue;
		if (!found || format == 12)
			found = at;
	}
	return found;
}

bool sfnt_open(struct str bytes, struct sfnt *out)
{
	*out = (struct sfnt){.bytes = bytes};
	size_t head = table(out, "head"), hhea = table(out, "hhea");
	if (u32(out, 0) != FONT_TRUETYPE || !head || !hhea)
		return false;
	out->cmap = unicode(out, table(out, "cmap"));
	out->widths = table(out, "hmtx");
	out->nwidths = u16(out, hhea + 34);
	out->em = u16(out, head + 18);
	return out->cmap && out->widths && out->nwidths && out->em;
}

/* --- from a character to its glyph; 0: none --- */

static unsigned glyph_of_16_bits(const struct sfnt *f, unsigned c)
{
	unsigned n2 = u16(f, f->cmap + 6); /* twice the number of segments */
	size_t ends = f->cmap + 14, starts = ends + n2 + 2, deltas = starts + n2,
	       offsets = deltas + n2;
	for (unsigned i = 0; i < n2; i += 2) {
		if (c > u16(f, ends + i))
			continue;
		unsigned start = u16(f, starts + i), delta = u16(f, deltas + i);
		unsigned offset = u16(f, offsets + i);
		if (c < start)
			return 0;
		if (offset == 0)
			return (c + delta) & 0xffff;
		unsigned glyph = u16(f, offsets + i + offset + 2 * (size_t)(c - start));
		return glyph ? (glyph + delta) & 0xffff : 0;
	}
	return 0;
}

static unsigned glyph_of_any(const struct sfnt *f, uint32_t c)
{
	uint32_t lo = 0, hi = u32(f, f->cmap + 12);
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		size_t group = f->cmap + 16 + (size_t)mid * 12;
		if (c < u32(f, group))
			hi = mid;
		else if (c > u32(f, group + 4))
			lo = mid + 1;
		else
			return u32(f, group + 8) + (c - u32(f, group));
	}
	return 0;
}

int sfnt_width(const struct sfnt *f, uint32_t letter)
{
	unsigned glyph = 0;
	if (u16(f, f->cmap) == 12)
		glyph = glyph_of_any(f, letter);
	else if (letter <= 0xffff)
		glyph = glyph_of_16_bits(f, letter);
	if (glyph == 0)
		return -1;
	/* glyphs beyond the table are as wide as its last one */
	unsigned row = glyph < f->nwidths ? glyph : f->nwidths - 1;
	return (int)(u16(f, f->widths + (size_t)row * 4) * 1000 / f->em);
}
