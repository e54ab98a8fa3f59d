/*
 * One lexer for all languages. It walks the code once, determines at each byte which
 * token starts there, and wraps tokens that have a class. A language is a row in
 * highlight_lang.c. A lexer without a grammar cannot always be right. It is right
 * about the ends of comments, strings and numbers, because errors there make a page
 * look broken.
 */
#include "site-gen/base/highlight.h"

#include <string.h>

#include "site-gen/base/highlight_lang.h"
#include "site-gen/base/html.h"

struct lexer {
	const struct highlight_lang *l;
	const char *start, *end;
	bool line_start;    /* only white space on this line so far */
	bool opcode_due;    /* SASS: the next word is a mnemonic */
	int launches;       /* number of "<<<" whose ">>>" has not come */
	struct str heredoc; /* sh: the body starts on the next line and ends at this line */
	struct sb *to;
};

/* A token's end and class. A token without a class prints as plain code. */
struct token {
	const char *end; /* NULL: no such token starts here */
	const char *class;
};

#define NO_TOKEN ((struct token){0})

enum { LETTER = 1, DIGIT = 2, SPACE = 4 };

static const unsigned char kinds[256] = {
        ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER, [0x80 ... 0xff] = LETTER,
        ['0' ... '9'] = DIGIT,  [' '] = SPACE,          ['\t'] = SPACE, ['\n'] = SPACE,
};

static int kind(char c)
{
	return kinds[(unsigned char)c];
}

static bool has(const struct lexer *x, enum highlight_flag f)
{
	return (x->l->flags & f) != 0;
}

static bool at(const struct lexer *x, const char *p, const char *lit)
{
	for (; *lit; lit++, p++)
		if (p >= x->end || *p != *lit)
			return false;
	return true;
}

static const char *line_end(const struct lexer *x, const char *p)
{
	const char *q = p < x->end ? memchr(p, '\n', (size_t)(x->end - p)) : NULL;
	return q ? q : x->end;
}

/* The end of the first `lit` at or after p, or the end of the code. */
static const char *after(const struct lexer *x, const char *p, const char *lit)
{
	const char *q = p < x->end ? memmem(p, (size_t)(x->end - p), lit, strlen(lit)) : NULL;
	return q ? q + strlen(lit) : x->end;
}

static const char *word_end(const struct lexer *x, const char *p)
{
	while (p < x->end &&
	       (kind(*p) & (LETTER | DIGIT) || (*p != 0 && strchr(x->l->word_extra, *p))))
		p++;
	return p;
}

/* The class of a word from the language's table, or NULL. */
static const char *word_class(const struct highlight_lang *l, const char *p, size_t n)
{
	size_t lo = 0, hi = l->nwords;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const char *w = l->word[mid];
		int c = (unsigned char)p[0] - (unsigned char)w[0];
		if (c == 0)
			c = strncmp(p, w, n);
		if (c == 0 && w[n] == ' ')
			return w + n + 1;
		if (c <= 0)
			hi = mid; /* the table's word is longer or sorts later */
		else
			lo = mid + 1;
	}
	return NULL;
}

/* string -> quote { '\' any | any } quote ; one line, except in sh */
static const char *string_end(const struct lexer *x, const char *p)
{
	char quote = *p++;
	bool lines = has(x, HIGHLIGHT_SHELL), escapes = !(lines && quote == '\'');
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
		return string_end(x, p);
	char close[MAX_DELIMITER + 3] = ")";
	size_t n = (size_t)(open - p - 1);
	memcpy(close + 1, p + 1, n);
	memcpy(close + 1 + n, "\"", 2);
	return after(x, open, close);
}

