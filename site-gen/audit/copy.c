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

/* path -> "runs/" id "/" id ".jsonl" */
static bool is_record(struct str path, struct str *id)
{
	struct str rest = path, folder, file;
	if (!str_starts(path, "runs/") || !str_ends(path, ".jsonl") ||
	    !str_cut(rest, '/', &folder, &rest) || !str_cut(rest, '/', id, &file))
		return false;
	return memchr(file.p, '/', file.n) == NULL;
}

static void check_record(struct audit *a, const char *path, struct str id, struct str bytes)
{
	const struct data *d = a->data;
	char blob[HASH_GIT_HEX + 1]; /* the copy is plain */
	hash_git_blob(bytes, blob);
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		struct str name = str_of(r->run.head.id), file = str_of(strrchr(path, '/') + 1);
		if (!str_eq(id, name) || file.n != name.n + strlen(".jsonl") ||
		    !str_starts(file, r->run.head.id))
			continue;
		if (strcmp(blob, r->lines_blob) != 0)
			other(a, path, r->path);
		return;
	}
	problems_rule(a->found, RULE_WHOLE, (struct loc){.path = path},
	              "is a record that data/runs does not have");
}

void audit_copy(struct audit *a, const char *path, struct str bytes)
{
	struct str id;
	if (is_record(str_of(path), &id))
		check_record(a, path, id, bytes);
	else if (strcmp(path, "changes.jsonl") == 0 && !str_eq(bytes, published_bytes(a->log)))
		other(a, path, PUBLISHED_PATH);
}
