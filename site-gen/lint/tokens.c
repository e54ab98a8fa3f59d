/*
 * Splits text into tokens. A word consists of letters, and of digits after a letter,
 * as in names. A number consists of digits and their separators. Chinese text is cut
 * into the longest words that the dictionary has. "32x32" is number, sign, number.
 * Look-alike signs become one.
 */
#include "lib/array.h"
#include "site-gen/base/unicode.h"
#include "site-gen/lint/inner.h"

#include <string.h>

static uint32_t peek(const struct lint_work *w, size_t at, size_t *n)
{
	*n = 0;
	return at < w->text.n ? unicode_at(w->text, at, n) : 0;
}

static bool is_digit(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 0xff10 && c <= 0xff19);
}

static bool is_letter(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == 0xb5 ||
	       (c >= 0xc0 && c <= 0x3ff && c != 0xd7 && c != 0xf7);
}

static bool is_space(uint32_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xa0 || c == 0x3000 ||
	       c == 0x202f || (c >= 0x2000 && c <= 0x200b);
}

/* To add a sign, add a row; signs that no rule uses need none. */
static const struct {
	uint32_t from, to;
} alike[] = {
        {0x2010, '-'}, {0x2011, '-'}, {0x2013, '-'}, {0x2212, '-'}, {0x2014, ','}, {0xff0d, '-'},
        {0xff5e, '~'}, {0x223c, '~'}, {0x2248, '~'}, {0xff05, '%'}, {0x00d7, 'x'}, {0x2715, 'x'},
        {0x2a2f, 'x'}, {0xff58, 'x'}, {0xff0c, ','}, {0x3001, ','}, {0xff1b, '.'}, {0x3002, '.'},
        {0xff01, '.'}, {0xff1f, '.'}, {0xff1a, ':'}, {0xff08, '('}, {0xff09, ')'}, {0x2044, '/'},
        {0xff0f, '/'}, {0x2215, '/'}, {0x22c5, '*'}, {0x00b7, '*'}, {0x2018, '"'}, {0x2019, '"'},
        {0x201c, '"'}, {0x201d, '"'},
};

static uint32_t like(uint32_t c)
{
	if (c < 0x80) /* the same for all others */
		return c == '!' || c == '?' || c == ';' ? '.' : c == '\'' ? '"' : c;
	for (size_t i = 0; i < ARRAY_LEN(alike); i++)
		if (alike[i].from == c)
			return alike[i].to;
	return c;
}

static struct lint_token *push(struct lint_work *w, enum lint_kind kind, size_t end, bool spaced)
{
	struct lint_token *t = &w->token[w->n++];
	*t = (struct lint_token){.start = w->at, .end = end, .kind = kind, .spaced = spaced};
	w->at = end;
	return t;
}

/* digits -> digit { digit | ( '.' | ',' ) digit } [ 'e' [ '-' | '+' ] digit … ] */
static size_t digits_end(const struct lint_work *w, size_t at)
{
	size_t n, m;
	for (uint32_t c = peek(w, at, &n); n; c = peek(w, at, &n)) {
		bool joint = c == '.' || c == ',' || c == 0xff0e;
		if (!is_digit(c) && !(joint && is_digit(peek(w, at + n, &m))))
			break;
		at += n;
	}
	if (peek(w, at, &n) == 'e') {
		uint32_t c = peek(w, at + 1, &n);
		size_t sign = c == '-' || c == '+';
		for (size_t k = at + 1 + sign; is_digit(peek(w, k, &n)); k += n)
			at = k + n;
	}
	return at;
}

/* True for part of a name, such as GPT-4, and for a version, such as 12.1.3. */
static bool is_name(const struct lint_work *w, size_t start, size_t end)
{
	size_t dots = 0;
	for (size_t i = start; i < end; i++)
		dots += w->text.p[i] == '.';
	if (dots > 1)
		return true;
	const struct lint_token *dash = w->n > 1 ? &w->token[w->n - 1] : NULL;
	return dash && dash->kind == LINT_SIGN && dash->sign == '-' && !dash->spaced &&
	       dash->end == start && w->token[w->n - 2].kind == LINT_WORD &&
	       !(w->token[w->n - 2].class & (LINT_NUMBER | LINT_ABOUT));
}

