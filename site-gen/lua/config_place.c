/* Lua does not keep the place of a value, so its text is searched for. */
#include "site-gen/lua/config_inner.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* True if `at` is inside a comment or a string, as its line shows. */
static bool hidden(struct str src, size_t at)
{
	size_t line = at;
	while (line > 0 && src.p[line - 1] != '\n')
		line--;
	char quote = 0;
	for (size_t i = line; i < at; i++) {
		char c = src.p[i];
		if (!quote && c == '-' && i + 1 < at && src.p[i + 1] == '-')
			return true;
		if (quote && c == '\\')
			i++;
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
	}
	return quote != 0;
}

/* Where `word` first stands in the code, from `from` on; r->src.n: nowhere. */
static size_t find_word(const struct config_reader *r, const char *word, size_t from)
{
	size_t n = strlen(word);
	for (size_t i = from; i + n <= r->src.n; i++) {
		if (memcmp(r->src.p + i, word, n) != 0)
			continue;
		bool whole = (i == 0 || !is_word(r->src.p[i - 1])) &&
		             (i + n == r->src.n || !is_word(r->src.p[i + n]));
		if (whole && !hidden(r->src, i))
			return i;
	}
	return r->src.n;
}

struct loc config_place_in(const struct config_reader *r, const char *const *word, size_t n)
{
	size_t at = 0, next = 0;
	for (size_t i = 0; i < n && (next = find_word(r, word[i], at)) < r->src.n; i++)
		at = next;
	return next < r->src.n ? str_loc(r->src, r->path, r->src.p + at)
	                       : (struct loc){.path = r->path};
}

struct loc config_place(const struct config_reader *r, const char *word)
{
	return config_place_in(r, &word, 1);
}

struct loc config_place_of_text(const struct config_reader *r, struct str text)
{
	struct sb quoted = {0};
	sb_printf(&quoted, "\"" STR_FMT "\"", STR_ARG(text));
	const char *at = memmem(r->src.p, r->src.n, quoted.p, quoted.n);
	sb_free(&quoted);
	return at ? str_loc(r->src, r->path, at) : config_place(r, "nav");
}

bool config_wrong_type(struct config_reader *r, const char *name, enum script_kind got,
                       enum script_kind wanted)
{
	return err_at(r->err, config_place(r, name), "'%s' is %s, expected %s", name,
	              script_kind_name(got), script_kind_name(wanted));
}

const struct script_value *config_member(const struct script_value *v, const char *key)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->member[i].key && strcmp(v->member[i].key, key) == 0)
			return v->member[i].value;
	return NULL;
}
