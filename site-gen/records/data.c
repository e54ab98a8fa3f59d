/* Queries of pages over the records, which load.c loads. */
#include "site-gen/records/data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record_foreign.h"

#include "site-gen/records/context.h"

enum rule data_case_rule(const struct data_case *k, enum data_state s)
{
	return s == DATA_STALE && k->unclean ? RULE_CLEAN : data_state_rule(s);
}

bool data_case_offered(const struct data_case *k)
{
	return !k->why_none && !k->why[DATA_WITHDRAWN];
}

const char *data_case_why(const struct words *words, const struct data_case *k, enum data_state s,
                          struct arena *a)
{
	return k->reasons[s] ? reason_text(words, k->reasons[s], a) : NULL;
}

const char *data_case_why_state(const struct words *words, const struct data_case *k,
                                struct arena *a)
{
	const char *all = NULL;
	for (int s = DATA_STATE_COUNT - 1; s > DATA_OK; s--) {
		const char *why = data_case_why(words, k, (enum data_state)s, a);
		if (why)
			all = all ? arena_printf(a, "%s%s%s", all, words_get(words, "semicolon"),
			                         why)
			          : why;
	}
	return all;
}

void data_case_add(struct data_case *k, enum data_state s, struct reason why, struct arena *a)
{
	struct reason **end = &k->reasons[s];
	while (*end)
		end = &(*end)->next;
	*end = ARENA_NEW(a, struct reason);
	**end = why;
	k->why[s] = data_case_why(NULL, k, s, a);
	if (s > k->state)
		k->state = s;
	k->why_state = data_case_why_state(NULL, k, a);
}

/* --- queries --- */

bool data_spec_is_of(const struct data_spec *s, struct str device)
{
	for (size_t i = 0; s->devices[i]; i++)
		if (str_is(device, s->devices[i]))
			return true;
	return false;
}

static const struct data_spec *any_spec(const struct data *d, const char *device)
{
	for (size_t i = 0; i < d->nspecs; i++)
		if (data_spec_is_of(&d->specs[i], str_of(device)))
			return &d->specs[i];
	return NULL;
}

const char *data_device_name(const struct data *d, const char *device)
{
	const struct data_spec *s = any_spec(d, device);
	return s ? s->device_name : device;
}

const char *data_device_sheet(const struct data *d, const char *device)
{
	const struct data_spec *s = any_spec(d, device);
	return s ? s->device : device;
}

bool data_device_is_cpu(const char *device)
{
	return str_starts(str_of(device), "cpu-");
}

