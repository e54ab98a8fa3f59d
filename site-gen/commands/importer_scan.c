/* Finds code in a Markdown text, which an import leaves as it is. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lib/array.h"
#include "site-gen/commands/importer.h"

/* --- code ---------------------------------------------------------------------------------- */

/* The line without spaces and the markers of quotes and lists before it. */
static struct str inside(struct str line)
{
	size_t i = 0;
	while (i < line.n && strchr(" \t>-+*0123456789.)", line.p[i]))
		i++;
	return str_sub(line, i, line.n);
}

/* Shortcodes whose content is code. */
static bool is_code_tag(struct str line, bool closing)
{
	static const char *const opens[] = {"{{< highlight", "{{<highlight", "{% highlight",
	                                    "{%highlight", "{{% highlight"},
	                         *const ends[] = {"{{< /highlight", "{{</highlight",
	                                          "{% endhighlight", "{%endhighlight",
	                                          "{{% /highlight"};
	for (size_t i = 0; i < ARRAY_LEN(opens); i++)
		if (str_starts(line, closing ? ends[i] : opens[i]))
			return true;
	return false;
}

bool importer_is_fence(struct str line)
{
	size_t n = 0;
	while (n < line.n && line.p[n] == '`')
		n++;
	return str_starts(line, "~~~") || (n >= 3 && !memchr(line.p + n, '`', line.n - n));
}

/* The fence at the start of a line: '`', '~', '{' of a shortcode, or 0. */
static char fence_of(struct str line)
{
	struct str in = inside(line);
	return importer_is_fence(in) || is_code_tag(in, false) ? in.p[0] : 0;
}

static bool closes(struct str line, char fence)
{
	struct str in = inside(line);
	if (fence == '{')
		return is_code_tag(in, true);
	return in.n >= 3 && in.p[0] == fence && in.p[1] == fence && in.p[2] == fence;
}

/* The end of a block of code whose first line begins at `i`. */
static size_t block_end(struct str s, size_t i, char fence)
{
	size_t at = str_find(s, '\n', i) + 1;
	while (at < s.n) {
		size_t end = str_find(s, '\n', at);
		if (closes(str_sub(s, at, end), fence))
			return end < s.n ? end + 1 : end;
		at = end + 1;
	}
	return s.n;
}

/* The end of `code` that begins at `i`, within its paragraph; of its backticks if it has none. */
static size_t span_end(struct str s, size_t i)
{
	size_t n = 0, run = 0;
	while (i + n < s.n && s.p[i + n] == '`')
		n++;
	for (size_t k = i + n; k < s.n; k++) {
		if (s.p[k] == '\n' && k + 1 < s.n && s.p[k + 1] == '\n')
			break;
		run = s.p[k] == '`' ? run + 1 : 0;
		if (run == n && (k + 1 == s.n || s.p[k + 1] != '`'))
			return k + 1;
	}
	return i + n;
}

size_t importer_skip_span(struct str s, size_t i)
{
	return i < s.n && s.p[i] == '`' ? span_end(s, i) : i;
}

static bool is_blank(struct str line)
{
	return str_trim(line).n == 0;
}

static bool is_indented(struct str line)
{
	return str_starts(line, "    ") || str_starts(line, "\t");
}

/* Does a line begin something whose next lines may be indented, as a list or HTML does? */
static bool may_continue(struct str line)
{
	struct str text = str_trim(line);
	size_t digits = 0;
	while (digits < text.n && isdigit((unsigned char)text.p[digits]))
		digits++;
	bool number = digits > 0 && digits < text.n && strchr(".)", text.p[digits]);
	return text.n && (number || strchr("-+*:<>{[|&", text.p[0]) || str_starts(line, " "));
}

/* Is the indented line at `i` code: after an empty line, and not in a list? */
static bool is_indented_code(struct str s, size_t i)
{
	bool after_blank = i == 0;
	for (size_t end = i; end > 0;) {
		size_t from = end - 1;
		while (from > 0 && s.p[from - 1] != '\n')
			from--;
		struct str line = str_sub(s, from, end - 1);
		if (end == i)
			after_blank = is_blank(line);
		if (!after_blank)
			return false;
		if (!is_blank(line) && !is_indented(line))
			return !may_continue(line);
		end = from;
	}
	return after_blank;
}

