/*
 * English verdicts without a number, as posts give them. A word of the class LINT_COMPARES or
 * LINT_FASTER starts each:
 *
 *   a verb of victory in an image needs a rival        crushes the old engine, wins over plain
 * loads a degree makes a predicate a verdict               is painfully slow, is so fast a lead or
 * a gap moves                              the gap vanishes, its lead grows a verb of work takes a
 * comparative                 starts faster, scales better something leads to a comparative of a
 * measure      lead to worse latency, gives faster builds a measure takes a comparative before
 * "than"        keeps latency lower than before a verb of change has a measure as its object hurts
 * throughput, did not help
 *
 * To add a word, put it into a list here and into the class LINT_COMPARES of words.c. To add a
 * form, write a function that examines token i, and name it in lint_verdict_en().
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

static bool is_to(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"to", "would", "could", "might", "may"};
	return i > 0 && IS(w, i - 1, words);
}

/* crushes static batching, smokes the library, wins over plain loads */
static bool conquers(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {
	        "crushes",     "crushed",     "smokes",      "smoked",      "trounces",
	        "trounced",    "thrashes",    "thrashed",    "demolishes",  "demolished",
	        "obliterates", "annihilates", "obliterated", "annihilated", "edges",
	        "edged",       "bests",       "bested",      "humbles",     "embarrasses",
	        "tops",        "beats",       "beat",        "dwarfs",      "dwarfed",
	        "outdoes",     "outstrips",   "outclassed"};
	static const char *const win[] = {"wins", "won", "win"};
	enum { FAR = 9 };
	size_t from = i > FAR ? i - FAR : 0;
	static const char *const lose[] = {"loses", "lost", "lose", "losing"};
	if (IS(w, i, win) && lint_is_adverb(w, i + 1) && lint_phrase_ends(w, i + 2))
		return lint_is_rival(w, from, i); /* our kernel wins comfortably */
	bool over = (IS(w, i, win) && lint_word(w, i + 1, "over")) ||
	            (IS(w, i, lose) && lint_word(w, i + 1, "to") && lint_is_name(w, i + 2));
	if (is_to(w, i) || (!over && (!IS(w, i, verbs) || lint_phrase_ends(w, i + 1))))
		return false;
	bool named = lint_is_rival(w, from, i + FAR);
	static const char *const ones[] = {"ones", "one", "others", "theirs", "ours"};
	for (size_t k = i + 1; k < i + 5; k++)
		named = named || IS(w, k, ones);
	named = named || lint_measure_after(w, i + 3, 3) < w->n ||
	        (over && lint_after(w, i + 2, 4, LINT_SIZE | LINT_RESOURCE) < w->n);
	for (size_t k = from; k < i + FAR && k < w->n && !named; k++)
		named = k != i && (lint_is_name(w, k) || lint_is_technique(w, k));
	return named;
}

/* reads are cheap, startup is slow: does what a program does stand before the verb at i - 1? */
static bool works_slowly(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {
	        "reads",   "writes",  "calls",  "branches", "startup", "starts",      "updates",
	        "deletes", "mode",    "builds", "inserts",  "lookups", "allocations", "locks",
	        "scans",   "queries", "loads",  "stores",   "copies"};
	enum { FAR = 6 };
	return i > 1 && (IS(w, i - 2, nouns) || lint_is_rival(w, i > FAR ? i - FAR : 0, i - 1));
}

