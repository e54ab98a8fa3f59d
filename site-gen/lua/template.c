/*
 * template -> { text | '{{' expr '}}' | '{#' comment '#}' | line }
 * line     -> { blank } '%' lua newline        (at the start of a line)
 */
#include "site-gen/lua/template.h"

#include <string.h>

struct translator {
	struct str src;
	const char *path;
	struct arena *arena;
	size_t at;    /* next byte to look at */
	size_t piece; /* start of the text that is not yet written */
	struct sb code;
	struct script_literals literals;
	size_t cap;
	struct err *err;
};

static bool looking_at(const struct translator *t, const char *s)
{
	return str_starts(str_sub(t->src, t->at, t->src.n), s);
}

static bool fail(struct translator *t, size_t at, const char *what)
{
	return err_at(t->err, str_loc(t->src, t->path, t->src.p + at), "%s", what);
}

static void newlines(struct translator *t, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\n')
			sb_char(&t->code, '\n');
}

/* Turns the text up to here into a piece; its line breaks stay in the code. False: no text. */
static bool flush_open(struct translator *t)
{
	struct str s = str_sub(t->src, t->piece, t->at);
	if (s.n == 0)
		return false;
	t->literals.piece = arena_grow(t->arena, t->literals.piece, t->literals.n, &t->cap,
	                               sizeof *t->literals.piece);
	newlines(t, s); /* first, so that the call is on the line of its value */
	sb_printf(&t->code, "__lit(%zu", t->literals.n);
	t->literals.piece[t->literals.n++] = s;
	return true;
}

static void flush(struct translator *t)
{
	if (flush_open(t))
		sb_cstr(&t->code, ");");
}

/* End of the Lua string that starts at `i`; src.n if it does not end on its line. */
static size_t skip_string(struct str s, size_t i)
{
	char quote = s.p[i++];
	while (i < s.n && s.p[i] != quote && s.p[i] != '\n')
		i += s.p[i] == '\\' ? 2 : 1;
	return i < s.n && s.p[i] == quote ? i + 1 : s.n;
}

/* The position of the '}}' that ends the expression at `i`, or src.n. */
static size_t end_of_expression(struct str s, size_t i)
{
	int depth = 0;
	while (i < s.n) {
		char c = s.p[i];
		if (c == '"' || c == '\'') {
			i = skip_string(s, i);
			continue;
		}
		if (depth == 0 && c == '}' && i + 1 < s.n && s.p[i + 1] == '}')
			return i;
		depth += c == '(' || c == '{' || c == '[';
		depth -= c == ')' || c == '}' || c == ']';
		i++;
	}
	return s.n;
}

/* expr -> '{{' lua '}}' */
static bool expression(struct translator *t)
{
	size_t from = t->at + 2, to = end_of_expression(t->src, from);
	if (to == t->src.n)
		return fail(t, t->at, "'{{' without its '}}'");
	struct str lua = str_sub(t->src, from, to);
	if (str_trim(lua).n == 0)
		return fail(t, t->at, "an expression is expected between '{{' and '}}'");
	/* the same call also prints the text before the value */
	sb_cstr(&t->code, flush_open(t) ? ",(" : "__put((");
	sb_str(&t->code, lua);
	sb_cstr(&t->code, "));");
	t->piece = t->at = to + 2;
	return true;
}

/* comment -> '{#' text '#}' ; a comment alone on its lines also drops their line break */
static bool comment(struct translator *t, bool starts_line)
{
	size_t end = t->at + 2;
	while (end + 1 < t->src.n && !(t->src.p[end] == '#' && t->src.p[end + 1] == '}'))
		end++;
	flush(t);
	if (end + 1 >= t->src.n)
		return fail(t, t->at, "'{#' without its '#}'");
	end += 2;
	if (starts_line && end < t->src.n && t->src.p[end] == '\n')
		end++;
	newlines(t, str_sub(t->src, t->at, end));
	t->piece = t->at = end;
	return true;
}

/* line -> { blank } '%' lua newline ; false if there is none here */
static bool code_line(struct translator *t)
{
	size_t i = t->at;
	while (i < t->src.n && (t->src.p[i] == ' ' || t->src.p[i] == '\t'))
		i++;
	if (i == t->src.n || t->src.p[i] != '%')
		return false;
	size_t end = str_find(t->src, '\n', i);
	flush(t);
	sb_str(&t->code, str_sub(t->src, i + 1, end));
	sb_char(&t->code, '\n');
	t->piece = t->at = end < t->src.n ? end + 1 : end;
	return true;
}

static bool translate(struct translator *t)
{
	sb_cstr(&t->code, "local _ENV,__lit,__put=...;");
	bool starts_line = true;
	while (t->at < t->src.n) {
		if (starts_line && code_line(t))
			continue;
		bool ok = true;
		if (looking_at(t, "{{")) {
			ok = expression(t);
			starts_line = false;
		} else if (looking_at(t, "{#")) {
			ok = comment(t, starts_line);
			starts_line = t->at > 0 && t->src.p[t->at - 1] == '\n';
		} else {
			starts_line = t->src.p[t->at++] == '\n';
		}
		if (!ok)
			return false;
	}
	flush(t);
	return true;
}

bool template_translate(struct str src, const char *name, const char *path, struct arena *a,
                        struct template *out, struct err *e)
{
	struct translator t = {.src = src, .path = path, .arena = a, .err = e};
	bool ok = str_utf8(src) ? translate(&t) : err_set(e, "%s: not valid UTF-8", path);
	if (ok)
		*out = (struct template){
		        .name = name,
		        .path = path,
		        .code = str_keep(a, sb_view(&t.code)),
		        .literals = t.literals,
		};
	sb_free(&t.code);
	return ok;
}

bool template_add(struct script *s, const struct template *t, struct err *e)
{
	return script_compile(s, t->name, t->path, t->code, &t->literals, e);
}

struct script *template_compile(const struct template *t, size_t n, struct err *e)
{
	struct script *s = script_new();
	for (size_t i = 0; i < n; i++) {
		if (template_add(s, &t[i], e))
			continue;
		script_free(s);
		return NULL;
	}
	return s;
}
