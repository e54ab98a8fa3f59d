/*
 * Front matter: the keys that a file may have, and what each may hold.
 *
 * How to add a key: a row in `keys` and a member in struct front. What its
 * check returns becomes the error message.
 */
#include "site-gen/base/front.h"

#include <string.h>
#include <yaml.h>

#include "lib/visible.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"

enum { FRONT_MAX_BYTES = 16 * 1024, FRONT_MAX_TAGS = 16 };

enum value_type {
	TYPE_TEXT,  /* struct front_text: placeholders allowed */
	TYPE_WORD,  /* const char * */
	TYPE_INT,   /* int64_t, from 1 */
	TYPE_BOOL,  /* bool */
	TYPE_WORDS, /* const char **, and its count in the member after it */
	TYPE_WAIVE, /* struct front.waive */
};

struct key {
	const char *name;
	enum value_type type;
	size_t offset;                      /* of the member of struct front */
	const char *(*check)(const char *); /* what was expected, or NULL if the word is right */
	unsigned needed;                    /* by which kinds: bits */
	unsigned only; /* legal in these kinds, and their translations, only; 0: in all */
};

enum {
	POST = 1 << FRONT_POST,
	PAGE = 1 << FRONT_PAGE,
	SECTION = 1 << FRONT_SECTION,
	PATH = 1 << FRONT_PATH,
	FAMILY = 1 << FRONT_FAMILY,
	OWN = POST | PAGE | SECTION | PATH, /* pages of their own */
	ALL = OWN | FAMILY,
};

/* "every post needs" */
static const char *const kind_names[] = {[FRONT_POST] = "post",
                                         [FRONT_PAGE] = "page",
                                         [FRONT_SECTION] = "section",
                                         [FRONT_PATH] = "reading path",
                                         [FRONT_FAMILY] = "text of a family",
                                         [FRONT_TRANSLATION] = "translation"};

#define AT(member) offsetof(struct front, member)

static const struct key keys[] = {
        {"title", TYPE_TEXT, AT(title), NULL, ALL, 0},
        {"description", TYPE_TEXT, AT(description), NULL, FAMILY, 0},
        {"key", TYPE_TEXT, AT(key), NULL, 0, POST},
        {"date", TYPE_WORD, AT(date), front_check_date, POST, OWN},
        {"updated", TYPE_WORD, AT(updated), front_check_date, 0, 0},
        {"slug", TYPE_WORD, AT(slug), front_check_slug, 0, OWN},
        {"tags", TYPE_WORDS, AT(tags), NULL, 0, 0},
        {"category", TYPE_WORD, AT(category), NULL, 0, 0},
        {"difficulty", TYPE_WORD, AT(difficulty), front_check_difficulty, 0, 0},
        {"device", TYPE_WORD, AT(device), front_check_slug, 0, 0},
        {"series", TYPE_WORD, AT(series), NULL, 0, 0},
        {"part", TYPE_INT, AT(part), NULL, 0, 0},
        {"order", TYPE_INT, AT(order), NULL, 0, POST},
        {"lang", TYPE_WORD, AT(lang), front_check_lang, 0, 0},
        {"source", TYPE_WORD, AT(source), front_check_blob, 0, 0},
        {"status", TYPE_WORD, AT(status), front_check_status, SECTION, SECTION},
        {"needs", TYPE_WORDS, AT(needs), NULL, 0, SECTION},
        {"families", TYPE_WORDS, AT(families), NULL, 0, SECTION},
        {"sections", TYPE_WORDS, AT(sections), NULL, PATH, PATH},
        {"aliases", TYPE_WORDS, AT(aliases), NULL, 0, OWN},
        {"draft", TYPE_BOOL, AT(draft), NULL, 0, OWN},
        {"waive", TYPE_WAIVE, 0, NULL, 0, 0},
};

enum { NKEYS = sizeof keys / sizeof *keys };

struct reader {
	yaml_parser_t yaml;
	struct str src, matter; /* the whole file, and the YAML inside it */
	const char *path;
	int first_line;   /* of the matter */
	const char *line; /* start of line `line_no` of the matter: marks only move on */
	size_t line_no;
	struct arena *arena;
	struct front *out;
	struct loc seen[NKEYS]; /* where each key stands; line 0: not there */
	struct err *e;
};

