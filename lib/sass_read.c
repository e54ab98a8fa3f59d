/* lib/sass_read.c - reads a file of listings into the model of lib/sass.h. */
#include <string.h>

#include "lib/hash.h"
#include "lib/json.h"
#include "lib/sass.h"

#define SCHEMA_MAJOR "ridgepoint-sass/1."

struct reader {
	const char *path;
	struct arena *a;
	struct sass *s;
	size_t cap_units, cap_functions;
	bool has_head, ended;
	struct err *e;
};

static bool read_argv(struct reader *r, struct json v)
{
	struct json list;
	struct str one;
	if (!json_want_arr(v, "argv", &list, r->e))
		return false;
	r->s->nargv = json_len(list);
	r->s->argv = ARENA_ARRAY(r->a, const char *, r->s->nargv + 1);
	for (size_t i = 0; i < r->s->nargv; i++) {
		if (!json_as_str(json_item(list, i), &one))
			return err_at(r->e, v.at, "'argv[%zu]' is not a string", i);
		r->s->argv[i] = str_dup(r->a, one);
	}
	return true;
}

static bool read_head(struct reader *r, struct json v)
{
	struct sass *s = r->s;
	struct err *e = r->e;
	if (r->has_head)
		return err_at(e, v.at, "a second 'sass' record");
	r->has_head = true;
	if (!json_want_str(v, "schema", r->a, &s->schema, e))
		return false;
	if (!str_starts(str_of(s->schema), SCHEMA_MAJOR))
		return err_at(e, v.at, "schema '%s', expected '%s'", s->schema, SASS_SCHEMA);
	return json_want_str(v, "id", r->a, &s->id, e) &&
	       json_want_str(v, "arch", r->a, &s->arch, e) &&
	       json_want_str(v, "start", r->a, &s->start, e) &&
	       json_opt_str(v, "reason", r->a, &s->reason, e) &&
	       json_opt_str(v, "commit", r->a, &s->commit, e) &&
	       json_want_bool(v, "dirty", &s->dirty, e) &&
	       json_want_str(v, "tool", r->a, &s->tool, e) &&
	       json_want_str(v, "runner_sha256", r->a, &s->runner_sha256, e) && read_argv(r, v);
}

static bool read_sources(struct reader *r, struct json v, struct sass_unit *u)
{
	struct json list;
	struct str path, blob;
	if (!json_want_arr(v, "source", &list, r->e))
		return false;
	u->nsource = json_len(list);
	u->source = ARENA_ARRAY(r->a, struct run_source, u->nsource + 1);
	for (size_t i = 0; i < u->nsource; i++) {
		struct json pair = json_item(list, i);
		if (json_len(pair) != 2 || !json_as_str(json_item(pair, 0), &path) ||
		    !json_as_str(json_item(pair, 1), &blob))
			return err_at(r->e, v.at, "'source[%zu]' is not [path, blob id]", i);
		u->source[i] = (struct run_source){str_dup(r->a, path), str_dup(r->a, blob)};
		if (!record_want_hex(v, "source", u->source[i].blob, HASH_GIT_HEX, r->e))
			return false;
	}
	return u->nsource > 0 || err_at(r->e, v.at, "'source' is empty");
}

static bool read_unit(struct reader *r, struct json v)
{
	struct sass *s = r->s;
	struct err *e = r->e;
	s->unit = arena_grow(r->a, s->unit, s->nunits, &r->cap_units, sizeof *s->unit);
	struct sass_unit *u = &s->unit[s->nunits++];
	*u = (struct sass_unit){0};
	return json_want_str(v, "file", r->a, &u->file, e) &&
	       json_want_str(v, "compiler", r->a, &u->compiler, e) &&
	       json_want_str(v, "flags", r->a, &u->flags, e) &&
	       json_want_str(v, "code_sha256", r->a, &u->code_sha256, e) &&
	       record_want_hex(v, "code_sha256", u->code_sha256, HASH_SHA256_HEX, e) &&
	       read_sources(r, v, u);
}

