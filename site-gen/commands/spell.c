#include "site-gen/commands/spell.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/base/unicode.h"
#include "site-gen/base/inputs.h"
#include "site-gen/base/tool.h"

enum { MAX_BYTES = 1 << 20, MAX_SAID_BYTES = 16 << 20, MAX_ARGS = 16 };

/* --- words -------------------------------------------------------------------------------- */

/* Length of the non-prose that starts at `i`; 0 if none does. */
static size_t skip_from(struct str s, size_t i)
{
	static const struct {
		const char *open, *close;
	} marks[] = {{"<<", ">>"}, {"](", ")"}, {"{#", "}"}, {"$", "$"}, {"<", ">"}, {"[^", "]"}};
	struct str rest = str_sub(s, i, s.n);
	for (size_t m = 0; m < ARRAY_LEN(marks); m++) {
		size_t n = strlen(marks[m].open);
		const char *end = str_starts(rest, marks[m].open)
		                          ? memmem(rest.p + n, rest.n - n, marks[m].close,
		                                   strlen(marks[m].close))
		                          : NULL;
		if (end)
			return (size_t)(end - rest.p) + strlen(marks[m].close);
	}
	size_t ticks = 0;
	while (ticks < rest.n && rest.p[ticks] == '`')
		ticks++;
	for (size_t k = ticks; ticks && k + ticks <= rest.n; k++)
		if (memcmp(rest.p + k, rest.p, ticks) == 0)
			return k + ticks;
	return ticks;
}

/* True for Latin letters, also with accents, and for apostrophes. */
static bool is_letter(uint32_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xc0 && c < 0x250);
}

/* True for characters that make a run of text a name, a number or a path and not a word. */
static bool is_name(uint32_t c)
{
	return (c >= '0' && c <= '9') || c == '_' || c == '/' || c == ':' || c == '@' || c == '\\';
}

struct words {
	struct arena *arena;
	struct spell_word *all;
	size_t n, cap;
	struct str src;
	const char *path;
};

static void add(struct words *w, struct str text)
{
	while (text.n && text.p[text.n - 1] == '\'')
		text.n--;
	if (text.n < 2)
		return;
	w->all = arena_grow(w->arena, w->all, w->n, &w->cap, sizeof *w->all);
	w->all[w->n++] = (struct spell_word){text, str_loc(w->src, w->path, text.p)};
}

static void add_line(struct words *w, struct str s)
{
	size_t n, i = 0;
	while (i < s.n) {
		size_t skip = skip_from(s, i), from = i;
		bool name = false;
		if (skip) {
			i += skip;
			continue;
		}
		for (uint32_t c; i < s.n; i += n) {
			c = unicode_at(s, i, &n);
			name = name || is_name(c);
			if (!is_letter(c) && !is_name(c) && !(c == '\'' && i > from))
				break;
		}
		if (i > from && !name)
			add(w, str_sub(s, from, i));
		else if (i == from)
			i += n;
	}
}

static bool is_fence(struct str line)
{
	struct str s = str_trim(line);
	return str_starts(s, "```") || str_starts(s, "~~~");
}

struct spell_word *spell_words(struct str src, const char *path, struct arena *a, size_t *n)
{
	struct words w = {.arena = a, .src = src, .path = path};
	struct str rest = src, line;
	bool code = false, front = str_starts(src, "---\n"), first = true;
	while (rest.n && str_utf8(src)) {
		if (!str_cut(rest, '\n', &line, &rest))
			rest.n = 0;
		if (front && !first && str_is(str_trim(line), "---"))
			front = false;
		else if (is_fence(line))
			code = !code;
		else if (!front && !code)
			add_line(&w, line);
		first = false;
	}
	*n = w.n;
	return w.all;
}

/* --- the program ------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	return str_cmp(*x, *y);
}

/* A sorted list of lines. */
struct list {
	struct str *word;
	size_t n;
};

static struct list list_of(struct str text, struct arena *a)
{
	struct list l = {ARENA_ARRAY(a, struct str, text.n + 1), 0};
	for (struct str line; text.n;) {
		if (!str_cut(text, '\n', &line, &text))
			text.n = 0;
		line = str_trim(line);
		if (line.n)
			l.word[l.n++] = line;
	}
	if (l.n)
		qsort(l.word, l.n, sizeof *l.word, by_text);
	return l;
}

static bool has(const struct list *l, struct str word)
{
	return l->n && bsearch(&word, l->word, l->n, sizeof word, by_text);
}