/* --- places ---------------------------------------------------------------- */

static struct loc mark_loc(const struct reader *r, yaml_mark_t m)
{
	return (struct loc){r->path, r->first_line + (int)m.line, (int)m.column + 1};
}

/* The byte a mark points at: libyaml counts characters. Marks come in order. */
static const char *mark_ptr(struct reader *r, yaml_mark_t m)
{
	const char *end = r->matter.p + r->matter.n;
	for (; r->line_no < m.line; r->line_no++) {
		const char *nl = memchr(r->line, '\n', (size_t)(end - r->line));
		r->line = nl ? nl + 1 : end;
	}
	const char *p = r->line;
	for (size_t col = 0; p < end && col < m.column; p++)
		col += p + 1 == end || ((unsigned char)p[1] & 0xc0) != 0x80;
	return p;
}

/*
 * "title: a: b", with the second ':' at the mark: libyaml says that "mapping
 * values are not allowed", which tells authors nothing.
 */
static bool colon_error(struct reader *r, yaml_mark_t m)
{
	struct str line, rest, key, value;
	const char *colon = mark_ptr(r, m);
	str_cut(str_sub(r->matter, (size_t)(r->line - r->matter.p), r->matter.n), '\n', &line,
	        &rest);
	bool cut = str_cut(line, ':', &key, &value);
	key = str_trim(key);
	if (str_starts(key, "- "))
		key = str_trim(str_sub(key, 2, key.n));
	value = str_trim(value);
	if (!cut || value.p > colon || !value.n || strchr("[{\"'-", value.p[0]))
		return err_at(r->e, mark_loc(r, m), "a value with ': ' in it needs quotes");
	char quote = memchr(value.p, '"', value.n) ? '\'' : '"';
	return err_at(r->e, mark_loc(r, m),
	              STR_FMT ": a value with ': ' in it needs quotes: " STR_FMT ": %c" STR_FMT
	                      "%c",
	              STR_ARG(key), STR_ARG(key), quote, STR_ARG(value), quote);
}

static bool yaml_error(struct reader *r)
{
	const yaml_parser_t *y = &r->yaml;
	if (y->problem && str_starts(str_of(y->problem), "mapping values are not allowed"))
		return colon_error(r, y->problem_mark);
	if (y->error == YAML_READER_ERROR) {
		struct loc at = str_loc(r->src, r->path, r->matter.p + y->problem_offset);
		return err_at(r->e, at, "front matter: %s", y->problem);
	}
	return err_at(r->e, mark_loc(r, y->problem_mark), "front matter: %s%s%s", y->problem,
	              y->context ? " " : "", y->context ? y->context : "");
}

/* --- values ---------------------------------------------------------------- */

static const char *event_name(const yaml_event_t *ev)
{
	switch (ev->type) {
	case YAML_SCALAR_EVENT:
		return "text";
	case YAML_SEQUENCE_START_EVENT:
		return "a list";
	case YAML_MAPPING_START_EVENT:
		return "a mapping";
	case YAML_ALIAS_EVENT:
		return "an alias";
	default:
		return "nothing";
	}
}

static bool next(struct reader *r, yaml_event_t *ev)
{
	return yaml_parser_parse(&r->yaml, ev) || yaml_error(r);
}

/* What a list or a mapping holds, one after the other: `read` takes each from its first event. */
static bool read_each(struct reader *r, yaml_event_type_t last,
                      bool (*read)(struct reader *r, const yaml_event_t *ev, void *to), void *to)
{
	for (;;) {
		yaml_event_t ev;
		if (!next(r, &ev))
			return false;
		bool end = ev.type == last;
		bool ok = end || read(r, &ev, to);
		yaml_event_delete(&ev);
		if (end || !ok)
			return ok;
	}
}

/* Nothing of YAML that says less than it does: no anchors, no tags. */
static bool plain_node(struct reader *r, const yaml_event_t *ev)
{
	bool scalar = ev->type == YAML_SCALAR_EVENT;
	if (scalar ? ev->data.scalar.anchor || ev->data.scalar.tag
	           : ev->type == YAML_SEQUENCE_START_EVENT &&
	                     (ev->data.sequence_start.anchor || ev->data.sequence_start.tag))
		return err_at(r->e, mark_loc(r, ev->start_mark),
		              "front matter has no anchors and no tags, expected a plain value");
	return true;
}

