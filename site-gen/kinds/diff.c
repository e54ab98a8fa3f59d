#include "site-gen/kinds/diff.h"

#include <string.h>

#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/git/git.h"
#include "site-gen/kinds/listing.h"

/* A line of the difference. */
struct line {
	char kind;          /* ' ', '+', '-', or '@' at the head of a hunk */
	struct str text;    /* of '@': the name of the function; .n == 0: none */
	struct str markup;  /* the text with syntax colours */
	int number;         /* in its file */
	const bool *marked; /* for each byte of the text; NULL: no word is marked */
};

struct diff {
	const struct diff_side *was, *is;
	struct str *was_markup, *is_markup; /* by line */
	size_t at_was, at_is;               /* next line of each side, from 0 */
	struct line *line;
	size_t n, cap;
	struct arena *a;
};

/* --- sides --- */

/* The markup of each line; no span of the highlighter crosses a line break. */
static struct str *markup_of(const struct highlight_lang *lang, struct str code, struct arena *a)
{
	struct sb all = {0};
	size_t n = listing_lines(code);
	struct str *lines = ARENA_ARRAY(a, struct str, n + 1);
	highlight_code(lang, code, &all);
	struct str rest = str_of(sb_take(a, &all));
	for (size_t i = 0; i < n; i++)
		str_cut(rest, '\n', &lines[i], &rest);
	return lines;
}

static int number_of(const struct diff_side *s, size_t i)
{
	return s->number ? s->number[i] : (int)i + 1;
}

/* --- the function of a hunk --- */

