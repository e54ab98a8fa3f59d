#include "site-gen/base/yaml.h"

#include <string.h>
#include <yaml.h>

enum { MAX_ANCHORS = 64 };

struct reader {
	yaml_parser_t yaml;
	struct str text;
	const char *path, *what;
	int first_line;
	const char *line; /* start of line `line_no` of the text: marks only move forward */
	size_t line_no;
	struct {
		struct str name;
		const struct yaml *node;
	} anchor[MAX_ANCHORS];
	size_t nanchors;
	struct arena *arena;
	struct err *e;
};

const char *yaml_kind_name(const struct yaml *y)
{
	static const char *const names[] = {[YAML_NOTHING] = "nothing",
	                                    [YAML_TEXT] = "text",
	                                    [YAML_LIST] = "a list",
	                                    [YAML_MAP] = "a mapping",
	                                    [YAML_ALIAS] = "an alias"};
	return names[y->kind];
}

/* --- places ---------------------------------------------------------------- */

static struct loc mark_loc(const struct reader *r, yaml_mark_t m)
{
	return (struct loc){r->path, r->first_line + (int)m.line, (int)m.column + 1};
}

/* The byte that a mark points to; libyaml counts characters. Marks come in order. */
static const char *mark_ptr(struct reader *r, yaml_mark_t m)
{
	const char *end = r->text.p + r->text.n;
	for (; r->line_no < m.line; r->line_no++) {
		const char *nl = memchr(r->line, '\n', (size_t)(end - r->line));
		r->line = nl ? nl + 1 : end;
	}
	const char *p = r->line;
	for (size_t col = 0; p < end && col < m.column; p++)
		col += p + 1 == end || ((unsigned char)p[1] & 0xc0) != 0x80;
	return p;
}

/* --- errors ---------------------------------------------------------------- */

/*
 * Explains "title: a: b" with the second ':' at the mark. libyaml's message, "mapping
 * values are not allowed", does not help authors.
 */
