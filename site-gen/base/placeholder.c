#include "site-gen/base/placeholder.h"

#include <string.h>

#include "lib/array.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool has_at(struct str s, size_t i, const char *lit)
{
	return s.n - i >= strlen(lit) && memcmp(s.p + i, lit, strlen(lit)) == 0;
}

bool placeholder_next(struct str src, size_t from, size_t *start, size_t *end)
{
	for (size_t i = str_find(src, '<', from); i < src.n; i = str_find(src, '<', i + 1)) {
		/* the last two '<' of a longer run open it */
		if (!has_at(src, i, "<<bench:") && !has_at(src, i, "<</bench:"))
			continue;
		*start = *end = i;
		bool quoted = false;
		for (size_t k = i + 2; k < src.n && src.p[k] != '\n'; k++) {
			if (src.p[k] == '"')
				quoted = !quoted;
			else if (!quoted && has_at(src, k, ">>")) {
				*end = k + 2;
				break;
			}
		}
		return true;
	}
	return false;
}

/* Brackets that an input method or a slip puts in place of '<'. */
static const char *const brackets[] = {"<", "«", "‹", "《", "〈", "＜"};

/* Counts the bytes of brackets before `at`; *n is the number of brackets. */
static size_t brackets_before(struct str s, size_t at, size_t *n)
{
	size_t from = at;
	*n = 0;
	for (size_t i = 0; i < ARRAY_LEN(brackets); i++) {
		size_t size = strlen(brackets[i]);
		if (from >= size && memcmp(s.p + from - size, brackets[i], size) == 0) {
			from -= size;
			*n += size > 1 ? 2 : 1; /* one « stands for two < */
			i = (size_t)-1;         /* start over */
		}
	}
	return at - from;
}

/* Skips spaces, and the '/' of a closing placeholder, backwards. */
static size_t skip_back(struct str s, size_t at)
{
	while (at > 0 && (is_space(s.p[at - 1]) || s.p[at - 1] == '/'))
		at--;
	return at;
}

/* With "bench" at `word`: true if brackets before it open a placeholder in a wrong way. */
static bool opens_wrong(struct str s, size_t word, size_t *start, size_t *end)
{
	size_t after = word + strlen("bench"), before = skip_back(s, word), n;
	bool colon = has_at(s, after, ":"), wide = has_at(s, after, "：");
	bool right = colon && s.p[word] == 'b' &&
	             ((word >= 2 && has_at(s, word - 2, "<<")) ||
	              (word >= 3 && has_at(s, word - 3, "<</")));
	size_t bytes = brackets_before(s, before, &n);
	*start = before - bytes;
	*end = after + (colon ? 1 : wide ? strlen("：") : 0);
	return !right && n > 0 && (colon || wide || (n > 1 && has_at(s, after, " ")));
}

bool placeholder_mistyped(struct str src, size_t from, size_t *start, size_t *end)
{
	static const char word[] = "ench"; /* 'b' and 'B' both count */
	for (size_t i = from; i < src.n;) {
		const char *p = memmem(src.p + i, src.n - i, word, sizeof word - 1);
		if (!p)
			return false;
		size_t at = (size_t)(p - src.p);
		i = at + sizeof word - 1;
		if (at > from && (src.p[at - 1] | 0x20) == 'b' &&
		    opens_wrong(src, at - 1, start, end) && *start >= from)
			return true;
	}
	return false;
}

bool placeholder_mistyped_fail(struct str opening, struct loc at, struct err *e)
{
	bool closes = memchr(opening.p, '/', opening.n);
	return err_at(
	        e, at,
	        "'" STR_FMT
	        "…' is no placeholder, did you mean '%s'? To show it as text, write it as code: "
	        "`…`",
	        STR_ARG(opening), closes ? "<</bench:…>>" : "<<bench:…>>");
}

/* A reader over the inside of one placeholder; i never passes s.n. */
struct scan {
	struct str s;
	struct loc at; /* of s.p[0] */
	size_t i;
};

/* Counts characters, not bytes, as all error places do. */
static struct loc scan_loc(const struct scan *c)
{
	struct loc at = c->at;
	for (size_t k = 0; k < c->i; k++)
		at.col += ((unsigned char)c->s.p[k] & 0xC0) != 0x80;
	return at;
}

static void skip_space(struct scan *c)
{
	while (c->i < c->s.n && is_space(c->s.p[c->i]))
		c->i++;
}

static struct str scan_name(struct scan *c)
{
	size_t from = c->i;
	while (c->i < c->s.n && is_name(c->s.p[c->i]))
		c->i++;
	return str_sub(c->s, from, c->i);
}

