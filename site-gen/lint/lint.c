#include "lib/array.h"
#include "site-gen/base/placeholder.h"
#include "site-gen/lint/inner.h"

#include <string.h>

/* --- the dictionary -------------------------------------------------------- */

enum { SLOTS = 4096, LONGEST_ZH = 6 };

struct entry {
	const char *word; /* in lower case */
	size_t n;
	unsigned class;
	bool joins; /* a longer entry begins with this word */
};

/* A hash table, because most words are unknown and must be rejected fast; 0 is a free slot. */
struct lint {
	uint32_t hash[SLOTS];
	struct entry slot[SLOTS];
};

/* FNV-1a, of letters in lower case; never 0. */
static uint32_t hash(const char *p, size_t n)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)(p[i] | 0x20)) * 16777619u;
	return h | 1;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool same(const struct entry *e, const char *word, size_t n)
{
	if (e->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(word[i]) != e->word[i])
			return false;
	return true;
}

/* The slot of the word, or the free slot where it belongs. */
static size_t slot_of(const struct lint *l, const char *word, size_t n)
{
	uint32_t h = hash(word, n);
	size_t i = (h >> 4) % SLOTS;
	while (l->hash[i] && (l->hash[i] != h || !same(&l->slot[i], word, n)))
		i = (i + 1) % SLOTS;
	return i;
}

static void add(struct lint *l, const char *word, size_t n, unsigned class, bool joins)
{
	size_t i = slot_of(l, word, n);
	l->hash[i] = hash(word, n);
	l->slot[i].word = word;
	l->slot[i].n = n;
	l->slot[i].class |= class;
	l->slot[i].joins |= joins;
}

/* words -> { word ' ' } ; '_' in a word matches a space or a hyphen of the text */
static void add_group(struct lint *l, const struct lint_group *g)
{
	for (const char *p = g->words; *p;) {
		size_t n = strcspn(p, " "), first = strcspn(p, " _");
		if (n > 0)
			add(l, p, n, g->class, false);
		if (first < n)
			add(l, p, first, 0, true);
		p += n + (p[n] == ' ');
	}
}

struct lint *lint_new(struct arena *a)
{
	struct lint *l = ARENA_NEW(a, struct lint);
	size_t n;
	const struct lint_group *g = lint_english(&n);
	for (size_t i = 0; i < n; i++)
		add_group(l, &g[i]);
	g = lint_chinese(&n);
	for (size_t i = 0; i < n; i++)
		add_group(l, &g[i]);
	return l;
}

unsigned lint_class_of(const struct lint *l, const char *word, size_t n, bool *joins)
{
	size_t i = slot_of(l, word, n);
	*joins = l->hash[i] && l->slot[i].joins;
	return l->hash[i] ? l->slot[i].class : 0;
}

size_t lint_longest(const struct lint *l, struct str text, unsigned *class)
{
	size_t ends[LONGEST_ZH], n = 0;
	for (size_t i = 1; i <= text.n && n < LONGEST_ZH; i++)
		if (i == text.n || ((unsigned char)text.p[i] & 0xc0) != 0x80)
			ends[n++] = i;
	while (n-- > 0) {
		size_t i = slot_of(l, text.p, ends[n]);
		*class = l->slot[i].class;
		if (l->hash[i]) /* with or without a class */
			return ends[n];
	}
	return 0;
}

/* --- queries --------------------------------------------------------------- */

bool lint_word_n(const struct lint_work *w, size_t i, const char *word, size_t n)
{
	const struct lint_token *t = lint_at(w, i);
	if (t->kind != LINT_WORD || t->end - t->start != n)
		return false;
	for (size_t k = 0; word[k]; k++)
		if (lower(w->text.p[t->start + k]) != word[k])
			return false;
	return true;
}

bool lint_breaks(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = lint_at(w, i);
	return i >= w->n ||
	       (t->kind == LINT_SIGN && t->sign && t->sign < 0x80 && strchr(",;:()", (int)t->sign));
}

size_t lint_after(const struct lint_work *w, size_t i, size_t n, unsigned mask)
{
	for (; n > 0 && !lint_breaks(w, i); i++, n--)
		if (lint_is(w, i, mask))
			return i;
	return w->n;
}

size_t lint_before(const struct lint_work *w, size_t i, size_t n, unsigned mask)
{
	for (; n > 0 && i > 0 && !lint_breaks(w, i - 1); i--, n--)
		if (lint_is(w, i - 1, mask))
			return i - 1;
	return w->n;
}

bool lint_clause(const struct lint_work *w, size_t i, unsigned mask)
{
	enum { FAR = 14 };
	return lint_after(w, i, FAR, mask) < w->n || lint_before(w, i, FAR, mask) < w->n;
}

