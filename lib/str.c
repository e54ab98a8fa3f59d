#include "lib/str.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/arena.h"

struct str str_of(const char *cstr)
{
	return (struct str){cstr, cstr ? strlen(cstr) : 0};
}

char *str_dup(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p, s.n);
}

struct str str_keep(struct arena *a, struct str s)
{
	return (struct str){str_dup(a, s), s.n};
}

bool str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

bool str_ends(struct str s, const char *suffix)
{
	size_t n = strlen(suffix);
	return s.n >= n && memcmp(s.p + s.n - n, suffix, n) == 0;
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;
	return c ? c : (a.n > b.n) - (a.n < b.n);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

struct str str_trim(struct str s)
{
	while (s.n && is_space(s.p[0]))
		s.p++, s.n--;
	while (s.n && is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_cut(struct str s, char c, struct str *head, struct str *tail)
{
	size_t i = str_find(s, c, 0);
	*head = str_sub(s, 0, i);
	*tail = str_sub(s, i + 1, s.n);
	return i < s.n;
}

bool str_i64(struct str s, int64_t *out)
{
	char buf[24];
	if (s.n == 0 || s.n >= sizeof buf)
		return false;
	size_t digits = s.p[0] == '-' ? 1 : 0;
	if (digits == s.n)
		return false;
	for (size_t i = digits; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	memcpy(buf, s.p, s.n);
	buf[s.n] = 0;
	errno = 0;
	*out = strtoll(buf, NULL, 10);
	return errno == 0;
}

bool str_f64(struct str s, double *out)
{
	char buf[64], *end;
	if (s.n == 0 || s.n >= sizeof buf)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!strchr("0123456789+-.eE", s.p[i]))
			return false;
	memcpy(buf, s.p, s.n);
	buf[s.n] = 0;
	*out = strtod(buf, &end);
	return end == buf + s.n && isfinite(*out);
}

/*
 * glob -> { '*' | '?' | '{' glob {',' glob} '}' | byte }, one brace deep
 *
 * The pattern is walked once, with the set of all positions in the name that it may
 * have reached, so the cost is at most its length times the name's.
 */
struct reached {
	bool *at;        /* at[i]: the first i bytes may have matched; 0 <= i <= n */
	size_t low, end; /* all positions of the set are in [low, end) */
};

static void glob_star(struct reached *r, size_t n)
{
	if (r->low == r->end)
		return;
	memset(r->at + r->low, true, n + 1 - r->low);
	r->end = n + 1;
}

/* c == '?': any byte */
static void glob_byte(struct reached *r, char c, struct str s)
{
	struct reached was = *r;
	r->low = r->end = 0;
	for (size_t i = was.end; i-- > was.low;) {
		bool on = was.at[i];
		was.at[i] = false;
		if (!on || i == s.n || (c != '?' && c != s.p[i]))
			continue;
		was.at[i + 1] = true;
		r->low = i + 1;
		r->end = r->end ? r->end : i + 2;
	}
}

/* A part of a pattern without braces. */
static void glob_plain(struct reached *r, struct str g, struct str s)
{
	for (size_t k = 0; k < g.n && r->low < r->end; k++)
		if (g.p[k] == '*')
			glob_star(r, s.n);
		else
			glob_byte(r, g.p[k], s);
}

/* `body`: the pattern between the braces; `one` and `all`: scratch sets. */
static void glob_braces(struct reached *r, struct str body, struct str s, bool *one, bool *all)
{
	struct reached sum = {.at = all};
	struct str choice;
	memset(all, 0, s.n + 1);
	for (bool more = true; more;) {
		more = str_cut(body, ',', &choice, &body);
		struct reached now = {one, r->low, r->end};
		memcpy(one, r->at, s.n + 1);
		glob_plain(&now, choice, s);
		for (size_t i = now.low; i < now.end; i++) {
			if (!one[i])
				continue;
			all[i] = true;
			sum.low = sum.end && sum.low < i ? sum.low : i;
			sum.end = sum.end > i + 1 ? sum.end : i + 1;
		}
	}
	memcpy(r->at, all, s.n + 1);
	r->low = sum.low;
	r->end = sum.end;
}

bool str_glob(struct str g, struct str s)
{
	enum { SETS = 3, USUAL = 256 };
	bool usual[SETS * USUAL];
	struct sb large = {0};
	size_t n = s.n + 1;
	bool *mem = n <= USUAL ? usual : (bool *)sb_room(&large, SETS * n);
	struct reached r = {mem, 0, 1};
	memset(mem, 0, n);
	mem[0] = true;
	while (g.n && r.low < r.end) {
		size_t close = g.p[0] == '{' ? str_find(g, '}', 1) : g.n;
		size_t next = close < g.n ? close + 1 : str_find(g, '{', 1);
		if (close < g.n)
			glob_braces(&r, str_sub(g, 1, close), s, mem + n, mem + 2 * n);
		else
			glob_plain(&r, str_sub(g, 0, next), s);
		g = str_sub(g, next, g.n);
	}
	bool matches = r.low < r.end && r.at[s.n];
	sb_free(&large);
	return matches;
}

size_t str_distance(struct str a, struct str b, size_t cap)
{
	enum { MAX = 128 };
	if (a.n > MAX || b.n > MAX)
		return cap;
	size_t row[MAX + 1];
	for (size_t j = 0; j <= b.n; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t diag = row[0];
		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			size_t up = row[j];
			size_t best = diag + (a.p[i - 1] != b.p[j - 1]);
			if (up + 1 < best)
				best = up + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
			diag = up;
		}
	}
	return row[b.n] < cap ? row[b.n] : cap;
}

/* Length of the well-formed sequence at p (at most n bytes), or 0. RFC 3629, section 4. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
	if (p[0] < 0x80)
		return p[0] != 0;
	size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool surrogate = p[0] == 0xed && p[1] > 0x9f;
	bool beyond = p[0] == 0xf4 && p[1] > 0x8f;
	return overlong || surrogate || beyond ? 0 : len;
}

/* True if the eight bytes at p are ASCII without NUL, as most bytes of most texts are. */
static bool is_plain_word(const unsigned char *p)
{
	static const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
	uint64_t w;
	memcpy(&w, p, sizeof w);
	return (((w - ones) | w) & tops) == 0; /* a byte of 0 borrows into its top bit */
}

bool str_utf8(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.n;
	while (p < end) {
		if (end - p >= (ptrdiff_t)sizeof(uint64_t) && is_plain_word(p)) {
			p += sizeof(uint64_t);
			continue;
		}
		size_t len = utf8_length(p, (size_t)(end - p));
		if (len == 0)
			return false;
		p += len;
	}
	return true;
}

struct loc str_loc(struct str src, const char *path, const char *p)
{
	struct loc at = {path, 1, 1};
	for (const char *q = src.p; q < p && q < src.p + src.n; q++) {
		if (*q == '\n')
			at.line++, at.col = 1;
		else if (((unsigned char)*q & 0xc0) != 0x80)
			at.col++;
	}
	return at;
}

/* A large buffer costs one fault for each huge page in place of 512, or as before. */
static void use_huge_pages(char *p, size_t n)
{
	const size_t page = (size_t)2 << 20;
	size_t skip = page - (uintptr_t)p % page;
	if (n > 2 * page)
		(void)madvise(p + skip, (n - skip) / page * page, MADV_HUGEPAGE);
}

char *sb_room(struct sb *b, size_t n)
{
	if (b->cap - b->n <= n) {
		size_t cap = b->cap ? b->cap : 256;
		while (cap - b->n <= n) {
			if (cap > SIZE_MAX / 2)
				arena_die("out of memory");
			cap *= 2;
		}
		b->p = realloc(b->p, cap);
		if (!b->p)
			arena_die("out of memory");
		b->cap = cap;
		use_huge_pages(b->p, cap);
	}
	return b->p + b->n;
}

void sb_put(struct sb *b, const void *p, size_t n)
{
	char *to = b->cap - b->n > n ? b->p + b->n : sb_room(b, n);
	if (n)
		memcpy(to, p, n);
	b->n += n;
	b->p[b->n] = 0;
}

void sb_str(struct sb *b, struct str s)
{
	sb_put(b, s.p, s.n);
}

void sb_cstr(struct sb *b, const char *s)
{
	sb_put(b, s, strlen(s));
}

void sb_char(struct sb *b, char c)
{
	char *to = b->cap - b->n > 1 ? b->p + b->n : sb_room(b, 1);
	to[0] = c;
	to[1] = 0;
	b->n++;
}

void sb_utf8(struct sb *b, uint32_t c)
{
	if (c < 0x80) {
		sb_char(b, (char)c);
	} else if (c < 0x800) {
		sb_char(b, (char)(0xc0 | c >> 6));
		sb_char(b, (char)(0x80 | (c & 63)));
	} else if (c < 0x10000) {
		sb_char(b, (char)(0xe0 | c >> 12));
		sb_char(b, (char)(0x80 | (c >> 6 & 63)));
		sb_char(b, (char)(0x80 | (c & 63)));
	} else {
		sb_char(b, (char)(0xf0 | c >> 18));
		sb_char(b, (char)(0x80 | (c >> 12 & 63)));
		sb_char(b, (char)(0x80 | (c >> 6 & 63)));
		sb_char(b, (char)(0x80 | (c & 63)));
	}
}

void sb_text(struct sb *b, struct str s)
{
	enum { REPLACEMENT = 0xfffd };
	for (size_t i = 0, len; i < s.n; i += len ? len : 1) {
		len = utf8_length((const unsigned char *)s.p + i, s.n - i);
		if (len)
			sb_put(b, s.p + i, len);
		else
			sb_utf8(b, REPLACEMENT);
	}
}

void sb_printf(struct sb *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	/* most texts fit, so they are formatted only once */
	enum { SHORT = 100 };
	int n = vsnprintf(sb_room(b, SHORT), SHORT + 1, fmt, ap);
	va_end(ap);
	if (n > SHORT)
		vsnprintf(sb_room(b, (size_t)n), (size_t)n + 1, fmt, again);
	b->n += n > 0 ? (size_t)n : 0;
	b->p[b->n] = 0;
	va_end(again);
}

struct str sb_view(const struct sb *b)
{
	return (struct str){b->p ? b->p : "", b->n};
}

char *sb_take(struct arena *a, struct sb *b)
{
	char *copy = str_dup(a, sb_view(b));
	sb_free(b);
	return copy;
}

void sb_clear(struct sb *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = 0;
}

void sb_free(struct sb *b)
{
	free(b->p);
	*b = (struct sb){0};
}