static void read_digits(struct lint_work *w, bool spaced)
{
	size_t start = w->at, end = digits_end(w, start);
	bool name = is_name(w, start, end);
	w->digits = true;
	push(w, name ? LINT_WORD : LINT_DIGITS, end, spaced);
}

/* Classes of bytes; only DECODE bytes need decoding. */
enum { DECODE, LETTER, SPACE, ELSE };

static const unsigned char small[256] = {
        ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, [' '] = SPACE, ['\t'] = SPACE,
        ['\n'] = SPACE,         ['\r'] = SPACE,         [','] = ELSE,  ['!'] = ELSE,
        ['('] = ELSE,           [')'] = ELSE,           [':'] = ELSE,  [';'] = ELSE,
};

static size_t word_end(const struct lint_work *w, size_t at, bool *plain)
{
	size_t n, m;
	while (at < w->text.n && small[(unsigned char)w->text.p[at]] == LETTER)
		at++;
	*plain = true;
	if (at < w->text.n && small[(unsigned char)w->text.p[at]] >= SPACE)
		return at;
	for (uint32_t c = peek(w, at, &n); n; c = peek(w, at, &n)) {
		bool digit = is_digit(c);
		/* the point of a version: sm_90.1 */
		bool point = c == '.' && !*plain && is_digit(peek(w, at + 1, &m));
		if (!is_letter(c) && !digit && !point)
			break;
		*plain = *plain && !digit && c != '_';
		at += n;
	}
	return at;
}

enum { WORD_MAX = 40 };

/* Appends in lower case; false if the result is longer than any known word. */
static bool add_lower(char *key, size_t *n, const char *p, size_t len)
{
	if (*n + len >= WORD_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		key[(*n)++] = p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] + 'a' - 'A') : p[i];
	return true;
}

/* Joins words that are one entry: "per cent", "speed-up", "speed of light". */
static size_t join(const struct lint_work *w, char *key, size_t n, size_t end, unsigned *class)
{
	size_t best = end, m;
	for (int more = 0; more < 2; more++) {
		uint32_t c = peek(w, end, &m);
		bool plain, joins;
		if (!is_space(c) && like(c) != '-')
			break;
		size_t from = end + m, to = word_end(w, from, &plain);
		if (to == from || !plain || !add_lower(key, &n, "_", 1) ||
		    !add_lower(key, &n, w->text.p + from, to - from))
			break;
		unsigned found = lint_class_of(w->words, key, n, &joins);
		end = to;
		if (found)
			*class = found, best = to;
	}
	return best;
}

static void read_word(struct lint_work *w, bool spaced)
{
	bool plain, joins = false;
	size_t start = w->at, end = word_end(w, start, &plain), n = 0;
	unsigned class = 0;
	char key[WORD_MAX];
	if (end - start < WORD_MAX)
		class = lint_class_of(w->words, w->text.p + start, end - start, &joins);
	if (joins && add_lower(key, &n, w->text.p + start, end - start))
		end = join(w, key, n, end, &class);
	w->classes |= class;
	push(w, LINT_WORD, end, spaced)->class = class;
}

static void read_cjk(struct lint_work *w, size_t n, bool spaced)
{
	unsigned class = 0;
	size_t known = lint_longest(w->words, str_sub(w->text, w->at, w->text.n), &class);
	w->classes |= class;
	push(w, LINT_CJK, w->at + (known ? known : n), spaced)->class = class;
}

/* True for the x of "2x" and of "32x32", but not of "xor". */
static bool is_times_sign(const struct lint_work *w, uint32_t c, size_t at)
{
	size_t n;
	if ((c != 'x' && c != 'X') || w->n == 0 || w->token[w->n - 1].kind != LINT_DIGITS)
		return false;
	uint32_t next = peek(w, at + 1, &n);
	return !is_letter(next);
}

