#include "lib/record_cut.h"

/* integers -> '[' [ integer { ',' integer } ] ']', without spaces, leading zeros or -0 */
static bool plain_integers(struct str s, size_t *at, int64_t *out, size_t *n)
{
	enum { MOST_DIGITS = 18 };
	size_t i = *at + 1;
	*n = 0;
	for (;;) {
		bool below = i < s.n && s.p[i] == '-';
		size_t from = i += below;
		int64_t v = 0;
		while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && i - from < MOST_DIGITS)
			v = 10 * v + (s.p[i++] - '0');
		if (i == from || i == s.n || (s.p[from] == '0' && (i - from > 1 || below)))
			return false;
		out[(*n)++] = below ? -v : v;
		if (s.p[i] == ']')
			break;
		if (s.p[i++] != ',')
			return false;
	}
	*at = i;
	return true;
}

struct scan {
	struct record_keys keys;
	struct arena *a;
	struct record_cuts *cuts;
	struct str line;
	size_t at, depth;
	struct span {
		size_t from, to;
	} gap[2]; /* parts to leave out, in the order of the line */
	size_t gaps;
};

/* Skips the string at s->at; *plain: it has no escape. False if it has no end. */
static bool skip_string(struct scan *s, struct str *text, bool *plain)
{
	size_t from = ++s->at;
	*plain = true;
	for (; s->at < s->line.n && s->line.p[s->at] != '"'; s->at++)
		if (s->line.p[s->at] == '\\') {
			*plain = false;
			s->at++;
		}
	if (s->at >= s->line.n)
		return false;
	*text = str_sub(s->line, from, s->at++);
	return true;
}

/* A string in the line's own object before a colon is a key. False: leave the line to jansson. */
static bool take_key(struct scan *s, struct str key, bool plain)
{
	struct record_cut *c = str_is(key, s->keys.samples)  ? &s->cuts->samples
	                       : str_is(key, s->keys.warmup) ? &s->cuts->warmup
	                                                     : NULL;
	if (s->depth != 1 || s->at >= s->line.n || s->line.p[s->at] != ':')
		return true;
	if (!plain)
		return false;
	size_t open = s->at + 1, close = open, count = 1;
	if (!c || open >= s->line.n || s->line.p[open] != '[')
		return true;
	if (c->done)
		return false;
	for (size_t i = open; i < s->line.n && s->line.p[i] != ']'; i++)
		count += s->line.p[i] == ',';
	c->v = ARENA_ARRAY(s->a, int64_t, count);
	if (!plain_integers(s->line, &close, c->v, &c->n))
		return true;
	c->done = true;
	s->gap[s->gaps++] = (struct span){open + 1, close};
	s->at = close + 1;
	return true;
}

/* Finds the arrays to cut. False if there are none, or the JSON parser must read the whole line. */
static bool find_gaps(struct scan *s)
{
	while (s->at < s->line.n) {
		char c = s->line.p[s->at];
		struct str text;
		bool plain;
		if (c == '"') {
			if (!skip_string(s, &text, &plain) || !take_key(s, text, plain))
				return false;
			continue;
		}
		s->depth += c == '{' || c == '[';
		s->depth -= (c == '}' || c == ']') && s->depth > 0;
		s->at++;
	}
	return s->gaps > 0;
}

bool record_cut(struct str line, struct record_keys keys, struct arena *a, struct record_cuts *out,
                struct sb *rest)
{
	struct scan s = {.keys = keys, .a = a, .cuts = out, .line = line};
	size_t at = 0;
	*out = (struct record_cuts){0};
	if (!find_gaps(&s))
		return false;
	sb_clear(rest);
	for (size_t i = 0; i < s.gaps; i++) {
		sb_str(rest, str_sub(line, at, s.gap[i].from));
		at = s.gap[i].to;
	}
	sb_str(rest, str_sub(line, at, line.n));
	return true;
}

struct record_keys record_cut_keys(int64_t major)
{
	return major < 2 ? (struct record_keys){"above_base_ns", "warmup_ns"}
	                 : (struct record_keys){"above_base", "warmup"};
}
