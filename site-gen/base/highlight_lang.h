/*
 * site-gen/base/highlight_lang.h - table of the highlighter's languages. Its rows are
 * in highlight_lang.c; the lexer that reads them is highlight.c.
 */
#ifndef SITE_GEN_BASE_HIGHLIGHT_LANG_H
#define SITE_GEN_BASE_HIGHLIGHT_LANG_H

#include <stddef.h>

enum highlight_flag {
	HIGHLIGHT_PREPROCESSOR = 1 << 0,  /* a line that starts with '#', and its continuations */
	HIGHLIGHT_DIGIT_QUOTE = 1 << 1,   /* 1'000'000 is one number */
	HIGHLIGHT_RAW_STRING = 1 << 2,    /* R"x( … )x" */
	HIGHLIGHT_LAUNCH = 1 << 3,        /* kernel<<<grid, block>>>(…) */
	HIGHLIGHT_CALLS = 1 << 4,         /* a name before '(' is a function's */
	HIGHLIGHT_LONG_BRACKETS = 1 << 5, /* [[ … ]], [==[ … ]==], and --[[ … ]] */
	HIGHLIGHT_TRIPLE = 1 << 6,        /* """ … """ and ''' … ''' */
	HIGHLIGHT_SHELL = 1 << 7,     /* $name, "… over lines", 'no escapes', here-documents */
	HIGHLIGHT_MAKE = 1 << 8,      /* $(name), and targets before ':' at a line's start */
	HIGHLIGHT_DECORATOR = 1 << 9, /* @name */
	HIGHLIGHT_KEYS = 1 << 10,     /* a string before ':' is a key */
	HIGHLIGHT_OPCODES = 1 << 11,  /* SASS: MNEMONIC.MODIFIERS, registers, .labels */
	HIGHLIGHT_DIFF = 1 << 12,     /* a line's first character decides */
};

struct highlight_lang {
	const char *name;
	const char *aliases; /* separated by spaces, like `paths`; may be NULL */
	const char *paths;   /* endings with their dot, or whole file names */
	unsigned flags;
	const char *line_comment;             /* NULL: none */
	const char *block_open, *block_close; /* NULL: none */
	const char *quotes;                   /* bytes that open and close a string; "" none */
	const char *word_start;  /* bytes that start a word beside letters, '_' and UTF-8 */
	const char *word_extra;  /* bytes inside a word beside those and digits */
	const char *const *word; /* "name class", sorted by byte; NULL: no words */
	size_t nwords;
};

extern const struct highlight_lang highlight_lang_table[];
extern const size_t highlight_lang_count;

#endif
