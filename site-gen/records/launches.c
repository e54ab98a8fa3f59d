#include "site-gen/records/launches.h"

#include <string.h>

#include "site-gen/records/run.h"
#include "site-gen/records/stored.h"

struct launches {
	struct launches_store *store;
	struct launches *next; /* of those that this process has opened */
	struct arena arena;    /* what it read; empty if loading left the record open */
	struct run whole;
	bool open;
};

struct launches_store {
	const char *root;
	struct git *git;
	struct launches *opened;
	size_t bytes; /* of the records that were opened, inflated */
	struct err error;
};

struct launches_store *launches_store(const char *root, struct git *git, struct arena *a)
{
	struct launches_store *s = ARENA_NEW(a, struct launches_store);
	*s = (struct launches_store){.root = root, .git = git};
	return s;
}

struct launches *launches_new(struct launches_store *s, struct arena *a)
{
	struct launches *l = ARENA_NEW(a, struct launches);
	l->store = s;
	return l;
}

static bool same_cases(const struct run_case *x, size_t nx, const struct run_case *y, size_t ny)
{
	for (size_t i = 0; nx == ny && i < nx; i++)
		if (strcmp(x[i].id, y[i].id) != 0)
			return false;
	return nx == ny;
}

/* Moves launches from the cases of one copy of a run to those of another. */
static void belong(struct run_launch *l, size_t n, const struct run_case *from,
                   const struct run_case *to)
{
	for (size_t i = 0; i < n; i++)
		l[i].of = to + (l[i].of - from);
}

bool launches_keep(const struct data_run *r, struct run *parsed)
{
	const struct run *of = &r->run;
	struct run *whole = &r->launches->whole;
	if (!same_cases(of->cases, of->ncases, parsed->cases, parsed->ncases) ||
	    !same_cases(of->nulls, of->nnulls, parsed->nulls, parsed->nnulls) ||
	    of->nlaunches != parsed->nlaunches || of->nnull_launches != parsed->nnull_launches)
		return false;
	belong(parsed->launches, parsed->nlaunches, parsed->cases, of->cases);
	belong(parsed->null_launches, parsed->nnull_launches, parsed->nulls, of->nulls);
	*whole = *of;
	whole->launches = parsed->launches;
	whole->null_launches = parsed->null_launches;
	r->launches->open = true;
	return true;
}

static bool read_again(const struct data_run *r, struct err *e)
{
	struct launches *l = r->launches;
	struct launches_store *s = l->store;
	struct arena scratch = {0};
	struct data_run again = {.path = r->path};
	struct str bytes;
	char id[HASH_GIT_HEX + 1];
	size_t n = 0;
	bool ok = stored_read(s->root, s->git, r->path, r->committed ? r->blob : NULL, &scratch,
	                      &bytes, id, e) &&
	          (strcmp(id, r->blob) == 0 ||
	           err_set(e, "%s: was changed after it was loaded", r->path)) &&
	          run_lines(&again, bytes, &l->arena, &n, e) &&
	          (launches_keep(r, &again.run) ||
	           err_set(e,
	                   "%s: the cache has other cases or launches than the record; "
	                   "remove the cache",
	                   r->path));
	arena_free(&scratch);
	s->bytes += n;
	return ok;
}

const struct run *launches_of(const struct data_run *r)
{
	struct launches *l = r->launches;
	struct err e = ERR_NONE;
	if (l->open)
		return &l->whole;
	l->next = l->store->opened;
	l->store->opened = l;
	l->open = true;
	if (!read_again(r, &e)) {
		l->whole = r->run;
		l->whole.nlaunches = l->whole.nnull_launches = 0;
		if (!l->store->error.set)
			l->store->error = e;
	}
	return &l->whole;
}

void launches_close(const struct data *d)
{
	struct launches_store *s = d->store;
	for (struct launches *l = s ? s->opened : NULL, *next; l; l = next) {
		next = l->next;
		arena_free(&l->arena);
		l->open = false;
	}
	if (s) {
		s->opened = NULL;
		s->bytes = 0;
	}
}

void launches_rest(const struct data *d)
{
	if (d->store && d->store->bytes > LAUNCHES_OPEN)
		launches_close(d);
}

bool launches_sound(const struct data *d, struct err *e)
{
	const struct err *mine = d->store ? &d->store->error : NULL;
	return !mine || !mine->set || err_set(e, "%s", mine->text);
}
