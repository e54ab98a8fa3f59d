#include "lib/sass.h"

#include <string.h>

#include "lib/json.h"

struct str sass_opcode(const char *text)
{
	struct str rest = str_of(text), first = rest;
	bool more = str_cut(rest, ' ', &first, &rest);
	while (more && str_starts(first, "@")) /* "@!P0", "@UP1" */
		more = str_cut(str_trim(rest), ' ', &first, &rest);
	return first;
}

struct str sass_target(const char *text)
{
	const char *open = strstr(text, "`("), *close = open ? strchr(open, ')') : NULL;
	return close ? (struct str){open + 2, (size_t)(close - open - 2)} : STR("");
}

bool sass_is(struct str bytes)
{
	return str_starts(bytes, "{\"type\":\"sass\",");
}

static struct json_out begin(struct sb *to, const char *type)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", type);
	return w;
}

static void finish(struct json_out *w)
{
	json_close(w, '}');
	sb_char(w->to, '\n');
}

void sass_put_head(struct sb *to, const struct sass *s)
{
	struct json_out w = begin(to, "sass");
	json_put_str(&w, "schema", SASS_SCHEMA);
	json_put_str(&w, "id", s->id);
	json_put_str(&w, "arch", s->arch);
	json_put_str(&w, "start", s->start);
	if (s->reason)
		json_put_str(&w, "reason", s->reason);
	if (s->commit)
		json_put_str(&w, "commit", s->commit);
	json_put_bool(&w, "dirty", s->dirty);
	json_put_str(&w, "tool", s->tool);
	json_put_str(&w, "runner_sha256", s->runner_sha256);
	json_open(&w, "argv", '[');
	for (size_t i = 0; i < s->nargv; i++)
		json_put_str(&w, NULL, s->argv[i]);
	json_close(&w, ']');
	finish(&w);
}

void sass_put_unit(struct sb *to, const struct sass_unit *u)
{
	struct json_out w = begin(to, "unit");
	json_put_str(&w, "file", u->file);
	json_put_str(&w, "compiler", u->compiler);
	json_put_str(&w, "flags", u->flags);
	json_open(&w, "source", '[');
	for (size_t i = 0; i < u->nsource; i++) {
		json_open(&w, NULL, '[');
		json_put_str(&w, NULL, u->source[i].path);
		json_put_str(&w, NULL, u->source[i].blob);
		json_close(&w, ']');
	}
	json_close(&w, ']');
	json_put_str(&w, "code_sha256", u->code_sha256);
	finish(&w);
}

/* The files of a function's places, each once. */
struct files {
	const char **name;
	size_t n, cap;
	struct arena arena;
};

static size_t file_at(struct files *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->name[i], name) == 0)
			return i;
	f->name = arena_grow(&f->arena, f->name, f->n, &f->cap, sizeof *f->name);
	f->name[f->n] = name;
	return f->n++;
}

static void put_code(struct json_out *w, const struct sass_function *f, struct files *files)
{
	json_open(w, "code", '[');
	for (size_t i = 0; i < f->n; i++) {
		const struct sass_instruction *c = &f->code[i];
		json_open(w, NULL, '[');
		json_put_i64(w, NULL, c->offset);
		json_put_str(w, NULL, c->text);
		for (size_t k = 0; k < c->nplaces; k++) {
			json_put_i64(w, NULL, (int64_t)file_at(files, c->place[k].file));
			json_put_i64(w, NULL, c->place[k].line);
		}
		if (c->control)
			json_put_str(w, NULL, c->control);
		json_close(w, ']');
	}
	json_close(w, ']');
}

void sass_put_function(struct sb *to, const struct sass_function *f)
{
	struct files files = {0};
	struct json_out w = begin(to, "function");
	json_put_i64(&w, "unit", (int64_t)f->unit);
	json_put_str(&w, "object", f->object);
	json_put_str(&w, "name", f->name);
	json_put_str(&w, "title", f->title);
	json_put_str(&w, "code_sha256", f->code_sha256);
	put_code(&w, f, &files);
	json_open(&w, "labels", '[');
	for (size_t i = 0; i < f->nlabels; i++) {
		json_open(&w, NULL, '[');
		json_put_i64(&w, NULL, f->label[i].offset);
		json_put_str(&w, NULL, f->label[i].name);
		json_close(&w, ']');
	}
	json_close(&w, ']');
	json_open(&w, "files", '[');
	for (size_t i = 0; i < files.n; i++)
		json_put_str(&w, NULL, files.name[i]);
	json_close(&w, ']');
	finish(&w);
	arena_free(&files.arena);
}
