/* Breaks text into lines that fit. */
#include "lib/array.h"
#include "site-gen/look/card.h"
#include "site-gen/base/html.h"
#include "lib/arena.h"
#include "site-gen/base/unicode.h"

/* A variable font's table has the widths of the regular weight; bold is wider by this factor. */
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

/* Closing characters, which may not begin a line. */
static bool is_closing(uint32_t c)
{
	static const uint32_t all[] = {0x3001, 0x3002, 0x300b, 0x300d, 0x300f, 0x3011, 0x3015,
	                               0xff01, 0xff09, 0xff0c, 0xff1a, 0xff1b, 0xff1f};
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i] == c)
			return true;
	return false;
}

static uint32_t letter_at(struct str s, size_t at)
{
	size_t n;
	return at < s.n ? unicode_at(s, at, &n) : 0;
}

/* True if a line may end before the character at `at`; `c` is the character before it. */
static bool may_break(uint32_t c, struct str s, size_t at)
{
	uint32_t next = letter_at(s, at);
	if (next == 0 || next == ' ')
		return true;
	return (unicode_is_wide(c) || unicode_is_wide(next)) && !is_closing(next);
}

/* The end of the line that begins at `from`; a word wider than the line is cut. */
static size_t line_end(const struct breaker *b, size_t from)
{
	double x = 0;
	size_t good = from;
	for (size_t i = from, n; i < b->text.n; i += n) {
		uint32_t c = unicode_at(b->text, i, &n);
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

/* Breaks the text. False if it needs more than `most` lines; *out has the first `most`. */
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

/* Shortens the last line and ends it with "…". */
static void cut_short(struct breaker *b, struct str *line, struct arena *a)
{
	static const uint32_t ellipsis = 0x2026;
	struct str whole = *line;
	b->text = whole;
	b->width -= width_of(b, ellipsis);
	whole.n = line_end(b, 0);
	*line = str_of(arena_printf(a, STR_FMT "…", STR_ARG(whole)));
}

/* The text without characters that no font has; white space becomes one space. */
static struct str drawable(const struct picture_fonts *f, const char *font, struct str text,
                           struct arena *a, uint32_t *missing)
{
	struct sb out = {0};
	for (size_t i = 0, n; i < text.n; i += n) {
		uint32_t c = unicode_at(text, i, &n);
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
	struct str kept = str_keep(a, sb_view(&out));
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