const char *data_device_find(const struct data *d, struct str name)
{
	const char *found = NULL;
	size_t n = 0;
	for (size_t i = 0; i < d->ndevices; i++) {
		if (str_is(name, d->devices[i]))
			return d->devices[i];
		if (str_is(name, data_device_sheet(d, d->devices[i])) ||
		    (str_is(name, "cpu") && data_device_is_cpu(d->devices[i]))) {
			found = d->devices[i];
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

const struct data_spec *data_spec_find(const struct data *d, struct str device, struct str key)
{
	for (size_t i = 0; i < d->nspecs; i++)
		if (data_spec_is_of(&d->specs[i], device) && str_is(key, d->specs[i].key))
			return &d->specs[i];
	return NULL;
}

const struct data_case *data_case_of(const struct data_run *r, const struct run_case *c)
{
	return &r->cases[c - r->run.cases];
}

enum data_state data_state_of(const struct data *d, const struct data_run *r,
                              const struct run_case *c)
{
	(void)d;
	return data_case_of(r, c)->state;
}

/* A use points to the `run` member of a data_run, so its address identifies it. */
const struct data_run *data_run_of(const struct data *d, const struct run *r)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (&d->runs[i].run == r)
			return &d->runs[i];
	return NULL;
}

enum data_state data_worst(const struct data *d, const struct expand_use *uses)
{
	enum data_state worst = DATA_OK;
	for (const struct expand_use *u = uses; u; u = u->next) {
		const struct data_run *r = data_run_of(d, u->run);
		enum data_state s = r ? data_state_of(d, r, u->c) : DATA_OK;
		if (s > worst)
			worst = s;
	}
	return worst;
}

bool data_is_instrument(const char *family)
{
	return str_starts(str_of(family), "ceiling-") || strcmp(family, "selftest") == 0;
}

bool data_names_instrument(struct str pattern)
{
	return pattern.n && (memmem(pattern.p, pattern.n, "ceiling-", 8) ||
	                     memmem(pattern.p, pattern.n, "selftest", 8));
}

bool data_is_apart(const char *family)
{
	return data_is_instrument(family) || record_foreign_family(family);
}

/* Does it say "exec", as in exec-* or {csv,exec}-sort, but not in a name such as executor? */
static bool names_harness(struct str pattern, const char *harness)
{
	size_t n = strlen(harness);
	for (size_t i = 0; i + n <= pattern.n; i++)
		if (memcmp(pattern.p + i, harness, n) == 0 &&
		    (i + n == pattern.n || !isalnum((unsigned char)pattern.p[i + n])))
			return true;
	return false;
}

bool data_names_apart(struct str pattern)
{
	bool names = data_names_instrument(pattern);
	const char *harness;
	for (size_t i = 0; !names && (harness = record_foreign_harness(i)); i++)
		names = names_harness(pattern, harness);
	return names;
}

/* The newest run with a number of the family; a family's page shows none of sweeps. */
static const struct data_run *newest_of(const struct data *d, const char *family, bool any_device)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (r->why_none ||
		    (!any_device && strcmp(r->run.head.device, d->default_device) != 0))
			continue;
		for (size_t k = 0; k < r->run.ncases; k++)
			if (strcmp(r->run.cases[k].family, family) == 0 &&
			    !r->run.cases[k].knob.name && data_case_offered(&r->cases[k]))
				return r;
	}
	return NULL;
}

static const struct run_case *case_of_family(const struct data_run *r, const char *family)
{
	for (size_t i = 0; i < r->run.ncases; i++)
		if (strcmp(r->run.cases[i].family, family) == 0)
			return &r->run.cases[i];
	return NULL;
}

static int by_family(const void *a, const void *b)
{
	return strcmp(((const struct data_family *)a)->id, ((const struct data_family *)b)->id);
}

static bool has_family(const struct data_families *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->all[i].id, id) == 0)
			return true;
	return false;
}

struct data_families data_families(const struct data *d, struct arena *a)
{
	struct data_families f = {0};
	size_t cap = 0;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct run *r = &d->runs[i].run;
		for (size_t k = 0; k < r->ncases; k++) {
			const char *id = r->cases[k].family;
			if (data_is_apart(id) || has_family(&f, id))
				continue;
			const struct data_run *newest = newest_of(d, id, false);
			if (!newest)
				newest = newest_of(d, id, true);
			if (!newest)
				continue; /* none of its numbers may be published */
			const struct run_case *c = case_of_family(newest, id);
			f.all = arena_grow(a, f.all, f.n, &cap, sizeof *f.all);
			f.all[f.n++] = (struct data_family){
			        .id = id,
			        .title = c->family_title,
			        .problem = c->problem,
			        .metric = c->metric,
			        .newest = newest,
			        .url = arena_printf(a, "/kernels/%s/", id),
			};
		}
	}
	if (f.n > 0)
		qsort(f.all, f.n, sizeof *f.all, by_family);
	return f;
}

const char *data_family_part(const struct data *d, const char *family, const char *device,
                             struct arena *a)
{
	const struct data_run *own = newest_of(d, family, false);
	own = own ? own : newest_of(d, family, true);
	bool main = own && strcmp(own->run.head.device, device) == 0;
	return arena_printf(a, "/kernels/%s/%s%s", family, main ? "" : "#on-", main ? "" : device);
}
