/*
 * site-gen/lint/inner.h - private declarations of the lint's files.
 *
 *   lint.c    the dictionary, and the walk through a text
 *   fold.c    look-alike characters
 *   tokens.c  bytes to tokens: words, numbers, signs
 *   rules.c   numbers with a unit, ratios
 *   factor.c  factors
 *   percent.c percentages
 *   forms.c   less usual forms of those
 *   aside.c   numbers that only look like performance
 *   setting.c times and rates that somebody chose
 *   phrase.c  comparisons in words
 *   compare.c comparisons without any number: are they statements?
 *   compare_en.c, compare_zh.c  their grammar
 *   grammar_en.c  parts of speech that the English ones share
 *   verdict_en.c  English verdicts: crushes it, lead to worse latency
 *   bare.c    numbers without a unit
 *   single.c  one of a unit: a microsecond
 *   rival.c   who competes
 *   events.c  shares of loads, reads and the like
 *   words.c   English words and units, by meaning
 *   zh.c      Chinese words and units, by meaning
 */
#ifndef SITE_GEN_LINT_INNER_H
#define SITE_GEN_LINT_INNER_H

#include "site-gen/lint/lint.h"

/* The classes of words. Most words have none; some have several. */
enum lint_class {
	LINT_NUMBER = 1 << 0,     /* seven, 七 */
	LINT_MANY = 1 << 1,       /* thousand, million: after a number, or "hundreds of" */
	LINT_TIME = 1 << 2,       /* a unit of time */
	LINT_CYCLE = 1 << 3,      /* cycles: more than one is a time */
	LINT_RATE = 1 << 4,       /* a unit of rate that needs no "per": GHz, IOPS, Gbps */
	LINT_FLOPS = 1 << 5,      /* GFLOPs: a rate, or a number of operations */
	LINT_POWER = 1 << 6,      /* a unit of power or energy */
	LINT_SIZE = 1 << 7,       /* sizes and counts, which are not performance */
	LINT_PER = 1 << 8,        /* per, each */
	LINT_MOMENT = 1 << 9,     /* the unit after "per" in a rate */
	LINT_TIMES = 1 << 10,     /* times, 倍 */
	LINT_FOLD = 1 << 11,      /* fold, tenfold */
	LINT_PERCENT = 1 << 12,   /* %, percent, 百分之 */
	LINT_POINTS = 1 << 13,    /* percentage points */
	LINT_PERF = 1 << 14,      /* measures of performance: bandwidth, time, peak */
	LINT_RESOURCE = 1 << 15,  /* things that saturate: memory, tensor cores */
	LINT_PEAK = 1 << 16,      /* limits that can be reached: peak, roof */
	LINT_RATIO = 1 << 17,     /* speed-up, gain: a bare number after it is a ratio */
	LINT_FASTER = 1 << 18,    /* faster, slow, efficient */
	LINT_LARGER = 1 << 19,    /* larger, more: about the noun that follows */
	LINT_HALF = 1 << 20,      /* half, a third */
	LINT_TWICE = 1 << 21,     /* twice */
	LINT_DOUBLES = 1 << 22,   /* doubles, halved */
	LINT_SATURATES = 1 << 23, /* saturates */
	LINT_REACHES = 1 << 24,   /* at, near, reaches */
	LINT_SCALE = 1 << 25,     /* zoom, unroll: its factor is not performance */
	LINT_OTHER = 1 << 26,     /* confidence, readers: its percentage is not performance */
	LINT_FACTOR = 1 << 27,    /* factor */
	LINT_ABOUT = 1 << 28,     /* about, at least: before a number */
	LINT_LINK = 1 << 29,      /* of, the, to, is: phrases continue across it */
	LINT_MAGNITUDE = 1 << 30, /* order of magnitude, 数量级 */
	LINT_COMPARES = 1u << 31, /* outperforms, fewer, the same: compares without a number */
};

/* Classes at which a comparison in words starts. */
enum {
	LINT_PHRASES = LINT_TWICE | LINT_HALF | LINT_DOUBLES | LINT_MAGNITUDE | LINT_SATURATES |
	               LINT_PEAK | LINT_FOLD | LINT_TIME | LINT_POWER | LINT_PERCENT | LINT_FASTER |
	               LINT_POINTS,
	/* at which any rule starts */
	LINT_STARTS = LINT_PHRASES | LINT_NUMBER | LINT_MANY | LINT_COMPARES,
};

