#include "site-gen/kinds/listing.h"

#include <string.h>

#include "site-gen/base/highlight.h"
#include "site-gen/base/highlight_lang.h"
#include "site-gen/base/html.h"

size_t listing_lines(struct str code)
{
	size_t n = code.n > 0 && code.p[code.n - 1] != '\n';
	for (size_t i = str_find(code, '\n', 0); i < code.n; i = str_find(code, '\n', i + 1))
		n++;
	return n;
}

/* --- marks ----------------------------------------------------------------- */

/* range -> line [ '-' line ] ; lines are 1 … nlines */
static bool parse_range(struct str text, size_t nlines, int64_t *from, int64_t *to)
{
	struct str a = text, b = text;
	str_cut(text, '-', &a, &b);
	if (a.n == text.n)
		b = a;
	return str_i64(a, from) && str_i64(b, to) && *from >= 1 && *from <= *to &&
	       *to <= (int64_t)nlines;
}

const bool *listing_marks(struct str text, size_t nlines, struct loc at, struct arena *a,
                          struct err *e)
{
	bool *lit = ARENA_ARRAY(a, bool, nlines + 1);
	struct str rest = text, one;
	for (bool more = true; more;) {
		int64_t from, to;
		more = str_cut(rest, ',', &one, &rest);
		if (!parse_range(one, nlines, &from, &to)) {
			err_at(e, at,
			       "mark=" STR_FMT
			       " marks no lines of this code, expected some of 1 to %zu, such as "
			       "mark=1-2,4",
			       STR_ARG(text), nlines);
			return NULL;
		}
		for (int64_t i = from; i <= to; i++)
			lit[i - 1] = true;
	}
	return lit;
}

/* --- notes ----------------------------------------------------------------- */

enum { MOST_NOTES = 99 };

/* line -> code comment [white space] '<' number '>' . Returns the code; *note is 0 without one. */
static struct str without_marker(struct str line, const char *comment, int *note)
{
	struct str s = str_trim(line);
	size_t open = s.n;
	int64_t n;
	*note = 0;
	if (!str_ends(s, ">"))
		return line;
	while (open > 0 && s.p[open - 1] != '<')
		open--;
	if (open == 0 || !str_i64(str_sub(s, open, s.n - 1), &n) || n < 1 || n > MOST_NOTES)
		return line;
	struct str before = str_sub(line, 0, (size_t)(s.p + open - 1 - line.p));
	while (before.n > 0 && (before.p[before.n - 1] == ' ' || before.p[before.n - 1] == '\t'))
		before.n--;
	if (!str_ends(before, comment))
		return line;
	before.n -= strlen(comment);
	while (before.n > 0 && (before.p[before.n - 1] == ' ' || before.p[before.n - 1] == '\t'))
		before.n--;
	*note = (int)n;
	return before;
}

bool listing_notes(const struct highlight_lang *lang, struct str *code, const int **notes,
                   int *most, struct arena *a)
{
	const char *comment = lang->line_comment;
	*notes = NULL;
	*most = 0;
	if (!comment || !memmem(code->p, code->n, ">\n", 2))
		return false;
	int *note = ARENA_ARRAY(a, int, listing_lines(*code) + 1);
	char *to = arena_alloc(a, code->n + 2);
	size_t n = 0, i = 0;
	struct str rest = *code, line;
	for (bool more = code->n > 0; more && (rest.n || !i); i++) {
		more = str_cut(rest, '\n', &line, &rest);
		struct str kept = without_marker(line, comment, &note[i]);
		*most = note[i] > *most ? note[i] : *most;
		memcpy(to + n, kept.p, kept.n);
		n += kept.n;
		to[n++] = '\n';
	}
	if (*most == 0)
		return false;
	*code = (struct str){to, n};
	*notes = note;
	return true;
}

/* The only line with this text, from 1; 0, with an error, if there is none or there are several. */
static size_t only_line(struct str text, struct str code, struct loc at, struct err *e)
{
	struct str line;
	size_t found = 0, times = 0;
	bool more = true;
	for (size_t i = 1; more; i++) {
		more = str_cut(code, '\n', &line, &code);
		if (line.n < text.n || !memmem(line.p, line.n, text.p, text.n))
			continue;
		found = i;
		times++;
	}
	if (times == 1)
		return found;
	err_at(e, at, "'" STR_FMT "' of notes= is in %zu of the lines shown, expected one",
	       STR_ARG(text), times);
	return 0;
}

const int *listing_noted(struct str texts, struct str code, struct loc at, int *most,
                         struct arena *a, struct err *e)
{
	int *note = ARENA_ARRAY(a, int, listing_lines(code) + 1);
	struct str one;
	*most = 0;
	for (bool more = true; more;) {
		more = str_cut(texts, ';', &one, &texts);
		one = str_trim(one);
		if (one.n == 0 || *most == MOST_NOTES) {
			err_at(e, at,
			       "notes= has %s, expected parts of lines, such as notes=\"a; b\"",
			       one.n ? "too many parts" : "an empty part");
			return NULL;
		}
		size_t line = only_line(one, code, at, e);
		if (!line)
			return NULL;
		if (note[line - 1]) {
			err_at(e, at,
			       "'" STR_FMT "' of notes= is in the line of note %d, expected "
			       "another line",
			       STR_ARG(one), note[line - 1]);
			return NULL;
		}
		note[line - 1] = ++*most;
	}
	return note;
}

