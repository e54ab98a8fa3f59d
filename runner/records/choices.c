#include "runner/records/choices.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/json.h"
#include "runner/base/durable.h"

#define CHOICES_SCHEMA "ridgepoint-choices/1.0"

enum { MAX_BYTES = 16 << 20 };

void choices_take(struct plan *p, const struct run *r, struct arena *a)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct run_case *c = record_case(r, p->item[i].id);
		if (c && c->build.choice.n)
			p->item[i].choice = record_choice_text(&c->build.choice, a);
	}
}

const char *choices_path(const char *folder, const char *plan_sha256, struct arena *a)
{
	return arena_printf(a, "%s/.%.16s.choices", folder, plan_sha256);
}

static bool read_file(struct json o, struct plan *p, struct arena *a, struct err *e)
{
	const char *schema;
	struct json all;
	if (!json_is_object(o))
		return err_at(e, o.at, "not an object, expected what the shards of a plan chose");
	if (!json_want_str(o, "schema", a, &schema, e) || !json_want_obj(o, "choices", &all, e))
		return false;
	if (strcmp(schema, CHOICES_SCHEMA) != 0)
		return err_at(e, o.at, "schema '%s', expected '%s'", schema, CHOICES_SCHEMA);
	for (size_t i = 0; i < p->n; i++) {
		struct json one = json_get(all, p->item[i].id);
		struct run_choice c;
		if (!one.value)
			continue;
		if (!record_read_choice(one, a, &c, e))
			return false;
		p->item[i].choice = record_choice_text(&c, a);
	}
	return true;
}

bool choices_read(const char *path, struct plan *p, struct arena *a, struct err *e)
{
	struct json_doc *doc = NULL;
	struct json root;
	struct str bytes;
	if (!file_exists(path))
		return true;
	if (!file_read(path, MAX_BYTES, a, &bytes, e))
		return false;
	bool ok = json_parse(bytes, (struct loc){path, 1, 0}, &doc, &root, e) &&
	          read_file(root, p, a, e);
	json_free(doc);
	return ok;
}

static void put_choices(struct sb *to, const struct plan *p, struct arena *a)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "schema", CHOICES_SCHEMA);
	json_open(&w, "choices", '{');
	for (size_t i = 0; i < p->n; i++) {
		struct run_choice c;
		const struct item *it = &p->item[i];
		if (!it->choice || !record_choice_parse(str_of(it->choice), a, &c))
			continue;
		json_open(&w, it->id, '{');
		record_put_choice(&w, &c);
		json_close(&w, '}');
	}
	json_close(&w, '}');
	json_close(&w, '}');
	sb_char(to, '\n');
}

bool choices_share(const char *path, struct plan *p, struct arena *a, struct err *e)
{
	struct sb text = {0};
	const char *own = arena_printf(a, "%s.%ld", path, (long)getpid());
	const char *slash = strrchr(path, '/');
	put_choices(&text, p, a);
	bool ok = durable_folder(arena_strndup(a, path, (size_t)(slash - path)), e) &&
	          file_write(own, sb_view(&text), e);
	sb_free(&text);
	if (!ok)
		return false;
	/* link() fails if another shard was first; rename() would replace its file */
	bool first = link(own, path) == 0;
	if (!first && errno != EEXIST)
		ok = err_sys(e, "%s: cannot create", path);
	unlink(own);
	return ok && (first || choices_read(path, p, a, e));
}