/* Words of one meaning, in lower case, separated by spaces. */
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
	uint32_t sign; /* LINT_SIGN: the character, in its normal form */
	enum lint_kind kind;
	bool spaced; /* white space before it */
};

enum { LINT_TOKENS = 512, LINT_KEPT = 24 };

/* The sentence that is being read. */
struct lint_work {
	const struct lint *words;
	struct str text;
	struct lint_token token[LINT_TOKENS + 8];
	size_t n;
	size_t at;  /* next byte to read */
	bool ended; /* the sentence is complete */
	/* union over its tokens; in most sentences no rule can start */
	bool digits;
	unsigned classes;
	size_t done; /* end of the last finding */
	struct lint_finding *out;
	size_t cap, found;
};

/* A text with look-alikes replaced, and the original position of each byte. */
struct lint_folded {
	char *p;
	size_t n, *from; /* from[n] is the length of the text */
};

/* Folds a text. False: nothing was replaced, and there is nothing to free. */
bool lint_fold(struct str text, struct lint_folded *out);
void lint_folded_free(struct lint_folded *f);

/* The class of a word in lower case; 0 if unknown. *joins: it may begin a longer entry. */
unsigned lint_class_of(const struct lint *l, const char *word, size_t n, bool *joins);
/* Length in bytes of the longest known word at the start of Chinese text; 0 if none. */
size_t lint_longest(const struct lint *l, struct str text, unsigned *class);

/*
 * Moves past sentences that need no tokens. Most contain neither a number nor a word
 * that a rule starts at.
 */
void lint_skip(struct lint_work *w);
/* Reads tokens up to the end of a sentence, or until the array is full. */
void lint_read(struct lint_work *w);

/*
 * Each examines token i and adds a finding if there is one. Returns the token to
 * continue at, or 0 if it found nothing.
 */
size_t lint_number(struct lint_work *w, size_t i);
size_t lint_phrase(struct lint_work *w, size_t i);
size_t lint_compare(struct lint_work *w, size_t i);

/*
 * Does a comparison hang on token i? LINT_CONTEST names a rival: outperforms, is faster than. A
 * LINT_REMARK does not: is slow, takes less time. The first token is in *from.
 */
enum lint_comparing { LINT_NO_COMPARISON, LINT_REMARK, LINT_CONTEST };
enum lint_comparing lint_compares_en(const struct lint_work *w, size_t i, size_t *from);
enum lint_comparing lint_compares_zh(const struct lint_work *w, size_t i, size_t *from);
/* The rules of verdict_en.c: does a remark hang on token i? The first token is in *from. */
bool lint_verdict_en(const struct lint_work *w, size_t i, size_t *from);

/* Is token i a noun of performance: bandwidth, time? Narrower than LINT_PERF, which has names. */
bool lint_is_measure(const struct lint_work *w, size_t i);
/* Is it a verb of having: has, takes, delivers? Of being: is, runs, gets? An adverb? */
bool lint_is_have(const struct lint_work *w, size_t i);
bool lint_is_be(const struct lint_work *w, size_t i);
bool lint_is_adverb(const struct lint_work *w, size_t i);
/* The first token of the adverbs before token i. */
size_t lint_before_adverbs(const struct lint_work *w, size_t i);
/* The first measure of n tokens from i on; w->n if another phrase begins before. */
size_t lint_measure_after(const struct lint_work *w, size_t i, size_t n);
/* Does the phrase end at token i: with a stop, or with a word that begins another? */
bool lint_phrase_ends(const struct lint_work *w, size_t i);
/* Is what follows "than" no measurement: expected, needed, the hardware allows? */
bool lint_than_nothing(const struct lint_work *w, size_t i);
/* Is token i "than" before something that was measured, or the end of the phrase? */
bool lint_compares_here(const struct lint_work *w, size_t i);
/* Is one of the tokens [from, to) a program, or a part of one, that another can beat? */
bool lint_is_rival(const struct lint_work *w, size_t from, size_t to);
/* Is token i the name of a program or a device? */
bool lint_is_name(const struct lint_work *w, size_t i);
/* Does a word shortly before token i say that people, errors or prices are compared? */
bool lint_of_people(const struct lint_work *w, size_t i);
/* Is token i the name of what one does to a program: tiling, prefetching? */
bool lint_is_technique(const struct lint_work *w, size_t i);
/* Does a word before token i make the sentence an expectation, a wish, a question? */
bool lint_supposes(const struct lint_work *w, size_t i);