/* long -> '[' {'='} '[' text ']' {'='} ']' ; NULL if none starts at p */
static const char *long_bracket_end(const struct lexer *x, const char *p)
{
	enum { MAX_LEVEL = 16 };
	char close[MAX_LEVEL + 3] = "]";
	size_t n = 0;
	if (!at(x, p, "["))
		return NULL;
	while (n < MAX_LEVEL && p + 1 + n < x->end && p[1 + n] == '=')
		close[++n] = '=';
	if (!at(x, p + 1 + n, "["))
		return NULL;
	close[n + 1] = ']';
	return after(x, p + n + 2, close);
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

/* directive -> '#' text { '\' newline text } ; a comment ends it, and is a token of its own */
static const char *directive_end(const struct lexer *x, const char *p)
{
	while (p < x->end && *p != '\n') {
		if (at(x, p, "//") || at(x, p, "/*"))
			return p;
		if (*p == '"')
			p = string_end(x, p);
		else
			p += *p == '\\' && p + 1 < x->end ? 2 : 1;
	}
	return p;
}

static struct token lex_comment(const struct lexer *x, const char *p)
{
	const struct highlight_lang *l = x->l;
	if (l->block_open && at(x, p, l->block_open))
		return (struct token){after(x, p + strlen(l->block_open), l->block_close), "c"};
	if (!l->line_comment || !at(x, p, l->line_comment))
		return NO_TOKEN;
	if (has(x, HIGHLIGHT_SHELL) && p > x->start && !strchr(" \t\n;(&|", p[-1]))
		return NO_TOKEN;
	if (has(x, HIGHLIGHT_LONG_BRACKETS)) {
		const char *end = long_bracket_end(x, p + strlen(l->line_comment));
		if (end)
			return (struct token){end, "c"};
	}
	return (struct token){line_end(x, p), "c"};
}

static struct token lex_string(const struct lexer *x, const char *p)
{
	if (has(x, HIGHLIGHT_TRIPLE) && (at(x, p, "\"\"\"") || at(x, p, "'''")))
		return (struct token){after(x, p + 3, *p == '"' ? "\"\"\"" : "'''"), "s"};
	const char *end = string_end(x, p);
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
	const char *class = word_class(x->l, p, n);
	if (class && word_in_place(x, p, q, *class))
		return (struct token){q, class};
	if (has(x, HIGHLIGHT_CALLS) &&
	    (at(x, q, "(") || (has(x, HIGHLIGHT_LAUNCH) && at(x, q, "<<<"))))
		return (struct token){q, "f"};
	return (struct token){q, NULL};
}

static struct token lex_launch(struct lexer *x, const char *p)
{
	if (at(x, p, "<<<"))
		x->launches++;
	else if (x->launches > 0 && at(x, p, ">>>"))
		x->launches--; /* without an open "<<<", ">>>" closes three templates */
	else
		return NO_TOKEN;
	return (struct token){p + 3, "o"};
}

/* register -> ('R' | 'UR' | 'P' | 'UP') digits | 'SR_' name */
static bool is_register(const char *p, const char *q)
{
	if (q - p > 3 && memcmp(p, "SR_", 3) == 0)
		return true;
	if (p < q && *p == 'U')
		p++;
	if (q - p < 2 || (*p != 'R' && *p != 'P'))
		return false;
	for (p++; p < q; p++)
		if (kind(*p) != DIGIT)
			return false;
	return true;
}

/* mnemonic -> NAME { '.' NAME } ; a statement's first word that is not a register */
static struct token lex_sass(struct lexer *x, const char *p)
{
	if (*p == '.' && x->line_start) {
		const char *colon = after(x, p, ":"), *end = line_end(x, p);
		return (struct token){colon < end ? colon : end, "f"};
	}
	if (*p == ';')
		x->opcode_due = true;
	if (kind(*p) != LETTER)
		return NO_TOKEN;
	const char *q = word_end(x, p);
	if (is_register(p, q) || word_class(x->l, p, (size_t)(q - p)))
		return (struct token){q, "b"};
	if (!x->opcode_due)
		return (struct token){q, NULL};
	while (at(x, q, "."))
		q = word_end(x, q + 1);
	x->opcode_due = false;
	return (struct token){q, "k"};
}

/* '<<' ['-'] tag ; kept until the line ends */
static void note_heredoc(struct lexer *x, const char *p)
{
	if (!at(x, p, "<<") || at(x, p, "<<<") || (p > x->start && p[-1] == '<'))
		return;
	p += at(x, p, "<<-") ? 3 : 2;
	if (p < x->end && (*p == '\'' || *p == '"'))
		p++;
	const char *q = word_end(x, p);
	if (q > p && kind(*p) == LETTER)
		x->heredoc = (struct str){p, (size_t)(q - p)};
}

/* The body of the here-document after the line break at p, its last line included. */
static const char *heredoc_end(struct lexer *x, const char *p)
{
	struct str tag = x->heredoc, line;
	x->heredoc = (struct str){0};
	do {
		const char *from = p + 1;
		p = line_end(x, from < x->end ? from : x->end);
		line = from < p ? (struct str){from, (size_t)(p - from)} : (struct str){p, 0};
	} while (p < x->end && !str_eq(str_trim(line), tag));
	return p;
}

/* variable -> '$' ( name | '{' … '}' | one of '@*#?$!-' | digit ) */
static struct token lex_shell(struct lexer *x, const char *p)
{
	note_heredoc(x, p);
	if (*p == '\n' && x->heredoc.n)
		return (struct token){heredoc_end(x, p), "s"};
	if (*p == '\\' && p + 1 < x->end)
		return (struct token){p + 2, NULL};
	if (*p != '$' || p + 1 >= x->end)
		return NO_TOKEN;
	const char *q = p + 1;
	if (*q == '{')
		return (struct token){after(x, q, "}"), "b"};
	if (*q != 0 && strchr("@*#?$!-0123456789", *q))
		return (struct token){q + 1, "b"};
	while (q < x->end && kind(*q) & (LETTER | DIGIT))
		q++;
	return q > p + 1 ? (struct token){q, "b"} : NO_TOKEN;
}

/* rule -> targets ':' … ; variable -> '$(' name [')'] | '$' any */
static struct token lex_make(const struct lexer *x, const char *p)
{
	if (*p == '$' && p + 1 < x->end && p[1] != '\n') {
		if (p[1] != '(' && p[1] != '{')
			return (struct token){p + 2, "b"};
		const char *q = word_end(x, p + 2);
		return (struct token){at(x, q, ")") || at(x, q, "}") ? q + 1 : q, "b"};
	}
	bool column1 = p == x->start || p[-1] == '\n';
	if (!column1 || kind(*p) == SPACE || *p == '#')
		return NO_TOKEN;
	const char *end = line_end(x, p), *q = p;
	while (q < end && *q != ':' && *q != '=')
		q++;
	if (q > p && q < end && *q == ':' && !at(x, q, ":=") && !at(x, q, "::="))
		return (struct token){q, "f"};
	q = word_end(x, p);
	return (struct token){q > p ? q : p + 1, word_class(x->l, p, (size_t)(q - p))};
}

static struct token lex_diff(const struct lexer *x, const char *p)
{
	const char *end = line_end(x, p);
	if (at(x, p, "+++") || at(x, p, "---") || at(x, p, "@@") || at(x, p, "diff "))
		return (struct token){end, "p"};
	if (*p == '+' || *p == '-')
		return (struct token){end, *p == '+' ? "ins" : "del"};
	return (struct token){end > p ? end : p + 1, NULL};
}

/* Tokens that only some languages have; tried before the common ones. */
static struct token lex_special(struct lexer *x, const char *p)
{
	struct token t = NO_TOKEN;
	if (has(x, HIGHLIGHT_DIFF))
		return lex_diff(x, p);
	if (has(x, HIGHLIGHT_SHELL))
		t = lex_shell(x, p);
	else if (has(x, HIGHLIGHT_MAKE))
		t = lex_make(x, p);
	else if (has(x, HIGHLIGHT_OPCODES))
		t = lex_sass(x, p);
	else if (has(x, HIGHLIGHT_LAUNCH) && (*p == '<' || *p == '>'))
		t = lex_launch(x, p);
	else if (has(x, HIGHLIGHT_LONG_BRACKETS) && *p == '[')
		t = (struct token){long_bracket_end(x, p), "s"};
	else if (has(x, HIGHLIGHT_DECORATOR) && *p == '@' && x->line_start)
		t = (struct token){word_end(x, p + 1), "p"};
	if (!t.end && has(x, HIGHLIGHT_PREPROCESSOR) && *p == '#' && x->line_start)
		t = (struct token){directive_end(x, p), "p"};
	return t;
}

/* The token that starts at p; at least one byte long. */
static struct token lex_token(struct lexer *x, const char *p)
{
	const struct highlight_lang *l = x->l;
	int k = kind(*p);
	struct token t = lex_special(x, p);
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
	if (l->nwords == 0 && l->flags == 0) {
		html_text(to, code);
		return;
	}
	struct lexer x = {.l = l, .start = code.p, .end = code.p + code.n, .to = to};
	x.line_start = x.opcode_due = true;
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
			x.line_start = x.opcode_due = true;
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

void highlight_close(struct sb *to)
{
	html_raw(to, "</code></pre></div>\n");
}

void highlight_block(const struct highlight_lang *l, struct str code, const char *caption,
                     struct sb *to)
{
	highlight_open(l, caption, to);
	highlight_code(l, code, to);
	highlight_close(to);
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