/* --- what a phone hides --- */

enum {
	FIRST_LINES = 6,  /* shown of a listing without marks and notes */
	LEAST_HIDDEN = 5, /* fewer are not worth a control */
};

const bool *listing_rest(const bool *kept, size_t n, struct arena *a)
{
	size_t nkept = 0, hidden = 0;
	if (!kept)
		return NULL;
	for (size_t i = 0; i < n; i++)
		nkept += kept[i];
	bool *rest = ARENA_ARRAY(a, bool, n + 1);
	for (size_t i = 0; i < n; i++)
		rest[i] = nkept ? !kept[i] : i >= FIRST_LINES;
	/* a single line takes no more room than the sign that stands for it */
	for (size_t i = 0; i < n; i++)
		if (rest[i] && (i == 0 || !rest[i - 1]) && (i + 1 == n || !rest[i + 1]))
			rest[i] = false;
	for (size_t i = 0; i < n; i++)
		hidden += rest[i];
	return hidden < LEAST_HIDDEN ? NULL : rest;
}

void listing_unfold(const char *text, struct sb *to)
{
	html_raw(to, "<label class=\"unfold\"><input type=\"checkbox\">");
	html_text(to, str_of(text));
	html_raw(to, "</label>");
}

void listing_toggle(const struct words *w, size_t nlines, struct arena *a, struct sb *to)
{
	const char *n = arena_printf(a, "%zu", nlines);
	listing_unfold(words_fill(w, a, "listing_all", n, NULL), to);
}

/* The lines that a mark or a note speaks of. */
static const bool *spoken_of(const struct listing *l, size_t n, struct arena *a)
{
	bool *kept = ARENA_ARRAY(a, bool, n + 1);
	for (size_t i = 0; i < n; i++)
		kept[i] = (l->lit && l->lit[i]) || (l->note && l->note[i]);
	return kept;
}

/* --- markup ---------------------------------------------------------------- */

/* Is it the first line of its note, the target of the note's link back? */
static bool is_first(const struct listing *l, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (l->note[k] == l->note[i])
			return false;
	return true;
}

static void put_note(const struct listing *l, size_t i, struct arena *a, struct sb *to)
{
	const char *number = arena_printf(a, "%d", l->note[i]);
	sb_printf(to, " <a class=\"note\" href=\"#code-%d-%d\"", l->id, l->note[i]);
	if (!l->again && is_first(l, i))
		sb_printf(to, " id=\"code-%d-%d-line\"", l->id, l->note[i]);
	html_raw(to, " aria-label=\"");
	html_attr(to, str_of(words_fill(l->words, a, "code_note", number, NULL)));
	html_raw(to, "\">");
	html_text(to, str_of(number));
	html_raw(to, "</a>");
}

static void put_line(const struct listing *l, size_t i, bool rest, struct str markup,
                     struct arena *a, struct sb *to)
{
	html_raw(to, "<span class=\"l");
	if (l->is && l->is[i]) {
		sb_char(to, ' ');
		html_raw(to, l->is[i]);
	}
	html_raw(to, l->lit && l->lit[i] ? " lit" : "");
	html_raw(to, rest ? " rest" : "");
	if (l->note && l->note[i])
		sb_printf(to, " n%d", l->note[i]);
	sb_char(to, '"');
	if (l->number && l->number[i] > 0)
		sb_printf(to, " data-n=\"%d\"", l->number[i]);
	else if (l->number)
		html_raw(to, " data-n=\"\""); /* keeps its room */
	sb_char(to, '>');
	sb_str(to, markup);
	if (l->note && l->note[i])
		put_note(l, i, a, to);
	html_raw(to, "</span>\n");
}

void listing_print(const struct listing *l, struct arena *a, struct sb *to)
{
	if (!l->number && !l->lit && !l->note && !l->is) {
		highlight_block(l->lang, l->code, l->caption, to);
		return;
	}
	struct sb all = {0};
	highlight_open(l->lang, l->caption, to);
	highlight_code(l->lang, l->code, &all); /* its spans never cross a line break */
	struct str left = sb_view(&all), line;
	size_t n = listing_lines(l->code);
	const bool *rest = listing_rest(spoken_of(l, n, a), n, a);
	for (size_t i = 0; i < n; i++) {
		str_cut(left, '\n', &line, &left);
		put_line(l, i, rest && rest[i], line, a, to);
	}
	html_raw(to, "</code></pre>");
	if (rest)
		listing_toggle(l->words, n, a, to);
	html_raw(to, "</div>\n");
	sb_free(&all);
}
