#include "runner/device/stamps.h"

#include <limits.h>
#include <string.h>

#include "lib/array.h"
#include "lib/trace.h"

static const char *const roles[] = {
#define TRACE_ROW(id, name) name,
        TRACE_ROLES(TRACE_ROW)
#undef TRACE_ROW
};

static const char *const events[] = {
#define TRACE_ROW(id, name) name,
        TRACE_EVENTS(TRACE_ROW)
#undef TRACE_ROW
};

_Static_assert((int)RECORD_TRACE_KINDS == (int)TRACE_KINDS &&
                       (int)RECORD_TRACE_END == (int)TRACE_KIND_END &&
                       (int)RECORD_TRACE_MARK == (int)TRACE_KIND_MARK,
               "records have the kinds of the marks");

static void put_names(struct arena *a, struct run_trace *out)
{
	out->role = ARENA_ARRAY(a, const char *, ARRAY_LEN(roles));
	out->event = ARENA_ARRAY(a, const char *, ARRAY_LEN(events));
	memcpy(out->role, roles, sizeof roles);
	memcpy(out->event, events, sizeof events);
	out->nroles = ARRAY_LEN(roles);
	out->nevents = ARRAY_LEN(events);
}

/* --- clocks --- */

static const struct stamps_clock *reading_of(const struct stamps_clock *c, size_t n, unsigned sm)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].sm == sm)
			return &c[i];
	return NULL;
}

/* Joins the readings before and after the call, for each SM that has both. */
static void put_clocks(const struct stamps *s, struct arena *a, struct run_trace *out)
{
	const struct stamps_clock *before = s->clock, *after = s->clock + s->nclocks;
	uint64_t first = UINT64_MAX;
	unsigned tick = UINT_MAX;
	for (size_t i = 0; i < s->nclocks; i++)
		first = before[i].ns < first ? before[i].ns : first;
	for (size_t i = 0; i < 2 * s->nclocks; i++)
		tick = s->clock[i].step < tick ? s->clock[i].step : tick;
	out->tick_ns = tick;
	out->clock = ARENA_ARRAY(a, struct run_trace_clock, s->nclocks + 1);
	for (size_t i = 0; i < s->nclocks; i++) {
		const struct stamps_clock *b = &before[i];
		const struct stamps_clock *e = reading_of(after, s->nclocks, b->sm);
		if (reading_of(before, i, b->sm) || !e || e->ns <= b->ns || e->cycles <= b->cycles)
			continue;
		out->clock[out->nclocks++] =
		        (struct run_trace_clock){.sm = b->sm,
		                                 .before_ns = (int64_t)(b->ns - first),
		                                 .after_ns = (int64_t)(e->ns - first),
		                                 .cycles = (int64_t)(e->cycles - b->cycles)};
	}
}

/* --- rings --- */

static const struct stamps_clock *before_of(const struct stamps *s, const struct trace_ring *r)
{
	return reading_of(s->clock, s->nclocks, r->sm);
}

static const char *put_ring(const struct stamps *s, const struct trace_ring *r,
                            struct run_trace *out)
{
	size_t k = 0;
	while (k < out->nclocks && out->clock[k].sm != r->sm)
		k++;
	if (!r->end)
		return "a ring was opened and never closed";
	if (k == out->nclocks)
		return "the clock of an SM was not read before and after the call";
	if (r->role >= ARRAY_LEN(roles))
		return "a ring has an unknown role";
	const uint64_t zero = before_of(s, r)->cycles;
	if (r->begin < zero || r->end < r->begin)
		return "the clock of an SM ran backwards";
	out->ring[out->nrings++] = (struct run_trace_ring){.clock = (int64_t)k,
	                                                   .block = r->block,
	                                                   .role = r->role,
	                                                   .member = r->member,
	                                                   .begin = (int64_t)(r->begin - zero),
	                                                   .end = (int64_t)(r->end - zero),
	                                                   .stamps = r->stamps};
	return NULL;
}

static size_t stamps_of(const struct stamps *s, size_t ring)
{
	return s->ring[ring].stamps < s->room ? s->ring[ring].stamps : s->room;
}

/* Counts the events of a ring: those that begin, and moments. */
static const char *put_counts(const struct stamps *s, size_t ring, struct run_trace *out)
{
	for (size_t i = 0; i < stamps_of(s, ring); i++) {
		const struct trace_stamp *x = &s->stamp[ring * s->room + i];
		if (x->what >= TRACE_KINDS * ARRAY_LEN(events))
			return "a stamp of an unknown event";
		if (x->what % TRACE_KINDS != TRACE_KIND_END)
			out->count[ring * out->nevents + x->what / TRACE_KINDS]++;
	}
	return NULL;
}

static void keep(const struct stamps *s, size_t ring, struct arena *a, struct run_trace *out)
{
	const size_t n = stamps_of(s, ring);
	const uint64_t zero = before_of(s, &s->ring[ring])->cycles;
	struct run_trace_stamps *k = &out->kept[out->nkept++];
	*k = (struct run_trace_stamps){.ring = ring,
	                               .cycles = ARENA_ARRAY(a, int64_t, n + 1),
	                               .what = ARENA_ARRAY(a, int64_t, n + 1),
	                               .step = ARENA_ARRAY(a, int64_t, n + 1),
	                               .n = n};
	for (size_t i = 0; i < n; i++) {
		const struct trace_stamp *x = &s->stamp[ring * s->room + i];
		k->cycles[i] = (int64_t)(x->clock - zero);
		k->what[i] = x->what;
		k->step[i] = x->step;
	}
}

static void keep_some(const struct stamps *s, struct arena *a, struct run_trace *out)
{
	int64_t block[TRACE_KEPT];
	trace_kept(out, a, block);
	out->kept = ARENA_ARRAY(a, struct run_trace_stamps, out->nrings);
	for (size_t i = 0; i < out->nrings; i++) {
		bool wanted = false;
		for (int k = 0; k < TRACE_KEPT; k++)
			wanted = wanted || out->ring[i].block == block[k];
		if (wanted)
			keep(s, i, a, out);
	}
}

const char *stamps_record(const struct stamps *s, struct arena *a, struct run_trace *out)
{
	const char *why = s->nrings ? NULL : "its call met no mark";
	put_names(a, out);
	put_clocks(s, a, out);
	out->room = (int64_t)s->room;
	out->ring = ARENA_ARRAY(a, struct run_trace_ring, s->nrings + 1);
	out->ncounts = s->nrings * out->nevents;
	out->count = ARENA_ARRAY(a, int64_t, out->ncounts + 1);
	for (size_t i = 0; i < s->nrings && !why; i++) {
		why = put_ring(s, &s->ring[i], out);
		if (!why)
			why = put_counts(s, i, out);
	}
	if (!why)
		keep_some(s, a, out);
	return why;
}
