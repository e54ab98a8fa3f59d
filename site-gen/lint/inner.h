/*
 * site-gen/lint/inner.h - what the files of the lint share.
 *
 *   lint.c         the dictionary, and the way through a text
 *   fold.c    characters that look like others
 *   tokens.c  bytes to tokens: words, numbers, signs
 *   rules.c   numbers with a unit, factors, percentages
 *   phrase.c  comparisons in words
 *   words.c   English words and units, by what they mean
 *   zh.c      Chinese ones
 */
#ifndef SITE_GEN_LINT_INNER_H
#define SITE_GEN_LINT_INNER_H

#include "site-gen/lint/lint.h"

/* What a word can be; most are several things or, mostly, none. */
enum lint_class {
	LINT_NUMBER = 1 << 0,     /* seven, 七 */
	LINT_MANY = 1 << 1,       /* thousand, million: after a number, or "hundreds of" */
	LINT_TIME = 1 << 2,       /* a unit of time */
	LINT_CYCLE = 1 << 3,      /* cycles: several of them are a time */
	LINT_RATE = 1 << 4,       /* a unit of rate that needs no "per": GHz, IOPS, Gbps */
	LINT_FLOPS = 1 << 5,      /* GFLOPs: a rate, or a number of operations */
	LINT_POWER = 1 << 6,      /* a unit of power or energy */
	LINT_SIZE = 1 << 7,       /* what is counted or sized, and is no performance */
	LINT_PER = 1 << 8,        /* per, each */
	LINT_MOMENT = 1 << 9,     /* what a rate is "per" */
	LINT_TIMES = 1 << 10,     /* times, 倍 */
	LINT_FOLD = 1 << 11,      /* fold, tenfold */
	LINT_PERCENT = 1 << 12,   /* %, percent, 百分之 */
	LINT_POINTS = 1 << 13,    /* percentage points */
	LINT_PERF = 1 << 14,      /* what performance is of: bandwidth, time, peak */
	LINT_RESOURCE = 1 << 15,  /* what can be saturated: memory, tensor cores */
	LINT_PEAK = 1 << 16,      /* what can be reached: peak, roof */
	LINT_RATIO = 1 << 17,     /* speed-up, gain: a bare number after it is one */
	LINT_FASTER = 1 << 18,    /* faster, slow, efficient */
	LINT_LARGER = 1 << 19,    /* larger, more: of what follows */
	LINT_HALF = 1 << 20,      /* half, a third */
	LINT_TWICE = 1 << 21,     /* twice */
	LINT_DOUBLES = 1 << 22,   /* doubles, halved */
	LINT_SATURATES = 1 << 23, /* saturates */
	LINT_REACHES = 1 << 24,   /* at, near, reaches */
	LINT_SCALE = 1 << 25,     /* zoom, unroll: its factor is no performance */
	LINT_OTHER = 1 << 26,     /* confidence, readers: its percentage is no performance */
	LINT_FACTOR = 1 << 27,    /* factor */
	LINT_ABOUT = 1 << 28,     /* about, at least: before a number */
	LINT_LINK = 1 << 29,      /* of, the, to, is: what phrases go on over */
	LINT_MAGNITUDE = 1 << 30, /* order of magnitude, 数量级 */
};

/* What a comparison in words starts at. */
enum {
	LINT_PHRASES = LINT_TWICE | LINT_HALF | LINT_DOUBLES | LINT_MAGNITUDE | LINT_SATURATES |
	               LINT_PEAK | LINT_FOLD | LINT_TIME | LINT_PERCENT,
	LINT_STARTS = LINT_PHRASES | LINT_NUMBER | LINT_MANY, /* any rule */
};

/* Rows of one meaning: words with a space between, lower case. */
struct lint_group {
	unsigned class;
	const char *words;
};

const struct lint_group *lint_english(size_t *n);
const struct lint_group *lint_chinese(size_t *n);

enum lint_kind { LINT_WORD, LINT_DIGITS, LINT_SIGN, LINT_CJK, LINT_MARK };

