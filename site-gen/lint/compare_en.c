/*
 * The English grammar of comparisons without a number. A word of the class LINT_COMPARES or
 * LINT_FASTER starts it, and its part of speech decides what must stand beside it:
 *
 *   a comparative of speed is a predicate, or "than" follows     is faster, runs faster than
 *   another comparative has a measure beside it                  takes less time
 *   a superlative is a predicate                                 is the fastest softmax
 *   a verb of victory has a rival, or ends its phrase            beats the library, wins
 *   a verb of change has a measure as its object or subject      reduces latency, time drops
 *   a verb of speed has any object                               slows the loop down
 *   a fixed phrase stands alone                                  on par with
 *
 * To add a word, put it into a list here and into the class LINT_COMPARES of words.c.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

static const char *const make[] = {"makes", "made", "make", "renders", "keeps", "keep", "kept"};

/* made the kernel faster */
static bool is_made(const struct lint_work *w, size_t i)
{
	enum { NEAR = 7 };
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (IS(w, k - 1, make))
			return !(k > 1 && lint_word(w, k - 2, "to"));
	return false;
}

/* quicker to answer, cheaper to run */
static bool is_to_run(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"run",     "answer", "compute", "load",    "start",
	                                    "compile", "build",  "respond", "execute", "read",
	                                    "decode",  "serve",  "train",   "sort",    "scan",
	                                    "reach",   "finish", "return",  "query",   "parse"};
	return lint_word(w, i, "to") && IS(w, i + 1, verbs);
}

/* Is a rival or a name near token i: "than GCC's"? */
static bool names(const struct lint_work *w, size_t i)
{
	return lint_is_name(w, i) || lint_is_name(w, i + 1) || lint_is_rival(w, i, i + 3);
}

/* turned out to be faster */
static bool turns_out(const struct lint_work *w, size_t verb)
{
	return verb > 2 && lint_word(w, verb - 1, "be") && lint_word(w, verb - 3, "out");
}

/* cannot be, not to be */
static bool is_wish(const struct lint_work *w, size_t verb)
{
	static const char *const before[] = {"cannot", "not", "never", "to"};
	return !turns_out(w, verb) && verb > 1 && lint_word(w, verb - 1, "be") &&
	       IS(w, verb - 2, before);
}

/* Is a verb of being right before token `verb`, or before the adjective in "is longer but faster"?
 */
static bool is_predicate_at(const struct lint_work *w, size_t verb)
{
	if (turns_out(w, verb) ||
	    (verb > 0 && lint_is_be(w, verb - 1) && !(verb > 1 && lint_word(w, verb - 2, "to"))))
		return true;
	bool joint = verb > 2 && (lint_word(w, verb - 1, "but") || lint_word(w, verb - 1, "and"));
	return joint && lint_is_be(w, lint_before_adverbs(w, verb - 2) - 1);
}