/* A text that stands on one line of a page: not empty, without control characters. */
static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ')
			return false;
	return s.n > 0;
}

static bool read_places(struct reader *r, struct json v, struct json item, const char *const *file,
                        size_t nfiles, struct sass_instruction *c)
{
	size_t n = json_len(item);
	struct sass_place *place = ARENA_ARRAY(r->a, struct sass_place, n / 2);
	struct str control;
	int64_t at, line;
	for (size_t k = 2; k + 1 < n; k += 2) {
		if (!json_as_i64(json_item(item, k), &at) || at < 0 || at >= (int64_t)nfiles ||
		    !json_as_i64(json_item(item, k + 1), &line) || line < 0)
			return err_at(r->e, v.at, "the place of '%s' is no [file, line]", c->text);
		place[c->nplaces++] = (struct sass_place){file[at], line};
	}
	c->place = place;
	if (n % 2 == 0)
		return true;
	if (!json_as_str(json_item(item, n - 1), &control) || !is_plain(control))
		return err_at(r->e, v.at, "the last member of '%s' is no text", c->text);
	c->control = str_dup(r->a, control);
	return true;
}

static bool read_code(struct reader *r, struct json v, const char *const *file, size_t nfiles,
                      struct sass_function *f)
{
	struct json list;
	struct str text;
	if (!json_want_arr(v, "code", &list, r->e))
		return false;
	f->n = json_len(list);
	struct sass_instruction *code = ARENA_ARRAY(r->a, struct sass_instruction, f->n + 1);
	for (size_t i = 0; i < f->n; i++) {
		struct json item = json_item(list, i);
		struct sass_instruction *c = &code[i];
		if (json_len(item) < 2 || !json_as_i64(json_item(item, 0), &c->offset) ||
		    !json_as_str(json_item(item, 1), &text) || !is_plain(text))
			return err_at(r->e, v.at,
			              "'code[%zu]' is no [offset, text, places, control]", i);
		if (c->offset < 0 || (i > 0 && c->offset <= code[i - 1].offset))
			return err_at(r->e, v.at, "'code[%zu]' does not follow the one before it",
			              i);
		c->text = str_dup(r->a, text);
		if (!read_places(r, v, item, file, nfiles, c))
			return false;
	}
	f->code = code;
	return f->n > 0 || err_at(r->e, v.at, "'%s' has no instructions", f->name);
}

static bool read_files(struct reader *r, struct json v, const char ***out, size_t *n)
{
	struct json list;
	struct str one;
	if (!json_want_arr(v, "files", &list, r->e))
		return false;
	*n = json_len(list);
	*out = ARENA_ARRAY(r->a, const char *, *n + 1);
	for (size_t i = 0; i < *n; i++) {
		if (!json_as_str(json_item(list, i), &one) || !is_plain(one))
			return err_at(r->e, v.at, "'files[%zu]' is not a name", i);
		(*out)[i] = str_dup(r->a, one);
	}
	return true;
}

static bool has_offset(const struct sass_function *f, int64_t offset)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->code[i].offset == offset)
			return true;
	return false;
}

static bool read_labels(struct reader *r, struct json v, struct sass_function *f)
{
	struct json list;
	struct str name;
	if (!json_want_arr(v, "labels", &list, r->e))
		return false;
	f->nlabels = json_len(list);
	struct sass_label *label = ARENA_ARRAY(r->a, struct sass_label, f->nlabels + 1);
	for (size_t i = 0; i < f->nlabels; i++) {
		struct json pair = json_item(list, i);
		if (json_len(pair) != 2 || !json_as_i64(json_item(pair, 0), &label[i].offset) ||
		    !json_as_str(json_item(pair, 1), &name) || !is_plain(name) ||
		    !has_offset(f, label[i].offset))
			return err_at(r->e, v.at, "'labels[%zu]' names no instruction", i);
		label[i].name = str_dup(r->a, name);
	}
	f->label = label;
	return true;
}

