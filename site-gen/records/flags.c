/* Evaluates the small part of make's language that definitions of flags use. */
#include "site-gen/records/flags.h"

#include <string.h>

enum {
	MOST_VARIABLES = 256,
	DEEPEST = 32,
	DEEPEST_IF = 16,
	MOST_WORK = 1 << 22, /* limit for all expansions together, in characters */
};

struct variable {
	struct str name;
	const char *value; /* unexpanded */
};

struct makefile {
	struct arena *a;
	struct variable var[MOST_VARIABLES];
	size_t n;
	/* for each open `if`: is the current branch read; was any of its branches read */
	bool taken[DEEPEST_IF], was[DEEPEST_IF];
	size_t depth;
	size_t work; /* characters expanded so far */
};

static struct variable *find(struct makefile *m, struct str name)
{
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->var[i].name, name))
			return &m->var[i];
	return NULL;
}

/* --- expanding --- */

static void expand(struct makefile *m, struct str s, int depth, struct sb *to);

static const char *expanded(struct makefile *m, struct str s, int depth)
{
	struct sb text = {0};
	expand(m, s, depth, &text);
	return sb_take(m->a, &text);
}

/* The next argument of a function: ends before a comma outside of brackets. */
static bool argument(struct str *rest, struct str *out)
{
	int open = 0;
	size_t i = 0;
	for (; i < rest->n && !(open == 0 && rest->p[i] == ','); i++)
		open += (rest->p[i] == '(') - (rest->p[i] == ')');
	*out = str_sub(*rest, 0, i);
	bool more = i < rest->n;
	*rest = str_sub(*rest, i + more, rest->n);
	return more;
}

/* patsubst on single words: `%` stands for the same text in both patterns. */
static void patsubst(struct str pattern, struct str with, struct str text, struct sb *to)
{
	struct str head, tail, word;
	bool more = true;
	str_cut(pattern, '%', &head, &tail);
	for (bool first = true; more && to->n <= MOST_WORK; first = false) {
		more = str_cut(text, ' ', &word, &text);
		const char *starts = word.n >= head.n + tail.n ? word.p : NULL;
		bool fits = starts && memcmp(word.p, head.p, head.n) == 0 &&
		            memcmp(word.p + word.n - tail.n, tail.p, tail.n) == 0;
		struct str before, after;
		if (!first)
			sb_char(to, ' ');
		if (!fits) {
			sb_str(to, word);
			continue;
		}
		bool stem = str_cut(with, '%', &before, &after);
		sb_str(to, before);
		if (stem) {
			sb_str(to, str_sub(word, head.n, word.n - tail.n));
			sb_str(to, after);
		}
	}
}

static void call(struct makefile *m, struct str name, struct str rest, int depth, struct sb *to)
{
	struct str x, y, z = STR("");
	bool more = argument(&rest, &x) && argument(&rest, &y);
	if (more)
		argument(&rest, &z);
	if (str_is(name, "if")) {
		bool yes = str_trim(str_of(expanded(m, str_trim(x), depth))).n > 0;
		expand(m, yes ? y : z, depth, to);
	} else if (str_is(name, "patsubst")) {
		patsubst(str_of(expanded(m, x, depth)), str_of(expanded(m, y, depth)),
		         str_of(expanded(m, z, depth)), to);
		m->work += to->n;
	} else {
		sb_char(to, '?');
	}
}

static void reference(struct makefile *m, struct str inside, int depth, struct sb *to)
{
	struct str name, rest;
	if (str_cut(inside, ' ', &name, &rest)) {
		call(m, name, rest, depth, to);
		return;
	}
	const struct variable *v = find(m, inside);
	if (v)
		expand(m, str_of(v->value), depth, to);
}

static void expand(struct makefile *m, struct str s, int depth, struct sb *to)
{
	if (depth >= DEEPEST)
		return; /* it refers to itself, an error in make */
	m->work += s.n + 1;
	if (m->work > MOST_WORK)
		return;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '$' || i + 1 == s.n) {
			sb_char(to, s.p[i]);
			continue;
		}
		i++;
		if (s.p[i] != '(') {
			sb_char(to, s.p[i] == '$' ? '$' : '?');
			continue;
		}
		size_t from = i + 1;
		int open = 1;
		while (++i < s.n && open > 0)
			open += (s.p[i] == '(') - (s.p[i] == ')');
		i--;
		reference(m, str_sub(s, from, i), depth + 1, to);
	}
}

/* --- reading --- */

static bool reads(const struct makefile *m)
{
	for (size_t i = 0; i < m->depth; i++)
		if (!m->taken[i])
			return false;
	return true;
}

/* condition -> ( 'ifeq' | 'ifneq' ) '(' text ',' text ')' */
static bool holds(struct makefile *m, struct str line)
{
	struct str x, y;
	size_t open = str_find(line, '(', 0);
	size_t close = line.n;
	while (close > open && line.p[close - 1] != ')')
		close--;
	struct str in = str_sub(line, open + 1, close ? close - 1 : 0);
	argument(&in, &x);
	y = in;
	bool same = strcmp(expanded(m, str_trim(x), 0), expanded(m, str_trim(y), 0)) == 0;
	return same != str_starts(line, "ifneq");
}