/* is faster, runs faster than, finishes more quickly, is less efficient, is as fast as */
static bool speed(const struct lint_work *w, size_t i, size_t *from)
{
	enum { NEAR = 12 };
	static const char *const one[] = {"faster",  "slower", "quicker", "speedier", "costlier",
	                                  "earlier", "sooner", "cheaper", "snappier", "leaner"};
	static const char *const done[] = {"finishes", "finished", "ends", "finish"};
	static const char *const two[] = {"quickly",   "slowly", "efficient", "efficiently",
	                                  "expensive", "costly", "swiftly"};
	static const char *const plain[] = {"fast", "quick", "slow", "efficient", "quickly"};
	size_t start = i;
	if (i > 0 && IS(w, i, two) && (lint_word(w, i - 1, "more") || lint_word(w, i - 1, "less")))
		start = i - 1;
	else if (i > 0 && IS(w, i, plain) &&
	         (lint_word(w, i - 1, "as") || lint_word(w, i - 1, "equally")))
		start = i - 1;
	else if (!IS(w, i, one))
		return false;
	*from = start;
	if (lint_word(w, i, "earlier") || lint_word(w, i, "sooner"))
		return i > 0 && IS(w, i - 1, done);
	bool as = lint_word(w, start, "as"), equal = as || lint_word(w, start, "equally");
	size_t verb = lint_before_adverbs(w, start);
	/* are served faster */
	if (verb > 1 && lint_at(w, verb - 1)->end - lint_at(w, verb - 1)->start > 4 &&
	    str_ends(str_sub(w->text, w->token[verb - 1].start, w->token[verb - 1].end), "ed") &&
	    lint_is_be(w, verb - 2))
		verb--;
	if (is_wish(w, verb))
		return false; /* nothing can be faster than the memory */
	bool predicate = is_predicate_at(w, verb);
	bool than = as ? lint_word(w, i + 1, "as") : lint_word(w, i + 1, "than");
	const unsigned part = LINT_SIZE | LINT_RESOURCE;
	if (as && (than ? !lint_is_rival(w, i + 2, i + 7) && !names(w, i + 2) &&
	                           lint_after(w, i + 2, 5, part) == w->n
	                : !lint_sign(w, i + 1, '.')))
		return false;
	if ((than && lint_than_nothing(w, i + 2)) ||
	    (!(than && names(w, i + 2)) && lint_of_people(w, start)))
		return false;
	if (lint_word(w, i, "cheaper") && than && !names(w, i + 2) && !lint_is_name(w, 0) &&
	    !lint_is_rival(w, start > NEAR ? start - NEAR : 0, start))
		return false; /* what costs less may cost money, or registers */
	if (!equal && !than && is_made(w, start))
		return lint_phrase_ends(w, i + 1);
	/* the faster of the two; the faster one */
	if (start > 0 && lint_word(w, start - 1, "the") &&
	    (lint_word(w, i + 1, "one") ||
	     (lint_word(w, i + 1, "of") && start > 1 && lint_is_be(w, start - 2))))
		return true;
	/* nobody has a faster softmax */
	if (start > 1 && lint_word(w, start - 1, "a") && lint_is_have(w, start - 2))
		return lint_is_rival(w, i + 1, i + 3);
	return (than && !lint_word(w, start - (start > 0), "the")) ||
	       (predicate && (lint_phrase_ends(w, i + 1) || is_to_run(w, i + 1)));
}

/* Does the sentence begin with a rival or with what a kernel is made of, and not with a person? */
static bool is_rival_or_code(const struct lint_work *w, size_t i, size_t n)
{
	static const char *const parts[] = {
	        "prefetch",  "loads",    "stages",   "warps",     "graphs",    "atomics", "queue",
	        "splitting", "padding",  "swizzle",  "swizzling", "unrolling", "fusion",  "fusing",
	        "tiles",     "it",       "layout",   "hint",      "shuffles",  "stage",   "tiling",
	        "barriers",  "pipeline", "batching", "k"};
	static const char *const tools[] = {"trace",   "picture",  "profiler",
	                                    "counter", "counters", "diagram"};
	size_t from = i > n ? i - n : 0;
	bool code = false;
	for (size_t k = from; k < i; k++)
		if (IS(w, k, tools))
			return false;
		else
			code = code || IS(w, k, parts);
	return code || lint_is_rival(w, from, i);
}

/* "A wider load needs fewer cycles": of anything wider, so it is a law and no measurement. */
static bool is_law(const struct lint_work *w, size_t verb)
{
	enum { FAR = 6 };
	for (size_t k = verb, n = 0; k > 1 && n < FAR && !lint_breaks(w, k - 1); k--, n++)
		if (lint_is(w, k - 1, LINT_FASTER | LINT_LARGER) &&
		    (lint_word(w, k - 2, "a") || lint_word(w, k - 2, "with")))
			return true;
	return false;
}

/* performs better than, our version is better, four stages are better than two, takes longer */
static bool is_judged(const struct lint_work *w, size_t i)
{
	static const char *const perform[] = {"performs", "performed", "perform", "fares",
	                                      "fared",    "scales",    "does",    "did"};
	static const char *const take[] = {"takes", "take", "took"};
	static const char *const judged[] = {"better", "worse"};
	enum { NEAR = 5 };
	size_t verb = lint_before_adverbs(w, i);
	if (verb == 0 || !lint_compares_here(w, i + 1))
		return false;
	if (lint_word(w, i, "longer"))
		return IS(w, verb - 1, take);
	if (!IS(w, i, judged))
		return false;
	return IS(w, verb - 1, perform) ||
	       (lint_is_be(w, verb - 1) &&
	        (is_rival_or_code(w, verb, NEAR) ||
	         (lint_word(w, i + 1, "than") && !lint_of_people(w, verb) &&
	          lint_is_rival(w, i + 2, i + 5))));
}