static bool read_function(struct reader *r, struct json v)
{
	struct sass *s = r->s;
	struct err *e = r->e;
	const char **file;
	size_t nfiles;
	int64_t unit;
	s->function = arena_grow(r->a, s->function, s->nfunctions, &r->cap_functions,
	                         sizeof *s->function);
	struct sass_function *f = &s->function[s->nfunctions++];
	*f = (struct sass_function){0};
	if (!json_want_i64(v, "unit", &unit, e))
		return false;
	if (unit < 0 || unit >= (int64_t)s->nunits)
		return err_at(e, v.at, "'unit' is %lld, expected one of the %zu before it",
		              (long long)unit, s->nunits);
	f->unit = (size_t)unit;
	return json_want_str(v, "object", r->a, &f->object, e) &&
	       json_want_str(v, "name", r->a, &f->name, e) &&
	       json_want_str(v, "title", r->a, &f->title, e) &&
	       json_want_str(v, "code_sha256", r->a, &f->code_sha256, e) &&
	       record_want_hex(v, "code_sha256", f->code_sha256, HASH_SHA256_HEX, e) &&
	       read_files(r, v, &file, &nfiles) &&
	       read_code(r, v, (const char *const *)file, nfiles, f) && read_labels(r, v, f);
}

/* The end record must be the very line that the writer makes of everything before it. */
static bool read_end(struct reader *r, struct json v, struct str before, struct str line)
{
	const char *end, *status;
	struct sb ours = {0};
	if (!json_want_str(v, "end", r->a, &end, r->e) ||
	    !json_want_str(v, "status", r->a, &status, r->e))
		return false;
	record_put_end(&ours, status, end, 0, before);
	bool same = ours.n == line.n + 1 && memcmp(ours.p, line.p, line.n) == 0;
	sb_free(&ours);
	r->ended = true;
	return (same && strcmp(status, "complete") == 0) ||
	       err_at(r->e, v.at,
	              "not whole: its end record does not hold for the lines before it");
}

static bool read_record(struct reader *r, struct json v, struct str before, struct str line)
{
	const char *type;
	if (!json_is_object(v))
		return err_at(r->e, v.at, "not an object, expected a record");
	if (!json_want_str(v, "type", r->a, &type, r->e))
		return false;
	if (r->ended)
		return err_at(r->e, v.at, "a record after 'end'");
	if (strcmp(type, "sass") == 0)
		return read_head(r, v);
	if (!r->has_head)
		return err_at(r->e, v.at, "first record is '%s', expected 'sass'", type);
	return strcmp(type, "unit") == 0       ? read_unit(r, v)
	       : strcmp(type, "function") == 0 ? read_function(r, v)
	       : strcmp(type, "end") == 0      ? read_end(r, v, before, line)
	                                       : true; /* of a later minor version */
}

bool sass_read(struct str bytes, const char *path, struct arena *a, struct sass *out, struct err *e)
{
	struct reader r = {.path = path, .a = a, .s = out, .e = e};
	struct loc at = {path, 0, 0};
	*out = (struct sass){0};
	for (size_t from = 0; from < bytes.n;) {
		struct json_doc *doc;
		struct json v;
		size_t end = str_find(bytes, '\n', from);
		struct str line = str_sub(bytes, from, end);
		at.line++;
		if (end == bytes.n)
			return err_at(e, at, "not whole: its last line is cut short");
		if (!json_parse(line, at, &doc, &v, e))
			return false;
		bool ok = read_record(&r, v, str_sub(bytes, 0, from), line);
		json_free(doc);
		if (!ok)
			return false;
		from = end + 1;
	}
	at.line = at.line ? at.line : 1;
	return r.ended || err_at(e, at, "not whole: it has no end record");
}
