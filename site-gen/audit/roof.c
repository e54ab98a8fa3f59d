#include "site-gen/audit/roof.h"

#include <math.h>
#include <string.h>

#include "lib/ways.h"

/* The bytes that a call moves, and the share of them that it writes. */
static double bytes_of(const struct run_case *c, double *written)
{
	double all = (double)c->model.bytes_read + (double)c->model.bytes_written;
	*written = all > 0 ? (double)c->model.bytes_written / all : 0;
	return all;
}

static bool is_ceiling(const struct run_case *c)
{
	return str_starts(str_of(c->family), "ceiling-") || strcmp(c->family, "selftest") == 0;
}

/* A case measured in an unusual way is a roof only of cases measured in the same way. */
static bool same_way(const struct run_case *roof, const struct run_case *c)
{
	for (int i = 0; i < WAYS_COUNT; i++) {
		const struct run_pair *a = record_param(roof, ways_keys[i].name);
		const struct run_pair *b = record_param(c, ways_keys[i].name);
		if (a && !(b && a->word && b->word && strcmp(a->word, b->word) == 0))
			return false;
	}
	return true;
}

/* Same memory level, same cache state, and shares of writes that differ by at most 0.1? */
static bool comparable(const struct run_case *roof, const struct run_case *c)
{
	double wr, wc;
	if (!roof->model.level || !c->model.level ||
	    strcmp(roof->model.level, c->model.level) != 0 || !(bytes_of(roof, &wr) > 0) ||
	    !(bytes_of(c, &wc) > 0) || fabs(wr - wc) > 0.1)
		return false;
	return (strcmp(roof->cache, c->cache) == 0 || is_ceiling(roof)) && same_way(roof, c);
}

/* A roof must be in at least as good a state as the number. */
static bool in_order(const struct data_case *roof, const struct data_case *d)
{
	return roof->state <= d->state || !data_state_refused(roof->state);
}

bool audit_roof_holds(struct audit_records *r, const struct audit_number *n, struct err *e)
{
	const struct run_case *c = n->of->d->c, *held = n->over->d->c;
	const char *device = n->of->run->run.head.device;
	double written, least = bytes_of(held, &written) / n->over->time.typical;
	for (size_t i = 0; i < r->data->nnumbers; i++) {
		const struct data_number *x = &r->data->numbers[i];
		if (x->newest == x->nruns || strcmp(x->device, device) != 0 ||
		    !comparable(x->in[x->newest]->c, c) || !in_order(x->in[x->newest], n->of->d))
			continue;
		const struct audit_case *other =
		        audit_case_of(r, x->runs[x->newest], x->in[x->newest]);
		if (other->has && other->d->c != held &&
		    bytes_of(other->d->c, &written) / other->time.typical > least * (1 + 1e-12))
			return err_set(e, "is held against %s, but %s reached more in run %s",
			               held->id, x->id, x->runs[x->newest]->run.head.id);
	}
	return true;
}
