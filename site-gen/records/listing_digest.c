#include "site-gen/records/listing_digest.h"

enum { MAX_BYTES = 256 << 20 };

/* --- the tables, in the order of the structs, but with each count before its list --- */

static const struct pack_member place_members[] = {
        PACK(struct sass_place, file, PACK_TEXT),
        PACK(struct sass_place, line, PACK_INT),
};
static const struct pack_type place = PACK_TYPE("sass_place", struct sass_place, place_members);

#define I struct sass_instruction
static const struct pack_member instruction_members[] = {
        PACK(I, offset, PACK_INT),    PACK(I, text, PACK_TEXT),
        PACK(I, nplaces, PACK_INT),   PACK_LIST_OF(I, place, nplaces, PACK_LIST, place),
        PACK(I, control, PACK_MAYBE),
};
static const struct pack_type instruction = PACK_TYPE("sass_instruction", I, instruction_members);

static const struct pack_member label_members[] = {
        PACK(struct sass_label, offset, PACK_INT),
        PACK(struct sass_label, name, PACK_TEXT),
};
static const struct pack_type label = PACK_TYPE("sass_label", struct sass_label, label_members);

#define F struct sass_function
static const struct pack_member function_members[] = {
        PACK(F, unit, PACK_INT),
        PACK(F, object, PACK_TEXT),
        PACK(F, name, PACK_TEXT),
        PACK(F, title, PACK_TEXT),
        PACK(F, code_sha256, PACK_TEXT),
        PACK(F, n, PACK_INT),
        PACK_LIST_OF(F, code, n, PACK_LIST, instruction),
        PACK(F, nlabels, PACK_INT),
        PACK_LIST_OF(F, label, nlabels, PACK_LIST, label),
};
static const struct pack_type function = PACK_TYPE("sass_function", F, function_members);

static const struct pack_member source_members[] = {
        PACK(struct run_source, path, PACK_TEXT),
        PACK(struct run_source, blob, PACK_TEXT),
};
static const struct pack_type source = PACK_TYPE("run_source", struct run_source, source_members);

#define U struct sass_unit
static const struct pack_member unit_members[] = {
        PACK(U, file, PACK_TEXT),   PACK(U, compiler, PACK_TEXT),
        PACK(U, flags, PACK_TEXT),  PACK(U, code_sha256, PACK_TEXT),
        PACK(U, nsource, PACK_INT), PACK_LIST_OF(U, source, nsource, PACK_LIST, source),
};
static const struct pack_type unit = PACK_TYPE("sass_unit", U, unit_members);

#define S struct sass
static const struct pack_member sass_members[] = {
        PACK(S, schema, PACK_TEXT),
        PACK(S, id, PACK_TEXT),
        PACK(S, arch, PACK_TEXT),
        PACK(S, start, PACK_TEXT),
        PACK(S, reason, PACK_MAYBE),
        PACK(S, commit, PACK_MAYBE),
        PACK(S, dirty, PACK_BOOL),
        PACK(S, tool, PACK_TEXT),
        PACK(S, runner_sha256, PACK_TEXT),
        PACK(S, nargv, PACK_INT),
        PACK_LIST_OF(S, argv, nargv, PACK_LIST, pack_text),
        PACK(S, nunits, PACK_INT),
        PACK_LIST_OF(S, unit, nunits, PACK_LIST, unit),
        PACK(S, nfunctions, PACK_LATER),
        PACK(S, function, PACK_LATER),
};
static const struct pack_type sass = PACK_TYPE("sass", S, sass_members);

/* What is kept, in two files: most of the second is instructions, and few texts show any. */
struct kept_listings {
	const char *lines_blob;
	struct sass sass;
};
static const struct pack_member root_members[] = {
        PACK(struct kept_listings, lines_blob, PACK_TEXT),
        PACK_OF(struct kept_listings, sass, PACK_INSIDE, sass),
};
static const struct pack_type root = PACK_TYPE("", struct kept_listings, root_members);

struct kept_code {
	size_t n;
	struct sass_function *function;
};
static const struct pack_member code_members[] = {
        PACK(struct kept_code, n, PACK_INT),
        PACK_LIST_OF(struct kept_code, function, n, PACK_LIST, function),
};
static const struct pack_type code = PACK_TYPE("", struct kept_code, code_members);

const struct pack_type *const listing_digest_types[] = {
        &place, &instruction, &label, &function, &source, &unit, &sass, NULL,
};

/* --- the cache --- */

/* Reads one of the two files. */
static bool take(const struct kept_by *kept, const char *name, const struct pack_type *type,
                 struct arena *a, void *out)
{
	struct arena scratch = {0};
	struct str bytes;
	bool ok = kept_take(kept, name, "", MAX_BYTES, &scratch, &bytes) &&
	          pack_take(type, bytes, a, out);
	arena_free(&scratch);
	return ok;
}

static void leave(const struct kept_by *kept, const char *name, const struct pack_type *type,
                  const void *from)
{
	struct sb bytes = {0};
	pack_put(type, from, &bytes);
	kept_leave(kept, name, "", sb_view(&bytes));
	sb_free(&bytes);
}

bool listing_digest_cached(const struct kept_by *kept, const char *blob, bool code_later,
                           struct arena *a, struct data_sass *out)
{
	struct kept_listings got = {0};
	if (!take(kept, blob, &root, a, &got))
		return false;
	out->sass = got.sass;
	out->file.lines_blob = got.lines_blob;
	return code_later || listing_digest_code(kept, blob, a, &out->sass);
}

bool listing_digest_code(const struct kept_by *kept, const char *blob, struct arena *a,
                         struct sass *out)
{
	struct kept_code got = {0};
	if (!take(kept, arena_printf(a, "%s-code", blob), &code, a, &got))
		return false;
	for (size_t i = 0; i < got.n; i++)
		if (got.function[i].unit >= out->nunits)
			return false;
	out->function = got.function;
	out->nfunctions = got.n;
	return true;
}

void listing_digest_cache(const struct kept_by *kept, const char *blob, const struct data_sass *s)
{
	struct arena a = {0};
	const struct kept_listings head = {s->file.lines_blob, s->sass};
	const struct kept_code listed = {s->sass.nfunctions, s->sass.function};
	leave(kept, blob, &root, &head);
	leave(kept, arena_printf(&a, "%s-code", blob), &code, &listed);
	arena_free(&a);
}