/* The rule of single.c for the unit at token i. The same result. */
size_t lint_single(struct lint_work *w, size_t i);
/* The rules of percent.c: 60 %, 三成. The same result. */
size_t lint_percent(struct lint_work *w, size_t i, size_t j);
size_t lint_tenths(struct lint_work *w, size_t i, size_t j);
/* The rules of forms.c, for the number [i, j). The same result. */
size_t lint_form(struct lint_work *w, size_t i, size_t j);
/* The rules of events.c. Is token i a load, a read, a warp? Is the share [from, to) one of those?
 */
bool lint_is_event(const struct lint_work *w, size_t i);
/* Is token i what a program loses time to: misses, conflicts? */
bool lint_is_stall(const struct lint_work *w, size_t i);
bool lint_of_events(const struct lint_work *w, size_t from, size_t to);
/* One load in five misses, for the number [i, j); every third lookup; a few microseconds. */
size_t lint_one_in(struct lint_work *w, size_t i, size_t j);
size_t lint_every_nth(struct lint_work *w, size_t i);
size_t lint_vague(struct lint_work *w, size_t i);
/* The rules of factor.c and of bare.c, for the number [i, j). */
size_t lint_factor(struct lint_work *w, size_t i, size_t j);
size_t lint_bare(struct lint_work *w, size_t i, size_t j);
/* The rule for the fraction [start, i], whose last word is a third, a tenth, …. */
size_t lint_part(struct lint_work *w, size_t start, size_t i);
/* Is the number [i, j) none of performance, whatever follows? Then the token to go on at; or 0. */
size_t lint_aside(const struct lint_work *w, size_t i, size_t j);
/* Did somebody choose the number [i, j): a timeout, the limit of a rate? */
bool lint_is_setting(const struct lint_work *w, size_t i, size_t j);
/* Is the sentence around token i about retries, whose delays double by design? */
bool lint_backs_off(const struct lint_work *w, size_t i);

/* --- queries --------------------------------------------------------------- */

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

/* True if token i is this word of n bytes, in any case; `word` is in lower case. */
bool lint_word_n(const struct lint_work *w, size_t i, const char *word, size_t n);
#define lint_word(w, i, literal) lint_word_n((w), (i), (literal), sizeof(literal) - 1)
/* True if token i is one of n words, or Chinese text that begins with one. */
bool lint_begins(const struct lint_work *w, size_t i, const char *const *words, size_t n);
/* Is token i the first of "terabyte per second"? */
bool lint_is_bandwidth(const struct lint_work *w, size_t i);
/* Does one of the words behind token i say that things wait, hit or are served? */
bool lint_idles(const struct lint_work *w, size_t i);
/* Says the phrase after "what" at token i what something can do: "what HBM can deliver"? */
bool lint_is_able(const struct lint_work *w, size_t i);
/* Can a number start at token i? */
bool lint_is_number(const struct lint_work *w, size_t i);
/* Is the short unit at token i spelt as units are: W and s, but not w and S? */
bool lint_right_case(const struct lint_work *w, size_t i);
/* Does a verb shortly before token i spend time: takes, costs, waits? */
bool lint_spends(const struct lint_work *w, size_t i);
/* Start of the range that ends with the number at i: "2 to 3". */
size_t lint_range_start(const struct lint_work *w, size_t i);
/* True for exactly one: "one cycle", "1 个周期". */
bool lint_is_one(const struct lint_work *w, size_t i, size_t j);
/* Does the number at token i have a decimal point? */
bool lint_has_point(const struct lint_work *w, size_t i);
/* True for commas, brackets and colons, which end phrases. */
bool lint_breaks(const struct lint_work *w, size_t i);
/* The first of n tokens from i on whose class has a bit of the mask; w->n if none has. */
size_t lint_after(const struct lint_work *w, size_t i, size_t n, unsigned mask);
/* The same backwards, from i - 1 on. */
size_t lint_before(const struct lint_work *w, size_t i, size_t n, unsigned mask);
/* True if the clause around token i has a word of this class. */
bool lint_clause(const struct lint_work *w, size_t i, unsigned mask);
/* Subject of a factor before token i: LINT_PERF, LINT_SIZE, LINT_FASTER, or 0. */
unsigned lint_governed(const struct lint_work *w, size_t i);

/* Adds tokens [from, to) as a finding; returns `to`. */
size_t lint_add(struct lint_work *w, size_t from, size_t to, const char *what);

#endif
