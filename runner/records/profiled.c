#include "runner/records/profiled.h"

#include <string.h>

#include "lib/file.h"
#include "lib/record_file.h"
#include "runner/records/head.h"

/* True if the run has counters of this case, from the same machine code and choice. */
static bool has(const struct run *r, const struct run_case *c)
{
	for (size_t i = 0; c->build.code_sha256 && i < r->ncases; i++) {
		const struct run_case *there = &r->cases[i];
		const struct run_counters *k;
		if (strcmp(there->id, c->id) != 0 || !there->build.code_sha256 ||
		    strcmp(there->build.code_sha256, c->build.code_sha256) != 0)
			continue;
		k = record_counters(r, there);
		return k && !k->unavailable &&
		       record_choice_agrees(record_counters_choice(k), &c->build.choice);
	}
	return false;
}

static bool mark(const struct plan *p, const char *path, bool *known, struct arena *a,
                 struct err *e)
{
	struct run r;
	if (!record_file_load(path, a, &r, e))
		return false;
	for (size_t i = 0; r.whole && i < p->n; i++) {
		struct run_case c;
		head_case(&p->item[i], a, &c);
		known[i] = known[i] || has(&r, &c);
	}
	return true;
}

bool profiled_leave_out(struct plan *p, const char *dir, struct arena *a, struct err *e)
{
	const char *folder = arena_printf(a, "%s/%s", dir, p->facts.slug);
	bool *known = ARENA_ARRAY(a, bool, p->n + 1);
	struct file_entry *file = NULL;
	size_t files = 0, n = 0;
	if (!file_exists(folder))
		return true;
	if (!file_list(folder, a, &file, &files, e))
		return false;
	for (size_t i = 0; i < files; i++)
		if (!file[i].is_dir && record_file_is(str_of(file[i].name)) &&
		    !mark(p, arena_printf(a, "%s/%s", folder, file[i].name), known, a, e))
			return false;
	for (size_t i = 0; i < p->n; i++)
		if (!known[i])
			p->item[n++] = p->item[i];
	p->n = n;
	return true;
}
