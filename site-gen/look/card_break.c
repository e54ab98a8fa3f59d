/* From a text to lines that fit. */
#include "site-gen/look/card.h"
#include "site-gen/base/html.h"

/* A variable font's table tells the widths of its regular weight; bold is wider. */
static const double BOLD = 1.06;

struct breaker {
	const struct picture_fonts *fonts;
	const char *font;
	struct str text;
	double size, width;
};

static double width_of(const struct breaker *b, uint32_t c)
{
	int w = picture_width(b->fonts, b->font, c);
	return w < 0 ? 0 : w * b->size * BOLD / 1000;
}

/* Chinese, its punctuation, and full-width forms: a line may end after each of them. */
static bool is_wide(uint32_t c)
{
	return (c >= 0x3000 && c <= 0x9fff) || (c >= 0xff00 && c <= 0xffef);
}

/* What may not begin a line: it closes something. */
static bool is_closing(uint32_t c)
{
	static const uint32_t all[] = {0x3001, 0x3002, 0x300b, 0x300d, 0x300f, 0x3011, 0x3015,
	                               0xff01, 0xff09, 0xff0c, 0xff1a, 0xff1b, 0xff1f};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i] == c)
			return true;
	return false;
}

static uint32_t letter_at(struct str s, size_t at)
{
	size_t n;
	return at < s.n ? html_decode(s.p + at, &n) : 0;
}

/* May a line end before the letter at `at`, of which the one before is `c`? */
static bool may_break(uint32_t c, struct str s, size_t at)
{
	uint32_t next = letter_at(s, at);
	if (next == 0 || next == ' ')
		return true;
	return (is_wide(c) || is_wide(next)) && !is_closing(next);
}

/* The end of the line that begins at `from`; a word wider than a line is cut where it must. */
static size_t line_end(const struct breaker *b, size_t from)
{
	double x = 0;
	size_t good = from;
	for (size_t i = from, n; i < b->text.n; i += n) {
		uint32_t c = html_decode(b->text.p + i, &n);
		x += width_of(b, c);
		if (x > b->width)
			return good > from ? good : i > from ? i : i + n;
		if (c != ' ' && may_break(c, b->text, i + n))
			good = i + n;
	}
	return b->text.n;
}

static size_t past_spaces(struct str s, size_t at)
{
	while (at < s.n && s.p[at] == ' ')
		at++;
	return at;
}

/* False: more than `most` lines; those are in *out. */
static bool lines_of(const struct breaker *b, size_t most, struct card_text *out)
{
	size_t at = past_spaces(b->text, 0);
	for (out->n = 0; at < b->text.n && out->n < most; out->n++) {
		size_t end = line_end(b, at);
		out->line[out->n] = str_sub(b->text, at, end);
		at = past_spaces(b->text, end);
	}
	return at >= b->text.n;
}

/* The last line, with a sign that there is more. */
static void cut_short(struct breaker *b, struct str *line, struct arena *a)
{
	static const uint32_t ellipsis = 0x2026;
	struct str whole = *line;
	b->text = whole;
	b->width -= width_of(b, ellipsis);
	whole.n = line_end(b, 0);
	*line = str_of(arena_printf(a, STR_FMT "…", STR_ARG(whole)));
}

/* The text without letters that no font has; line breaks and runs of spaces are one space. */
static struct str drawable(const struct picture_fonts *f, const char *font, struct str text,
                           struct arena *a, uint32_t *missing)
{
	struct sb out = {0};
	for (size_t i = 0, n; i < text.n; i += n) {
		uint32_t c = html_decode(text.p + i, &n);
		bool space = c == ' ' || c == '\n' || c == '\t';
		if (space && out.n > 0 && out.p[out.n - 1] != ' ')
			sb_char(&out, ' ');
		if (space)
			continue;
		if (picture_width(f, font, c) >= 0)
			sb_put(&out, text.p + i, n);
		else if (!*missing)
			*missing = c;
	}
	struct str kept = {arena_strndup(a, out.p ? out.p : "", out.n), out.n};
	sb_free(&out);
	return kept;
}

bool card_break(const struct picture_fonts *f, const char *font, struct str text, const int *sizes,
                int width, size_t most, struct arena *a, struct card_text *out, uint32_t *missing)
{
	struct breaker b = {.fonts = f, .font = font, .width = width};
	b.text = drawable(f, font, text, a, missing);
	*out = (struct card_text){.n = 0};
	bool fits = false;
	for (size_t i = 0; sizes[i] && !fits; i++) {
		b.size = out->size = sizes[i];
		fits = lines_of(&b, most, out);
	}
	if (!fits && out->n > 0)
		cut_short(&b, &out->line[out->n - 1], a);
	return fits;
}
