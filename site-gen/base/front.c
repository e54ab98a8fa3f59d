/*
 * Front matter: the keys that a file may have, and their values.
 * To add a key, add a row to `keys` and a member to struct front. The text that
 * the row's check returns becomes the error message.
 */
#include "site-gen/base/front.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/unicode.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"
#include "site-gen/base/moment.h"
#include "site-gen/base/yaml.h"

enum { FRONT_MAX_BYTES = 64 * 1024, FRONT_MAX_TAGS = 16, FIRST_LINE = 2 /* of the YAML */ };

enum value_type {
	TYPE_TEXT,  /* struct front_text: placeholders allowed */
	TYPE_TAKES, /* struct front_text[FRONT_TAKES] */
	TYPE_WORD,  /* const char * */
	TYPE_INT,   /* int64_t, from 1 */
	TYPE_BOOL,  /* bool */
	TYPE_WORDS, /* const char **, with its count in the next member */
	TYPE_WAIVE, /* struct front.waive */
};

struct key {
	const char *name;
	enum value_type type;
	size_t offset;                      /* its member of struct front */
	const char *(*check)(const char *); /* what was expected, or NULL if the word is right */
	unsigned needed;                    /* bits of the kinds that need it */
	unsigned only; /* bits of the kinds that may have it, as their translations may; 0: all */
};

enum {
	POST = 1 << FRONT_POST,
	PAGE = 1 << FRONT_PAGE,
	SECTION = 1 << FRONT_SECTION,
	PATH = 1 << FRONT_PATH,
	SERIES = 1 << FRONT_SERIES,
	FAMILY = 1 << FRONT_FAMILY,
	OWN = POST | PAGE | SECTION | PATH | SERIES, /* kinds with a page of their own */
	ALL = OWN | FAMILY,
};

/* "every post needs" */
static const char *const kind_names[] = {[FRONT_POST] = "post",
                                         [FRONT_PAGE] = "page",
                                         [FRONT_SECTION] = "section",
                                         [FRONT_PATH] = "reading path",
                                         [FRONT_SERIES] = "series",
                                         [FRONT_FAMILY] = "text of a family",
                                         [FRONT_TRANSLATION] = "translation"};

#define AT(member) offsetof(struct front, member)

static const struct key keys[] = {
        {"title", TYPE_TEXT, AT(title), NULL, ALL, 0},
        {"description", TYPE_TEXT, AT(description), NULL, FAMILY | SERIES, 0},
        {"key", TYPE_TEXT, AT(key), NULL, 0, POST},
        {"take", TYPE_TAKES, AT(take), NULL, 0, POST},
        {"date", TYPE_WORD, AT(date), moment_check, POST, OWN},
        {"updated", TYPE_WORD, AT(updated), moment_check, 0, 0},
        {"slug", TYPE_WORD, AT(slug), front_check_slug, 0, OWN},
        {"tags", TYPE_WORDS, AT(tags), NULL, 0, 0},
        {"category", TYPE_WORD, AT(category), NULL, 0, 0},
        {"author", TYPE_WORD, AT(author), NULL, 0, POST},
        {"imported", TYPE_WORD, AT(imported), NULL, 0, POST},
        {"difficulty", TYPE_WORD, AT(difficulty), front_check_difficulty, 0, 0},
        {"device", TYPE_WORD, AT(device), front_check_slug, 0, 0},
        {"devices", TYPE_WORDS, AT(devices), NULL, 0, 0},
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
        {"headline", TYPE_TEXT, AT(headline), NULL, 0, FAMILY},
        {"case", TYPE_WORD, AT(headline_case), NULL, 0, FAMILY},
        {"task", TYPE_WORD, AT(task), front_check_task, 0, FAMILY},
        {"post", TYPE_WORD, AT(post), front_check_post, 0, FAMILY},
        {"read", TYPE_WORD, AT(read), NULL, 0, FAMILY},
        {"draft", TYPE_BOOL, AT(draft), NULL, 0, OWN},
        {"featured", TYPE_BOOL, AT(featured), NULL, 0, POST},
        {"waive", TYPE_WAIVE, 0, NULL, 0, 0},
};