/* has a higher throughput than, takes less time, at the same speed: a measure follows */
static bool is_had(const struct lint_work *w, size_t i, size_t *from)
{
	size_t noun = lint_measure_after(w, i + 1, 3), verb = lint_before_adverbs(w, i);
	bool same = lint_word(w, i, "same");
	if (noun == w->n || verb == 0 || (same && lint_word(w, noun, "power")) ||
	    !(lint_compares_here(w, noun + 1) || lint_word(w, noun + 1, "of")))
		return false;
	if (same && !lint_word(w, noun, "time") && verb > 1 && lint_word(w, verb - 1, "at") &&
	    lint_is_be(w, verb - 2))
		return true;
	if (!lint_is_have(w, verb - 1) || (verb > 1 && lint_word(w, verb - 2, "to")))
		return false;
	*from = verb - 1;
	return !is_law(w, verb - 1);
}

/* its latency is lower, the speed of both is the same: a measure goes before */
static bool is_predicate(const struct lint_work *w, size_t i)
{
	enum { NEAR = 5 };
	size_t verb = lint_before_adverbs(w, i);
	bool the = i > 0 && lint_word(w, i - 1, "the");
	bool ends = the ? lint_sign(w, i + 1, '.') || lint_word(w, i + 1, "of") ||
	                            lint_word(w, i + 1, "for")
	                : !lint_word(w, i, "same") && lint_compares_here(w, i + 1);
	if (!ends || verb == 0 || !lint_is_be(w, verb - 1))
		return false;
	for (size_t k = verb - 1; k > 0 && verb - 1 - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (lint_is_measure(w, k - 1))
			return true;
	return false;
}

static bool level(const struct lint_work *w, size_t i, size_t *from)
{
	static const char *const words[] = {"higher",  "lower",   "better",   "worse",  "more",
	                                    "less",    "shorter", "longer",   "larger", "smaller",
	                                    "greater", "fewer",   "same",     "best",   "highest",
	                                    "lowest",  "worst",   "shortest", "most",   "least"};
	return IS(w, i, words) && (is_judged(w, i) || is_had(w, i, from) || is_predicate(w, i));
}

/* is the fastest, came out fastest; not "keeps the fastest form" */
static bool superlative(const struct lint_work *w, size_t i, size_t *from)
{
	static const char *const most[] = {"fastest", "slowest", "quickest", "cheapest"};
	static const char *const two[] = {"efficient", "expensive", "costly"};
	static const char *const before[] = {"the",    "by",  "far",   "still",    "our", "its",
	                                     "always", "out", "among", "one",      "of",  "clearly",
	                                     "also",   "now", "thus",  "probably", "as",  "in"};
	bool second = i > 0 && IS(w, i, two) &&
	              (lint_word(w, i - 1, "most") || lint_word(w, i - 1, "least"));
	if (!IS(w, i, most) && !second)
		return false;
	size_t start = i - second, verb = start;
	*from = start;
	if (lint_word(w, i, "cheapest") && lint_measure_after(w, i + 1, 2) == w->n &&
	    !(lint_word(w, i + 2, "in") && lint_measure_after(w, i + 3, 2) < w->n))
		return false;
	static const char *const ways[] = {"way", "route", "path", "means"};
	static const char *const done[] = {"learn", "get",       "find",  "install",
	                                   "write", "debug",     "see",   "understand",
	                                   "start", "reproduce", "check", "reach"};
	if (IS(w, i + 1, ways) && lint_word(w, i + 2, "to") && IS(w, i + 3, done))
		return false; /* of people */
	while (verb > 0 && IS(w, verb - 1, before))
		verb--;
	/* The most efficient variant uses TMA; the slowest step is the transpose. */
	static const char *const shown[] = {"drawn", "shown",  "marked", "printed", "orange",
	                                    "bold",  "called", "listed", "named"};
	for (size_t k = i; k < i + 8 && k < w->n; k++)
		if (IS(w, k, shown))
			return false;
	if (verb == 0 && start == 1)
		return lint_at(w, i + 1)->kind == LINT_WORD && lint_at(w, i + 2)->kind == LINT_WORD;
	if (verb > 2 && lint_word(w, verb - 1, "be") && lint_word(w, verb - 3, "used"))
		return true; /* used to be the fastest */
	bool it = verb > 1 && lint_word(w, verb - 1, "it") && IS(w, verb - 2, make);
	return verb > 0 && (it || lint_is_be(w, verb - 1)) &&
	       !(verb > 1 && lint_word(w, verb - 2, "to"));
}

/* is still ahead of CUB, leaves every library behind */
static bool stands(const struct lint_work *w, size_t i)
{
	static const char *const leave[] = {"leaves", "left", "leave"};
	enum { NEAR = 6 };
	size_t from = i > NEAR ? i - NEAR : 0, verb = lint_before_adverbs(w, i);
	if (i > 0 && IS(w, i - 1, leave))
		return lint_word(w, i, "behind") && lint_sign(w, i + 1, '.');
	for (size_t k = from; k < i; k++)
		if (IS(w, k, leave))
			return lint_word(w, i, "behind") && lint_is_rival(w, k + 1, i);
	static const char *const runs[] = {"run", "runs", "ran", "goes", "came"};
	if (lint_word(w, i, "ahead") && verb > 0 && IS(w, verb - 1, runs))
		return false; /* loads that run ahead */
	if (lint_word(w, i + 1, "of") &&
	    (lint_word(w, i + 2, "its") || lint_word(w, i + 2, "schedule")))
		return false;
	return verb > 0 && lint_is_be(w, verb - 1) && lint_is_rival(w, from, i + NEAR);
}

/* the result matches the library's bit by bit: results are compared, not times */
static bool is_correct(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "result", "results", "output", "outputs", "sum",    "sums", "checksum", "value",
	        "values", "bit",     "digit",  "bitwise", "digits", "bits", "error",    "name"};
	enum { NEAR = 8 };
	for (size_t k = i > NEAR ? i - NEAR : 0; k < i + NEAR && k < w->n; k++)
		if (IS(w, k, words))
			return true;
	return false;
}