struct lint_token {
	size_t start, end;
	unsigned class;
	uint32_t sign; /* of LINT_SIGN: the character, variants made one */
	enum lint_kind kind;
	bool spaced; /* white space before it */
};

enum { LINT_TOKENS = 512, LINT_KEPT = 24 };

/* A sentence at work. */
struct lint_work {
	const struct lint *words;
	struct str text;
	struct lint_token token[LINT_TOKENS + 8];
	size_t n;
	size_t at;  /* next byte to read */
	bool ended; /* the sentence is complete */
	/* what its tokens are, together: mostly nothing that a rule starts at */
	bool digits;
	unsigned classes;
	size_t done; /* findings end here so far */
	struct lint_finding *out;
	size_t cap, found;
};

/* A text with its look-alikes replaced, and where each byte stood before. */
struct lint_folded {
	char *p;
	size_t n, *from; /* from[n] is the length of the text */
};

/* False: nothing in it is replaced, and nothing is to be freed. */
bool lint_fold(struct str text, struct lint_folded *out);
void lint_folded_free(struct lint_folded *f);

/* The class of a word in lower case, 0 if nobody knows it; *joins: more words may belong to it. */
unsigned lint_class_of(const struct lint *l, const char *word, size_t n, bool *joins);
/* Can a rule start at a word of letters that begins so? Few can, so most need no look-up. */
bool lint_may_start(const struct lint *l, const char *word, size_t n);
/* The longest known word that Chinese text starts with; its bytes, or 0. */
size_t lint_longest(const struct lint *l, struct str text, unsigned *class);

/*
 * Most sentences hold no number and no word that a rule starts at, so they
 * need no tokens: moves past those.
 */
void lint_skip(struct lint_work *w);
/* Reads tokens up to the end of a sentence, or until there is no room. */
void lint_read(struct lint_work *w);

/*
 * Each looks at token i and adds what it finds. Returns the token to go on
 * with, or 0 if there is nothing.
 */
size_t lint_number(struct lint_work *w, size_t i);
size_t lint_phrase(struct lint_work *w, size_t i);

/* --- asking ---------------------------------------------------------------- */

static inline const struct lint_token *lint_at(const struct lint_work *w, size_t i)
{
	static const struct lint_token none = {.kind = LINT_SIGN};
	return i < w->n ? &w->token[i] : &none;
}

static inline bool lint_is(const struct lint_work *w, size_t i, unsigned class)
{
	return lint_at(w, i)->class & class;
}

static inline bool lint_sign(const struct lint_work *w, size_t i, uint32_t c)
{
	return i < w->n && w->token[i].kind == LINT_SIGN && w->token[i].sign == c;
}

/* Is token i this word of n bytes, whatever its case (`word` in lower case)? */
bool lint_word_n(const struct lint_work *w, size_t i, const char *word, size_t n);
#define lint_word(w, i, literal) lint_word_n((w), (i), (literal), sizeof(literal) - 1)
/* Commas, brackets, colons: phrases end there. */
bool lint_breaks(const struct lint_work *w, size_t i);
/* The first token from i on, at most n, whose class has a bit of the mask; w->n if none. */
size_t lint_after(const struct lint_work *w, size_t i, size_t n, unsigned mask);
/* The same backwards, from i - 1 on. */
size_t lint_before(const struct lint_work *w, size_t i, size_t n, unsigned mask);
/* Does the clause around token i say something of this class? */
bool lint_clause(const struct lint_work *w, size_t i, unsigned mask);
/* What a factor before token i is of: LINT_PERF, LINT_SIZE, LINT_FASTER, or 0. */
unsigned lint_governed(const struct lint_work *w, size_t i);
/* Past the number that starts at token i; 0: there is none. */
size_t lint_number_end(const struct lint_work *w, size_t i);
/* Where a range that ends with the number at i starts: "2 to 3". */
size_t lint_range_start(const struct lint_work *w, size_t i);

/* Adds tokens [from, to) as a finding; returns `to`. */
size_t lint_add(struct lint_work *w, size_t from, size_t to, const char *what);

#endif
