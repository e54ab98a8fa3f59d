/*
 * One lexer for all languages. It walks the code once, determines at each byte which
 * token starts there, and wraps tokens that have a class. A language is a row in
 * highlight_lang.c. A lexer without a grammar cannot always be right. It is right
 * about the ends of comments, strings and numbers, because errors there make a page
 * look broken.
 */
#include "site-gen/base/highlight.h"

#include <string.h>

#include "site-gen/base/highlight_inner.h"
#include "site-gen/base/html.h"

/* Compares a word with a row "name class"; letters in lower case if `fold`. */
static int compare(const char *p, size_t n, const char *row, bool fold)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i], d = (unsigned char)row[i];
		if (fold && c >= 'A' && c <= 'Z')
			c = (unsigned char)(c - 'A' + 'a');
		if (c != d || d == ' ')
			return d == ' ' ? 1 : c - d;
	}
	return row[n] == ' ' ? 0 : -1;
}

const char *highlight_word_class(const struct highlight_lang *l, const char *p, size_t n)
{
	size_t lo = 0, hi = l->words ? l->words->n : 0;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int c = compare(p, n, l->words->word[mid], (l->flags & HIGHLIGHT_ANY_CASE) != 0);
		if (c == 0)
			return l->words->word[mid] + n + 1;
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* string -> quote { '\' any | any } quote ; one line, except in sh and between '`' */
const char *highlight_string_end(const struct lexer *x, const char *p)
{
	char quote = *p++;
	bool lines = has(x, HIGHLIGHT_SHELL) || quote == '`';
	bool escapes = !(quote == '\'' && has(x, HIGHLIGHT_SHELL | HIGHLIGHT_PLAIN_QUOTE)) &&
	               !(quote == '`' && has(x, HIGHLIGHT_RAW_TICK));
	for (; p < x->end; p++) {
		if (*p == '\\' && escapes && p + 1 < x->end)
			p++;
		else if (*p == quote)
			return p + 1;
		else if (*p == '\n' && !lines)
			return p;
	}
	return x->end;
}

/* raw -> 'R"' delimiter '(' text ')' delimiter '"' ; p is at the quote */
static const char *raw_string_end(const struct lexer *x, const char *p)
{
	enum { MAX_DELIMITER = 16 }; /* C++17, [lex.string] */
	const char *open = p + 1;
	while (open < x->end && *open != '(' && open - p <= MAX_DELIMITER && *open != '\n')
		open++;
	if (open >= x->end || *open != '(')
		return highlight_string_end(x, p);
	char close[MAX_DELIMITER + 3] = ")";
	size_t n = (size_t)(open - p - 1);
	memcpy(close + 1, p + 1, n);
	memcpy(close + 1 + n, "\"", 2);
	return after(x, open, close);
}

/* number -> ['.'] digit { digit | letter | '.' | ('e'|'p') sign | "'" digit } */
static const char *number_end(const struct lexer *x, const char *p)
{
	bool quotes = has(x, HIGHLIGHT_DIGIT_QUOTE);
	for (; p < x->end; p++) {
		char c = *p;
		if (kind(c) & (LETTER | DIGIT) || c == '.')
			continue;
		if ((c == '+' || c == '-') && strchr("eEpP", p[-1]))
			continue;
		if (c == '\'' && quotes && p + 1 < x->end && kind(p[1]) & (LETTER | DIGIT))
			continue;
		break;
	}
	return p;
}

/* The opening of a comment to the line's end at p, or NULL. */
static const char *comment_opener(const struct lexer *x, const char *p)
{
	struct str rest = str_of(x->l->more_comments ? x->l->more_comments : ""), one;
	if (x->l->line_comment && at(x, p, x->l->line_comment))
		return x->l->line_comment;
	for (bool more = rest.n > 0; more;) {
		more = str_cut(rest, ' ', &one, &rest);
		if ((size_t)(x->end - p) >= one.n && memcmp(p, one.p, one.n) == 0)
			return one.p;
	}
	return NULL;
}

static struct token lex_comment(const struct lexer *x, const char *p)
{
	const struct highlight_lang *l = x->l;
	if (l->block_open && at(x, p, l->block_open))
		return (struct token){after(x, p + strlen(l->block_open), l->block_close), "c"};
	const char *open = comment_opener(x, p);
	if (!open)
		return NO_TOKEN;
	if (has(x, HIGHLIGHT_SHELL | HIGHLIGHT_BARE_KEYS) && p > x->start &&
	    !strchr(" \t\n;(&|", p[-1]))
		return NO_TOKEN;
	if (has(x, HIGHLIGHT_LONG_BRACKETS)) {
		const char *end = highlight_long_bracket_end(x, p + strlen(open));
		if (end)
			return (struct token){end, "c"};
	}
	return (struct token){line_end(x, p), "c"};
}

static struct token lex_string(const struct lexer *x, const char *p)
{
	if (has(x, HIGHLIGHT_TRIPLE) && (at(x, p, "\"\"\"") || at(x, p, "'''")))
		return (struct token){after(x, p + 3, *p == '"' ? "\"\"\"" : "'''"), "s"};
	const char *end = highlight_string_end(x, p);
	if (has(x, HIGHLIGHT_KEYS)) {
		const char *q = end;
		while (q < x->end && (*q == ' ' || *q == '\t'))
			q++;
		return (struct token){end, at(x, q, ":") ? "t" : "s"};
	}
	return (struct token){end, "s"};
}

/* False where a word of the table is only part of a name, as in a.set or /usr/bin/test. */
static bool word_in_place(const struct lexer *x, const char *p, const char *q, char class)
{
	char before = p > x->start ? p[-1] : ' ', next = q < x->end ? *q : ' ';
	if (has(x, HIGHLIGHT_SHELL))
		return !strchr("/.-$=:~", before) && next != '/' && next != '=';
	return class != 'b' || before != '.';
}

static struct token lex_word(const struct lexer *x, const char *p)
{
	const char *q = word_end(x, p + 1);
	size_t n = (size_t)(q - p);
	if (has(x, HIGHLIGHT_RAW_STRING) && at(x, q, "\"") && q[-1] == 'R' && n <= 3)
		return (struct token){raw_string_end(x, q), "s"};
	const char *class = highlight_word_class(x->l, p, n);
	if (class && word_in_place(x, p, q, *class))
		return (struct token){q, class};
	if (has(x, HIGHLIGHT_CALLS) &&
	    (at(x, q, "(") || (has(x, HIGHLIGHT_LAUNCH) && at(x, q, "<<<"))))
		return (struct token){q, "f"};
	return (struct token){q, NULL};
}

/* The token that starts at p; at least one byte long. */
static struct token lex_token(struct lexer *x, const char *p)
{
	const struct highlight_lang *l = x->l;
	int k = kind(*p);
	struct token t = highlight_special(x, p);
	if (!t.end && k == 0)
		t = lex_comment(x, p);
	if (t.end)
		return t;
	bool joined = p > x->start && kind(p[-1]) & (LETTER | DIGIT);
	if (k == DIGIT || (*p == '.' && !joined && p + 1 < x->end && kind(p[1]) == DIGIT))
		return (struct token){number_end(x, p + 1), "n"};
	if (k == LETTER || (*p != 0 && strchr(l->word_start, *p)))
		return lex_word(x, p);
	if (k == 0 && *p != 0 && strchr(l->quotes, *p))
		return lex_string(x, p);
	return (struct token){p + 1, NULL};
}

static void open_span(struct sb *to, const char *class)
{
	static const char open[] = "<span class=\"";
	char *start = sb_room(to, sizeof open + 16), *q = start + sizeof open - 1;
	memcpy(start, open, sizeof open - 1);
	while (*class)
		*q++ = *class ++;
	*q++ = '"';
	*q++ = '>';
	to->n += (size_t)(q - start);
}

/* Prints a token in a span, which closes before each line break and reopens after it. */
static void print_token(struct sb *to, const char *p, const char *end, const char *class)
{
	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const char *q = stop ? stop : end;
		if (q > p) {
			open_span(to, class);
			html_text(to, (struct str){p, (size_t)(q - p)});
			sb_put(to, "</span>", 7);
		}
		if (stop)
			sb_char(to, '\n');
		p = stop ? stop + 1 : end;
	}
}