/* is painfully slow, is so fast, feels snappier */
static bool is_degree(const struct lint_work *w, size_t i, size_t *from)
{
	static const char *const words[] = {
	        "slow",      "fast",          "quick",       "sluggish", "snappy",
	        "efficient", "inefficient",   "expensive",   "costly",   "poor",
	        "instant",   "instantaneous", "competitive", "cheap"};
	static const char *const always[] = {"sluggish", "snappy", "laggy"};
	static const char *const be[] = {"is", "are", "was", "were", "feels", "feel", "becomes"};
	static const char *const weak[] = {"the", "a",    "not",   "by",   "all",
	                                   "no",  "also", "still", "only", "then",
	                                   "now", "any",  "just",  "so",   "but"};
	size_t verb = i;
	bool degree = false;
	for (; verb > 0 && lint_is_adverb(w, verb - 1); verb--)
		degree = degree || !IS(w, verb - 1, weak);
	degree = degree || IS(w, i, always) || works_slowly(w, verb);
	if (!(IS(w, i, words) || IS(w, i, always)) || !degree || verb < 2 || !IS(w, verb - 1, be) ||
	    !lint_phrase_ends(w, i + 1))
		return false;
	*from = lint_before_adverbs(w, i);
	return lint_before(w, verb, 6, LINT_OTHER) == w->n;
}

