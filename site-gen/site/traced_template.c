/*
 * Checks the words of a template: its text, the values of attributes that readers
 * see or hear, and quoted strings in Lua. Comments, other markup and code are left
 * out. Other output of Lua expressions is checked at its source.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/site/traced.h"

enum { MAX_FOUND = 8 };

/* Attributes that readers see or hear. */
static const char *const spoken[] = {"title",       "alt",        "aria-label",      "content",
                                     "placeholder", "data-label", "aria-description"};

/* Tags inside a sentence; all other tags end it. */
static const char *const inlines[] = {"a",   "abbr", "b",    "em",   "i",    "small",
                                      "sub", "sup",  "span", "code", "time", "strong"};

struct reader {
	const struct lint *lint;
	struct str src;
	const char *path;
	struct arena *arena;
	struct problems *to;
	size_t i;
	struct sb text;
	size_t *from;  /* for each byte of the text, its position in src */
	size_t *other; /* the same for an attribute's value, while a tag is read */
};

static void put(struct reader *r, size_t at, struct str s)
{
	for (size_t k = 0; k < s.n; k++)
		r->from[r->text.n + k] = at + k;
	sb_str(&r->text, s);
}

/* Ends the current text: checks and clears it. */
static void flush(struct reader *r)
{
	struct lint_finding found[MAX_FOUND];
	size_t n = lint_text(r->lint, sb_view(&r->text), found, MAX_FOUND);
	struct traced_found *list = NULL;
	for (size_t i = 0; i < n && i < MAX_FOUND; i++)
		traced_add(&list, r->arena,
		           str_loc(r->src, r->path, r->src.p + r->from[found[i].start]),
		           str_sub(sb_view(&r->text), found[i].start, found[i].end), found[i].what,
		           traced_on_every_page);
	traced_say(list, r->to);
	sb_clear(&r->text);
}

static bool at(const struct reader *r, const char *s)
{
	return str_starts(str_sub(r->src, r->i, r->src.n), s);
}

/* Skips to after the next `end`, or to the end of the source. */
static void skip_to(struct reader *r, const char *end)
{
	const char *p = memmem(r->src.p + r->i, r->src.n - r->i, end, strlen(end));
	r->i = p ? (size_t)(p - r->src.p) + strlen(end) : r->src.n;
}

/* Checks each string of Lua between `from` and r->i as a text. */
static void check_strings(struct reader *r, size_t from)
{
	struct lint_finding found;
	for (size_t i = from; i < r->i; i++) {
		char quote = r->src.p[i];
		if (quote != '"' && quote != '\'')
			continue;
		size_t end = ++i;
		while (end < r->i && r->src.p[end] != quote)
			end += 1 + (r->src.p[end] == '\\');
		struct str s = str_sub(r->src, i, end < r->i ? end : r->i);
		struct traced_found *list = NULL;
		if (lint_text(r->lint, s, &found, 1)) {
			traced_add(&list, r->arena, str_loc(r->src, r->path, s.p + found.start),
			           str_sub(s, found.start, found.end), found.what,
			           traced_on_every_page);
			traced_say(list, r->to);
		}
		i = end;
	}
}

/* Skips Lua in braces; false if there is none. Its output counts as one word. */
static bool skip_lua(struct reader *r)
{
	size_t from = r->i;
	if (at(r, "{{")) {
		put(r, r->i, STR(LINT_OPAQUE));
		skip_to(r, "}}");
		check_strings(r, from);
		return true;
	}
	if (at(r, "{#")) {
		skip_to(r, "#}");
		return true;
	}
	return false;
}

static bool skip_code_line(struct reader *r)
{
	size_t k = r->i;
	while (k < r->src.n && (r->src.p[k] == ' ' || r->src.p[k] == '\t'))
		k++;
	bool starts = r->i == 0 || r->src.p[r->i - 1] == '\n';
	if (!starts || k == r->src.n || r->src.p[k] != '%')
		return false;
	skip_to(r, "\n");
	check_strings(r, k);
	return true;
}

static bool listed(struct str name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(name, list[i]))
			return true;
	return false;
}

static struct str read_name(struct reader *r)
{
	size_t start = r->i;
	while (r->i < r->src.n && !strchr(" \t\n=>/\"'{", r->src.p[r->i]))
		r->i++;
	return str_sub(r->src, start, r->i);
}

/* value -> quote { text | lua } quote. A text of its own if `seen`. */
static void read_value(struct reader *r, bool seen)
{
	char quote = r->src.p[r->i++];
	while (r->i < r->src.n && r->src.p[r->i] != quote) {
		if (skip_lua(r))
			continue;
		put(r, r->i, str_sub(r->src, r->i, r->i + 1));
		r->i++;
	}
	r->i += r->i < r->src.n;
	if (!seen)
		sb_clear(&r->text);
	flush(r);
}

/* Reads a tag. The text before it continues after it, unless the tag ends a sentence. */
static void read_tag(struct reader *r)
{
	struct sb before = r->text;
	size_t *from = r->from;
	r->text = (struct sb){0};
	r->from = r->other;
	r->i++;
	bool closing = at(r, "/");
	r->i += closing;
	struct str name = read_name(r);
	while (r->i < r->src.n && r->src.p[r->i] != '>') {
		size_t start = r->i;
		if (skip_lua(r))
			continue;
		struct str attribute = read_name(r);
		if (at(r, "=\"") || at(r, "='")) {
			r->i++;
			sb_clear(&r->text);
			read_value(r, listed(attribute, spoken, ARRAY_LEN(spoken)));
		}
		r->i += r->i == start;
	}
	r->i += r->i < r->src.n;
	sb_free(&r->text);
	r->text = before;
	r->from = from;
	bool code = str_is(name, "script") || str_is(name, "style") || str_is(name, "code");
	if (!listed(name, inlines, ARRAY_LEN(inlines)))
		flush(r);
	if (code && !closing)
		skip_to(r, arena_printf(r->arena, "</" STR_FMT, STR_ARG(name)));
	put(r, r->i - 1, code && !closing ? STR(LINT_OPAQUE) : STR(""));
}

void traced_template(const struct lint *l, struct str src, const char *path, struct problems *to)
{
	struct arena own = {0};
	struct reader r = {.lint = l, .src = src, .path = path, .arena = &own, .to = to};
	r.from = ARENA_ARRAY(&own, size_t, 4 * src.n + 4);
	r.other = ARENA_ARRAY(&own, size_t, 4 * src.n + 4);
	while (r.i < src.n) {
		if (skip_code_line(&r) || skip_lua(&r))
			continue;
		bool tag = src.p[r.i] == '<' && r.i + 1 < src.n &&
		           (src.p[r.i + 1] == '/' || src.p[r.i + 1] == '!' ||
		            (src.p[r.i + 1] >= 'a' && src.p[r.i + 1] <= 'z'));
		if (tag) {
			read_tag(&r);
			continue;
		}
		put(&r, r.i, str_sub(src, r.i, r.i + 1));
		r.i++;
	}
	flush(&r);
	sb_free(&r.text);
	arena_free(&own);
}
