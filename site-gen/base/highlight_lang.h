/*
 * site-gen/base/highlight_lang.h - table of the highlighter's languages. Its rows are
 * in highlight_lang.c, their words in highlight_words.c; highlight.c is the lexer.
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
	HIGHLIGHT_SHELL = 1 << 7,        /* $name, "… over lines", 'no escapes', here-documents */
	HIGHLIGHT_MAKE = 1 << 8,         /* $(name), and targets before ':' at a line's start */
	HIGHLIGHT_DECORATOR = 1 << 9,    /* @name */
	HIGHLIGHT_KEYS = 1 << 10,        /* a string before ':' is a key */
	HIGHLIGHT_OPCODES = 1 << 11,     /* SASS: MNEMONIC.MODIFIERS, registers, .labels */
	HIGHLIGHT_DIFF = 1 << 12,        /* a line's first character decides */
	HIGHLIGHT_PLAIN_QUOTE = 1 << 13, /* '…' has no escapes */
	HIGHLIGHT_RAW_TICK = 1 << 14,    /* nor has `…` */
	HIGHLIGHT_ANY_CASE = 1 << 15,    /* words of the table in capitals, too */
	HIGHLIGHT_BARE_KEYS = 1 << 16,   /* a line's text before ':' or '=' is a key; [tables] */
	HIGHLIGHT_VARIABLES = 1 << 17,   /* ${name}, $ENV{name} */
	HIGHLIGHT_REGEX = 1 << 18,       /* /…/ where a value is due */
	HIGHLIGHT_RUST = 1 << 19,        /* 'lifetime, name!, #[…], r#"…"# */
	HIGHLIGHT_ASM = 1 << 20,         /* label: mnemonic %register, .directive */
};

struct highlight_words {
	const char *const *word; /* "name class", sorted by byte */
	size_t n;
};

struct highlight_lang {
	const char *name;
	const char *aliases; /* separated by spaces, like `paths`; may be NULL */
	const char *paths;   /* endings with their dot, or whole file names */
	unsigned flags;
	const char *line_comment;             /* NULL: none */
	const char *more_comments;            /* its other forms, separated by spaces; NULL: none */
	const char *block_open, *block_close; /* NULL: none */
	const char *quotes;                   /* bytes that open and close a string; "" none */
	const char *word_start; /* bytes that start a word beside letters, '_' and UTF-8 */
	const char *word_extra; /* bytes inside a word beside those and digits */
	const struct highlight_words *words; /* NULL: none */
};

extern const struct highlight_words highlight_words_arm;
extern const struct highlight_words highlight_words_asm;
extern const struct highlight_words highlight_words_c;
extern const struct highlight_words highlight_words_cmake;
extern const struct highlight_words highlight_words_cuda;
extern const struct highlight_words highlight_words_go;
extern const struct highlight_words highlight_words_javascript;
extern const struct highlight_words highlight_words_json;
extern const struct highlight_words highlight_words_lua;
extern const struct highlight_words highlight_words_make;
extern const struct highlight_words highlight_words_ptx;
extern const struct highlight_words highlight_words_python;
extern const struct highlight_words highlight_words_rust;
extern const struct highlight_words highlight_words_sass;
extern const struct highlight_words highlight_words_sh;
extern const struct highlight_words highlight_words_sql;
extern const struct highlight_words highlight_words_toml;
extern const struct highlight_words highlight_words_typescript;
extern const struct highlight_words highlight_words_yaml;

extern const struct highlight_lang highlight_lang_table[];
extern const size_t highlight_lang_count;

#endif