/* value -> bare | '"' text '"' */
static bool scan_value(struct scan *c, struct str *out, struct err *e)
{
	struct loc at = scan_loc(c);
	if (c->i < c->s.n && c->s.p[c->i] == '"') {
		size_t close = str_find(c->s, '"', c->i + 1);
		if (close == c->s.n)
			return err_at(e, at, "quote is not closed, expected '\"' before '>>'");
		*out = str_sub(c->s, c->i + 1, close);
		c->i = close + 1;
		if (c->i < c->s.n && !is_space(c->s.p[c->i]))
			return err_at(e, scan_loc(c), "expected a space after the closing quote");
		return true;
	}
	size_t from = c->i;
	while (c->i < c->s.n && !is_space(c->s.p[c->i])) {
		if (c->s.p[c->i] == '"')
			return err_at(
			        e, scan_loc(c),
			        "unexpected '\"' inside a value, expected it around all of it");
		c->i++;
	}
	*out = str_sub(c->s, from, c->i);
	return true;
}

static bool add_key(struct placeholder *p, struct loc at, struct str name, struct str value,
                    struct err *e)
{
	for (size_t i = 0; i < p->nkeys; i++)
		if (str_cmp(p->key[i].name, name) == 0)
			return err_at(e, at, "key '" STR_FMT "' is given twice", STR_ARG(name));
	if (p->nkeys == PLACEHOLDER_MAX_KEYS)
		return err_at(e, at, "more than %d keys in a placeholder", PLACEHOLDER_MAX_KEYS);
	p->key[p->nkeys++] = (struct placeholder_key){name, value};
	return true;
}

/* argument -> key '=' value | word */
static bool scan_argument(struct scan *c, struct placeholder *p, struct err *e)
{
	struct loc at = scan_loc(c);
	size_t from = c->i;
	struct str name = scan_name(c), value;
	if (name.n > 0 && c->i < c->s.n && c->s.p[c->i] == '=') {
		c->i++;
		if (c->i == c->s.n || is_space(c->s.p[c->i]))
			return err_at(e, scan_loc(c), "key '" STR_FMT "' has no value after '='",
			              STR_ARG(name));
		return scan_value(c, &value, e) && add_key(p, at, name, value, e);
	}
	c->i = from;
	if (!scan_value(c, &value, e))
		return false;
	if (p->nwords == PLACEHOLDER_MAX_WORDS)
		return err_at(e, at, "more than %d words in a placeholder", PLACEHOLDER_MAX_WORDS);
	p->word[p->nwords++] = value;
	return true;
}

/* Refuses bytes that would break a table cell or the line. */
static bool check_bytes(const struct scan *c, struct err *e)
{
	for (struct scan k = *c; k.i < k.s.n; k.i++) {
		unsigned char b = (unsigned char)k.s.p[k.i];
		if (b == '|')
			return err_at(e, scan_loc(&k),
			              "'|' inside a placeholder would cut a table cell in two");
		if (b == '\n' || b == '\r')
			return err_at(e, scan_loc(&k), "a placeholder stands on one line");
		if (b < ' ' && b != '\t')
			return err_at(e, scan_loc(&k), "control character in a placeholder");
	}
	return true;
}

/* placeholder -> '<<' ['/'] 'bench:' kind { argument } '>>' */
bool placeholder_parse(struct str text, struct loc at, struct placeholder *out, struct err *e)
{
	memset(out, 0, sizeof *out);
	out->text = text;
	out->at = at;
	bool closing = str_starts(text, "<</");
	if (!str_ends(text, ">>"))
		return err_at(e, at, "placeholder is not closed, expected '>>' on the same line");
	if (closing)
		return err_at(e, at, "'" STR_FMT "' closes nothing that is open", STR_ARG(text));
	size_t head = strlen("<<bench:");
	struct scan c = {str_sub(text, 0, text.n - 2), at, head};
	if (!check_bytes(&c, e))
		return false;
	out->kind = scan_name(&c);
	if (out->kind.n == 0 || (c.i < c.s.n && !is_space(c.s.p[c.i])))
		return err_at(e, scan_loc(&c),
		              "expected the name of a kind after 'bench:', such as 'value'");
	for (skip_space(&c); c.i < c.s.n; skip_space(&c))
		if (!scan_argument(&c, out, e))
			return false;
	return true;
}

struct str placeholder_key(const struct placeholder *p, const char *name)
{
	for (size_t i = 0; i < p->nkeys; i++)
		if (str_is(p->key[i].name, name))
			return p->key[i].value;
	return (struct str){NULL, 0};
}

struct loc placeholder_loc(const struct placeholder *p, struct str part)
{
	if (part.p < p->text.p || part.p > p->text.p + p->text.n)
		return p->at;
	struct scan c = {p->text, p->at, (size_t)(part.p - p->text.p)};
	return scan_loc(&c);
}
