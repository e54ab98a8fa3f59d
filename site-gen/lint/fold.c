/*
 * Replaces look-alike characters, so that no digit or unit hides: compatibility forms
 * (base/unicode.h), fractions, superscripts and invisible characters. To add a character without
 * a compatibility form, add a row to `alike`.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/unicode.h"
#include "site-gen/lint/inner.h"

/* Replacements: after anything but a digit, and after a digit ("3½"). */
static const struct {
	uint32_t c;
	const char *text, *after_digit;
} alike[] = {
        {0x00bc, "a quarter", ".25"},
        {0x00bd, "half", ".5"},
        {0x00be, "three quarters", ".75"},
        {0x2153, "a third", ".33"},
        {0x2154, "two thirds", ".67"},
        {0x066b, ".", "."},
        /* Cyrillic letters that occur in units */
        {0x043a, "k", "k"},
        {0x043c, "m", "m"},
        {0x0441, "c", "c"},
        {0x0455, "s", "s"},
        {0x0445, "x", "x"},
        {0x0412, "B", "B"},
        {0x041c, "M", "M"},
        {0x0422, "T", "T"},
};

/* The digit 0 to 9 of a superscript; 10: a minus; -1: not a superscript */
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

/* Writes the ASCII letters and digits that c is a form of; false if it is a form of others. */
static bool spell(uint32_t c, char out[16])
{
	enum { MU = 0x3bc, MICRO = 0xb5, ELLIPSIS = 0x2026, MOST = 15 };
	char form[UNICODE_COMPATIBLE];
	int digit = unicode_digit(c);
	if (digit >= 0 || unicode_is_ignorable(c)) {
		strcpy(out, digit >= 0 ? (char[]){(char)('0' + digit), 0} : "");
		return true;
	}
	size_t n = unicode_compatible(c, form), k = 0, m;
	bool any = false;
	for (size_t i = 0; i < n; i += m) {
		uint32_t part = unicode_at((struct str){form, n}, i, &m);
		if (k == MOST || (part >= 0x80 && part != MU))
			return false;
		out[k++] = part == MU ? 'u' : (char)part; /* as in units */
		any = any || is_letter(out[k - 1]) || is_digit(out[k - 1]) || part == '.';
	}
	out[k] = 0;
	return any && c != MICRO && c != ELLIPSIS; /* the rules know those two */
}

/* Writes the replacement of c after `last`, at most 15 bytes; false if c stays. */
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
	if (up >= 0) { /* 10⁻³: its size does not matter */
		strcpy(out, is_digit(last) ? "^" : "");
		if (up < 10)
			strcat(out, (char[]){(char)('0' + up), 0});
		return is_digit(last) || last == '^';
	}
	for (size_t i = 0; i < ARRAY_LEN(alike); i++)
		if (c == alike[i].c) {
			strcpy(out, is_digit(last) ? alike[i].after_digit : alike[i].text);
			return true;
		}
	return spell(c, out);
}

/* The first byte of a character that is always folded; s.n if there is none. */
static size_t first(struct str s)
{
	char out[16];
	size_t n;
	for (size_t i = 0; i < s.n; i += n) {
		n = 1;
		if ((unsigned char)s.p[i] >= 0xc2 && fold(unicode_at(s, i, &n), '0', out))
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
		uint32_t c = unicode_at(s, i, &n);
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