/* True if a phrase ends at token i without its noun: "doubled when the tile …". */
static bool ends_phrase(const struct lint_work *w, size_t i)
{
	static const char *const words[] = {"when",  "by",     "because", "if",   "while",
	                                    "after", "before", "since",   "with", "without",
	                                    "until", "from",   "on",      "so",   "but",
	                                    "under", "during", "once",    "again"};
	const struct lint_token *t = lint_at(w, i);
	if (t->kind == LINT_DIGITS || t->class & (LINT_NUMBER | LINT_REACHES | LINT_PER))
		return true;
	for (size_t k = 0; k < ARRAY_LEN(words); k++)
		if (lint_word_n(w, i, words[k], strlen(words[k])))
			return true;
	return lint_breaks(w, i);
}

unsigned lint_governed(const struct lint_work *w, size_t i)
{
	enum { FAR = 5 };
	const unsigned nouns = LINT_PERF | LINT_SIZE | LINT_FASTER | LINT_PEAK | LINT_RATIO;
	size_t far = i + FAR;
	for (size_t k = i; k < far && !ends_phrase(w, k); k++) {
		if (lint_sign(w, k, '"') && lint_word(w, k + 1, "s") && k + 1 < i + FAR)
			far += 2; /* of the copy's speed */
		/* "memory bandwidth", "tile size": the last of several nouns decides */
		size_t last = k;
		while (lint_is(w, last, nouns | LINT_RESOURCE) &&
		       lint_is(w, last + 1, nouns & ~LINT_FASTER))
			last++;
		unsigned class = lint_at(w, last)->class;
		if (class & (LINT_PERF | LINT_PEAK | LINT_RATIO))
			return LINT_PERF;
		if (class & LINT_FASTER)
			return LINT_FASTER;
		if (class & LINT_SIZE)
			return LINT_SIZE;
	}
	return 0;
}

size_t lint_add(struct lint_work *w, size_t from, size_t to, const char *what)
{
	size_t start = w->token[from].start;
	while (start < w->done && from + 1 < to)
		start = w->token[++from].start;
	if (start < w->done)
		return to;
	if (w->found < w->cap)
		w->out[w->found] = (struct lint_finding){start, w->token[to - 1].end, what};
	w->found++;
	w->done = w->token[to - 1].end;
	return to;
}

/* --- the walk through a text ----------------------------------------------- */

static void run_rules(struct lint_work *w)
{
	if (!w->digits && !(w->classes & LINT_STARTS))
		return;
	for (size_t i = 0; i < w->n;) {
		if (w->token[i].kind != LINT_DIGITS && !(w->token[i].class & LINT_STARTS)) {
			i++;
			continue;
		}
		size_t next = lint_number(w, i);
		if (!next)
			next = lint_phrase(w, i);
		if (!next && w->token[i].class & (LINT_FASTER | LINT_COMPARES))
			next = lint_compare(w, i);
		i = next > i ? next : i + 1;
	}
}

/* Prepares for more tokens. A sentence that has not ended keeps its last tokens. */
static void next_sentence(struct lint_work *w)
{
	size_t keep = w->ended || w->n < LINT_KEPT ? 0 : LINT_KEPT;
	memmove(w->token, w->token + w->n - keep, keep * sizeof *w->token);
	w->n = keep;
	w->ended = false;
	if (!keep)
		w->digits = false, w->classes = 0;
}

/* Initializes *w except its many tokens; only those that have been read are used. */
static void start(struct lint_work *w, const struct lint *l, struct str text)
{
	w->words = l;
	w->text = text;
	w->n = w->at = w->done = w->found = w->cap = 0;
	w->ended = w->digits = false;
	w->classes = 0;
	w->out = NULL;
}

static size_t find(const struct lint *l, struct str text, struct lint_finding *out, size_t cap)
{
	struct lint_work w;
	start(&w, l, text);
	w.out = out;
	w.cap = cap;
	while (w.at < text.n) {
		if (w.n == 0)
			lint_skip(&w);
		lint_read(&w);
		run_rules(&w);
		next_sentence(&w);
	}
	return w.found;
}

size_t lint_text(const struct lint *l, struct str text, struct lint_finding *out, size_t cap)
{
	struct lint_folded f;
	if (!lint_fold(text, &f))
		return find(l, text, out, cap);
	size_t n = find(l, (struct str){f.p, f.n}, out, cap);
	for (size_t i = 0; i < n && i < cap; i++) {
		size_t last = out[i].end; /* include the whole character that the finding ends in */
		while (last < f.n && f.from[last] == f.from[out[i].end - 1])
			last++;
		out[i].start = f.from[out[i].start];
		out[i].end = f.from[last];
	}
	lint_folded_free(&f);
	return n;
}

/* --- tables ---------------------------------------------------------------- */

/* A unit at the end of a head or of a part of it: median [µs], 每次调用 µs */
static bool ends_in_unit(const struct lint_work *w, size_t i)
{
	bool last = i + 1 == w->n || lint_sign(w, i + 1, ']') || lint_sign(w, i + 1, ')');
	return last && lint_is(w, i, LINT_TIME | LINT_CYCLE | LINT_POWER | LINT_RATE) &&
	       lint_right_case(w, i);
}