static struct str scalar(const yaml_event_t *ev)
{
	return (struct str){(const char *)ev->data.scalar.value, ev->data.scalar.length};
}

static bool scalar_wanted(struct reader *r, const char *key, const yaml_event_t *ev,
                          const char *what)
{
	struct loc at = mark_loc(r, ev->start_mark);
	if (ev->type != YAML_SCALAR_EVENT)
		return err_at(r->e, at, "'%s' has %s, expected %s", key, event_name(ev), what);
	struct str s = scalar(ev);
	if (!visible_any(s))
		return err_at(r->e, at, "'%s' is empty%s, expected %s", key,
		              str_trim(s).n ? " to the eye" : "", what);
	uint32_t c;
	if (memchr(s.p, 0, s.n) || html_bad_char(s, &c))
		return err_at(r->e, at, "'%s' holds a control character, expected %s", key, what);
	return plain_node(r, ev);
}

static bool read_text(struct reader *r, const char *key, const yaml_event_t *ev,
                      struct front_text *to)
{
	if (!scalar_wanted(r, key, ev, "text"))
		return false;
	struct str s = scalar(ev);
	const char *p = mark_ptr(r, ev->start_mark);
	to->at = mark_loc(r, ev->start_mark);
	if (ev->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
	    ev->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
		p++, to->at.col++;
	bool exact = (size_t)(r->src.p + r->src.n - p) >= s.n && memcmp(p, s.p, s.n) == 0 &&
	             !memchr(s.p, '\n', s.n);
	if (!exact && s.n > 8 && memmem(s.p, s.n, "<<bench:", 8))
		return err_at(r->e, to->at,
		              "'%s' holds a placeholder, so expected it on one line and without "
		              "escapes",
		              key);
	char *copy = arena_strndup(r->arena, s.p, s.n);
	for (char *q = copy; *q; q++)
		if (*q == '\n')
			*q = ' ';
	to->s = str_trim((struct str){copy, s.n});
	to->at.col += (int)(to->s.p - copy);
	return true;
}

/* Words that readers see and that may be any. */
static void note_word(struct reader *r, const char *key, const yaml_event_t *ev, const char *word)
{
	struct front *f = r->out;
	struct loc at = mark_loc(r, ev->start_mark);
	at.col += ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE; /* its quote */
	if (f->nwords < FRONT_MAX_WORDS)
		f->word[f->nwords++] = (struct front_word){key, str_of(word), at};
}

/* Words stand on pages as they are. */
static bool is_plain_word(struct reader *r, const char *key, const yaml_event_t *ev, struct str s)
{
	return !s.n || !memmem(s.p, s.n, "<<bench:", 8) ||
	       err_at(r->e, mark_loc(r, ev->start_mark),
	              "'%s' is shown as it is, expected a word without a placeholder", key);
}

static bool read_word(struct reader *r, const struct key *k, const yaml_event_t *ev,
                      const char **to)
{
	if (!scalar_wanted(r, k->name, ev, "a word"))
		return false;
	struct str s = str_trim(scalar(ev));
	if (!is_plain_word(r, k->name, ev, s))
		return false;
	*to = arena_strndup(r->arena, s.p, s.n);
	if (!k->check)
		note_word(r, k->name, ev, *to);
	const char *want = k->check ? k->check(*to) : NULL;
	if (want)
		return err_at(r->e, mark_loc(r, ev->start_mark), "%s is '%s', expected %s", k->name,
		              *to, want);
	return true;
}

static bool read_int(struct reader *r, const char *key, const yaml_event_t *ev, int64_t *to)
{
	if (!scalar_wanted(r, key, ev, "a number from 1"))
		return false;
	if (ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !str_i64(scalar(ev), to) ||
	    *to < 1 || *to > 1000)
		return err_at(r->e, mark_loc(r, ev->start_mark),
		              "%s is '" STR_FMT "', expected a number from 1 to 1000", key,
		              STR_ARG(scalar(ev)));
	return true;
}

static bool read_bool(struct reader *r, const char *key, const yaml_event_t *ev, bool *to)
{
	if (!scalar_wanted(r, key, ev, "true or false"))
		return false;
	*to = str_is(scalar(ev), "true");
	if (ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
	    (!*to && !str_is(scalar(ev), "false")))
		return err_at(r->e, mark_loc(r, ev->start_mark),
		              "%s is '" STR_FMT "', expected true or false", key,
		              STR_ARG(scalar(ev)));
	return true;
}

struct word_list {
	const char *key, **word;
	size_t n;
};

static bool add_word(struct reader *r, const yaml_event_t *ev, void *words)
{
	struct word_list *l = words;
	const char *key = l->key;
	if (!scalar_wanted(r, key, ev, "words in a list"))
		return false;
	struct loc at = mark_loc(r, ev->start_mark);
	if (l->n == FRONT_MAX_TAGS)
		return err_at(r->e, at, "%s has more than %d words", key, FRONT_MAX_TAGS);
	struct str s = str_trim(scalar(ev));
	if (!is_plain_word(r, key, ev, s))
		return false;
	for (size_t i = 0; i < l->n; i++)
		if (str_is(s, l->word[i]))
			return err_at(r->e, at, "%s has '%s' twice", key, l->word[i]);
	l->word[l->n] = arena_strndup(r->arena, s.p, s.n);
	if (strcmp(key, "aliases") == 0) /* addresses are nobody's words */
		r->out->aliases_at = l->n == 0 ? at : r->out->aliases_at;
	else
		note_word(r, key, ev, l->word[l->n]);
	l->n++;
	return true;
}

/* words -> '[' word { ',' word } ']' | { '-' word newline } */
static bool read_words(struct reader *r, const char *key, const yaml_event_t *open,
                       const char ***to, size_t *n)
{
	if (open->type != YAML_SEQUENCE_START_EVENT)
		return err_at(r->e, mark_loc(r, open->start_mark),
		              "'%s' has %s, expected a list like [cuda, memory]", key,
		              event_name(open));
	if (!plain_node(r, open))
		return false;
	struct word_list l = {key, ARENA_ARRAY(r->arena, const char *, FRONT_MAX_TAGS), 0};
	bool ok = read_each(r, YAML_SEQUENCE_END_EVENT, add_word, &l);
	*to = l.word;
	*n = l.n;
	return ok;
}

/* --- waivers --------------------------------------------------------------- */

/* One key of a waiver, and its value. */
static bool read_waive_key(struct reader *r, const yaml_event_t *key, void *waive)
{
	struct front_waive *to = waive;
	struct loc at = mark_loc(r, key->start_mark);
	if (key->type != YAML_SCALAR_EVENT)
		return err_at(r->e, at, "waiver has %s as a key, expected a word", event_name(key));
	struct str name = scalar(key);
	const char **part = str_is(name, "rule")  ? &to->rule
	                    : str_is(name, "in")  ? &to->in
	                    : str_is(name, "for") ? &to->selector
	                    : str_is(name, "why") ? &to->why
	                                          : NULL;
	if (!part || *part)
		return err_at(r->e, at, "waiver has '" STR_FMT "'%s, expected rule, in or for, why",
		              STR_ARG(name), part ? " twice" : "");
	yaml_event_t ev;
	if (!next(r, &ev))
		return false;
	bool ok = scalar_wanted(r, "waive", &ev, "text");
	if (ok) {
		struct str s = str_trim(scalar(&ev));
		*part = arena_strndup(r->arena, s.p, s.n);
	}
	yaml_event_delete(&ev);
	return ok;
}

/* waiver -> '{' 'rule:' name ',' ( 'in:' key | 'for:' selector ) ',' 'why:' text '}' */
static bool read_waiver(struct reader *r, const yaml_event_t *open, void *front)
{
	struct front *f = front;
	struct loc at = mark_loc(r, open->start_mark);
	if (open->type != YAML_MAPPING_START_EVENT)
		return err_at(r->e, at,
		              "waiver is %s, expected {rule: traced, in: title, why: \"…\"}",
		              event_name(open));
	if (f->nwaives == FRONT_MAX_WAIVES)
		return err_at(r->e, at, "more than %d waivers", FRONT_MAX_WAIVES);
	struct front_waive *to = &f->waive[f->nwaives++];
	to->at = at;
	if (!read_each(r, YAML_MAPPING_END_EVENT, read_waive_key, to))
		return false;
	if (!to->rule || !to->why || !to->in == !to->selector)
		return err_at(r->e, at, "waiver needs rule, why, and either in or for");
	return true;
}

static bool read_waivers(struct reader *r, const yaml_event_t *open)
{
	if (open->type != YAML_SEQUENCE_START_EVENT)
		return err_at(r->e, mark_loc(r, open->start_mark),
		              "'waive' has %s, expected a list of {rule: …, in: …, why: …}",
		              event_name(open));
	return read_each(r, YAML_SEQUENCE_END_EVENT, read_waiver, r->out);
}

/* --- keys ------------------------------------------------------------------ */

static const struct key *nearest_key(struct str name)
{
	enum { FAR = 4 };
	const struct key *best = NULL;
	size_t least = FAR;
	for (size_t i = 0; i < NKEYS; i++) {
		size_t d = str_distance(name, str_of(keys[i].name), FAR);
		if (d < least && d < name.n)
			best = &keys[i], least = d;
	}
	return best;
}

static bool unknown_key(struct reader *r, struct loc at, struct str name)
{
	const struct key *k = nearest_key(name);
	struct sb all = {0};
	for (size_t i = 0; i < NKEYS; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", keys[i].name);
	if (k)
		err_at(r->e, at, "unknown key '" STR_FMT "', did you mean '%s'?", STR_ARG(name),
		       k->name);
	else
		err_at(r->e, at, "unknown key '" STR_FMT "', expected one of %s", STR_ARG(name),
		       all.p);
	sb_free(&all);
	return false;
}

static bool read_value(struct reader *r, const struct key *k, const yaml_event_t *ev)
{
	void *to = (char *)r->out + k->offset;
	switch (k->type) {
	case TYPE_TEXT:
		return read_text(r, k->name, ev, to);
	case TYPE_WORD:
		return read_word(r, k, ev, to);
	case TYPE_INT:
		return read_int(r, k->name, ev, to);
	case TYPE_BOOL:
		return read_bool(r, k->name, ev, to);
	case TYPE_WAIVE:
		return read_waivers(r, ev);
	case TYPE_WORDS:
		return read_words(r, k->name, ev, to, (size_t *)((const char ***)to + 1));
	}
	return false;
}

static bool read_key(struct reader *r, const yaml_event_t *ev, void *nothing)
{
	struct loc at = mark_loc(r, ev->start_mark);
	(void)nothing;
	if (ev->type != YAML_SCALAR_EVENT)
		return err_at(r->e, at, "front matter has %s as a key, expected a word",
		              event_name(ev));
	struct str name = scalar(ev);
	size_t i = 0;
	while (i < NKEYS && !str_is(name, keys[i].name))
		i++;
	if (i == NKEYS)
		return unknown_key(r, at, name);
	if (r->seen[i].line)
		return err_at(r->e, at, "'%s' stands in line %d already", keys[i].name,
		              r->seen[i].line);
	r->seen[i] = at;
	yaml_event_t value;
	if (!next(r, &value))
		return false;
	bool ok = read_value(r, &keys[i], &value);
	yaml_event_delete(&value);
	return ok;
}

/* Skips the events that open the document and its mapping. */
static bool read_open(struct reader *r)
{
	static const yaml_event_type_t want[] = {YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT,
	                                         YAML_MAPPING_START_EVENT};
	for (size_t i = 0; i < 3; i++) {
		yaml_event_t ev;
		if (!next(r, &ev))
			return false;
		bool ok = ev.type == want[i];
		struct loc at = mark_loc(r, ev.start_mark);
		yaml_event_delete(&ev);
		if (!ok)
			return err_at(r->e, at,
			              "front matter is no mapping, expected lines 'key: value'");
	}
	return true;
}

/* Nothing follows the mapping. */
static bool read_close(struct reader *r)
{
	yaml_event_t ev;
	if (!next(r, &ev)) /* the end of the document */
		return false;
	yaml_event_delete(&ev);
	if (!next(r, &ev))
		return false;
	bool ok = ev.type == YAML_STREAM_END_EVENT;
	struct loc at = mark_loc(r, ev.start_mark);
	yaml_event_delete(&ev);
	return ok || err_at(r->e, at, "front matter goes on, expected one mapping only");
}

static bool read_mapping(struct reader *r)
{
	return read_open(r) && read_each(r, YAML_MAPPING_END_EVENT, read_key, NULL) &&
	       read_close(r);
}

/* --- the file -------------------------------------------------------------- */

/* The line at `from`, without its line break; *after is where the next one starts. */
static struct str line_at(struct str s, size_t from, size_t *after)
{
	size_t nl = str_find(s, '\n', from);
	*after = nl < s.n ? nl + 1 : s.n;
	struct str line = str_sub(s, from, nl);
	return str_ends(line, "\r") ? str_sub(line, 0, line.n - 1) : line;
}

/* file -> ['BOM'] '---' newline matter '---' newline body */
static bool split(struct reader *r)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t from = str_starts(r->src, bom) ? 3 : 0, next_line;
	struct loc top = {r->path, 1, 1};
	if (!str_is(str_trim(line_at(r->src, from, &next_line)), "---"))
		return err_at(r->e, top,
		              "no front matter, expected '---' as the first line, then 'title: …'");
	size_t start = next_line;
	r->first_line = 2;
	for (int line = 2; next_line < r->src.n; line++) {
		size_t at = next_line;
		struct str s = line_at(r->src, at, &next_line);
		if (next_line - start > FRONT_MAX_BYTES)
			break;
		if (!str_starts(s, "---") || !str_is(str_trim(s), "---"))
			continue;
		r->matter = str_sub(r->src, start, at);
		r->out->body = str_sub(r->src, next_line, r->src.n);
		r->out->body_line = line + 1;
		return true;
	}
	return err_at(r->e, top, "front matter does not end, expected a line '---' within %d KiB",
	              FRONT_MAX_BYTES / 1024);
}

/* content/posts/2026-11-21-tiles.md and content/posts/tiles/index.md give "tiles". */
static bool default_slug(struct reader *r, enum front_kind kind)
{
	struct str s = str_of(r->path), ending;
	if (str_ends(s, "/index.md"))
		s = str_sub(s, 0, s.n - strlen("/index.md"));
	for (size_t i = s.n; i > 0; i--) {
		if (s.p[i - 1] == '/') {
			s = str_sub(s, i, s.n);
			break;
		}
	}
	str_cut(s, '.', &s, &ending);
	if (kind == FRONT_SECTION) { /* "03-memory" is called "memory" */
		size_t dash = str_find(s, '-', 0);
		s = dash < s.n ? str_sub(s, dash + 1, s.n) : s;
	}
	if (s.n > 11 && s.p[10] == '-') {
		const char *date = arena_strndup(r->arena, s.p, 10);
		if (!front_check_date(date))
			s = str_sub(s, 11, s.n);
	}
	r->out->slug = arena_strndup(r->arena, s.p, s.n);
	const char *want = front_check_slug(r->out->slug);
	if (want)
		return err_at(r->e, (struct loc){r->path, 1, 1},
		              "the file name gives the slug '%s', expected %s; add 'slug: …'",
		              r->out->slug, want);
	return true;
}

static struct loc seen_at(const struct reader *r, const char *name)
{
	for (size_t i = 0; i < NKEYS; i++)
		if (strcmp(keys[i].name, name) == 0)
			return r->seen[i];
	return (struct loc){0};
}

/* What one key alone cannot tell. */
static bool check_whole(struct reader *r, enum front_kind kind)
{
	struct front *f = r->out;
	for (size_t i = 0; i < NKEYS; i++) {
		if (!r->seen[i].line && (keys[i].needed >> kind & 1))
			return err_at(r->e, (struct loc){r->path, 1, 1},
			              "front matter has no '%s', which every %s needs",
			              keys[i].name, kind_names[kind]);
		if (r->seen[i].line && keys[i].only &&
		    !((keys[i].only | 1u << FRONT_TRANSLATION) >> kind & 1))
			return err_at(r->e, r->seen[i], "a %s has no '%s'", kind_names[kind],
			              keys[i].name);
	}
	if (f->updated && !f->date && kind != FRONT_TRANSLATION)
		return err_at(r->e, seen_at(r, "updated"), "'updated' without 'date'");
	if (f->updated && f->date && strcmp(f->updated, f->date) < 0)
		return err_at(r->e, seen_at(r, "updated"),
		              "updated is %s, expected no day before the date %s", f->updated,
		              f->date);
	if (f->part && !f->series && kind != FRONT_TRANSLATION)
		return err_at(r->e, seen_at(r, "part"), "'part' without 'series'");
	f->lang_at = seen_at(r, "lang");
	f->source_at = seen_at(r, "source");
	return f->slug || kind == FRONT_TRANSLATION || default_slug(r, kind);
}

static bool start(struct reader *r)
{
	r->line = r->matter.p;
	if (!yaml_parser_initialize(&r->yaml))
		return err_at(r->e, (struct loc){.path = r->path}, "out of memory");
	yaml_parser_set_encoding(&r->yaml, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r->yaml, (const unsigned char *)r->matter.p, r->matter.n);
	return true;
}

bool front_parse(struct str src, const char *path, enum front_kind kind, struct arena *a,
                 struct front *out, struct err *e)
{
	*out = (struct front){0};
	struct reader r = {.src = src, .path = path, .arena = a, .out = out, .e = e};
	if (!split(&r))
		return false;
	if (!start(&r))
		return false;
	bool ok = read_mapping(&r);
	yaml_parser_delete(&r.yaml);
	return ok && check_whole(&r, kind);
}

/* --- other files ------------------------------------------------------------ */

enum { FRONT_MAX_FIELDS = 1024 };

const struct front_field *front_field(const struct front_fields *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->field[i].name, name) == 0)
			return &f->field[i];
	return NULL;
}

