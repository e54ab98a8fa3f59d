/* Checks copies of data/: the record of each run, and the log of published numbers. */
#include <string.h>

#include "lib/hash.h"
#include "site-gen/audit/audit.h"
#include "site-gen/numbers/published.h"

static void other(struct audit *a, const char *path, const char *original)
{
	problems_rule(a->found, RULE_WHOLE, (struct loc){.path = path},
	              "is not the file that it is a copy of, %s", original);
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Sets the <id> of "runs/<id>/<record>"; false: the path is another one. */
static bool is_record(const char *path, struct str *id)
{
	struct str rest = str_of(path), folder;
	if (!str_starts(rest, "runs/") || !str_cut(rest, '/', &folder, &rest) ||
	    !str_cut(rest, '/', id, &rest) || rest.p != name_of(path))
		return false;
	return str_ends(rest, ".jsonl") || str_ends(rest, ".jsonl.gz");
}

static void check_record(struct audit *a, const char *path, struct str id, struct str bytes)
{
	const struct data *d = a->data;
	char blob[HASH_GIT_HEX + 1];
	hash_git_blob(bytes, blob);
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		const char *name = name_of(r->path);
		if (!str_is(id, r->run.head.id) || !str_starts(str_of(name_of(path)), name))
			continue;
		if (strcmp(name_of(path), name) == 0 && strcmp(blob, r->blob) != 0)
			other(a, path, r->path);
		return; /* the gzip form of a plain record is compared where forms are */
	}
	problems_rule(a->found, RULE_WHOLE, (struct loc){.path = path},
	              "is a record that data/runs does not have");
}

void audit_copy(struct audit *a, const char *path, struct str bytes)
{
	struct str id;
	if (is_record(path, &id))
		check_record(a, path, id, bytes);
	else if (strcmp(path, "changes.jsonl") == 0 && !str_eq(bytes, published_bytes(a->log)))
		other(a, path, PUBLISHED_PATH);
}