enum { NKEYS = ARRAY_LEN(keys) };

struct reader {
	struct str src, matter; /* the whole file, and the YAML inside it */
	const char *path;
	struct arena *arena;
	struct front *out;
	struct loc seen[NKEYS]; /* where each key stands; line 0: not there */
	struct err *e;
};

/* --- values ---------------------------------------------------------------- */

/* Refuses anchors and tags, because they do more than they show. */
static bool plain_node(struct reader *r, const struct yaml *y)
{
	return !y->marked ||
	       err_at(r->e, y->at,
	              "front matter has no anchors and no tags, expected a plain value");
}

static bool text_wanted(struct reader *r, const char *key, const struct yaml *y, const char *what)
{
	if (y->kind != YAML_TEXT)
		return err_at(r->e, y->at, "'%s' has %s, expected %s", key, yaml_kind_name(y),
		              what);
	if (!unicode_is_visible(y->s))
		return err_at(r->e, y->at, "'%s' is empty%s, expected %s", key,
		              str_trim(y->s).n ? " (it has only invisible characters)" : "", what);
	uint32_t c;
	if (memchr(y->s.p, 0, y->s.n) || html_bad_char(y->s, &c))
		return err_at(r->e, y->at, "'%s' holds a control character, expected %s", key,
		              what);
	return plain_node(r, y);
}

static bool read_text(struct reader *r, const char *key, const struct yaml *y,
                      struct front_text *to)
{
	if (!text_wanted(r, key, y, "text"))
		return false;
	struct str s = y->s;
	const char *p = y->source + (y->style == YAML_QUOTED);
	to->at = y->at;
	to->at.col += y->style == YAML_QUOTED;
	bool exact = (size_t)(r->src.p + r->src.n - p) >= s.n && memcmp(p, s.p, s.n) == 0 &&
	             !memchr(s.p, '\n', s.n);
	if (!exact && s.n > 8 && memmem(s.p, s.n, "<<bench:", 8))
		return err_at(r->e, to->at,
		              "'%s' holds a placeholder, so expected it on one line and without "
		              "escapes",
		              key);
	char *copy = str_dup(r->arena, s);
	for (char *q = copy; *q; q++)
		if (*q == '\n')
			*q = ' ';
	to->s = str_trim((struct str){copy, s.n});
	to->at.col += (int)(to->s.p - copy);
	return true;
}

/* takes -> '[' text ',' text ',' text ']' | three times { '-' text newline } */
static bool read_takes(struct reader *r, const char *key, const struct yaml *list,
                       struct front_text *to)
{
	size_t n = 0;
	if (list->kind != YAML_LIST)
		return err_at(r->e, list->at, "'%s' has %s, expected a list of %d texts", key,
		              yaml_kind_name(list), FRONT_TAKES);
	if (!plain_node(r, list))
		return false;
	for (const struct yaml *y = list->first; y; y = y->next, n++)
		if (n < FRONT_TAKES && !read_text(r, key, y, &to[n]))
			return false;
	return n == FRONT_TAKES ||
	       err_at(r->e, list->at, "'%s' has %zu texts, expected %d", key, n, FRONT_TAKES);
}

/* Notes, for the lint, words that readers see and that authors choose freely. */
static void note_word(struct reader *r, const char *key, const struct yaml *y, const char *word)
{
	struct front *f = r->out;
	struct loc at = y->at;
	at.col += y->style != YAML_PLAIN; /* past the opening quote */
	if (f->nwords < FRONT_MAX_WORDS)
		f->word[f->nwords++] = (struct front_word){key, str_of(word), at};
}

/* Refuses placeholders, because pages show words as they are. */
static bool is_plain_word(struct reader *r, const char *key, const struct yaml *y, struct str s)
{
	return !s.n || !memmem(s.p, s.n, "<<bench:", 8) ||
	       err_at(r->e, y->at, "'%s' is shown as it is, expected a word without a placeholder",
	              key);
}

