#include "site-gen/numbers/code_lines.h"

#include <string.h>

/* What a line inherits from those above it. */
struct reader {
	bool python;
	char within;  /* '*': a comment of C; a quote: a string in three of them; 0: neither */
	bool ignored; /* that string is a docstring */
};

static bool is_three(struct str s, size_t i)
{
	return i + 3 <= s.n && (s.p[i] == '"' || s.p[i] == '\'') && s.p[i + 1] == s.p[i] &&
	       s.p[i + 2] == s.p[i];
}

/* Behind the string in quotes that begins at i. */
static size_t behind_string(struct str s, size_t i)
{
	char quote = s.p[i++];
	while (i < s.n && s.p[i] != quote)
		i += s.p[i] == '\\' ? 2 : 1;
	return i < s.n ? i + 1 : s.n;
}

/* Behind the end of what the reader is within; s.n if it goes on below. */
static size_t behind_end(struct reader *r, struct str s, size_t i)
{
	for (; i < s.n; i++) {
		bool ends = r->within == '*' ? s.p[i] == '*' && i + 1 < s.n && s.p[i + 1] == '/'
		                             : s.p[i] == r->within && is_three(s, i);
		if (ends) {
			i += r->within == '*' ? 2 : 3;
			r->within = 0;
			return i;
		}
	}
	return s.n;
}

static bool begins_comment(const struct reader *r, struct str s, size_t i)
{
	return r->python ? s.p[i] == '#' : s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '/';
}

/* Reads one line: is there code on it? */
static bool has_code(struct reader *r, struct str s)
{
	bool code = r->within && r->within != '*' && !r->ignored && str_trim(s).n > 0;
	size_t i = 0;
	while (i < s.n) {
		if (r->within) {
			i = behind_end(r, s, i);
		} else if (begins_comment(r, s, i)) {
			break;
		} else if (!r->python && s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '*') {
			r->within = '*';
			i += 2;
		} else if (r->python && is_three(s, i)) {
			r->within = s.p[i];
			r->ignored = !code;
			code = code || !r->ignored;
			i += 3;
		} else if (s.p[i] == '"' || s.p[i] == '\'') {
			code = true;
			i = behind_string(s, i);
		} else {
			code = code || !strchr(" \t\r\f\v", s.p[i]);
			i++;
		}
	}
	return code;
}

static size_t length(const struct part *part)
{
	return part->numbers.n / sizeof(int);
}

static int number_of(const struct part *part, size_t i)
{
	int n;
	memcpy(&n, part->numbers.p + i * sizeof n, sizeof n);
	return n;
}

size_t code_lines_count(const char *path, struct str text, const struct part *part)
{
	struct reader r = {.python = str_ends(str_of(path), ".py")};
	size_t found = 0, next = 0;
	struct str line;
	for (int n = 1; text.n > 0; n++) {
		str_cut(text, '\n', &line, &text);
		bool code = has_code(&r, line);
		bool in = !part || (next < length(part) && number_of(part, next) == n);
		next += part && in;
		found += in && code;
	}
	return found;
}

const char *code_lines_part(const struct part *part, struct arena *a)
{
	struct sb to = {0};
	for (size_t i = 0; part && i < length(part); i++) {
		size_t last = i;
		while (last + 1 < length(part) &&
		       number_of(part, last + 1) == number_of(part, last) + 1)
			last++;
		sb_printf(&to, "%s%d-%d", to.n ? "," : "lines:", number_of(part, i),
		          number_of(part, last));
		i = last;
	}
	const char *said = arena_strdup(a, part && to.n ? to.p : "all");
	sb_free(&to);
	return said;
}