/* The end of indented code that begins at `i`: its last line that has something. */
static size_t indented_end(struct str s, size_t i)
{
	size_t end = i;
	for (size_t at = i; at < s.n;) {
		size_t next = str_find(s, '\n', at);
		struct str line = str_sub(s, at, next);
		next += next < s.n;
		if (!is_blank(line) && !is_indented(line))
			break;
		if (!is_blank(line))
			end = next;
		at = next;
	}
	return end;
}

size_t importer_skip_indented(struct str s, size_t i)
{
	struct str line = str_sub(s, i, str_find(s, '\n', i));
	bool begins = i == 0 || s.p[i - 1] == '\n';
	return begins && is_indented(line) && !is_blank(line) && is_indented_code(s, i)
	               ? indented_end(s, i)
	               : i;
}

size_t importer_skip_code(struct str s, size_t i)
{
	bool begins = i == 0 || s.p[i - 1] == '\n';
	struct str line = str_sub(s, i, str_find(s, '\n', i));
	char fence = begins ? fence_of(line) : 0;
	if (fence)
		return block_end(s, i, fence);
	size_t next = importer_skip_indented(s, i);
	return next == i ? importer_skip_span(s, i) : next;
}

/* --- HTML ---------------------------------------------------------------------------------- */

enum { MOST_TAG_BYTES = 64 << 10 };

/* Does a quote at `i` begin a value? */
static bool begins_value(struct str s, size_t i)
{
	while (i > 0 && s.p[i - 1] == ' ')
		i--;
	return i > 0 && s.p[i - 1] == '=';
}

size_t importer_tag_end(struct str s, size_t i)
{
	char quote = 0;
	int braces = 0;
	size_t first = i + 1 + (i + 1 < s.n && s.p[i + 1] == '/');
	if (s.p[i] != '<' || first >= s.n || !isalpha((unsigned char)s.p[first]))
		return i;
	for (size_t k = first; k < s.n && k < i + MOST_TAG_BYTES; k++) {
		char c = s.p[k];
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (strchr("\"'", c) && begins_value(s, k))
			quote = c;
		else if (c == '{' || c == '}')
			braces += c == '{' ? 1 : -1;
		else if (c == '>' && braces <= 0)
			return k + 1;
		else if (c == '<' || (c == '\n' && k + 1 < s.n && s.p[k + 1] == '\n'))
			return i;
	}
	return i;
}

bool importer_is_html(const char *path)
{
	return str_ends(str_of(path), ".html") || str_ends(str_of(path), ".htm");
}

struct str importer_tag_name(struct str tag)
{
	size_t from = tag.n > 1 && tag.p[1] == '/' ? 2 : 1, n = from;
	while (n < tag.n && (isalnum((unsigned char)tag.p[n]) || strchr("-.", tag.p[n])))
		n++;
	return str_sub(tag, from, n);
}

bool importer_is_tag(struct str name, const char *tag)
{
	return name.n == strlen(tag) && strncasecmp(name.p, tag, name.n) == 0;
}

struct str importer_attribute(struct str tag, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 1; i + n < tag.n; i++) {
		if (!strchr(" \t\n\r\"'", tag.p[i - 1]) || strncasecmp(tag.p + i, name, n) != 0 ||
		    tag.p[i + n] != '=')
			continue;
		size_t from = i + n + 1;
		char quote = from < tag.n && strchr("\"'", tag.p[from]) ? tag.p[from++] : 0;
		size_t to = from;
		while (to < tag.n && (quote ? tag.p[to] != quote : !strchr(" \t\n>", tag.p[to])))
			to++;
		return str_sub(tag, from, to);
	}
	return (struct str){NULL, 0};
}

size_t importer_element_end(struct str s, size_t i, struct str *inside)
{
	size_t open = importer_tag_end(s, i), depth = 1;
	struct str tag = str_sub(s, i, open), name = importer_tag_name(tag);
	if (open == i || tag.p[1] == '/')
		return i;
	*inside = str_sub(s, open, open);
	if (tag.n > 2 && tag.p[tag.n - 2] == '/')
		return open;
	for (size_t k = open; k < s.n;) {
		size_t next = importer_tag_end(s, k);
		if (next == k) {
			k++;
			continue;
		}
		struct str other = str_sub(s, k, next), own = importer_tag_name(other);
		bool same = own.n == name.n && strncasecmp(own.p, name.p, name.n) == 0;
		if (same && other.p[other.n - 2] != '/')
			depth += other.p[1] == '/' ? (size_t)-1 : 1;
		if (depth == 0) {
			*inside = str_sub(s, open, k);
			return next;
		}
		k = next;
	}
	return i;
}
