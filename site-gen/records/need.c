#include "site-gen/records/need.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/records/data.h"

#define OPEN "<<bench:"

enum { MOST_BYTES = 1 << 20 };

/*
 * The placeholders that look at nothing beside what they name, and at ceilings. Any other, and each
 * shortcode, may look at everything.
 */
static const char *const narrow[] = {
        "across",     "cited",      "claim",     "code-lines", "counter", "counters", "derived",
        "diagram",    "diff",       "goal",      "ladder",     "percent", "plot",     "predicted",
        "ratio",      "prediction", "reproduce", "roofline",   "sass",    "source",   "spec",
        "sass-count", "staircase",  "table",     "value",      "waive",
};

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_';
}

static bool is_pattern(char c)
{
	return is_name(c) || strchr("*?{},.", c);
}

/* The placeholder at the start of `s`, with its marks. */
static struct str whole(struct str s)
{
	const char *close = memmem(s.p, s.n, ">>", 2);
	return close ? (struct str){s.p, (size_t)(close + 2 - s.p)} : s;
}

/* The kind of the placeholder at the start of `s`. */
static struct str kind_at(struct str s)
{
	size_t from = strlen(OPEN), n = from;
	while (n < s.n && is_name(s.p[n]))
		n++;
	return str_sub(s, from, n);
}

static bool is_narrow(struct str kind)
{
	for (size_t i = 0; i < ARRAY_LEN(narrow); i++)
		if (str_is(kind, narrow[i]))
			return true;
	return false;
}

/* A copy of measured code has the path of its file beside its fence. */
static bool has_copy(struct str text)
{
	struct str line;
	for (bool more = text.n > 0; more;) {
		more = str_cut(text, '\n', &line, &text);
		line = str_trim(line);
		if ((str_starts(line, "```") || str_starts(line, "~~~")) &&
		    str_find(line, '/', 0) < line.n)
			return true;
	}
	return false;
}

/* Appends the prediction that the placeholder at the start of `s` shows, with its text. */
static bool add_prediction(struct need *n, struct str s, struct str kind, const char *root,
                           struct arena *a, struct sb *texts)
{
	struct err ignored = ERR_NONE;
	struct str id, file, rest = str_sub(s, strlen(OPEN) + kind.n, s.n);
	if (!str_is(kind, "prediction") && !str_is(kind, "predicted"))
		return true;
	size_t from = 0, to;
	while (from < rest.n && rest.p[from] == ' ')
		from++;
	for (to = from; to < rest.n && is_name(rest.p[to]);)
		to++;
	id = str_sub(rest, from, to);
	if (need_prediction(n, id))
		return true;
	n->prediction =
	        arena_grow(a, n->prediction, n->npredictions, &n->cap, sizeof *n->prediction);
	n->prediction[n->npredictions++] = str_dup(a, id);
	if (!file_read(arena_printf(a, "%s/data/predictions/" STR_FMT ".md", root, STR_ARG(id)),
	               MOST_BYTES, a, &file, &ignored))
		return false;
	sb_str(texts, file);
	return true;
}

struct need need_of(struct str text, const char *root, struct arena *a)
{
	struct need n = {.all = has_copy(text)};
	struct sb all = {0};
	const char *end = text.p + text.n;
	for (const char *at = text.p;
	     !n.all && at && (at = memmem(at, (size_t)(end - at), OPEN, strlen(OPEN))); at++) {
		struct str one = whole((struct str){at, (size_t)(end - at)}), kind = kind_at(one);
		sb_str(&all, one);
		n.all = !is_narrow(kind) || !add_prediction(&n, one, kind, root, a, &all);
	}
	n.text = str_keep(a, sb_view(&all));
	sb_free(&all);
	return n;
}

bool need_prediction(const struct need *n, struct str id)
{
	for (size_t i = 0; i < n->npredictions; i++)
		if (str_is(id, n->prediction[i]))
			return true;
	return n->all;
}

/* Multiplies a lone star here, between two spaces? As a selector it is the first word. */
static bool multiplies(struct str inside, size_t i, struct str word)
{
	bool first = str_trim(str_sub(inside, 0, i)).n == 0;
	return str_is(word, "*") && !first && strchr(" \n", inside.p[i - 1]);
}

/* May a pattern in a placeholder, `inside` without its marks, match? One after '/' is a variant. */
static bool any_matches(struct str inside, const char *family)
{
	for (size_t i = 0, k; i < inside.n; i = k + 1) {
		for (k = i; k < inside.n && is_pattern(inside.p[k]);)
			k++;
		struct str word = str_sub(inside, i, k);
		bool glob = word.n && (memchr(word.p, '*', word.n) || memchr(word.p, '?', word.n) ||
		                       memchr(word.p, '{', word.n));
		bool variant = i > 0 && inside.p[i - 1] == '/';
		if (glob && !variant && !multiplies(inside, i, word) &&
		    str_glob(word, str_of(family)))
			return true;
	}
	return false;
}

static bool any_pattern(struct str text, const char *family)
{
	const char *end = text.p + text.n;
	for (const char *at = text.p;
	     at && (at = memmem(at, (size_t)(end - at), OPEN, strlen(OPEN))); at++) {
		struct str one = whole((struct str){at, (size_t)(end - at)}), kind = kind_at(one);
		if (any_matches(str_sub(one, strlen(OPEN) + kind.n, one.n), family))
			return true;
	}
	return false;
}

/* Is it a word of the text? A selector goes on with '/', ':' or a space. */
static bool is_word(struct str text, const char *word)
{
	size_t n = strlen(word);
	const char *end = text.p + text.n;
	for (const char *at = text.p; at && (at = memmem(at, (size_t)(end - at), word, n)); at++)
		if ((at == text.p || !is_name(at[-1])) && (at + n == end || !is_name(at[n])))
			return true;
	return false;
}

bool need_family(const struct need *n, const char *family)
{
	return n->all || data_is_instrument(family) || is_word(n->text, family) ||
	       any_pattern(n->text, family);
}

bool need_memo_family(struct need_memo *m, const char *family)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->family[i], family) == 0)
			return m->needed[i];
	bool needed = need_family(m->need, family);
	if (m->n < ARRAY_LEN(m->family)) {
		m->family[m->n] = family;
		m->needed[m->n++] = needed;
	}
	return needed;
}

bool need_whole(const char *root, const char *run)
{
	struct arena a = {0};
	bool is = file_exists(arena_printf(&a, "%s/data/withdrawn/%s.md", root, run));
	arena_free(&a);
	return is;
}