/* is nearly free; makes reads cheap */
static bool renders(const struct lint_work *w, size_t i)
{
	static const char *const nearly[] = {"nearly",      "almost",    "practically",
	                                     "essentially", "basically", "virtually"};
	static const char *const be[] = {"is", "are", "was", "were", "comes", "come"};
	static const char *const makes[] = {"makes", "made", "make", "keeps", "kept"};
	static const char *const words[] = {"cheap", "fast",      "slow",
	                                    "quick", "expensive", "instant"};
	enum { NEAR = 5 };
	if (lint_word(w, i, "free"))
		return i > 1 && IS(w, i - 1, nearly) && IS(w, i - 2, be) &&
		       lint_phrase_ends(w, i + 1);
	if (!IS(w, i, words) || !lint_phrase_ends(w, i + 1))
		return false;
	for (size_t k = i; k > 1 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (IS(w, k - 1, makes))
			return k < i && !is_to(w, k - 1) && works_slowly(w, i + 1);
	return false;
}

/* its lead shrinks, the gap vanishes, the difference between the two disappears */
static bool moves(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {"lead", "advantage", "gap", "margin", "difference"};
	static const char *const the[] = {"the", "its", "our", "their", "this", "any"};
	static const char *const verbs[] = {
	        "shrinks",    "shrank",      "grows",      "grew",     "vanishes", "vanished",
	        "widens",     "widened",     "narrows",    "narrowed", "closes",   "closed",
	        "disappears", "disappeared", "evaporates", "melts",    "persists", "remains"};
	enum { FAR = 8 };
	if (!IS(w, i, nouns) || i == 0 || !(IS(w, i - 1, the) || lint_is_measure(w, i - 1)))
		return false;
	for (size_t k = i + 1; k < i + FAR && !lint_breaks(w, k); k++) {
		if (IS(w, k, verbs))
			return true;
		if (lint_is(w, k, LINT_SIZE | LINT_OTHER) && !lint_is_rival(w, k, k + 1))
			return false;
	}
	return false;
}

/* Does token i look like a verb of the third person: connects, resolves? */
static bool is_verb(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = lint_at(w, i);
	return i > 0 && t->kind == LINT_WORD && !t->class && t->end - t->start > 4 &&
	       str_ends(str_sub(w->text, t->start, t->end), "s") && !lint_is_name(w, i) &&
	       !lint_is_rival(w, i, i + 1);
}

/* starts faster, scales better, decodes more quickly */
static bool works(const struct lint_work *w, size_t i)
{
	static const char *const how[] = {"faster", "slower", "quicker", "sooner"};
	static const char *const well[] = {"better", "worse"};
	static const char *const verbs[] = {
	        "start",    "starts",  "started",   "boot",      "boots",    "compile",
	        "compiles", "load",    "loads",     "loaded",    "read",     "reads",
	        "write",    "writes",  "respond",   "responds",  "decode",   "decodes",
	        "build",    "builds",  "execute",   "executes",  "parse",    "parses",
	        "answer",   "scans",   "sorts",     "train",     "trains",   "generates",
	        "serves",   "launch",  "launches",  "answers",   "returns",  "renders",
	        "copies",   "process", "processes", "finish",    "loop",     "moves",
	        "computes", "works",   "converges", "completes", "complete", "goes",
	        "go"};
	static const char *const fares[] = {"scales",  "scale",   "scaled", "performs", "perform",
	                                    "handles", "handled", "handle", "copes",    "behaves",
	                                    "fares",   "holds",   "held"};
	enum { NEAR = 5 };
	static const char *const at_once[] = {"immediately", "instantly"};
	size_t verb = lint_before_adverbs(w, i);
	if (IS(w, i, at_once))
		return verb > 0 && IS(w, verb - 1, verbs) && lint_sign(w, i + 1, '.');
	if (verb == 0 || !lint_compares_here(w, i + 1))
		return false;
	bool more = lint_word(w, i - 1, "more") || lint_word(w, i - 1, "less");
	verb = more ? lint_before_adverbs(w, i - 1) : verb;
	for (size_t k = verb; (more || IS(w, i, how)) && k > 0 && verb - k < 3; k--)
		if ((IS(w, k - 1, verbs) || (k == verb && !more && is_verb(w, k - 1))) &&
		    (!more || lint_word(w, i, "quickly") || lint_word(w, i, "slowly")))
			return !is_to(w, k - 1);
	if (lint_word(w, i, "well") && lint_word(w, i - 1, "as")) /* performs about as well */
		return IS(w, i - 2 - (i > 2 && lint_is(w, i - 2, LINT_ABOUT)), fares);
	for (size_t k = verb; IS(w, i, well) && k > 0 && verb - k < NEAR && !lint_breaks(w, k - 1);
	     k--)
		if (IS(w, k - 1, fares))
			return !is_to(w, k - 1);
	return false;
}

/* Is a verb of effect at the tokens before i: leads to, results in, means, gives? */
static bool has_effect(const struct lint_work *w, size_t i)
{
	static const char *const to[] = {"lead", "leads", "led"}, *const in[] = {"result",
	                                                                         "results",
	                                                                         "resulted"};
	static const char *const mean[] = {"means",    "mean", "meant",  "enables",   "promises",
	                                   "provides", "buys", "bought", "delivered", "provide"};
	if (i > 1 && lint_word(w, i - 1, "to"))
		return IS(w, i - 2, to);
	if (i > 1 && lint_word(w, i - 1, "in"))
		return IS(w, i - 2, in);
	return i > 0 && IS(w, i - 1, mean) && !is_to(w, i - 1);
}

/* lead to worse throughput, gives faster builds, has better tail latency */
static bool yields(const struct lint_work *w, size_t i, size_t *from)
{
	static const char *const level[] = {"worse",   "better", "lower",  "higher",
	                                    "shorter", "longer", "poorer", "superior",
	                                    "fewer",   "less",   "more"};
	static const char *const fast[] = {"faster", "slower", "quicker", "snappier"};
	static const char *const made[] = {"code", "plans", "plan", "assembly", "builds"};
	enum { NEAR = 4 };
	size_t verb = lint_before_adverbs(w, i);
	bool has = verb > 0 && lint_is_have(w, verb - 1) && !is_to(w, verb - 1);
	if (!has_effect(w, verb) && !has)
		return false;
	bool of_two = lint_word(w, verb - 1, "to") || lint_word(w, verb - 1, "in"); /* leads to */
	*from = verb - 1 - of_two;
	static const char *const nobody[] = {"has", "have", "had"};
	if (IS(w, i, fast) && lint_word(w, i - 1, "a") && IS(w, verb - 1, nobody))
		return lint_is_rival(w, i + 1, i + 3); /* nobody has a faster car */
	if (IS(w, i, fast))
		return lint_at(w, i + 1)->kind == LINT_WORD && !lint_phrase_ends(w, i + 1) &&
		       (IS(w, i + 1, made) || !lint_is(w, i + 1, LINT_OTHER)) &&
		       !lint_word(w, i + 1, "than");
	static const char *const equal[] = {"similar", "comparable", "equal", "identical"};
	if (has && IS(w, i, equal))
		return lint_measure_after(w, i + 1, 2) < w->n;
	bool judged = lint_word(w, i, "better") || lint_word(w, i, "worse");
	if (has && judged && IS(w, i + 1, made))
		return lint_phrase_ends(w, i + 2) || lint_word(w, i + 2, "than");
	return has_effect(w, verb) && IS(w, i, level) && lint_measure_after(w, i + 1, NEAR) < w->n;
}

/* keeps latency lower than before */
static bool keeps(const struct lint_work *w, size_t i)
{
	static const char *const level[] = {"worse",  "better",  "lower",
	                                    "higher", "shorter", "longer"};
	size_t noun = lint_before_adverbs(w, i);
	return IS(w, i, level) && noun > 0 && lint_is_measure(w, noun - 1) &&
	       lint_word(w, i + 1, "than") && !lint_than_nothing(w, i + 2);
}

/* hurts throughput; double buffering did not help at all */
static bool affects(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {
	        "help",  "helps",  "helped",  "hurt",    "hurts",    "tanks",    "kills", "killed",
	        "ruins", "wrecks", "trims",   "slashes", "slashed",  "cripples", "saves", "saved",
	        "adds",  "added",  "reduces", "reduced", "improves", "improved", "tanked"};
	static const char *const noun[] = {"the", "a", "of", "no", "with", "those", "is", "are"};
	static const char *const aid[] = {"help", "helps", "helped", "hurt", "hurts"};
	enum { FAR = 6, NEAR = 4 };
	if (!IS(w, i, verbs) || is_to(w, i))
		return false;
	if (lint_measure_after(w, i + 1, NEAR) < w->n ||
	    (lint_word(w, i + 2, "and") && lint_measure_after(w, i + 3, 2) < w->n) ||
	    (lint_word(w, i + 1, "a") && lint_word(w, i + 3, "of") && lint_is_measure(w, i + 4)))
		return i > 0 && !IS(w, i - 1, noun) && !lint_phrase_ends(w, i - 1);
	bool ends = lint_phrase_ends(w, i + 1) || lint_word(w, i + 1, "a") ||
	            lint_word(w, i + 1, "much");
	bool lot = lint_word(w, i + 1, "a") && lint_word(w, i + 2, "lot");
	for (size_t k = i; IS(w, i, aid) && ends && k > 0 && i - k < FAR && !lint_breaks(w, k - 1);
	     k--)
		if (lint_is_technique(w, k - 1) ||
		    (lot && lint_is(w, k - 1, LINT_SIZE | LINT_RESOURCE)))
			return true;
	return false;
}

/* the gain is negligible, in release mode the difference is huge */
static bool amounts(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {
	        "gain",     "gains",     "improvement", "improvements", "difference", "speedup",
	        "speedups", "win",       "slowdown",    "penalty",      "overhead",   "cost",
	        "gap",      "advantage", "impact",      "lead",         "benefit",    "latency"};
	static const char *const words[] = {
	        "negligible", "huge",         "dramatic", "noticeable", "substantial",
	        "marginal",   "massive",      "minimal",  "enormous",   "impressive",
	        "measurable", "tiny",         "small",    "large",      "significant",
	        "modest",     "considerable", "big",      "striking",   "considerable"};
	static const char *const be[] = {"is", "was", "are", "were", "remains"};
	enum { NEAR = 5 };
	if (!IS(w, i, nouns))
		return false;
	size_t verb = i + 1;
	while (verb < i + NEAR && !IS(w, verb, be) && !lint_breaks(w, verb) &&
	       lint_at(w, verb)->kind == LINT_WORD)
		verb++;
	size_t degree = verb + 1;
	while (lint_is_adverb(w, degree))
		degree++;
	return IS(w, verb, be) && IS(w, degree, words) && lint_phrase_ends(w, degree + 1) &&
	       lint_clause(w, i, LINT_OTHER) == false;
}

/* brought a nice speedup, saw no slowdown at all, made a big difference, is a pessimization */
static bool brings(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {"speedup", "speedups",      "gain",        "gains",
	                                    "win",     "regression",    "improvement", "slowdown",
	                                    "boost",   "pessimization", "slowdowns"};
	static const char *const verbs[] = {
	        "gives", "gave", "brings", "brought",  "yields",   "yielded",   "sees",
	        "saw",   "see",  "buys",   "bought",   "delivers", "delivered", "got",
	        "is",    "was",  "be",     "provides", "provided", "shows",     "showed"};
	static const char *const make[] = {"makes", "made", "make"};
	static const char *const after[] = {"at", "of", "in", "to"};
	enum { NEAR = 4 };
	bool difference = lint_word(w, i, "difference");
	if ((!difference && !IS(w, i, nouns)) ||
	    !(lint_phrase_ends(w, i + 1) || IS(w, i + 1, after)))
		return false;
	for (size_t k = i; k > 0 && i - k < NEAR && !lint_breaks(w, k - 1); k--)
		if (difference ? IS(w, k - 1, make) : IS(w, k - 1, verbs))
			return k < i && (!is_to(w, k - 1) || lint_word(w, k - 1, "be")) &&
			       !lint_word(w, i + 1, "in");
	return false;
}

/* trade latency for throughput; performance went through the roof */
static bool trades(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"trades", "trade", "traded", "sacrifices", "sacrifice"};
	static const char *const falls[] = {"tanked",    "tanks",     "plummeted",   "cratered",
	                                    "soars",     "soared",    "regressed",   "plateaus",
	                                    "plateaued", "stagnates", "spiked",      "spikes",
	                                    "improves",  "improved",  "disappeared", "vanished",
	                                    "explodes",  "exploded",  "degraded",    "suffered"};
	if (IS(w, i, verbs))
		return !is_to(w, i) && lint_measure_after(w, i + 1, 3) < w->n;
	static const char *const most[] = {"most", "least", "badly", "more"};
	static const char *const feel[] = {"suffer",   "suffers", "benefit",
	                                   "benefits", "profit",  "profits"};
	if (IS(w, i, most) && i > 0 && IS(w, i - 1, feel))
		return lint_phrase_ends(w, i + 1) || lint_word(w, i + 1, "than");
	size_t noun = lint_before_adverbs(w, i);
	if (noun > 0 && (lint_word(w, noun - 1, "has") || lint_word(w, noun - 1, "have")))
		noun = lint_before_adverbs(w, noun - 1);
	return IS(w, i, falls) && noun > 0 && lint_is_measure(w, noun - 1);
}

/* caches speed up long contexts, templates slow down the compiler */
static bool speeds(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"speed up", "slow down", "slows down", "slowed down"};
	static const char *const before[] = {
	        "a",   "the",     "to",   "this", "that",  "can", "no",  "could",  "would", "of",
	        "and", "overall", "will", "or",   "might", "may", "its", "should", "not",   "any"};
	return IS(w, i, verbs) && i > 0 && !IS(w, i - 1, before) && !lint_phrase_ends(w, i + 1) &&
	       lint_at(w, i - 1)->kind == LINT_WORD && lint_at(w, i + 1)->kind == LINT_WORD &&
	       !lint_word(w, i + 1, "of");
}

bool lint_verdict_en(const struct lint_work *w, size_t i, size_t *from)
{
	*from = i;
	return conquers(w, i) || is_degree(w, i, from) || moves(w, i) || works(w, i) ||
	       yields(w, i, from) || keeps(w, i) || affects(w, i) || amounts(w, i) ||
	       brings(w, i) || trades(w, i) || renders(w, i) || speeds(w, i);
}