void highlight_code(const struct highlight_lang *l, struct str code, struct sb *to)
{
	if (!l->words && l->flags == 0) {
		html_text(to, code);
		return;
	}
	struct lexer x = {.l = l, .start = code.p, .end = code.p + code.n, .to = to};
	x.line_start = x.due = true;
	const char *plain = code.p; /* plain code up to p is not printed yet */
	for (const char *p = code.p; p < x.end;) {
		if (*p == ' ' && !has(&x, HIGHLIGHT_DIFF)) {
			p++;
			continue;
		}
		struct token t = lex_token(&x, p);
		if (t.class) {
			html_text(to, (struct str){plain, (size_t)(p - plain)});
			print_token(to, p, t.end, t.class);
			plain = t.end;
		}
		if (*p == '\n')
			x.line_start = x.due = true;
		else if (kind(*p) != SPACE && !(t.class && *t.class == 'c'))
			x.line_start = false;
		p = t.end;
	}
	html_text(to, (struct str){plain, (size_t)(x.end - plain)});
}

void highlight_open(const struct highlight_lang *l, const char *caption, struct sb *to)
{
	html_raw(to, "<div class=\"code\" data-lang=\"");
	html_attr(to, str_of(l->name));
	html_raw(to, "\">");
	if (caption) {
		html_raw(to, "<div class=\"caption\">");
		html_text(to, str_of(caption));
		html_raw(to, "</div>");
	}
	/* a wide listing scrolls, so it must accept keyboard focus */
	html_raw(to, "<pre tabindex=\"0\"><code>");
}