static bool read_word(struct reader *r, const struct key *k, const struct yaml *y, const char **to)
{
	if (!text_wanted(r, k->name, y, "a word"))
		return false;
	struct str s = str_trim(y->s);
	if (!is_plain_word(r, k->name, y, s))
		return false;
	*to = str_dup(r->arena, s);
	if (!k->check)
		note_word(r, k->name, y, *to);
	const char *want = k->check ? k->check(*to) : NULL;
	if (want)
		return err_at(r->e, y->at, "%s is '%s', expected %s", k->name, *to, want);
	return true;
}

static bool read_int(struct reader *r, const char *key, const struct yaml *y, int64_t *to)
{
	if (!text_wanted(r, key, y, "a number from 1"))
		return false;
	if (y->style != YAML_PLAIN || !str_i64(y->s, to) || *to < 1 || *to > 1000)
		return err_at(r->e, y->at, "%s is '" STR_FMT "', expected a number from 1 to 1000",
		              key, STR_ARG(y->s));
	return true;
}

static bool read_bool(struct reader *r, const char *key, const struct yaml *y, bool *to)
{
	if (!text_wanted(r, key, y, "true or false"))
		return false;
	*to = str_is(y->s, "true");
	if (y->style != YAML_PLAIN || (!*to && !str_is(y->s, "false")))
		return err_at(r->e, y->at, "%s is '" STR_FMT "', expected true or false", key,
		              STR_ARG(y->s));
	return true;
}

struct word_list {
	const char *key, **word;
	size_t n;
};

static bool add_word(struct reader *r, const struct yaml *y, struct word_list *l)
{
	const char *key = l->key;
	if (!text_wanted(r, key, y, "words in a list"))
		return false;
	if (l->n == FRONT_MAX_TAGS)
		return err_at(r->e, y->at, "%s has more than %d words", key, FRONT_MAX_TAGS);
	struct str s = str_trim(y->s);
	if (!is_plain_word(r, key, y, s))
		return false;
	for (size_t i = 0; i < l->n; i++)
		if (str_is(s, l->word[i]))
			return err_at(r->e, y->at, "%s has '%s' twice", key, l->word[i]);
	l->word[l->n] = str_dup(r->arena, s);
	if (strcmp(key, "aliases") == 0) /* addresses are not prose */
		r->out->aliases_at = l->n == 0 ? y->at : r->out->aliases_at;
	else if (strcmp(key, "devices") != 0) /* neither are the slugs of devices */
		note_word(r, key, y, l->word[l->n]);
	l->n++;
	return true;
}

/* words -> '[' word { ',' word } ']' | { '-' word newline } */
static bool read_words(struct reader *r, const char *key, const struct yaml *list, const char ***to,
                       size_t *n)
{
	if (list->kind != YAML_LIST)
		return err_at(r->e, list->at, "'%s' has %s, expected a list like [cuda, memory]",
		              key, yaml_kind_name(list));
	if (!plain_node(r, list))
		return false;
	struct word_list l = {key, ARENA_ARRAY(r->arena, const char *, FRONT_MAX_TAGS), 0};
	for (const struct yaml *y = list->first; y; y = y->next)
		if (!add_word(r, y, &l))
			return false;
	*to = l.word;
	*n = l.n;
	return true;
}

/* --- waivers --------------------------------------------------------------- */

