#include "site-gen/records/builds.h"

#include <stdlib.h>
#include <string.h>

#include "lib/gzip.h"
#include "lib/hash.h"
#include "lib/json.h"

#define FOLDER "data/builds"
#define SCHEMA "ridgepoint-build/1."
#define KEPT "builds"

enum { MAX_BYTES = 64 << 20 }; /* of a file, without gzip */

/* --- reading --- */

static bool read_sources(struct json v, struct build_unit *u, struct arena *a, struct err *e)
{
	struct json list;
	struct str path, blob;
	if (!json_want_arr(v, "source", &list, e))
		return false;
	u->nsource = json_len(list);
	u->source = ARENA_ARRAY(a, struct run_source, u->nsource + 1);
	for (size_t i = 0; i < u->nsource; i++) {
		struct json pair = json_item(list, i);
		if (json_len(pair) != 2 || !json_as_str(json_item(pair, 0), &path) ||
		    !json_as_str(json_item(pair, 1), &blob))
			return err_at(e, v.at, "'source[%zu]' of '%s' is not [path, blob id]", i,
			              u->file);
		u->source[i] = (struct run_source){str_dup(a, path), str_dup(a, blob)};
		if (!hash_is_hex(u->source[i].blob, HASH_GIT_HEX))
			return err_at(e, v.at,
			              "'source[%zu]' of '%s' has no blob id of 40 hex digits", i,
			              u->file);
	}
	return true;
}

static bool read_unit(struct json v, struct build_unit *u, struct arena *a, struct err *e)
{
	if (!json_is_object(v))
		return err_at(e, v.at, "each of 'units' must be an object");
	if (!json_want_str(v, "file", a, &u->file, e) ||
	    !json_want_str(v, "compiler", a, &u->compiler, e) ||
	    !json_want_str(v, "flags", a, &u->flags, e) ||
	    !json_want_str(v, "code_sha256", a, &u->code, e) || !read_sources(v, u, a, e))
		return false;
	return hash_is_hex(u->code, HASH_SHA256_HEX) ||
	       err_at(e, v.at, "'code_sha256' of '%s' is '%s', expected 64 hex digits", u->file,
	              u->code);
}

static bool read_units(struct json root, const char *path, struct arena *a, struct builds *b,
                       struct err *e)
{
	struct json units;
	const char *schema;
	if (!json_is_object(root))
		return err_at(e, root.at, "expected an object");
	if (!json_want_str(root, "schema", a, &schema, e) ||
	    !json_want_arr(root, "units", &units, e))
		return false;
	if (!str_starts(str_of(schema), SCHEMA))
		return err_at(e, root.at, "schema '%s', expected '%s0'", schema, SCHEMA);
	size_t n = json_len(units);
	struct build_unit *all = ARENA_ARRAY(a, struct build_unit, b->n + n + 1);
	if (b->n)
		memcpy(all, b->unit, b->n * sizeof *all);
	b->unit = all;
	for (size_t i = 0; i < n; i++) {
		if (!read_unit(json_item(units, i), &all[b->n], a, e))
			return false;
		all[b->n].at = b->n;
		all[b->n++].path = path;
	}
	return true;
}

static int by_file(const void *a, const void *b)
{
	const struct build_unit *x = a, *y = b;
	int c = strcmp(x->file, y->file);
	return c ? c : (x->at > y->at) - (x->at < y->at);
}

static bool is_statements(const struct git_file *f)
{
	return str_ends(str_of(f->path), ".json.gz") || str_ends(str_of(f->path), ".json");
}

static bool read_file(struct git *g, const struct git_file *f, struct arena *a, struct builds *out,
                      struct err *e)
{
	struct str stored, text;
	struct json_doc *doc;
	struct json root;
	bool found;
	if (!git_bytes(g, f->blob, a, &stored, &found, e))
		return false;
	if (!found)
		return err_set(e, "%s: its blob %s is not in this clone", f->path, f->blob);
	if (!gzip_content(stored, MAX_BYTES, f->path, a, &text, e) ||
	    !json_parse(text, (struct loc){f->path, 0, 0}, &doc, &root, e))
		return false;
	bool ok = read_units(root, f->path, a, out, e);
	json_free(doc);
	return ok;
}

/* --- what is kept: all units --- */

static const struct pack_member source_members[] = {
        PACK(struct run_source, path, PACK_TEXT),
        PACK(struct run_source, blob, PACK_TEXT),
};
static const struct pack_type source_type =
        PACK_TYPE("run_source", struct run_source, source_members);

#define U struct build_unit
static const struct pack_member unit_members[] = {
        PACK(U, file, PACK_TEXT),   PACK(U, compiler, PACK_TEXT),
        PACK(U, flags, PACK_TEXT),  PACK(U, code, PACK_TEXT),
        PACK(U, nsource, PACK_INT), PACK_LIST_OF(U, source, nsource, PACK_LIST, source_type),
        PACK(U, path, PACK_TEXT),   PACK(U, at, PACK_INT),
};
static const struct pack_type unit = PACK_TYPE("build_unit", U, unit_members);

static const struct pack_member builds_members[] = {
        PACK(struct builds, n, PACK_INT),
        PACK_LIST_OF(struct builds, unit, n, PACK_LIST, unit),
};
static const struct pack_type builds = PACK_TYPE("builds", struct builds, builds_members);