/* The value of the field that read_field has begun. */
static bool read_field_value(struct reader *r, struct front_field *f)
{
	yaml_event_t ev;
	if (!next(r, &ev))
		return false;
	bool ok = scalar_wanted(r, f->name, &ev, "a value");
	if (ok) {
		struct str s = str_trim(scalar(&ev));
		f->value = arena_strndup(r->arena, s.p, s.n);
		f->at = mark_loc(r, ev.start_mark);
		f->at.col += ev.data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
		             ev.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	}
	yaml_event_delete(&ev);
	return ok;
}

static bool read_field(struct reader *r, const yaml_event_t *ev, void *fields)
{
	struct front_fields *to = fields;
	struct loc at = mark_loc(r, ev->start_mark);
	if (ev->type != YAML_SCALAR_EVENT)
		return err_at(r->e, at, "front matter has %s as a key, expected a word",
		              event_name(ev));
	struct str s = scalar(ev);
	const char *name = arena_strndup(r->arena, s.p, s.n);
	const struct front_field *same = front_field(to, name);
	if (same)
		return err_at(r->e, at, "'%s' stands in line %d already", name, same->name_at.line);
	if (to->n == FRONT_MAX_FIELDS)
		return err_at(r->e, at, "front matter has more than %d keys", FRONT_MAX_FIELDS);
	to->field = arena_grow(r->arena, to->field, to->n, &to->room, sizeof *to->field);
	struct front_field *f = &to->field[to->n++];
	*f = (struct front_field){.name = name, .name_at = at};
	return read_field_value(r, f);
}

static bool read_fields(struct reader *r, struct front_fields *to)
{
	return read_open(r) && read_each(r, YAML_MAPPING_END_EVENT, read_field, to) &&
	       read_close(r);
}

bool front_fields(struct str src, const char *path, struct arena *a, struct front_fields *out,
                  struct err *e)
{
	struct front f = {0};
	struct reader r = {.src = src, .path = path, .arena = a, .out = &f, .e = e};
	*out = (struct front_fields){0};
	if (!split(&r) || !start(&r))
		return false;
	bool ok = read_fields(&r, out);
	yaml_parser_delete(&r.yaml);
	out->body = f.body;
	out->body_line = f.body_line;
	return ok;
}