/* A full stop ends a sentence unless a lower-case letter follows: "e.g. this". */
static bool ends_sentence(const struct lint_work *w, uint32_t c)
{
	size_t n;
	if (c != '.')
		return false;
	size_t at = w->at;
	if (w->text.p[at - 1] != '.')
		return true;
	uint32_t next = peek(w, at, &n);
	if (n && !is_space(next) && next != ')' && next != '"')
		return false;
	while (n && (is_space(next) || next == ')' || next == '"'))
		next = peek(w, at += n, &n);
	return !(next >= 'a' && next <= 'z');
}

static void read_token(struct lint_work *w, bool spaced)
{
	size_t n;
	if (small[(unsigned char)w->text.p[w->at]] == LETTER &&
	    !is_times_sign(w, (unsigned char)w->text.p[w->at], w->at)) {
		read_word(w, spaced);
		return;
	}
	uint32_t c = peek(w, w->at, &n);
	size_t m;
	bool pointed =
	        c == '.' && (spaced || w->at == 0) && is_digit(peek(w, w->at + 1, &m)); /* .93 */
	if (is_digit(c) || pointed) {
		read_digits(w, spaced);
	} else if (is_times_sign(w, c, w->at)) {
		push(w, LINT_SIGN, w->at + 1, spaced)->sign = 'x';
	} else if (is_letter(c)) {
		read_word(w, spaced);
	} else if (unicode_is_cjk(c)) {
		read_cjk(w, n, spaced);
	} else if (c == 0xfffc) {
		push(w, LINT_MARK, w->at + n, spaced);
	} else {
		struct lint_token *t = push(w, LINT_SIGN, w->at + n, spaced);
		t->sign = like(c);
		t->class = t->sign == '%' ? LINT_PERCENT : 0;
		w->classes |= t->class;
		w->ended = ends_sentence(w, t->sign);
	}
}

/* Skips the letters at `at`; *starts: a rule may start at this word. */
static size_t skip_word(const struct lint_work *w, size_t at, bool *starts)
{
	const char *p = w->text.p;
	size_t start = at;
	while (at < w->text.n && small[(unsigned char)p[at]] == LETTER)
		at++;
	bool joins;
	unsigned class = lint_class_of(w->words, p + start, at - start, &joins);
	char key[WORD_MAX];
	size_t n = 0;
	if (joins && add_lower(key, &n, p + start, at - start))
		join(w, key, n, at, &class);
	*starts = *starts || class & LINT_STARTS;
	return at;
}

void lint_skip(struct lint_work *w)
{
	bool starts = false;
	size_t first = w->at, at = first;
	while (at < w->text.n && !starts) {
		unsigned char c = (unsigned char)w->text.p[at];
		if (small[c] == LETTER) {
			at = skip_word(w, at, &starts);
			continue;
		}
		if (small[c] == SPACE) {
			at++;
			continue;
		}
		/* dashes and curly quotes count as ASCII */
		if (c == 0xe2 && at + 2 < w->text.n && (unsigned char)w->text.p[at + 1] == 0x80 &&
		    (unsigned char)w->text.p[at + 2] >= 0x93 &&
		    (unsigned char)w->text.p[at + 2] <= 0x9d) {
			at += 3;
			continue;
		}
		if (is_digit(c) || c == '_' || c == '%' || c >= 0x80)
			return;
		w->at = ++at;
		if (ends_sentence(w, like(c)))
			first = at;
		w->at = first;
	}
	if (!starts)
		w->at = at;
}

void lint_read(struct lint_work *w)
{
	bool spaced = false;
	while (w->at < w->text.n && w->n < LINT_TOKENS && !w->ended) {
		size_t n;
		unsigned char kind = small[(unsigned char)w->text.p[w->at]];
		if (kind == SPACE) {
			w->at++;
			spaced = true;
			continue;
		}
		if (kind == DECODE && is_space(peek(w, w->at, &n))) {
			w->at += n;
			spaced = true;
			continue;
		}
		read_token(w, spaced);
		spaced = false;
	}
}