/* outperforms, beats the library, wins; keeps up with */
static bool victory(const struct lint_work *w, size_t i)
{
	static const char *const alone[] = {
	        "outperforms", "outperformed", "outperform", "outpaces",  "outpaced", "outruns",
	        "surpasses",   "surpassed",    "overtakes",  "overtook",  "eclipses", "outclasses",
	        "dominates",   "unmatched",    "unbeaten",   "outshines", "overtake", "unrivalled",
	        "defeats",     "defeat",       "outrun",     "outdo",     "outstrip", "outpace",
	        "surpass",     "outstrips",    "outdoes",    "outclassed"};
	static const char *const beside[] = {"beats",   "beat",    "loses",   "lose",    "lost",
	                                     "exceeds", "exceed",  "matches", "matched", "equals",
	                                     "rivals",  "tops",    "nears",   "trails",  "trail",
	                                     "leads",   "defeats", "bests",   "match",   "matched"};
	static const char *const ending[] = {"wins", "win",   "won",    "loses",    "trails",
	                                     "lags", "leads", "winner", "dominates"};
	static const char *const pass[] = {"to", "against", "behind"};
	enum { NEAR = 6 };
	if (i > 0 && (lint_word(w, i - 1, "to") || lint_word(w, i - 1, "the")) &&
	    !lint_word(w, i, "winner"))
		return false;
	if (IS(w, i, alone))
		return true;
	if (lint_word(w, i, "behind") || lint_word(w, i, "ahead"))
		return stands(w, i);
	if (lint_word(w, i, "winner"))
		return lint_is_be(w, i + 1) ||
		       (i > 1 &&
		        lint_is_be(w,
		                   lint_before_adverbs(w, i - lint_word(w, i - 1, "clear")) - 1));
	if (is_correct(w, i))
		return false;
	if (lint_word(w, i, "leads") && lint_word(w, i + 1, "from"))
		return false;
	if (lint_word(w, i + 1, "to") && (lint_word(w, i, "leads") || lint_word(w, i, "matched")))
		return false;
	static const char *const contests[] = {"match",       "write",    "writes",  "writer",
	                                       "transaction", "prefix",   "vote",    "candidate",
	                                       "bid",         "rule",     "update",  "timestamp",
	                                       "value",       "priority", "election"};
	for (size_t k = i > NEAR ? i - NEAR : 0; k < i; k++)
		if (IS(w, k, contests))
			return false; /* the longest match wins */
	size_t to = i + 1;
	bool through = IS(w, to, pass);
	if (IS(w, i, beside) && !lint_breaks(w, to) && lint_is_rival(w, to, to + NEAR))
		return true;
	if (IS(w, i, beside) && lint_measure_after(w, to, 4) < w->n && !lint_word(w, i, "matched"))
		return !lint_word(w, i, "lost");
	if (through && IS(w, i, ending))
		return lint_is_rival(w, to, to + NEAR);
	/* recomputing beats storing */
	if (lint_word(w, i, "beats") && lint_at(w, to)->kind == LINT_WORD &&
	    str_ends(str_sub(w->text, w->token[to].start, w->token[to].end), "ing"))
		return true;
	return IS(w, i, ending) && lint_phrase_ends(w, to) && lint_at(w, to)->kind != LINT_DIGITS &&
	       (lint_is_rival(w, i > NEAR ? i - NEAR : 0, i) || lint_word(w, i, "wins") ||
	        lint_word(w, i, "loses") || lint_word(w, i, "won"));
}

