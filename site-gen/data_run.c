/*
 * One run file from its bytes to derived cases: everything that needs no
 * repository, so that files can be read side by side.
 */
#include <string.h>

#include "site-gen/data_run.h"

/*
 * When a number is unsteady (rules R5 and R6: too few launches for a 95 %
 * order statistic, an interval too wide for prose, a clock slowed down).
 */
enum {
	STEADY_LAUNCHES = 6,
	/* NVML event reasons: hardware slowdown, sync boost is 0x10 and harmless,
	 * software thermal, hardware thermal, power brake */
	SLOWED_DOWN = 0x08 | 0x20 | 0x40 | 0x80,
};
static const double STEADY_HALFWIDTH = 0.02;

static bool slowed_down(const struct run_launch *l)
{
	return l->throttle_reasons != RECORD_NONE && (l->throttle_reasons & SLOWED_DOWN);
}

static const char *unsteady(const struct data_case *k, size_t slow, struct arena *a)
{
	if (k->time.launches < STEADY_LAUNCHES)
		return arena_printf(a, "%zu launches, at least %d are needed", k->time.launches,
		                    STEADY_LAUNCHES);
	double h = stats_halfwidth(&k->time);
	if (!(h <= STEADY_HALFWIDTH))
		return arena_printf(a, "the 95 %% interval is ±%.1f %%, at most ±2 %% is steady",
		                    100 * h);
	if (slow > 0)
		return arena_printf(a, "the clock was slowed down in %zu of %zu launches", slow,
		                    k->time.launches);
	return NULL;
}

/* Launches of one case, gathered in one pass over the file. */
struct tally {
	size_t all, ok, wrong, slow, at;
	const char *status; /* of the last one that is not ok */
	int64_t *launch;
	bool *slowed;
};

static void count_launch(struct tally *t, const struct run_launch *l)
{
	t->all++;
	if (record_launch_ok(l)) {
		t->ok++;
		t->slow += slowed_down(l);
		return;
	}
	t->status = l->status;
	t->wrong += strcmp(l->status, "wrong") == 0;
}

static struct tally *tally_launches(const struct run *r, struct arena *a)
{
	struct tally *t = ARENA_ARRAY(a, struct tally, r->ncases + 1);
	for (size_t i = 0; i < r->nlaunches; i++)
		count_launch(&t[r->launches[i].of - r->cases], &r->launches[i]);
	for (size_t i = 0; i < r->ncases; i++) {
		t[i].launch = ARENA_ARRAY(a, int64_t, t[i].ok + 1);
		t[i].slowed = ARENA_ARRAY(a, bool, t[i].ok + 1);
	}
	for (size_t i = 0; i < r->nlaunches; i++) {
		struct tally *of = &t[r->launches[i].of - r->cases];
		if (!record_launch_ok(&r->launches[i]))
			continue;
		of->slowed[of->at] = slowed_down(&r->launches[i]);
		of->launch[of->at++] = r->launches[i].i;
	}
	return t;
}

static const char *why_no_number(const struct data_run *r, const struct run_case *c,
                                 const struct tally *t, struct arena *a)
{
	if (c->unavailable)
		return arena_printf(a, "not measured: %s", c->unavailable);
	if (r->why_none)
		return r->why_none;
	if (t->wrong > 0)
		return arena_printf(a, "its results were wrong in %zu of %zu launches", t->wrong,
		                    t->all);
	if (t->ok == 0 && t->all == 0)
		return "it has no launches";
	if (t->ok == 0)
		return arena_printf(a, "none of its %zu launches succeeded (%s)", t->all,
		                    t->status);
	return NULL;
}

/* Anchors hold what an URL fragment takes as it is. */
static const char *anchor_of(const char *case_id, struct arena *a)
{
	char *s = arena_strdup(a, case_id);
	for (char *p = s; *p; p++) {
		bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		             (*p >= '0' && *p <= '9') || *p == '.' || *p == '_';
		if (!plain)
			*p = '-';
	}
	return s;
}

static bool derive_case(struct data_run *r, struct data_case *k, const struct tally *t,
                        struct arena *a, struct err *e)
{
	double *m;
	k->anchor = anchor_of(k->c->id, a);
	k->url = arena_printf(a, "/numbers/%s/%s/", r->run.head.device, k->anchor);
	k->failed = t->wrong > 0;
	k->why_none = why_no_number(r, k->c, t, a);
	if (k->why_none)
		return true;
	if (!record_summary(&r->run, k->c, a, &k->time, &m))
		return err_set(e, "%s: case %s has no summary", r->path, k->c->id);
	k->medians = m;
	k->launch = t->launch;
	k->slow = t->slowed;
	const char *why = unsteady(k, t->slow, a);
	if (why)
		data_case_add(k, DATA_UNSTEADY, why, a);
	return true;
}

/* Folder and name must say what the record says. */
static bool check_place(const struct data_run *r, struct arena *a, struct err *e)
{
	const struct run_head *h = &r->run.head;
	const char *want = arena_printf(a, DATA_RUNS_FOLDER "/%s/%s.jsonl", h->device, h->id);
	return strcmp(r->path, want) == 0 ||
	       err_at(e, (struct loc){r->path, 1, 0},
	              "a run of device '%s' with id '%s' belongs in %s", h->device, h->id, want);
}

bool data_run_read(struct data_run *r, struct str bytes, struct arena *a, struct err *e)
{
	if (!record_read(bytes, r->path, a, &r->run, e) || !check_place(r, a, e))
		return false;
	r->url = arena_printf(a, "/runs/%s/", r->run.head.id);
	if (!r->run.whole)
		r->why_none =
		        arena_printf(a, "its run file is not whole: %s", r->run.why_not_whole);
	else if (strcmp(r->run.status, "complete") != 0)
		r->why_none = arena_printf(a, "its run ended early (%s)", r->run.status);
	struct tally *t = tally_launches(&r->run, a);
	r->cases = ARENA_ARRAY(a, struct data_case, r->run.ncases + 1);
	for (size_t i = 0; i < r->run.ncases; i++) {
		r->cases[i].c = &r->run.cases[i];
		if (!derive_case(r, &r->cases[i], &t[i], a, e))
			return false;
	}
	return true;
}
