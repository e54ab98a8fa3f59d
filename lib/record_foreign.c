#include "lib/record_foreign.h"

#include <string.h>

#include "lib/hash.h"

/* To add a harness: a row here, and its reader in runner/foreign/. `exec` has no file to read. */
static const char *const harnesses[] = {
        "csv", RECORD_EXEC, "google-benchmark", "hyperfine", "nvbench", "pytest-benchmark", NULL,
};

const char *record_foreign_harness(size_t i)
{
	return harnesses[i];
}

/* Is it "<harness>-…"? */
static bool is_of(const char *family, const char *harness)
{
	size_t n = strlen(harness);
	return strncmp(family, harness, n) == 0 && family[n] == '-' && family[n + 1];
}

bool record_foreign_family(const char *family)
{
	for (size_t i = 0; harnesses[i]; i++)
		if (is_of(family, harnesses[i]))
			return true;
	return false;
}

static void opt_str(struct json_out *w, const char *key, const char *s)
{
	if (s)
		json_put_str(w, key, s);
}

bool record_foreign_is_exec(const struct run_head *h)
{
	return h->foreign && strcmp(h->foreign->harness, RECORD_EXEC) == 0;
}

void record_foreign_put(struct json_out *w, const struct run_head *h)
{
	const struct run_foreign *f = h->foreign;
	if (!f)
		return;
	json_open(w, "foreign", '{');
	json_put_str(w, "harness", f->harness);
	opt_str(w, "version", f->version);
	opt_str(w, "checked", f->checked);
	opt_str(w, "source", f->source);
	opt_str(w, "commit", f->commit);
	opt_str(w, "command", f->command);
	json_put_str(w, "file", f->file);
	json_put_str(w, "sha256", f->sha256);
	json_close(w, '}');
}

static bool want_harness(struct json v, const struct run_foreign *f, bool newer, struct err *e)
{
	struct sb all = {0};
	for (size_t i = 0; harnesses[i]; i++) {
		if (strcmp(harnesses[i], f->harness) == 0) {
			sb_free(&all);
			return true;
		}
		sb_printf(&all, "%s%s", i ? ", " : "", harnesses[i]);
	}
	if (!newer)
		err_at(e, v.at, "'foreign.harness' is '%s', expected one of %s", f->harness, all.p);
	sb_free(&all);
	return newer;
}

bool record_foreign_read(struct json run, struct arena *a, struct run_head *h, struct err *e)
{
	struct json o = json_get(run, "foreign");
	bool named = str_starts(str_of(h->schema), "ridgepoint-foreign/");
	if (named != (o.value != NULL))
		return err_at(e, run.at, "schema '%s' %s a member 'foreign'", h->schema,
		              named ? "without" : "with");
	if (!named)
		return true;
	struct run_foreign *f = ARENA_NEW(a, struct run_foreign);
	h->foreign = f;
	return json_want_obj(run, "foreign", &o, e) &&
	       json_want_str(o, "harness", a, &f->harness, e) &&
	       json_opt_str(o, "version", a, &f->version, e) &&
	       json_opt_str(o, "checked", a, &f->checked, e) &&
	       json_opt_str(o, "source", a, &f->source, e) &&
	       json_opt_str(o, "commit", a, &f->commit, e) &&
	       json_opt_str(o, "command", a, &f->command, e) &&
	       json_want_str(o, "file", a, &f->file, e) &&
	       json_want_str(o, "sha256", a, &f->sha256, e) &&
	       record_want_hex(o, "sha256", f->sha256, HASH_SHA256_HEX, e) &&
	       want_harness(o, f, h->newer, e);
}

void record_foreign_put_original(struct sb *to, struct str text)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", "original");
	sb_cstr(to, ",\"text\":");
	json_quote(to, text);
	json_close(&w, '}');
	sb_char(to, '\n');
}

bool record_foreign_original(struct json v, const struct run_head *h, struct err *e)
{
	char hex[HASH_SHA256_HEX + 1];
	struct str text;
	if (!h->foreign)
		return err_at(e, v.at, "an 'original' in a record of the runner");
	if (!json_as_str(json_get(v, "text"), &text))
		return err_at(e, v.at, "'text' is missing, expected the harness's file");
	hash_sha256(text, hex);
	return strcmp(hex, h->foreign->sha256) == 0 ||
	       err_at(e, v.at, "'text' has the hash %s, and the head names %s", hex,
	              h->foreign->sha256);
}

bool record_foreign_check(struct json v, const struct run_head *h, const struct run_case *c,
                          struct err *e)
{
	const struct run_model *m = &c->model;
	bool unknown = strcmp(c->cache, RECORD_UNKNOWN) == 0 ||
	               (m->level && strcmp(m->level, RECORD_UNKNOWN) == 0);
	if (!h->foreign)
		return !(unknown || record_foreign_family(c->family)) ||
		       err_at(e, v.at, "'%s' is as of another harness, in a record of the runner",
		              c->id);
	if (!is_of(c->family, h->foreign->harness))
		return err_at(e, v.at, "family '%s', expected '%s-' before its name", c->family,
		              h->foreign->harness);
	return (strcmp(c->metric, "time") == 0 && strcmp(c->role, "kernel") == 0 && m->flop == 0 &&
	        m->bytes_read == 0 && m->bytes_written == 0 && c->nsource == 0) ||
	       err_at(e, v.at,
	              "'%s' is of another harness, expected a time, the role 'kernel', and "
	              "neither sources nor a cost model",
	              c->id);
}
