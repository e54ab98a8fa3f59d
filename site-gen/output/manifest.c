#include "site-gen/output/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "lib/json.h"

/* The type of statement. Raise the number when the predicate changes. */
static const char statement_type[] = "https://in-toto.io/Statement/v1";
static const char predicate_type[] = "urn:ridgepoint:site-manifest:1";

/* --- writing ------------------------------------------------------------------------------ */

static int by_path(const void *a, const void *b)
{
	const struct output_file *const *x = a, *const *y = b;
	return strcmp((*x)->path, (*y)->path);
}

/* One ResourceDescriptor per line, so that a diff of two manifests reads well. */
static void put_file(struct sb *to, const struct output_file *f, bool last)
{
	sb_cstr(to, "{\"name\":");
	json_quote(to, str_of(f->path));
	sb_printf(to, ",\"digest\":{\"sha256\":\"%s\"},\"annotations\":{\"size\":%lld}}%s\n",
	          f->sha256, (long long)f->size, last ? "" : ",");
}

void manifest_put(struct sb *to, const struct manifest_origin *of, const struct output_file *files,
                  size_t n)
{
	const struct output_file **sorted = malloc((n + 1) * sizeof *sorted);
	if (!sorted)
		abort();
	for (size_t i = 0; i < n; i++)
		sorted[i] = &files[i];
	qsort(sorted, n, sizeof *sorted, by_path);
	sb_printf(to, "{\"_type\":\"%s\",\n\"predicateType\":\"%s\",\n\"predicate\":{",
	          statement_type, predicate_type);
	sb_printf(to, "\"generator\":\"%s\",\"numberFormat\":\"%s\",\"commit\":", of->generator,
	          of->number_format);
	if (*of->head)
		sb_printf(to, "{\"gitCommit\":\"%s\"}", of->head);
	else
		sb_cstr(to, "null");
	sb_cstr(to, "},\n\"subject\":[\n");
	for (size_t i = 0; i < n; i++)
		put_file(to, sorted[i], i + 1 == n);
	sb_cstr(to, "]}\n");
	free(sorted);
}

/* --- reading ------------------------------------------------------------------------------ */

static bool read_entry(struct json v, struct arena *a, struct manifest_entry *out, struct err *e)
{
	struct json digest, notes;
	return json_want_str(v, "name", a, &out->path, e) &&
	       json_want_obj(v, "digest", &digest, e) &&
	       json_want_str(digest, "sha256", a, &out->sha256, e) &&
	       json_want_obj(v, "annotations", &notes, e) &&
	       json_want_i64(notes, "size", &out->size, e);
}

static bool read_statement(struct json root, struct arena *a, struct manifest_entry **out,
                           size_t *n, struct err *e)
{
	const char *type, *predicate;
	struct json subject;
	if (!json_is_object(root))
		return err_at(e, root.at, "expected an in-toto statement, an object");
	if (!json_want_str(root, "_type", a, &type, e) ||
	    !json_want_str(root, "predicateType", a, &predicate, e) ||
	    !json_want_arr(root, "subject", &subject, e))
		return false;
	if (strcmp(type, statement_type) != 0 || strcmp(predicate, predicate_type) != 0)
		return err_at(e, root.at, "is a statement '%s' of type '%s', expected '%s'", type,
		              predicate, predicate_type);
	*n = json_len(subject);
	*out = ARENA_ARRAY(a, struct manifest_entry, *n + 1);
	for (size_t i = 0; i < *n; i++) {
		if (!read_entry(json_item(subject, i), a, &(*out)[i], e))
			return false;
		if (i > 0 && strcmp((*out)[i - 1].path, (*out)[i].path) >= 0)
			return err_at(e, root.at, "'%s' is not in its place among the files",
			              (*out)[i].path);
	}
	return true;
}

bool manifest_read(struct str text, const char *path, struct arena *a, struct manifest_entry **out,
                   size_t *n, struct err *e)
{
	struct json_doc *doc;
	struct json root;
	if (!json_parse(text, (struct loc){.path = path}, &doc, &root, e))
		return false;
	bool ok = read_statement(root, a, out, n, e);
	json_free(doc);
	return ok;
}