/* Does a word at token i name a measure: throughput, relative to, share of the roof, 功耗? */
static bool names_measure(const struct lint_work *w, size_t i)
{
	static const char *const nouns[] = {
	        "bandwidth", "throughput",  "latency",     "runtime", "power",     "energy",
	        "speed",     "duration",    "time",        "goodput", "frequency", "overhead",
	        "clock",     "utilization", "utilisation", "stalls",  "draw",      "stall"};
	static const char *const zh[] = {"带宽", "吞吐", "延迟", "功耗", "能耗", "耗时",
	                                 "用时", "速度", "时间", "性能", "算力", "频率",
	                                 "功率", "能量", "开销", "占峰", "峰值", "之比",
	                                 "相对", "加速", "倍数", "快多", "快几"};
	static const char *const after[] = {"in", "of",   "per", "over", "at",
	                                    "to", "with", "for", "draw", "share"};
	static const char *const part[] = {"share", "fraction", "part", "portion"};
	static const char *const alone[] = {"vs", "versus", "relative", "p50", "p95", "p99"};
	if (lint_begins(w, i, alone, ARRAY_LEN(alone)) || ends_in_unit(w, i))
		return true;
	bool last = i + 1 >= w->n || lint_breaks(w, i + 1) || lint_sign(w, i + 1, '[') ||
	            lint_begins(w, i + 1, after, ARRAY_LEN(after));
	if (last &&
	    (lint_begins(w, i, nouns, ARRAY_LEN(nouns)) || (w->n == 1 && lint_word(w, i, "ratio"))))
		return true;
	if (lint_at(w, i)->kind == LINT_CJK && lint_begins(w, i, zh, ARRAY_LEN(zh)) &&
	    !lint_is(w, i + 1, LINT_SIZE))
		return true;
	bool share = lint_begins(w, i, part, ARRAY_LEN(part));
	return (share && lint_after(w, i + 1, 3, LINT_PEAK) < w->n) ||
	       (lint_is(w, i, LINT_PER) && lint_is(w, i + 1, LINT_MOMENT)) ||
	       (lint_is(w, i, LINT_FASTER) && lint_word(w, i + 1, "than"));
}

/* dollars per hour, reading time: none of a program's */
static bool is_ours(const struct lint_work *w)
{
	static const char *const other[] = {"dollars", "dollar", "euros", "price", "reading", "usd",
	                                    "阅读",    "价格",   "价",    "课时",  "lecture"};
	for (size_t i = 0; i < w->n; i++)
		if (lint_begins(w, i, other, ARRAY_LEN(other)) || lint_sign(w, i, '$'))
			return true;
	return false;
}

/* Reads the head as if it followed a number; "speed-up" and the like need none. */
bool lint_head(const struct lint *l, struct str head)
{
	struct lint_work w;
	start(&w, l, head);
	lint_read(&w);
	for (size_t i = 0; i < w.n && !w.digits; i++) /* "occupancy 2" is a name */
		if (w.token[i].class & LINT_RATIO)
			return true;
	for (size_t i = 0; i < w.n && !w.digits; i++)
		if (names_measure(&w, i))
			return !is_ours(&w);
	struct sb b = {0};
	struct lint_finding found;
	bool measures = false;
	for (size_t i = 0; i < w.n && !measures; i++) {
		bool starts = i == 0 || lint_breaks(&w, i - 1) || w.token[i].kind == LINT_SIGN ||
		              lint_word(&w, i - 1, "in");
		bool typed = w.token[i].kind == LINT_DIGITS ||
		             (i > 0 && w.token[i - 1].kind == LINT_DIGITS);
		if (!starts || typed)
			continue;
		sb_clear(&b);
		sb_cstr(&b, "1.5 ");
		sb_str(&b, str_sub(head, w.token[i].start, head.n));
		measures = lint_text(l, sb_view(&b), &found, 1) > 0 && found.start == 0;
	}
	sb_free(&b);
	return measures && !is_ours(&w);
}

/* number -> [ sign ] digit { digit | '.' | ',' } */
bool lint_bare_number(struct str cell)
{
	cell = str_trim(cell);
	size_t i = cell.n > 0 && strchr("+-~", cell.p[0]), digits = 0;
	for (; i < cell.n; i++) {
		bool digit = cell.p[i] >= '0' && cell.p[i] <= '9';
		if (!digit && (digits == 0 || (cell.p[i] != '.' && cell.p[i] != ',')))
			return false;
		digits += digit;
	}
	return digits > 0;
}

struct str lint_without_placeholders(struct str s, struct arena *a)
{
	size_t start, end, from = 0;
	char *copy = str_dup(a, s);
	for (; placeholder_next(s, from, &start, &end) && end >= start + 8; from = end) {
		memset(copy + start, ' ', end - start);
		memcpy(copy + start, LINT_OPAQUE, strlen(LINT_OPAQUE));
	}
	return (struct str){copy, s.n};
}