const struct pack_type *const builds_types[] = {&source_type, &unit, &builds, NULL};

/* Names every file and its blob. */
static const char *key_of(const struct git_file *file, size_t n, struct arena *a)
{
	struct sb all = {0};
	char *hex = arena_alloc(a, HASH_SHA256_HEX + 1);
	for (size_t i = 0; i < n; i++)
		sb_printf(&all, "%s %s\n", file[i].blob, file[i].path);
	hash_sha256(sb_view(&all), hex);
	sb_free(&all);
	return hex;
}

static bool take(const struct kept_by *kept, const char *key, struct arena *a, struct builds *out)
{
	struct arena scratch = {0};
	struct builds got = {0};
	struct str bytes;
	bool ok = kept_take(kept, KEPT, key, MAX_BYTES, &scratch, &bytes) &&
	          pack_take(&builds, bytes, a, &got);
	if (ok)
		*out = got;
	arena_free(&scratch);
	return ok;
}

static void leave(const struct kept_by *kept, const char *key, const struct builds *b)
{
	struct sb bytes = {0};
	pack_put(&builds, b, &bytes);
	kept_leave(kept, KEPT, key, sb_view(&bytes));
	sb_free(&bytes);
}

bool builds_load(struct git *g, const struct kept_by *kept, struct arena *a, struct builds *out,
                 struct err *e)
{
	struct git_file *file;
	size_t n;
	*out = (struct builds){0};
	if (!git_files(g, FOLDER, a, &file, &n, e))
		return false;
	const char *key = key_of(file, n, a);
	if (take(kept, key, a, out))
		return true;
	for (size_t i = 0; i < n; i++)
		if (is_statements(&file[i]) && !read_file(g, &file[i], a, out, e))
			return false;
	if (out->n)
		qsort(out->unit, out->n, sizeof *out->unit, by_file);
	leave(kept, key, out);
	return true;
}

/* --- queries --- */

/* The units of one file: [*from, end). */
static size_t units_of(const struct builds *b, const char *file, size_t *from)
{
	size_t low = 0, high = b->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(b->unit[middle].file, file) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*from = low; high < b->n && strcmp(b->unit[high].file, file) == 0; high++)
		;
	return high;
}

/* The file of a case, and the compiler and flags that compiled it. */
struct recipe {
	const char *file, *compiler, *flags;
};

/*
 * Old records name nvcc's flags with a peer that is written in C. record_flags() gives the flags
 * that compiled the file, and says how it copes with records up to ridgepoint-run/1.5.
 */
static struct recipe recipe_of(const struct run_head *h, const struct run_case *c)
{
	return (struct recipe){c->source[0].path, record_compiler(h, c), record_flags(h, c)};
}

static bool same_sources(const struct run_source *x, size_t nx, const struct run_source *y,
                         size_t ny)
{
	for (size_t i = 0; i < nx && nx == ny; i++)
		if (strcmp(x[i].path, y[i].path) != 0 || strcmp(x[i].blob, y[i].blob) != 0)
			return false;
	return nx == ny;
}

/* Was it built by this compiler with the same flags? */
static bool same_recipe(const struct build_unit *u, const struct recipe *r)
{
	return strcmp(u->compiler, r->compiler) == 0 && strcmp(u->flags, r->flags) == 0;
}

/* The unit with these blobs. NULL: there is none, or two disagree. */
static const struct build_unit *stated(const struct builds *b, const struct recipe *r,
                                       const struct run_source *source, size_t n)
{
	const struct build_unit *found = NULL;
	size_t i, end = units_of(b, r->file, &i);
	for (; i < end; i++) {
		const struct build_unit *u = &b->unit[i];
		if (!same_recipe(u, r) || !same_sources(u->source, u->nsource, source, n))
			continue;
		if (found && strcmp(found->code, u->code) != 0)
			return NULL;
		found = u;
	}
	return found;
}

static bool is_of_head(const struct build_unit *u,
                       const char *(*blob_at_head)(void *ctx, const char *path), void *ctx)
{
	for (size_t i = 0; i < u->nsource; i++) {
		const char *now = blob_at_head(ctx, u->source[i].path);
		if (!now || strcmp(now, u->source[i].blob) != 0)
			return false;
	}
	return u->nsource > 0;
}

bool builds_same_code(const struct builds *b, const struct run_head *h, const struct run_case *c,
                      const char *(*blob_at_head)(void *ctx, const char *path), void *ctx,
                      const struct build_unit **now)
{
	if (c->nsource == 0 || b->n == 0)
		return false;
	const struct recipe r = recipe_of(h, c);
	if (!r.compiler || !r.flags)
		return false;
	const struct build_unit *measured = stated(b, &r, c->source, c->nsource);
	const char *code = c->build.code_sha256 ? c->build.code_sha256
	                   : measured           ? measured->code
	                                        : NULL;
	if (!code || (measured && strcmp(measured->code, code) != 0))
		return false;
	size_t i, end = units_of(b, r.file, &i);
	for (; i < end; i++) {
		const struct build_unit *u = &b->unit[i];
		if (same_recipe(u, &r) && is_of_head(u, blob_at_head, ctx) &&
		    (*now = stated(b, &r, u->source, u->nsource)))
			return strcmp((*now)->code, code) == 0;
	}
	return false;
}
