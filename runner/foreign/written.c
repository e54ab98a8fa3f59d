#include "runner/foreign/written.h"

#include <math.h>
#include <string.h>

static void make_case(const struct written *w, const struct foreign_case *from, int64_t rank,
                      struct run_case *c, struct arena *a)
{
	*c = (struct run_case){
	        .family = w->family,
	        .variant = from->variant,
	        .family_title = w->title,
	        .variant_title = from->title,
	        .problem = w->problem,
	        .idea = from->idea,
	        .metric = "time",
	        .rank = rank,
	        .role = "kernel",
	        .device = w->gpu ? "cuda" : "cpu",
	        .foreign = true,
	        .nparams = from->nparams,
	        .dtype = RECORD_UNKNOWN,
	        .cache = from->cache ? from->cache : RECORD_UNKNOWN,
	        .unavailable = from->nprocesses ? NULL : from->unavailable,
	        .build = {.flags = RECORD_UNKNOWN,
	                  .registers = RECORD_NONE,
	                  .shared_bytes = RECORD_NONE,
	                  .spill_bytes = RECORD_NONE},
	        .model = {.formula = "none: only times are taken from another harness",
	                  .level = RECORD_UNKNOWN},
	        .input = RECORD_UNKNOWN,
	        .check_reference = w->checked ? w->checked : "nothing",
	        .check_why = w->why,
	};
	memcpy(c->param, from->param, sizeof c->param);
	c->id = record_case_id(c, a);
}

struct run_case *written_cases(const struct written *w, const struct foreign *f, struct arena *a)
{
	struct run_case *cases = ARENA_ARRAY(a, struct run_case, f->n + 1);
	for (size_t i = 0; i < f->n; i++) {
		int64_t rank = 0;
		size_t k = 0;
		/* cases of one variant share its rank */
		while (k < i && strcmp(f->c[k].variant, f->c[i].variant) != 0)
			k++;
		for (size_t j = 0; k == i && j < i; j++)
			rank = cases[j].rank >= rank ? cases[j].rank + 1 : rank;
		make_case(w, &f->c[i], k < i ? cases[k].rank : rank, &cases[i], a);
	}
	return cases;
}

struct run_launch written_launch(const struct run_case *of, int64_t number, const char *status)
{
	const struct run_check none = {.norm = -1, .ulp = -1};
	struct run_launch l = {.of = of,
	                       .i = number,
	                       .status = status,
	                       .before = none,
	                       .after = none,
	                       .memory_clock_mhz = RECORD_NONE,
	                       .energy_mj = RECORD_NONE,
	                       .throttle_reasons = RECORD_NONE,
	                       .sm_cycles = RECORD_NONE,
	                       .sm_cycles_ns = RECORD_NONE};
	l.sm_clock_mhz[0] = l.power_mw[0] = l.temperature_c[0] = RECORD_NONE;
	return l;
}

/*
 * A power of ten that makes whole nanoseconds of all values, or ten digits of each: the record's
 * `batch`. So a value divided by it is the harness's own.
 */
static int64_t scale_of(const struct foreign_process *p)
{
	static const double ENOUGH = 1e9, MOST = 1e6;
	double scale = 1;
	for (size_t i = 0; i < p->n; i++) {
		double ns = p->seconds[i] * 1e9;
		while (scale < MOST && ns * scale < ENOUGH &&
		       fabs(ns * scale - rint(ns * scale)) > 1e-9 * ns * scale)
			scale *= 10;
	}
	return (int64_t)scale;
}

bool written_samples(struct run_launch *l, const struct foreign_process *p, const char *path,
                     struct arena *a, struct err *e)
{
	static const double MOST = 9e18;
	l->batch = scale_of(p);
	l->sample_ns = ARENA_ARRAY(a, int64_t, p->n);
	l->nsamples = p->n;
	for (size_t i = 0; i < p->n; i++) {
		double ns = rint(p->seconds[i] * 1e9 * (double)l->batch);
		if (ns < 1 || ns > MOST)
			return err_set(e, "%s: a time of %g s, expected one from 1e-15 to 1e9 s",
			               path, p->seconds[i]);
		l->sample_ns[i] = (int64_t)ns;
	}
	return true;
}
