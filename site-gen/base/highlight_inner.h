/*
 * site-gen/base/highlight_inner.h - declarations shared by the highlighter's files.
 *
 *   highlight.c          comments, strings, numbers and words; printing
 *   highlight_special.c  tokens that only some languages have
 *   highlight_lang.c     the table of languages
 *   highlight_words.c    their words
 */
#ifndef SITE_GEN_BASE_HIGHLIGHT_INNER_H
#define SITE_GEN_BASE_HIGHLIGHT_INNER_H

#include <string.h>

#include "lib/str.h"
#include "site-gen/base/highlight_lang.h"

struct lexer {
	const struct highlight_lang *l;
	const char *start, *end;
	bool line_start;    /* only white space on this line so far */
	bool due;           /* assembly: the next word is a mnemonic; YAML, TOML: a key */
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

static const unsigned char highlight_kinds[256] = {
        ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER, [0x80 ... 0xff] = LETTER,
        ['0' ... '9'] = DIGIT,  [' '] = SPACE,          ['\t'] = SPACE, ['\n'] = SPACE,
};

static inline int kind(char c)
{
	return highlight_kinds[(unsigned char)c];
}

static inline bool has(const struct lexer *x, unsigned f)
{
	return (x->l->flags & f) != 0;
}

static inline bool at(const struct lexer *x, const char *p, const char *lit)
{
	for (; *lit; lit++, p++)
		if (p >= x->end || *p != *lit)
			return false;
	return true;
}

static inline const char *line_end(const struct lexer *x, const char *p)
{
	const char *q = p < x->end ? memchr(p, '\n', (size_t)(x->end - p)) : NULL;
	return q ? q : x->end;
}

/* The end of the first `lit` at or after p, or the end of the code. */
static inline const char *after(const struct lexer *x, const char *p, const char *lit)
{
	const char *q = p < x->end ? memmem(p, (size_t)(x->end - p), lit, strlen(lit)) : NULL;
	return q ? q + strlen(lit) : x->end;
}

static inline const char *word_end(const struct lexer *x, const char *p)
{
	while (p < x->end &&
	       (kind(*p) & (LETTER | DIGIT) || (*p != 0 && strchr(x->l->word_extra, *p))))
		p++;
	return p;
}

/* The class of a word from the language's table, or NULL. */
const char *highlight_word_class(const struct highlight_lang *l, const char *p, size_t n);
/* The end of the string that starts with a quote at p. */
const char *highlight_string_end(const struct lexer *x, const char *p);
/* The end of [[ … ]] or [==[ … ]==]; NULL if none starts at p. */
const char *highlight_long_bracket_end(const struct lexer *x, const char *p);
/* A token that only some languages have; NO_TOKEN if none starts at p. */
struct token highlight_special(struct lexer *x, const char *p);

#endif