static bool colon_error(struct reader *r, yaml_mark_t m)
{
	struct str line, rest, key, value;
	const char *colon = mark_ptr(r, m);
	str_cut(str_sub(r->text, (size_t)(r->line - r->text.p), r->text.n), '\n', &line, &rest);
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

static bool syntax_error(struct reader *r)
{
	const yaml_parser_t *y = &r->yaml;
	if (y->problem && str_starts(str_of(y->problem), "mapping values are not allowed"))
		return colon_error(r, y->problem_mark);
	if (y->error == YAML_READER_ERROR) {
		struct loc at = str_loc(r->text, r->path, r->text.p + y->problem_offset);
		at.line += r->first_line - 1;
		return err_at(r->e, at, "%s: %s", r->what, y->problem);
	}
	return err_at(r->e, mark_loc(r, y->problem_mark), "%s: %s%s%s", r->what, y->problem,
	              y->context ? " " : "", y->context ? y->context : "");
}

static bool next(struct reader *r, yaml_event_t *ev)
{
	return yaml_parser_parse(&r->yaml, ev) || syntax_error(r);
}

/* --- nodes ----------------------------------------------------------------- */

static bool keep_anchor(struct reader *r, const yaml_char_t *name, const struct yaml *node)
{
	if (!name)
		return true;
	if (r->nanchors == MAX_ANCHORS)
		return err_at(r->e, node->at, "%s has more than %d anchors", r->what, MAX_ANCHORS);
	r->anchor[r->nanchors].name = str_keep(r->arena, str_of((const char *)name));
	r->anchor[r->nanchors++].node = node;
	return true;
}

/* The latest anchor of that name counts. */
static const struct yaml *anchored(const struct reader *r, const yaml_char_t *name)
{
	for (size_t i = r->nanchors; i-- > 0;)
		if (str_is(r->anchor[i].name, (const char *)name))
			return r->anchor[i].node;
	return NULL;
}

static enum yaml_style style_of(yaml_scalar_style_t s)
{
	if (s == YAML_SINGLE_QUOTED_SCALAR_STYLE || s == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
		return YAML_QUOTED;
	return s == YAML_PLAIN_SCALAR_STYLE ? YAML_PLAIN : YAML_BLOCK;
}

/* The node that an event begins, so far without what is in it. */
static bool put_node(struct reader *r, const yaml_event_t *ev, struct yaml *node)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;
	*node = (struct yaml){.at = mark_loc(r, ev->start_mark),
	                      .source = mark_ptr(r, ev->start_mark)};
	switch (ev->type) {
	case YAML_SCALAR_EVENT:
		node->kind = YAML_TEXT;
		node->style = style_of(ev->data.scalar.style);
		node->s = str_keep(r->arena, (struct str){(const char *)ev->data.scalar.value,
		                                          ev->data.scalar.length});
		anchor = ev->data.scalar.anchor, tag = ev->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		node->kind = YAML_LIST;
		anchor = ev->data.sequence_start.anchor, tag = ev->data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		node->kind = YAML_MAP;
		anchor = ev->data.mapping_start.anchor, tag = ev->data.mapping_start.tag;
		break;
	case YAML_ALIAS_EVENT:
		node->kind = YAML_ALIAS;
		node->same = anchored(r, ev->data.alias.anchor);
		break;
	default: /* an empty document: YAML_NOTHING */
		break;
	}
	node->marked = anchor || tag;
	return keep_anchor(r, anchor, node);
}

/* Reads the node that `ev` begins, with all that is in it. Deletes the event. */
static bool read_node(struct reader *r, int depth, yaml_event_t *ev, struct yaml **out)
{
	struct yaml *node = *out = ARENA_NEW(r->arena, struct yaml);
	bool ok = put_node(r, ev, node);
	yaml_event_delete(ev);
	if (!ok || (node->kind != YAML_LIST && node->kind != YAML_MAP))
		return ok;
	if (depth == YAML_MAX_DEPTH)
		return err_at(r->e, node->at, "%s nests deeper than %d levels", r->what,
		              YAML_MAX_DEPTH);
	for (const struct yaml **to = &node->first;;) {
		struct yaml *item;
		if (!next(r, ev))
			return false;
		if (ev->type == YAML_SEQUENCE_END_EVENT || ev->type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(ev);
			return true;
		}
		if (!read_node(r, depth + 1, ev, &item))
			return false;
		*to = item;
		to = &item->next;
	}
}

/* --- documents ------------------------------------------------------------- */

/* Fails if anything follows the value. */
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
	return ok || err_at(r->e, at, "%s goes on, expected one mapping only", r->what);
}

static bool read_document(struct reader *r, struct yaml **root)
{
	yaml_event_t ev;
	if (!next(r, &ev)) /* the start of the stream */
		return false;
	yaml_event_delete(&ev);
	if (!next(r, &ev))
		return false;
	if (ev.type == YAML_STREAM_END_EVENT) {
		*root = ARENA_NEW(r->arena, struct yaml);
		bool ok = put_node(r, &ev, *root);
		yaml_event_delete(&ev);
		return ok;
	}
	yaml_event_delete(&ev); /* the start of the document */
	return next(r, &ev) && read_node(r, 0, &ev, root) && read_close(r);
}

bool yaml_read(struct str text, const char *path, int line, const char *what, struct arena *a,
               const struct yaml **root, struct err *e)
{
	struct reader r = {.text = text,
	                   .path = path,
	                   .what = what,
	                   .first_line = line,
	                   .line = text.p,
	                   .arena = a,
	                   .e = e};
	struct yaml *out = NULL;
	if (text.n > YAML_MAX_BYTES)
		return err_at(e, (struct loc){path, line, 1}, "%s is larger than %d KiB", what,
		              YAML_MAX_BYTES / 1024);
	if (!yaml_parser_initialize(&r.yaml))
		return err_at(e, (struct loc){.path = path}, "out of memory");
	yaml_parser_set_encoding(&r.yaml, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.yaml, (const unsigned char *)text.p, text.n);
	bool ok = read_document(&r, &out);
	yaml_parser_delete(&r.yaml);
	*root = out;
	return ok;
}
