/* Tokens that only some languages have. They are tried before the common ones of highlight.c. */
#include "site-gen/base/highlight_inner.h"

/* long -> '[' {'='} '[' text ']' {'='} ']' ; NULL if none starts at p */
const char *highlight_long_bracket_end(const struct lexer *x, const char *p)
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

/* directive -> '#' text { '\' newline text } ; a comment ends it, and is a token of its own */
static const char *directive_end(const struct lexer *x, const char *p)
{
	while (p < x->end && *p != '\n') {
		if (at(x, p, "//") || at(x, p, "/*"))
			return p;
		if (*p == '"')
			p = highlight_string_end(x, p);
		else
			p += *p == '\\' && p + 1 < x->end ? 2 : 1;
	}
	return p;
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
		x->due = true;
	if (kind(*p) != LETTER)
		return NO_TOKEN;
	const char *q = word_end(x, p);
	if (is_register(p, q) || highlight_word_class(x->l, p, (size_t)(q - p)))
		return (struct token){q, "b"};
	if (!x->due)
		return (struct token){q, NULL};
	while (at(x, q, "."))
		q = word_end(x, q + 1);
	x->due = false;
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
	return (struct token){q > p ? q : p + 1, highlight_word_class(x->l, p, (size_t)(q - p))};
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

/* variable -> '$' [name] '{' … '}' */
static struct token lex_variable(const struct lexer *x, const char *p)
{
	const char *q = *p == '$' ? word_end(x, p + 1) : p, *end = line_end(x, p);
	if (*p != '$' || !at(x, q, "{"))
		return NO_TOKEN;
	q = after(x, q, "}");
	return (struct token){q < end ? q : end, "b"};
}

/* table -> '[' … ']' on a line of TOML */
static struct token lex_table(const struct lexer *x, const char *p)
{
	const char *end = line_end(x, p), *q = end;
	while (q > p && q[-1] != ']')
		q--;
	return q > p ? (struct token){q, "f"} : NO_TOKEN;
}

/* key -> text before ':' (YAML) or '=' (TOML) ; '- ' may come before it */
static struct token lex_key(struct lexer *x, const char *p)
{
	bool yaml = x->l->word_start[0] == '~';
	const char *end = line_end(x, p), *q = p;
	if (*p == '\n' || kind(*p) == SPACE)
		return NO_TOKEN;
	if (yaml && (at(x, p, "- ") || at(x, p, "? ")))
		return (struct token){p + 2, NULL};
	x->due = false;
	if (!yaml && *p == '[' && x->line_start)
		return lex_table(x, p);
	for (; q < end && !strchr("#{}[]&*!|>", *q); q++) {
		if ((*p == '"' || *p == '\'') && q == p)
			q = highlight_string_end(x, p) - 1;
		else if (yaml ? *q == ':' && (q + 1 == end || q[1] == ' ') : *q == '=')
			break;
	}
	if (q <= p || q >= end || *q != (yaml ? ':' : '='))
		return NO_TOKEN;
	while (q > p + 1 && q[-1] == ' ')
		q--;
	return (struct token){q, "t"};
}

/* True where a '/' opens a regular expression: no value stands before it on its line. */
static bool value_due(const struct lexer *x, const char *p)
{
	while (p > x->start && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	return p == x->start || strchr("(,=:[!&|?{};\n+", p[-1]);
}

/* regex -> '/' { '\' any | '[' … ']' | any } '/' letters ; on one line */
static struct token lex_regex(const struct lexer *x, const char *p)
{
	bool set = false;
	if (*p != '/' || at(x, p, "//") || at(x, p, "/*") || !value_due(x, p))
		return NO_TOKEN;
	for (const char *q = p + 1; q < x->end && *q != '\n'; q++) {
		if (*q == '\\' && q + 1 < x->end && q[1] != '\n')
			q++;
		else if (*q == '/' && !set)
			return (struct token){word_end(x, q + 1), "s"};
		else
			set = *q == '[' || (set && *q != ']');
	}
	return NO_TOKEN;
}

/* raw -> ['b'] 'r' {'#'} '"' … '"' {'#'} ; NULL if none starts at p */
static const char *rust_raw_end(const struct lexer *x, const char *p)
{
	enum { MAX_HASHES = 16 };
	char close[MAX_HASHES + 2] = "\"";
	size_t n = 0;
	p += at(x, p, "br") ? 2 : 1;
	while (n < MAX_HASHES && at(x, p + n, "#"))
		close[++n] = '#';
	return at(x, p + n, "\"") ? after(x, p + n + 1, close) : NULL;
}

/* char -> "'" ( '\' … | any ) "'" ; lifetime -> "'" name */
static struct token lex_rust_tick(const struct lexer *x, const char *p)
{
	const char *q = p + 1;
	if (q >= x->end || *q == '\n')
		return (struct token){q, NULL};
	if (*q == '\\')
		return (struct token){highlight_string_end(x, p), "s"};
	for (q++; q < x->end && ((unsigned char)*q & 0xC0) == 0x80;)
		q++;
	if (at(x, q, "'"))
		return (struct token){q + 1, "s"};
	q = word_end(x, p + 1);
	return (struct token){q, q > p + 1 ? "t" : NULL};
}

/* macro -> name '!' ; attribute -> '#' ['!'] '[' … ']' */
static struct token lex_rust(const struct lexer *x, const char *p)
{
	if (*p == '\'')
		return lex_rust_tick(x, p);
	if (at(x, p, "#[") || at(x, p, "#![")) {
		const char *end = line_end(x, p), *q = after(x, p, "]");
		return (struct token){q < end ? q : end, "p"};
	}
	bool joined = p > x->start && kind(p[-1]) & (LETTER | DIGIT);
	if (kind(*p) != LETTER || joined)
		return NO_TOKEN;
	const char *raw = *p == 'r' || at(x, p, "br") ? rust_raw_end(x, p) : NULL;
	if (raw)
		return (struct token){raw, "s"};
	const char *q = word_end(x, p);
	bool macro = at(x, q, "!") && !at(x, q, "!=");
	return macro ? (struct token){q + 1, "b"} : NO_TOKEN;
}

/* The class of a word in assembly. Rows end numbers of registers in '#': "xmm# b". */
static const char *asm_class(const struct highlight_lang *l, const char *p, size_t n)
{
	char name[8];
	size_t k = 0;
	const char *class = highlight_word_class(l, p, n);
	if (class || n >= sizeof name || kind(*p) != LETTER)
		return class;
	for (size_t i = 0; i < n; i++)
		if (kind(p[i]) != DIGIT)
			name[k++] = p[i];
		else if (name[k - 1] != '#')
			name[k++] = '#';
	return highlight_word_class(l, name, k);
}

/* line -> [ name ':' ] [ '.' directive | mnemonic ] operands */
static struct token lex_asm(struct lexer *x, const char *p)
{
	bool joined = p > x->start && kind(p[-1]) & (LETTER | DIGIT);
	if (*p == '%' && p + 1 < x->end && kind(p[1]) == LETTER)
		return (struct token){word_end(x, p + 1), "b"};
	if ((kind(*p) != LETTER && *p != '.') || joined)
		return NO_TOKEN;
	const char *q = word_end(x, p + 1);
	if (x->due && at(x, q, ":"))
		return (struct token){q + 1, "f"};
	if (*p == '.' && !x->due)
		return (struct token){q, NULL};
	const char *class = *p == '.' ? "p" : asm_class(x->l, p, (size_t)(q - p));
	if (!x->due || (class && (*class == 'k' || *class == 'p'))) {
		x->due = x->due && class && *class == 'k'; /* lock, rep: a mnemonic follows */
		return (struct token){q, class};
	}
	while (at(x, q, "."))
		q = word_end(x, q + 1);
	x->due = false;
	return (struct token){q, "k"};
}

/* The token of the one flag that a language's own lexer answers for. */
static struct token lex_own(struct lexer *x, const char *p)
{
	if (has(x, HIGHLIGHT_SHELL))
		return lex_shell(x, p);
	if (has(x, HIGHLIGHT_MAKE))
		return lex_make(x, p);
	if (has(x, HIGHLIGHT_OPCODES))
		return lex_sass(x, p);
	if (has(x, HIGHLIGHT_ASM))
		return lex_asm(x, p);
	if (has(x, HIGHLIGHT_RUST))
		return lex_rust(x, p);
	if (has(x, HIGHLIGHT_BARE_KEYS) && x->due)
		return lex_key(x, p);
	if (has(x, HIGHLIGHT_REGEX))
		return lex_regex(x, p);
	if (has(x, HIGHLIGHT_VARIABLES))
		return lex_variable(x, p);
	return NO_TOKEN;
}

struct token highlight_special(struct lexer *x, const char *p)
{
	if (has(x, HIGHLIGHT_DIFF))
		return lex_diff(x, p);
	struct token t = lex_own(x, p);
	if (t.end)
		return t;
	if (has(x, HIGHLIGHT_LAUNCH) && (*p == '<' || *p == '>'))
		t = lex_launch(x, p);
	else if (has(x, HIGHLIGHT_LONG_BRACKETS) && *p == '[')
		t = (struct token){highlight_long_bracket_end(x, p), "s"};
	else if (has(x, HIGHLIGHT_DECORATOR) && *p == '@' && x->line_start)
		t = (struct token){word_end(x, p + 1), "p"};
	if (!t.end && has(x, HIGHLIGHT_PREPROCESSOR) && *p == '#' && x->line_start)
		t = (struct token){directive_end(x, p), "p"};
	return t;
}