static bool is_infinitive(const struct lint_work *w, size_t i)
{
	static const char *const aux[] = {"to", "does", "do", "did", "will", "cannot"};
	return i > 0 && IS(w, i - 1, aux) && lint_word(w, i - 1, "to");
}

/* reduces latency; throughput suffers */
static bool change(const struct lint_work *w, size_t i)
{
	static const char *const object[] = {
	        "improves", "improve",  "improved", "reduces", "reduced",   "reduce",
	        "lowers",   "lowered",  "raises",   "raised",  "increases", "increased",
	        "increase", "cuts",     "boosts",   "boosted", "hurts",     "hurt",
	        "degrades", "degraded", "saves",    "saved",   "shortens",  "lengthens"};
	static const char *const subject[] = {
	        "improves",  "improve",   "improved", "drops",       "drop",      "dropped",
	        "falls",     "fell",      "rises",    "rose",        "suffers",   "suffered",
	        "collapses", "collapsed", "degrades", "climbs",      "increases", "decreases",
	        "worsens",   "plummets",  "sinks",    "deteriorates"};
	static const char *const nouns[] = {"rise", "drop", "increase", "cuts"};
	enum { FAR = 5 };
	if (is_infinitive(w, i) || (IS(w, i, nouns) && i > 0 && lint_word(w, i - 1, "the")))
		return false;
	static const char *const bare[] = {"lower", "raise", "shorten", "cut"};
	static const char *const the[] = {"the", "its", "our", "their"};
	/* "the saved cycles" is no statement */
	static const char *const before[] = {"a",  "the",  "no",  "those", "these",
	                                     "of", "with", "are", "is",    "all"};
	if (i == 0 || IS(w, i - 1, before))
		return false;
	if (IS(w, i, object)) {
		size_t noun_at = lint_measure_after(w, i + 1, FAR);
		if (noun_at < w->n)
			return !lint_word(w, noun_at, "clock"); /* a limiter does that */
	}
	if (IS(w, i, bare) && IS(w, i + 1, the) && i > 0 && lint_at(w, i - 1)->kind == LINT_WORD &&
	    !lint_is_be(w, i - 1))
		return lint_measure_after(w, i + 1, FAR) < w->n ||
		       (lint_word(w, i, "shorten") && lint_is_rival(w, i + 1, i + 4));
	size_t noun = i;
	while (noun > 0 && lint_is_adverb(w, noun - 1))
		noun--;
	return IS(w, i, subject) && noun > 0 && lint_is_measure(w, noun - 1) &&
	       !lint_is(w, i + 1, LINT_REACHES);
}

/* slows the loop down */
static bool drive(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"slows", "slowed", "accelerates", "accelerated"};
	static const char *const before[] = {"a", "the", "is", "was", "are"};
	return IS(w, i, words) && !is_infinitive(w, i) && i > 0 && !IS(w, i - 1, before);
}

/* An entry of several words that compares by itself: on par with, falls behind. */
static bool fixed(const struct lint_work *w, size_t i)
{
	static const char *const places[] = {"falls behind",  "fall behind",  "fell behind",
	                                     "gets close to", "get close to", "comes near",
	                                     "come near"};
	static const char *const verbs[] = {"speed up",    "slow down", "slows down",
	                                    "slowed down", "speed-up",  "slow-down"};
	const struct lint_token *t = &w->token[i];
	if (IS(w, i, verbs))
		return false; /* lint_verdict_en() knows them */
	for (size_t k = t->start; k < t->end; k++)
		if (w->text.p[k] == ' ' || w->text.p[k] == '-')
			return !is_infinitive(w, i) &&
			       (!IS(w, i, places) || lint_is_name(w, i + 1) ||
			        lint_word(w, i + 1, "it") || lint_phrase_ends(w, i + 1) ||
			        lint_is_rival(w, i + 1, i + 4));
	return false;
}

