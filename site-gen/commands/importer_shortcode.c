/*
 * Reads shortcodes of other generators, {{< name a b="c" >}}, and what Liquid prints, {{ name }}.
 */
#include <ctype.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/commands/importer.h"

bool importer_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '/';
}

bool importer_shortcode(struct str line, size_t from, struct import_shortcode *out)
{
	static const struct {
		const char *open, *close;
	} forms[] = {{"{{<", ">}}"}, {"{{%", "%}}"}, {"{%", "%}"}, {"{{", "}}"}};
	for (size_t i = from; i + 1 < line.n; i++) {
		size_t code = importer_skip_span(line, i);
		if (code > i) {
			i = code - 1;
			continue;
		}
		for (size_t k = 0; k < ARRAY_LEN(forms); k++) {
			struct str rest = str_sub(line, i, line.n);
			size_t open = strlen(forms[k].open), close = strlen(forms[k].close);
			if (!str_starts(rest, forms[k].open))
				continue;
			const char *end =
			        memmem(rest.p + open, rest.n - open, forms[k].close, close);
			if (!end)
				break;
			struct str in = str_trim(
			        (struct str){rest.p + open, (size_t)(end - rest.p) - open});
			size_t n = 0;
			while (n < in.n && importer_is_word(in.p[n]))
				n++;
			*out = (struct import_shortcode){.name = str_sub(in, 0, n),
			                                 .args = str_trim(str_sub(in, n, in.n)),
			                                 .start = i,
			                                 .end = i + (size_t)(end - rest.p) + close};
			out->closing = out->name.n && out->name.p[0] == '/';
			if (out->closing)
				out->name = str_trim(str_sub(in, 1, in.n));
			if (str_starts(out->name, "end") && out->name.n > 3) {
				out->closing = true;
				out->name = str_sub(out->name, 3, out->name.n);
			}
			if (out->args.n && out->args.p[0] == '(')
				out->args = str_trim(
				        str_sub(out->args, 1, str_find(out->args, ')', 0)));
			if (out->name.n > 0)
				return true;
			break;
		}
	}
	return false;
}

/* The value of name= among arguments, or (name == NULL) the first plain word. */
struct str importer_argument(struct str args, const char *name)
{
	for (size_t i = 0; i < args.n;) {
		while (i < args.n && (args.p[i] == ' ' || args.p[i] == ','))
			i++;
		size_t from = i, eq, end;
		while (i < args.n && importer_is_word(args.p[i]))
			i++;
		struct str key = str_sub(args, from, i);
		eq = i;
		while (eq < args.n && args.p[eq] == ' ')
			eq++;
		bool named = eq < args.n && args.p[eq] == '=' && key.n;
		i = named ? eq + 1 : from;
		while (i < args.n && (args.p[i] == ' ' || args.p[i] == ','))
			i++;
		char quote = i < args.n && strchr("\"'`", args.p[i]) ? args.p[i] : 0;
		from = i + (quote != 0);
		for (end = from;
		     end < args.n &&
		     (quote ? args.p[end] != quote : args.p[end] != ' ' && args.p[end] != ',');)
			end++;
		i = end + (quote != 0);
		if (named ? name && str_is(key, name) : !name && end > from)
			return str_sub(args, from, end);
		if (i <= from && end == from)
			i = from + 1;
	}
	return (struct str){NULL, 0};
}

/* --- Liquid's variables --- */

/* The text between the first two quotes; p == NULL: there are none. */
static struct str quoted(struct str s)
{
	if (!s.n || !strchr("\"'", s.p[0]))
		return (struct str){NULL, 0};
	size_t end = str_find(s, s.p[0], 1);
	return end < s.n ? str_sub(s, 1, end) : (struct str){NULL, 0};
}

/* assign name = "text" */
static bool assign(struct import_variables *v, struct str in, struct arena *a)
{
	struct str name, value;
	if (!str_starts(in, "assign ") || !str_cut(in, '=', &name, &value))
		return false;
	value = quoted(str_trim(value));
	if (!value.p)
		return false;
	v->all = arena_grow(a, v->all, v->n, &v->cap, sizeof *v->all);
	v->all[v->n++] = (struct import_variable){str_trim(str_sub(name, 7, name.n)), value};
	return true;
}

/* What {{ in }} prints; p == NULL: nobody knows. */
static struct str value_of(const struct import_variables *v, struct str in)
{
	static const char *const empty[] = {"site.url",        "site.baseurl",
	                                    "site.github.url", "site.production_url",
	                                    "baseurl",         "site.base_url"};
	if (quoted(in).p)
		return quoted(in);
	in = str_trim(str_sub(in, 0, str_find(in, '|', 0)));
	for (size_t i = 0; i < ARRAY_LEN(empty); i++)
		if (str_is(in, empty[i]))
			return STR("");
	for (size_t i = v->n; i > 0; i--)
		if (str_eq(in, v->all[i - 1].name))
			return v->all[i - 1].value;
	return (struct str){NULL, 0};
}

/* A part of Liquid at i. Returns its end; i: it is none that is known. */
static size_t take_liquid(struct import_variables *v, struct str line, size_t i, struct arena *a,
                          struct sb *to)
{
	struct str rest = str_sub(line, i, line.n), in;
	bool prints = str_starts(rest, "{{"), says = str_starts(rest, "{%");
	const char *end = prints || says ? memmem(rest.p, rest.n, prints ? "}}" : "%}", 2) : NULL;
	if (!end)
		return i;
	size_t n = (size_t)(end - rest.p);
	in = str_trim(str_sub(rest, 2, n));
	if (says && (str_is(in, "raw") || str_is(in, "endraw") || assign(v, in, a)))
		return i + n + 2;
	struct str value = prints ? value_of(v, in) : (struct str){NULL, 0};
	if (!value.p)
		return i;
	sb_str(to, value);
	return i + n + 2;
}

struct str importer_variables(struct import_variables *v, struct str line, struct arena *a)
{
	struct sb to = {0};
	if (!memmem(line.p, line.n, "{{", 2) && !memmem(line.p, line.n, "{%", 2))
		return line;
	for (size_t i = 0; i < line.n;) {
		size_t next = importer_skip_span(line, i);
		if (next == i)
			next = take_liquid(v, line, i, a, &to);
		else
			sb_str(&to, str_sub(line, i, next));
		if (next == i)
			sb_char(&to, line.p[next++]);
		i = next;
	}
	struct str out = str_keep(a, sb_view(&to));
	sb_free(&to);
	return out;
}