/* Reads one key of a waiver and its value, the next node. */
static bool read_waive_key(struct reader *r, const struct yaml *key, struct front_waive *to)
{
	if (key->kind != YAML_TEXT)
		return err_at(r->e, key->at, "waiver has %s as a key, expected a word",
		              yaml_kind_name(key));
	const char **part = str_is(key->s, "rule")  ? &to->rule
	                    : str_is(key->s, "in")  ? &to->in
	                    : str_is(key->s, "for") ? &to->selector
	                    : str_is(key->s, "why") ? &to->why
	                                            : NULL;
	if (!part || *part)
		return err_at(r->e, key->at,
		              "waiver has '" STR_FMT "'%s, expected rule, in or for, why",
		              STR_ARG(key->s), part ? " twice" : "");
	if (!text_wanted(r, "waive", key->next, "text"))
		return false;
	struct str s = str_trim(key->next->s);
	*part = str_dup(r->arena, s);
	return true;
}

/* waiver -> '{' 'rule:' name ',' ( 'in:' key | 'for:' selector ) ',' 'why:' text '}' */
static bool read_waiver(struct reader *r, const struct yaml *map)
{
	struct front *f = r->out;
	if (map->kind != YAML_MAP)
		return err_at(r->e, map->at,
		              "waiver is %s, expected {rule: traced, in: title, why: \"…\"}",
		              yaml_kind_name(map));
	if (f->nwaives == FRONT_MAX_WAIVES)
		return err_at(r->e, map->at, "more than %d waivers", FRONT_MAX_WAIVES);
	struct front_waive *to = &f->waive[f->nwaives++];
	to->at = map->at;
	for (const struct yaml *key = map->first; key; key = key->next->next)
		if (!read_waive_key(r, key, to))
			return false;
	if (!to->rule || !to->why || !to->in == !to->selector)
		return err_at(r->e, map->at, "waiver needs rule, why, and either in or for");
	return true;
}