/* our lead over Triton, no difference in time, the kernel is slow, performance is poor */
static bool distance(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {"lead", "advantage", "margin", "gap"};
	static const char *const rank[] = {"superior", "inferior", "tied", "alike"};
	static const char *const verbs[] = {
	        "ranks",   "ties",    "compete", "helps",     "hurts", "hurt", "benefits",
	        "profits", "suffers", "crawls",  "collapses", "help",  "pays", "dominates"};
	static const char *const win[] = {"speedup",    "speedups",    "gain",    "win",
	                                  "regression", "improvement", "slowdown"};
	static const char *const bring[] = {"gives", "brings", "bring", "yields", "is",
	                                    "see",   "sees",   "give",  "gets",   "get"};
	static const char *const kind[] = {"a",     "an",  "clear",       "large", "big",
	                                   "small", "no",  "good",        "huge",  "modest",
	                                   "real",  "the", "considerable"};
	static const char *const side[] = {"above", "below"};
	static const char *const lies[] = {"is", "lies", "stays", "remains", "are", "well"};
	static const char *const to[] = {"over", "to", "on"};
	static const char *const poor[] = {"slow",      "fast",          "poor",
	                                   "excellent", "disappointing", "terrible"};
	enum { NEAR = 5 };
	if (IS(w, i, nouns) && IS(w, i + 1, to))
		return lint_is_rival(w, i + 2, i + NEAR);
	if (lint_word(w, i, "difference") && lint_word(w, i + 1, "in"))
		return lint_measure_after(w, i + 2, 2) < w->n;
	size_t verb = lint_before_adverbs(w, i), noun = i;
	if (IS(w, i, rank))
		return verb > 0 && is_rival_or_code(w, i, NEAR) &&
		       (lint_is_be(w, verb - 1) || lint_word(w, verb - 1, "perform"));
	if (IS(w, i, verbs))
		return i > 0 && (!lint_word(w, i, "compete") || lint_word(w, i - 1, "cannot")) &&
		       !is_infinitive(w, i) && is_rival_or_code(w, i, NEAR) &&
		       (lint_phrase_ends(w, i + 1) || lint_word(w, i + 1, "from") ||
		        lint_word(w, i + 1, "with"));
	while (noun > 0 && IS(w, noun - 1, kind))
		noun--;
	if (IS(w, i, win))
		return noun > 0 && noun < i && IS(w, noun - 1, bring) &&
		       lint_phrase_ends(w, i + 1) && !lint_word(w, i + 1, "in");
	/* its bandwidth is above that of the library; it stays below cuBLAS */
	if (IS(w, i, side))
		return verb > 0 && IS(w, verb - 1, lies) && lint_is_rival(w, i + 1, i + NEAR + 1);
	if (!IS(w, i, poor) || verb < 2 || !lint_is_be(w, verb - 1) || !lint_phrase_ends(w, i + 1))
		return false;
	return lint_is_measure(w, verb - 2) || lint_is_rival(w, verb - 2, verb - 1);
}

enum lint_comparing lint_compares_en(const struct lint_work *w, size_t i, size_t *from)
{
	enum { NEAR = 8 };
	bool than = lint_word(w, i + 1, "than") || lint_word(w, i + 1, "as");
	bool rival = lint_is_rival(w, i + 1, i + NEAR);
	if (lint_is(w, i, LINT_COMPARES) && fixed(w, i))
		return rival ? LINT_CONTEST : LINT_REMARK;
	if (speed(w, i, from))
		return than && rival ? LINT_CONTEST : LINT_REMARK;
	if (victory(w, i))
		return rival ? LINT_CONTEST : LINT_REMARK;
	bool remark = level(w, i, from) || superlative(w, i, from) || change(w, i) || drive(w, i) ||
	              distance(w, i) || lint_verdict_en(w, i, from);
	return remark ? LINT_REMARK : LINT_NO_COMPARISON;
}
