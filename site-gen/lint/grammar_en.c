/*
 * Parts of speech that the English comparisons share (compare_en.c, verdict_en.c): measures of
 * performance, adverbs, verbs of having and being, and where a phrase ends. To add a word, put it
 * into its list here.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

/* Measures of performance; narrower than LINT_PERF, which has names of libraries, too. */
static const char *const measures[] = {
        "bandwidth",   "bandwidths",   "throughput",  "throughputs",
        "speed",       "performance",  "time",        "times",
        "runtime",     "latency",      "latencies",   "duration",
        "efficiency",  "energy",       "power",       "utilisation",
        "utilization", "overhead",     "frequency",   "clock",
        "goodput",     "joules",       "cycles",      "ipc",
        "qps",         "tps",          "iops",        "mfu",
        "ttft",        "startup",      "scalability", "responsiveness",
        "slowdown",    "slowdowns",    "cpu",         "traffic",
        "p50",         "p90",          "p95",         "p99",
        "p999",        "utilisations", "spikes",      "wait",
        "waits",
};

static const char *const adverbs[] = {
        "much",         "far",          "even",     "still",      "slightly",
        "considerably", "clearly",      "somewhat", "noticeably", "significantly",
        "lot",          "bit",          "little",   "a",          "no",
        "not",          "always",       "also",     "times",      "substantially",
        "marginally",   "the",          "any",      "by",         "measurably",
        "therefore",    "then",         "thus",     "now",        "never",
        "again",        "consistently", "only",     "just",       "nearly",
        "almost",       "way",          "quite",    "very",       "really",
        "rather",       "pretty",       "so",       "too",        "lots",
        "neither",      "nor",          "either",   "extremely",
};

static const char *const no_adverbs[] = {"early",   "assembly", "reply",    "supply",
                                         "apply",   "family",   "multiply", "rely",
                                         "anomaly", "fly",      "july"};

static const char *const have[] = {
        "has",       "have",     "had",      "uses",     "used",     "use",       "takes",
        "take",      "took",     "needs",    "need",     "needed",   "delivers",  "achieves",
        "draws",     "drew",     "gives",    "gave",     "reaches",  "reached",   "spends",
        "wastes",    "waste",    "issues",   "issue",    "spend",    "gets",      "get",
        "got",       "draw",     "shows",    "costs",    "achieved", "delivered", "offers",
        "yields",    "brings",   "sees",     "saw",      "cost",     "picks",     "pick",
        "generates", "generate", "produces", "produce",  "emits",    "burns",     "burn",
        "eats",      "consumes", "consume",  "sustains", "sustain",  "chooses",   "finds",
        "deliver",   "reach",    "achieve",  "found"};

bool lint_is_measure(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = lint_at(w, i);
	struct str s = str_sub(w->text, t->start, t->end);
	bool timed = t->class & LINT_PERF && (str_ends(s, " time") || str_ends(s, " times"));
	return timed || IS(w, i, measures); /* compile times */
}

bool lint_is_have(const struct lint_work *w, size_t i)
{
	return IS(w, i, have);
}

/* much, by far, and whatever ends in -ly: painfully, noticeably */
bool lint_is_adverb(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = lint_at(w, i);
	bool ly = t->kind == LINT_WORD && t->end - t->start > 4 && !IS(w, i, no_adverbs) &&
	          str_ends(str_sub(w->text, t->start, t->end), "ly");
	return ly || IS(w, i, adverbs);
}

bool lint_is_be(const struct lint_work *w, size_t i)
{
	static const char *const be[] = {
	        "is",     "are",      "was",   "were",     "gets",  "got",   "becomes", "became",
	        "runs",   "ran",      "run",   "finishes", "works", "ends",  "remains", "stays",
	        "stayed", "finished", "comes", "came",     "goes",  "get",   "become",  "proves",
	        "proved", "remained", "feels", "felt",     "feel",  "seemed"};
	return i < w->n && IS(w, i, be);
}

/* The first measure of n tokens from i on; w->n if another phrase begins before. */
size_t lint_measure_after(const struct lint_work *w, size_t i, size_t n)
{
	static const char *const stops[] = {"of",  "in", "at",   "on",   "to",  "with",
	                                    "for", "by", "from", "than", "and", "as"};
	for (; n > 0 && !lint_breaks(w, i) && !IS(w, i, stops); i++, n--)
		if (lint_is_measure(w, i))
			return i;
	return w->n;
}

/* The first token of the adverbs before token i. */
size_t lint_before_adverbs(const struct lint_work *w, size_t i)
{
	while (i > 0 && lint_is_adverb(w, i - 1))
		i--;
	return i;
}

/* Does the phrase end at token i: with a stop, or with a word that begins another? */
bool lint_phrase_ends(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "by",    "at",      "with",     "on",      "in",         "for",      "here",
	        "there", "again",   "clearly",  "easily",  "always",     "still",    "because",
	        "since", "as",      "while",    "once",    "only",       "and",      "but",
	        "too",   "against", "over",     "then",    "when",       "after",    "if",
	        "until", "so",      "from",     "without", "everywhere", "whenever", "now",
	        "nor",   "today",   "although", "though",  "yet",        "where",    "under"};
	return lint_breaks(w, i) || lint_sign(w, i, '.') || lint_at(w, i)->kind == LINT_DIGITS ||
	       IS(w, i, words);
}

/* than what is no measurement: expected, needed, the hardware allows, to rent, I thought */
bool lint_than_nothing(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {
	        "expected",      "needed",       "necessary", "i",      "we",
	        "predicted",     "to",           "possible",  "usual",  "you",
	        "planned",       "feared",       "hoped",     "linear", "linearly",
	        "exponentially", "quadratically"};
	static const char *const after[] = {"allows", "permits", "can",    "could",
	                                    "needs",  "thought", "thinks", "delivers"};
	enum { FAR = 6 };
	if (IS(w, i, words))
		return true;
	for (size_t k = i + 1; k < i + FAR && !lint_breaks(w, k); k++)
		if (IS(w, k, after))
			return true;
	return false;
}

/* "than" and something that was measured, or the end of the phrase, at token i */
bool lint_compares_here(const struct lint_work *w, size_t i)
{
	return lint_word(w, i, "than") ? !lint_than_nothing(w, i + 1) : lint_phrase_ends(w, i);
}
