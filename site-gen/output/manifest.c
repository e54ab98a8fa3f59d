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

/* Takes `what` off the front of *s; false: it does not begin with it. */
static bool take(struct str *s, const char *what)
{
	size_t n = strlen(what);
	bool is = str_starts(*s, what);
	*s = is ? str_sub(*s, n, s->n) : *s;
	return is;
}

/* Takes everything up to a quote; false: something there is not plain ASCII, or no quote. */
static bool take_quoted(struct str *s, struct str *out)
{
	size_t end = str_find(*s, '"', 0);
	if (end == s->n)
		return false;
	*out = str_sub(*s, 0, end);
	*s = str_sub(*s, end + 1, s->n);
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i] < ' ' || out->p[i] > '~' || out->p[i] == '\\')
			return false;
	return true;
}

/* digits -> '0' | ('1' … '9') { digit } */
static bool take_size(struct str s, int64_t *out)
{
	return s.n > 0 && (s.n == 1 || s.p[0] != '0') && s.p[0] != '-' && str_i64(s, out);
}

/* A line as put_file() writes it. */
static bool take_line(struct str line, struct arena *a, struct manifest_entry *out)
{
	struct str name, sum;
	if (!take(&line, "{\"name\":\"") || !take_quoted(&line, &name) ||
	    !take(&line, ",\"digest\":{\"sha256\":\"") || !take_quoted(&line, &sum) ||
	    !take(&line, "},\"annotations\":{\"size\":"))
		return false;
	line.n -= str_ends(line, ",");
	if (!str_ends(line, "}}") || !take_size(str_sub(line, 0, line.n - 2), &out->size))
		return false;
	out->path = str_dup(a, name);
	out->sha256 = str_dup(a, sum);
	return true;
}

/* The lines before the files. */
static bool take_head(struct str *s)
{
	struct str some;
	bool ok = take(s, "{\"_type\":\"") && take(s, statement_type) &&
	          take(s, "\",\n\"predicateType\":\"") && take(s, predicate_type) &&
	          take(s, "\",\n\"predicate\":{\"generator\":\"") && take_quoted(s, &some) &&
	          take(s, ",\"numberFormat\":\"") && take_quoted(s, &some) &&
	          take(s, ",\"commit\":");
	bool commit = ok && take(s, "{\"gitCommit\":\"");
	ok = ok && (commit ? take_quoted(s, &some) && take(s, "}") : take(s, "null"));
	return ok && take(s, "},\n\"subject\":[\n");
}

/*
 * Reads a manifest that is written exactly as manifest_put() writes it: a large site has many
 * files, and each build asks which are its own. False: it is not, so it is to be read as JSON.
 */
static bool read_own(struct str text, struct arena *a, struct manifest_entry **out, size_t *n)
{
	struct str line;
	size_t lines = 0;
	bool comma = true;
	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n';
	*n = 0;
	*out = ARENA_ARRAY(a, struct manifest_entry, lines + 1);
	if (!take_head(&text))
		return false;
	while (str_cut(text, '\n', &line, &text) && !str_is(line, "]}")) {
		struct manifest_entry *f = &(*out)[*n];
		if (!comma || !take_line(line, a, f) ||
		    (*n > 0 && strcmp(f[-1].path, f->path) >= 0))
			return false;
		comma = str_ends(line, ",");
		(*n)++;
	}
	return str_is(line, "]}") && text.n == 0 && !(comma && *n > 0);
}

bool manifest_read(struct str text, const char *path, struct arena *a, struct manifest_entry **out,
                   size_t *n, struct err *e)
{
	if (read_own(text, a, out, n))
		return true;
	struct json_doc *doc;
	struct json root;
	if (!json_parse(text, (struct loc){.path = path}, &doc, &root, e))
		return false;
	bool ok = read_statement(root, a, out, n, e);
	json_free(doc);
	return ok;
}