/* Runs the program between two files of a folder. */
static bool run(const char *path, char *const *argv, const char *in, const char *out, struct err *e)
{
	posix_spawn_file_actions_t f;
	pid_t pid;
	int status;
	posix_spawn_file_actions_init(&f);
	posix_spawn_file_actions_addopen(&f, 0, in, O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&f, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int failed = posix_spawn(&pid, path, &f, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&f);
	if (failed)
		return err_set(e, "%s: cannot start it: %s", path, strerror(failed));
	while (waitpid(pid, &status, 0) < 0)
		;
	return status == 0 || err_set(e,
	                              "%s failed; expected a program that reads words and "
	                              "prints those it does not know: 'hunspell -l'",
	                              path);
}

/* Runs the program over these words, in a temporary folder, and reads its answer. */
static bool ask(const char *path, char *const *argv, struct str words, struct arena *a,
                struct list *unknown, struct err *e)
{
	const char *dir = tool_folder(a, e);
	struct str said;
	if (!dir)
		return false;
	const char *in = arena_printf(a, "%s/words", dir),
	           *out = arena_printf(a, "%s/unknown", dir);
	bool ok = file_write(in, words, e) && run(path, argv, in, out, e) &&
	          file_read(out, MAX_SAID_BYTES, a, &said, e);
	if (ok)
		*unknown = list_of(said, a);
	tool_folder_remove(dir);
	return ok;
}

/* --- all sources ------------------------------------------------------------------------------ */

/* True for NAME.md, false for NAME.LANG.md, because the program knows one language. */
static bool is_own(const char *path)
{
	const char *name = strrchr(path, '/');
	const char *dot = name ? strchr(name, '.') : NULL;
	return dot && strcmp(dot, ".md") == 0;
}

struct source {
	struct spell_word *word;
	size_t n;
};

static bool read_all(const struct inputs *in, struct source *to, struct sb *words, struct arena *a,
                     struct err *e)
{
	for (size_t i = 0; i < in->n; i++) {
		struct str src;
		if (!is_own(in->file[i].path))
			continue;
		if (!file_read(in->file[i].path, MAX_BYTES, a, &src, e))
			return false;
		to[i].word = spell_words(src, in->file[i].path, a, &to[i].n);
		for (size_t k = 0; k < to[i].n; k++)
			sb_printf(words, STR_FMT "\n", STR_ARG(to[i].word[k].text));
	}
	return true;
}

static void warn(const struct source *s, const struct list *unknown, const struct list *known,
                 struct problems *p)
{
	for (size_t i = 0; i < s->n; i++) {
		struct str word = s->word[i].text;
		bool again = false;
		for (size_t k = 0; k < i && !again; k++)
			again = str_eq(s->word[k].text, word);
		if (!again && has(unknown, word) && !has(known, word))
			problems_warn(p, s->word[i].at,
			              "'" STR_FMT
			              "' is no word that the spelling checker knows; if it is "
			              "right, content/words.txt takes it",
			              STR_ARG(word));
	}
}

static bool check(const char *path, char *const *argv, struct problems *p, struct arena *a,
                  struct err *e)
{
	static const char accepted[] = "content/words.txt";
	struct inputs in = {0};
	struct list unknown = {0}, known = {0};
	struct str own;
	if (!inputs_add(&in, "content", a, e))
		return false;
	inputs_sort(&in);
	struct source *all = ARENA_ARRAY(a, struct source, in.n);
	struct sb words = {0};
	bool ok = read_all(&in, all, &words, a, e) &&
	          ask(path, argv, sb_view(&words), a, &unknown, e);
	sb_free(&words);
	if (ok && file_exists(accepted)) {
		ok = file_read(accepted, MAX_BYTES, a, &own, e);
		known = ok ? list_of(own, a) : known;
	}
	for (size_t i = 0; ok && i < in.n; i++)
		warn(&all[i], &unknown, &known, p);
	return ok;
}

bool spell_check(const char *command, struct problems *problems, FILE *to, struct err *e)
{
	struct arena a = {0};
	char *argv[MAX_ARGS + 1] = {NULL}, *rest = NULL;
	size_t n = 0;
	for (char *s = strtok_r(arena_strdup(&a, command), " ", &rest); s && n < MAX_ARGS;
	     s = strtok_r(NULL, " ", &rest))
		argv[n++] = s;
	const char *path = n ? (strchr(argv[0], '/') ? argv[0] : tool_find(argv[0], &a)) : NULL;
	bool ok = true;
	if (path && file_exists(path))
		ok = check(path, argv, problems, &a, e);
	else
		fprintf(to, "site-gen: the spelling was not checked: no program '%s'\n",
		        n ? argv[0] : "");
	arena_free(&a);
	return ok;
}
