/* Finds code in a Markdown text, which an import leaves as it is. */
#include <string.h>

#include "lib/array.h"
#include "site-gen/commands/importer.h"

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

/* The fence at the start of a line: '`', '~', '{' of a shortcode, or 0. */
static char fence_of(struct str line)
{
	struct str in = inside(line);
	return str_starts(in, "```") || str_starts(in, "~~~") || is_code_tag(in, false) ? in.p[0]
	                                                                                : 0;
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

size_t importer_skip_code(struct str s, size_t i)
{
	bool begins = i == 0 || s.p[i - 1] == '\n';
	struct str line = str_sub(s, i, str_find(s, '\n', i));
	char fence = begins ? fence_of(line) : 0;
	if (fence)
		return block_end(s, i, fence);
	return i < s.n && s.p[i] == '`' ? span_end(s, i) : i;
}