static bool conditional(struct makefile *m, struct str line)
{
	if (str_starts(line, "ifeq") || str_starts(line, "ifneq") || str_starts(line, "ifdef") ||
	    str_starts(line, "ifndef")) {
		if (m->depth == DEEPEST_IF)
			return true;
		bool def = str_starts(line, "ifdef") || str_starts(line, "ifndef");
		struct str name = str_trim(str_sub(line, str_find(line, ' ', 0), line.n));
		bool yes =
		        def ? (find(m, name) != NULL) == str_starts(line, "ifdef") : holds(m, line);
		m->was[m->depth] = m->taken[m->depth] = yes;
		m->depth++;
	} else if (str_starts(line, "else") && m->depth > 0) {
		m->taken[m->depth - 1] = !m->was[m->depth - 1];
	} else if (str_starts(line, "endif") && m->depth > 0) {
		m->depth--;
	} else {
		return false;
	}
	return true;
}

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= 'a' && s.p[i] <= 'z') ||
		      (s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '_'))
			return false;
	return s.n > 0;
}

static void define(struct makefile *m, struct str name, char how, struct str value)
{
	struct variable *v = find(m, name);
	if (v && how == '?')
		return;
	if (!v && m->n == MOST_VARIABLES)
		return;
	if (!v) {
		v = &m->var[m->n++];
		*v = (struct variable){name, ""};
	}
	m->work += how == '+' ? strlen(v->value) : 0;
	if (m->work > MOST_WORK)
		return;
	v->value = how == '+' && *v->value
	                   ? arena_printf(m->a, "%s " STR_FMT, v->value, STR_ARG(value))
	                   : str_dup(m->a, value);
}

/* definition -> NAME [ '?' | '+' | ':' ] '=' value; the value ends before a comment. */
static void read_line(struct makefile *m, struct str line)
{
	struct str left, value;
	if (line.n == 0 || line.p[0] == '\t' || conditional(m, str_trim(line)) || !reads(m) ||
	    !str_cut(line, '=', &left, &value))
		return;
	char how = left.n ? left.p[left.n - 1] : 0;
	if (how == '?' || how == '+' || how == ':')
		left.n--;
	if (how == ':' && left.n && left.p[left.n - 1] == ':')
		left.n--;
	size_t hash = str_find(value, '#', 0);
	if (hash == 0 || (hash < value.n && value.p[hash - 1] != '\\'))
		value.n = hash;
	if (is_name(str_trim(left)))
		define(m, str_trim(left), how, str_trim(value));
}

/* Joins lines that end in a backslash with the next one. */
static struct str joined(struct str text, struct arena *a)
{
	char *p = str_dup(a, text);
	for (size_t i = 0; i + 1 < text.n; i++)
		if (p[i] == '\\' && p[i + 1] == '\n')
			p[i] = p[i + 1] = ' ';
	return (struct str){p, text.n};
}

/* Flags for folders and warnings do not affect the code. */
static bool makes_no_code(struct str word)
{
	bool warning = str_starts(word, "-W") && str_find(word, ',', 0) == word.n;
	return word.n == 0 || warning || str_starts(word, "-I") || str_starts(word, "-L");
}

bool flags_of(struct str makefile, const char *variable, struct arena *a, const char **out_flags,
              struct err *e)
{
	struct makefile *m = ARENA_NEW(a, struct makefile);
	struct str rest = joined(makefile, a), line, word;
	struct sb out = {0};
	m->a = a;
	for (bool more = true; more;) {
		more = str_cut(rest, '\n', &line, &rest);
		read_line(m, line);
	}
	const struct variable *v = find(m, str_of(variable));
	*out_flags = NULL;
	rest = str_of(v ? expanded(m, str_of(v->value), 0) : "");
	if (m->work > MOST_WORK)
		return err_set(e,
		               "%s grows without end when the Makefile's variables are expanded, "
		               "expected flags of a compiler",
		               variable);
	if (!v)
		return true;
	for (bool more = true; more;) {
		more = str_cut(rest, ' ', &word, &rest);
		word = str_trim(word);
		if (!makes_no_code(word))
			sb_printf(&out, "%s" STR_FMT, out.n ? " " : "", STR_ARG(word));
	}
	*out_flags = sb_take(a, &out);
	return true;
}

static const char *word_or_none(struct str word, struct arena *a)
{
	return word.n ? str_dup(a, word) : "no flag"; /* a label of templates/words.lua */
}

struct reason flags_difference(const char *measured, const char *now, struct arena *a)
{
	struct str x = str_of(measured), y = str_of(now), wx, wy;
	do {
		str_cut(x, ' ', &wx, &x);
		str_cut(y, ' ', &wy, &y);
	} while (wx.n && str_eq(wx, wy) && (x.n || y.n));
	return (struct reason){.word = "why_flags",
	                       .with = {word_or_none(wx, a), word_or_none(wy, a)}};
}
