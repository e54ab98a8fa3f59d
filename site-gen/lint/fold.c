/*
 * Characters that look like others, made those, so that no digit or unit
 * hides: full-width letters, styled digits, squared units, fractions,
 * superscripts, and what takes no room at all. How to add one: a row in
 * `alike`, or a range in `simple`.
 */
#include <stdlib.h>
#include <string.h>

#include "site-gen/lint/inner.h"

/* What they say after anything but a digit, and after one ("3½"). */
static const struct {
	uint32_t c;
	const char *text, *after_digit;
} alike[] = {
        {0x00ad, "", ""},
        {0x200b, "", ""},
        {0x200c, "", ""},
        {0x200d, "", ""},
        {0x2060, "", ""},
        {0xfeff, "", ""},
        {0x00bc, "a quarter", ".25"},
        {0x00bd, "half", ".5"},
        {0x00be, "three quarters", ".75"},
        {0x2153, "a third", ".33"},
        {0x2154, "two thirds", ".67"},
        {0x066b, ".", "."},
        {0x33b1, "ns", "ns"},
        {0x33b2, "us", "us"},
        {0x33b3, "ms", "ms"},
        {0x3391, "kHz", "kHz"},
        {0x3392, "MHz", "MHz"},
        {0x3393, "GHz", "GHz"},
        {0x33be, "kW", "kW"},
        {0x33bd, "mW", "mW"},
        /* Cyrillic, as in units */
        {0x043a, "k", "k"},
        {0x043c, "m", "m"},
        {0x0441, "c", "c"},
        {0x0455, "s", "s"},
        {0x0445, "x", "x"},
        {0x0412, "B", "B"},
        {0x041c, "M", "M"},
        {0x0422, "T", "T"},
};

static const struct {
	uint32_t from, to, as; /* the first of them is `as`, and so on */
} simple[] = {
        {0xff10, 0xff19, '0'},   {0xff21, 0xff3a, 'A'},   {0xff41, 0xff5a, 'a'},
        {0xff0e, 0xff0e, '.'},   {0x0660, 0x0669, '0'},   {0x06f0, 0x06f9, '0'},
        {0x2460, 0x2468, '1'},   {0x1d7ce, 0x1d7d7, '0'}, {0x1d7d8, 0x1d7e1, '0'},
        {0x1d7e2, 0x1d7eb, '0'}, {0x1d7ec, 0x1d7f5, '0'}, {0x1d7f6, 0x1d7ff, '0'},
};

/* The character at p, of at most `left` bytes; a byte that starts none is itself, and alike none. */
static uint32_t decode(const char *p, size_t left, size_t *n)
{
	const unsigned char *s = (const unsigned char *)p;
	*n = s[0] < 0xc2 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 1;
	if (*n == 1 || *n > left)
		return *n = 1, 0;
	uint32_t c = s[0] & (0xffu >> (*n + 1));
	for (size_t i = 1; i < *n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return *n = 1, 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c;
}

/* 0 to 9; 10: a minus; -1: no superscript */
static int superscript(uint32_t c)
{
	if (c == 0xb9)
		return 1;
	if (c == 0xb2 || c == 0xb3)
		return (int)(c - 0xb0);
	if (c == 0x2070 || (c >= 0x2074 && c <= 0x2079))
		return (int)(c - 0x2070);
	return c == 0x207b ? 10 : -1;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What c says after `last`, in at most 15 bytes; false: itself. */
static bool fold(uint32_t c, char last, char out[16])
{
	if (c < 0xad)
		return false;
	int up = superscript(c);
	if (up == 10 && is_letter(last)) { /* s⁻¹ */
		strcpy(out, "^-");
		return true;
	}
	if (up >= 0 && up < 10 && last == '-') {
		strcpy(out, (char[]){(char)('0' + up), 0});
		return true;
	}
	if (up >= 0) { /* 10⁻³: how large it is does not matter */
		strcpy(out, is_digit(last) ? "^" : "");
		if (up < 10)
			strcat(out, (char[]){(char)('0' + up), 0});
		return is_digit(last) || last == '^';
	}
	for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
		if (c >= simple[i].from && c <= simple[i].to) {
			strcpy(out, (char[]){(char)(simple[i].as + c - simple[i].from), 0});
			return true;
		}
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
		if (c == alike[i].c) {
			strcpy(out, is_digit(last) ? alike[i].after_digit : alike[i].text);
			return true;
		}
	return false;
}

static bool eight_ascii(const char *p)
{
	uint64_t w;
	memcpy(&w, p, sizeof w);
	return (w & 0x8080808080808080) == 0;
}

/* The first byte of a character that is folded, wherever it stands; s.n: none is. */
static size_t first(struct str s)
{
	char out[16];
	size_t n;
	for (size_t i = 0; i < s.n; i += n) {
		n = s.n - i >= 8 && eight_ascii(s.p + i) ? 8 : 1;
		if (n == 1 && (unsigned char)s.p[i] >= 0xc2 &&
		    fold(decode(s.p + i, s.n - i, &n), '0', out))
			return i;
	}
	return s.n;
}

bool lint_fold(struct str s, struct lint_folded *f)
{
	size_t n, at = first(s);
	char out[16];
	if (at == s.n)
		return false;
	/* two bytes may become fourteen */
	*f = (struct lint_folded){.p = malloc(8 * s.n + 1),
	                          .from = malloc((8 * s.n + 1) * sizeof *f->from)};
	if (!f->p || !f->from)
		abort();
	for (size_t i = 0; i < s.n; i += n) {
		uint32_t c = decode(s.p + i, s.n - i, &n);
		bool folds = i >= at && fold(c, f->n ? f->p[f->n - 1] : 0, out);
		size_t len = folds ? strlen(out) : n;
		for (size_t k = 0; k < len; k++) {
			f->p[f->n] = folds ? out[k] : s.p[i + k];
			f->from[f->n++] = i;
		}
	}
	f->from[f->n] = s.n;
	return true;
}

void lint_folded_free(struct lint_folded *f)
{
	free(f->p);
	free(f->from);
}