static bool read_waivers(struct reader *r, const struct yaml *list)
{
	if (list->kind != YAML_LIST)
		return err_at(r->e, list->at,
		              "'waive' has %s, expected a list of {rule: …, in: …, why: …}",
		              yaml_kind_name(list));
	for (const struct yaml *y = list->first; y; y = y->next)
		if (!read_waiver(r, y))
			return false;
	return true;
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

static bool read_value(struct reader *r, const struct key *k, const struct yaml *y)
{
	void *to = (char *)r->out + k->offset;
	switch (k->type) {
	case TYPE_TEXT:
		return read_text(r, k->name, y, to);
	case TYPE_TAKES:
		return read_takes(r, k->name, y, to);
	case TYPE_WORD:
		return read_word(r, k, y, to);
	case TYPE_INT:
		return read_int(r, k->name, y, to);
	case TYPE_BOOL:
		return read_bool(r, k->name, y, to);
	case TYPE_WAIVE:
		return read_waivers(r, y);
	case TYPE_WORDS:
		return read_words(r, k->name, y, to, (size_t *)((const char ***)to + 1));
	}
	return false;
}

/* A key and its value, which comes next. */
static bool read_key(struct reader *r, const struct yaml *key)
{
	if (key->kind != YAML_TEXT)
		return err_at(r->e, key->at, "front matter has %s as a key, expected a word",
		              yaml_kind_name(key));
	size_t i = 0;
	while (i < NKEYS && !str_is(key->s, keys[i].name))
		i++;
	if (i == NKEYS)
		return unknown_key(r, key->at, key->s);
	if (r->seen[i].line)
		return err_at(r->e, key->at, "'%s' is given in line %d already", keys[i].name,
		              r->seen[i].line);
	r->seen[i] = key->at;
	return read_value(r, &keys[i], key->next);
}

/* The first key of the matter; *key is NULL for "{}". */
static bool read_matter(struct reader *r, const struct yaml **key)
{
	const struct yaml *root;
	if (!yaml_read(r->matter, r->path, FIRST_LINE, "front matter", r->arena, &root, r->e))
		return false;
	*key = root->first;
	return root->kind == YAML_MAP ||
	       err_at(r->e, root->at, "front matter is no mapping, expected lines 'key: value'");
}

static bool read_keys(struct reader *r)
{
	const struct yaml *key;
	if (!read_matter(r, &key))
		return false;
	for (; key; key = key->next->next)
		if (!read_key(r, key))
			return false;
	return true;
}

/* --- the file -------------------------------------------------------------- */

/* The line at `from` without its line break; *after is the start of the next line. */
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
	for (int line = FIRST_LINE; next_line < r->src.n; line++) {
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

/* content/posts/2026-11-21-tiles.md and content/posts/tiles/index.md get the slug "tiles". */
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
	r->out->slug = str_dup(r->arena, s);
	const char *want = front_check_name(r->out->slug, kind == FRONT_FAMILY);
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

/* Brings the dates to one form, so that texts compare as times do. */
static bool check_dates(struct reader *r, enum front_kind kind)
{
	struct front *f = r->out;
	if (f->updated && !f->date && kind != FRONT_TRANSLATION)
		return err_at(r->e, seen_at(r, "updated"), "'updated' without 'date'");
	f->date = f->date ? moment_utc(f->date, r->arena) : NULL;
	f->updated = f->updated ? moment_utc(f->updated, r->arena) : NULL;
	if (!f->updated || !f->date)
		return true;
	bool days = strlen(f->updated) == MOMENT_DAY || strlen(f->date) == MOMENT_DAY;
	return strncmp(f->updated, f->date, days ? MOMENT_DAY : MOMENT_TIME) >= 0 ||
	       err_at(r->e, seen_at(r, "updated"),
	              "updated is %s, expected no %s before the date %s", f->updated,
	              days ? "day" : "time", f->date);
}

/* Checks that concern more than one key. */
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
	if (!check_dates(r, kind))
		return false;
	f->devices_at = seen_at(r, "devices");
	if (f->device && f->ndevices)
		return err_at(r->e, f->devices_at,
		              "'devices' beside 'device', expected one of the two");
	if (f->part && !f->series && kind != FRONT_TRANSLATION)
		return err_at(r->e, seen_at(r, "part"), "'part' without 'series'");
	f->lang_at = seen_at(r, "lang");
	f->source_at = seen_at(r, "source");
	return f->slug || kind == FRONT_TRANSLATION || default_slug(r, kind);
}

bool front_parse(struct str src, const char *path, enum front_kind kind, struct arena *a,
                 struct front *out, struct err *e)
{
	*out = (struct front){0};
	struct reader r = {.src = src, .path = path, .arena = a, .out = out, .e = e};
	return split(&r) && read_keys(&r) && check_whole(&r, kind);
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

static bool read_field(struct reader *r, const struct yaml *key, struct front_fields *to)
{
	const struct yaml *value = key->next;
	if (key->kind != YAML_TEXT)
		return err_at(r->e, key->at, "front matter has %s as a key, expected a word",
		              yaml_kind_name(key));
	const struct front_field *same = front_field(to, key->s.p);
	if (same)
		return err_at(r->e, key->at, "'%s' is given in line %d already", key->s.p,
		              same->name_at.line);
	if (to->n == FRONT_MAX_FIELDS)
		return err_at(r->e, key->at, "front matter has more than %d keys",
		              FRONT_MAX_FIELDS);
	if (!text_wanted(r, key->s.p, value, "a value"))
		return false;
	to->field = arena_grow(r->arena, to->field, to->n, &to->room, sizeof *to->field);
	struct front_field *f = &to->field[to->n++];
	struct str s = str_trim(value->s);
	*f = (struct front_field){key->s.p, str_dup(r->arena, s), key->at, value->at};
	f->at.col += value->style == YAML_QUOTED;
	return true;
}

bool front_fields(struct str src, const char *path, struct arena *a, struct front_fields *out,
                  struct err *e)
{
	struct front f = {0};
	struct reader r = {.src = src, .path = path, .arena = a, .out = &f, .e = e};
	const struct yaml *key;
	*out = (struct front_fields){0};
	if (!split(&r) || !read_matter(&r, &key))
		return false;
	for (; key; key = key->next->next)
		if (!read_field(&r, key, out))
			return false;
	out->body = f.body;
	out->body_line = f.body_line;
	return true;
}