void highlight_block(const struct highlight_lang *l, struct str code, const char *caption,
                     struct sb *to)
{
	highlight_open(l, caption, to);
	highlight_code(l, code, to);
	html_raw(to, "</code></pre></div>\n");
}

/* True if `name` is one of the words, which spaces separate. */
static bool listed(const char *words, struct str name)
{
	struct str rest = str_of(words), one;
	for (bool more = words != NULL; more;) {
		more = str_cut(rest, ' ', &one, &rest);
		if (str_eq(one, name))
			return true;
	}
	return false;
}

const struct highlight_lang *highlight_find(struct str name)
{
	for (size_t i = 0; i < highlight_lang_count; i++)
		if (str_is(name, highlight_lang_table[i].name) ||
		    (name.n && listed(highlight_lang_table[i].aliases, name)))
			return &highlight_lang_table[i];
	return NULL;
}

bool highlight_named(struct str name, struct loc at, const struct highlight_lang **out,
                     struct err *e)
{
	struct sb names = {0};
	*out = highlight_find(name);
	if (*out)
		return true;
	for (size_t i = 0; i < highlight_lang_count; i++)
		sb_printf(&names, "%s%s", i ? ", " : "", highlight_lang_table[i].name);
	err_at(e, at, "unknown language '" STR_FMT "', expected one of %s", STR_ARG(name), names.p);
	sb_free(&names);
	return false;
}

const struct highlight_lang *highlight_for_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.');
	for (size_t i = 0; i < highlight_lang_count; i++)
		if (listed(highlight_lang_table[i].paths, str_of(file)) ||
		    (dot && listed(highlight_lang_table[i].paths, str_of(dot))))
			return &highlight_lang_table[i];
	return &highlight_lang_table[0];
}