static bool is_name(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* The name before the first '(' of a function's first line, past __launch_bounds__(…). */
static struct str function_name(struct str line)
{
	for (size_t i = str_find(line, '(', 0); i < line.n; i = str_find(line, '(', i + 1)) {
		size_t from = i;
		while (from > 0 && is_name(line.p[from - 1]))
			from--;
		struct str name = str_sub(line, from, i);
		if (name.n && !str_starts(name, "__"))
			return name;
	}
	return (struct str){0};
}

/* The last function that begins in the first column at or before line `number` of the file. */
static struct str function_at(struct str file, int number)
{
	struct str rest = file, line, found = {0};
	for (int i = 1; i <= number && rest.n; i++) {
		str_cut(rest, '\n', &line, &rest);
		bool begins = line.n && is_name(line.p[0]) && !str_ends(line, ";") &&
		              memchr(line.p, '(', line.n);
		size_t next = str_find(rest, '\n', 0); /* the name may stand on the next line */
		struct str two = {line.p, line.n + 1 + next};
		struct str name = begins ? function_name(rest.n ? two : line) : (struct str){0};
		found = name.n ? name : found;
	}
	return found;
}

/* --- reading the difference --- */

static struct line *add(struct diff *d, char kind)
{
	d->line = arena_grow(d->a, d->line, d->n, &d->cap, sizeof *d->line);
	d->line[d->n] = (struct line){.kind = kind};
	return &d->line[d->n++];
}

/* "@@ -12,7 +14,9 @@": the first lines of the hunk on both sides, from 1. */
static void take_hunk(struct diff *d, struct str head)
{
	int64_t from[2] = {0};
	for (int side = 0; side < 2; side++) {
		size_t i = str_find(head, side ? '+' : '-', 0) + 1, end = i;
		while (end < head.n && head.p[end] >= '0' && head.p[end] <= '9')
			end++;
		if (!str_i64(str_sub(head, i < head.n ? i : head.n, end), &from[side]))
			return;
	}
	d->at_was = from[0] > 0 ? (size_t)from[0] - 1 : 0;
	d->at_is = from[1] > 0 ? (size_t)from[1] - 1 : 0;
	struct str name = {0};
	if (d->at_is < listing_lines(d->is->code))
		name = function_at(d->is->file, number_of(d->is, d->at_is));
	if (d->n > 0 || d->at_is > 0 || name.n)
		add(d, '@')->text = name;
}

static void take_line(void *ctx, char kind, struct str text)
{
	struct diff *d = ctx;
	if (kind == '@') {
		take_hunk(d, text);
		return;
	}
	struct line *l = add(d, kind);
	bool old = kind == '-';
	size_t i = old ? d->at_was : d->at_is;
	l->text = text;
	l->number = number_of(old ? d->was : d->is, i);
	l->markup = old ? d->was_markup[i] : d->is_markup[i];
	d->at_was += kind != '+';
	d->at_is += !old;
}

/* --- changed words --- */

enum { MOST_WORDS = 160 };

struct words_of {
	struct str word[MOST_WORDS];
	bool kept[MOST_WORDS];
	size_t n;
};

/* A word is a name, a run of white space, or one other byte. False: there are too many. */
static bool split(struct str s, struct words_of *w)
{
	w->n = 0;
	for (size_t i = 0, end; i < s.n; i = end) {
		bool space = s.p[i] == ' ' || s.p[i] == '\t';
		end = i + 1;
		while (end < s.n && (space ? s.p[end] == ' ' || s.p[end] == '\t'
		                           : is_name(s.p[i]) && is_name(s.p[end])))
			end++;
		if (w->n == MOST_WORDS)
			return false;
		w->kept[w->n] = false;
		w->word[w->n++] = str_sub(s, i, end);
	}
	return true;
}

/* Finds the longest common subsequence. Returns its length in bytes, without white space. */
static size_t keep_common(struct words_of *x, struct words_of *y)
{
	static const size_t wide = MOST_WORDS + 1;
	unsigned char length[(MOST_WORDS + 1) * (MOST_WORDS + 1)] = {0};
	size_t common = 0;
	for (size_t i = x->n; i-- > 0;)
		for (size_t k = y->n; k-- > 0;) {
			unsigned char down = length[(i + 1) * wide + k],
			              right = length[i * wide + k + 1];
			length[i * wide + k] =
			        str_eq(x->word[i], y->word[k])
			                ? (unsigned char)(length[(i + 1) * wide + k + 1] + 1)
			        : down > right ? down
			                       : right;
		}
	for (size_t i = 0, k = 0; i < x->n && k < y->n;) {
		if (str_eq(x->word[i], y->word[k])) {
			common += str_trim(x->word[i]).n;
			x->kept[i++] = y->kept[k++] = true;
		} else if (length[(i + 1) * wide + k] >= length[i * wide + k + 1]) {
			i++;
		} else {
			k++;
		}
	}
	return common;
}

/* White space is marked only between marked words. */
static const bool *marks_of(const struct words_of *w, size_t n, struct arena *a)
{
	bool *marked = ARENA_ARRAY(a, bool, n + 1), *at = marked;
	for (size_t i = 0; i < w->n; at += w->word[i++].n) {
		bool edge = i == 0 || i + 1 == w->n || w->kept[i - 1] || w->kept[i + 1];
		bool space = str_trim(w->word[i]).n == 0;
		memset(at, !w->kept[i] && !(space && edge), w->word[i].n);
	}
	return marked;
}

/* Bytes of words that two lines share; 0 if that is less than half of the shorter one. */
static size_t likeness(const struct line *was, const struct line *is, struct words_of *x,
                       struct words_of *y)
{
	size_t least = str_trim(was->text).n, other = str_trim(is->text).n;
	if (!split(was->text, x) || !split(is->text, y))
		return 0;
	size_t common = keep_common(x, y);
	return 2 * common < (other < least ? other : least) ? 0 : common;
}

/* Marks the words in which a removed line differs from the most similar of the added lines. */
static size_t mark_line(struct diff *d, size_t was, size_t from, size_t end)
{
	struct words_of x, y;
	size_t best = end, most = 0;
	for (size_t i = from; i < end; i++) {
		size_t common = likeness(&d->line[was], &d->line[i], &x, &y);
		if (common > most) {
			most = common;
			best = i;
		}
	}
	if (best == end)
		return from;
	likeness(&d->line[was], &d->line[best], &x, &y);
	d->line[was].marked = marks_of(&x, d->line[was].text.n, d->a);
	d->line[best].marked = marks_of(&y, d->line[best].text.n, d->a);
	return best + 1;
}

/* Pairs removed lines with the added lines right after them; pairs do not cross. */
static void mark_words(struct diff *d)
{
	for (size_t i = 0; i < d->n;) {
		size_t mid = i, end;
		while (mid < d->n && d->line[mid].kind == '-')
			mid++;
		for (end = mid; end < d->n && d->line[end].kind == '+';)
			end++;
		for (size_t k = i, from = mid; k < mid; k++)
			from = mark_line(d, k, from, end);
		i = end > i ? end : i + 1;
	}
}

/* --- markup --- */

/* Copies the markup of a line, with a mark around marked bytes. A mark crosses no other element. */
static void put_marked(const struct line *l, struct sb *to)
{
	bool open = false;
	for (size_t i = 0, byte = 0; i < l->markup.n;) {
		char c = l->markup.p[i];
		size_t end = c == '<'   ? str_find(l->markup, '>', i) + 1
		             : c == '&' ? str_find(l->markup, ';', i) + 1
		                        : i + 1;
		bool want = c != '<' && byte < l->text.n && l->marked[byte];
		if (open != want)
			html_raw(to, want ? "<mark>" : "</mark>");
		open = want;
		sb_str(to, str_sub(l->markup, i, end));
		byte += c != '<';
		i = end;
	}
	if (open)
		html_raw(to, "</mark>");
}

static void put_line(const struct line *l, bool rest, struct sb *to)
{
	if (l->kind == '@') {
		html_raw(to, rest ? "<span class=\"gap rest\">⋯" : "<span class=\"gap\">⋯");
		if (l->text.n) {
			sb_char(to, ' ');
			html_text(to, l->text);
			html_raw(to, "()");
		}
		html_raw(to, "</span>\n");
		return;
	}
	sb_printf(to, "<span class=\"%s%s\" data-n=\"%d\">%c",
	          l->kind == '+'   ? "ins"
	          : l->kind == '-' ? "del"
	                           : "ctx",
	          rest ? " rest" : "", l->number, l->kind);
	if (l->marked)
		put_marked(l, to);
	else
		sb_str(to, l->markup);
	html_raw(to, "</span>\n");
}

/* A phone shows the first lines from the first change on, so many, and no unchanged line. */
static const bool *rest_of(const struct diff *d)
{
	enum { MOST_CHANGED = 12 };
	bool *kept = ARENA_ARRAY(d->a, bool, d->n + 1);
	size_t n = 0;
	for (size_t i = 0; i < d->n && n < MOST_CHANGED; i++)
		n += kept[i] = d->line[i].kind == '+' || d->line[i].kind == '-';
	return listing_rest(kept, d->n, d->a);
}

bool diff_print(const struct highlight_lang *lang, const struct diff_side *was,
                const struct diff_side *is, const struct words *w, struct arena *a, struct sb *to,
                struct err *e)
{
	struct diff d = {.was = was, .is = is, .a = a};
	d.was_markup = markup_of(lang, was->code, a);
	d.is_markup = markup_of(lang, is->code, a);
	if (!git_diff_lines(was->code, is->code, GIT_DIFF_CONTEXT, take_line, &d, e))
		return false;
	mark_words(&d);
	html_raw(to, "<pre class=\"diff\" tabindex=\"0\"><code>");
	const bool *rest = rest_of(&d);
	for (size_t i = 0; i < d.n; i++)
		put_line(&d.line[i], rest && rest[i], to);
	html_raw(to, "</code></pre>");
	if (rest)
		listing_toggle(w, d.n, a, to);
	html_raw(to, "\n");
	return true;
}
