#include "runner/device/pretended_trace.h"

#include "runner/base/stamp.h"
#include "runner/device/job.h"

enum {
	TILES = 9,      /* of a fast block */
	SLOW_TILES = 6, /* of a slow one */
	STAMPS = 3,     /* of a ring for each tile */
	BEFORE_NS =
	        800, /* from the first reading of the clocks to the call, and to the second one */
	TICK_NS = 32,
};

static const double GHZ = 1.5; /* of the SMs' clocks */

static bool is_slow(unsigned sm)
{
	return sm % 3 == 2;
}

/* The clock of an SM, which started at some time of its own. */
static uint64_t clock_at(unsigned sm, double ns)
{
	return 1000000007ull * (sm + 1) + (uint64_t)(ns * GHZ);
}

static void put_stamp(struct stamps *s, struct trace_stamp *list, struct trace_ring *r, double ns,
                      enum trace_event event, enum trace_kind kind, unsigned step)
{
	list[(size_t)(r - s->ring) * s->room + r->stamps++] =
	        (struct trace_stamp){.clock = clock_at(r->sm, ns),
	                             .what = (uint32_t)(TRACE_KINDS * (int)event + (int)kind),
	                             .step = step};
}

/* A block's rings: it loads a tile while it adds up the one before. */
static void put_block(struct stamps *s, struct trace_stamp *list, struct trace_ring *loader,
                      unsigned sm, double ns)
{
	struct trace_ring *adder = loader + 1;
	const unsigned tiles = is_slow(sm) ? SLOW_TILES : TILES;
	const double each = ns / (tiles + 1);
	*loader = (struct trace_ring){.block = sm, .sm = sm, .role = TRACE_ROLE_LOADER};
	*adder = (struct trace_ring){.block = sm, .sm = sm, .role = TRACE_ROLE_ADDER};
	for (unsigned t = 0; t < tiles; t++) {
		const double from = BEFORE_NS + each * t, to = from + each;
		put_stamp(s, list, loader, from, TRACE_EVENT_TICKET, TRACE_KIND_MARK, t);
		put_stamp(s, list, loader, from, TRACE_EVENT_LOAD, TRACE_KIND_BEGIN, t);
		put_stamp(s, list, loader, to, TRACE_EVENT_LOAD, TRACE_KIND_END, t);
		put_stamp(s, list, adder, to, TRACE_EVENT_ADD, TRACE_KIND_BEGIN, t);
		put_stamp(s, list, adder, to + each / 2, TRACE_EVENT_ADD, TRACE_KIND_END, t);
	}
	for (struct trace_ring *r = loader; r <= adder; r++) {
		r->begin = clock_at(sm, BEFORE_NS);
		r->end = clock_at(sm, BEFORE_NS + ns);
	}
}

const char *pretended_trace(unsigned sms, double ns, struct arena *a, struct run_trace *out)
{
	const size_t room = TILES * STAMPS;
	struct stamps_clock *clock = ARENA_ARRAY(a, struct stamps_clock, 2 * (size_t)sms);
	struct trace_ring *ring = ARENA_ARRAY(a, struct trace_ring, 2 * (size_t)sms);
	struct trace_stamp *list = ARENA_ARRAY(a, struct trace_stamp, 2 * (size_t)sms * room);
	struct stamps s = {.clock = clock,
	                   .nclocks = sms,
	                   .ring = ring,
	                   .nrings = 2 * (size_t)sms,
	                   .stamp = list,
	                   .room = room};
	for (unsigned sm = 0; sm < sms; sm++) {
		const double end = ns + 2 * BEFORE_NS;
		clock[sm] = (struct stamps_clock){clock_at(sm, 0), 5000, sm, TICK_NS};
		clock[sms + sm] =
		        (struct stamps_clock){clock_at(sm, end), 5000 + (uint64_t)end, sm, TICK_NS};
		put_block(&s, list, &ring[2 * (size_t)sm], sm, ns);
	}
	return stamps_record(&s, a, out);
}

int pretended_trace_begin(struct device *d, struct job *j, const char **why)
{
	(void)d;
	*why = stamp.traced ? NULL : "this program has no marks";
	return *why ? 0 : job_call(j);
}

int pretended_trace_call(struct device *d, struct job *j, struct arena *a, struct run_trace *out,
                         const char **why)
{
	const int64_t start = device_now(d);
	int rc = job_call(j);
	*why = pretended_trace((unsigned)d->env.sms, (double)(device_now(d) - start), a, out);
	return rc;
}

int pretended_trace_end(struct device *d)
{
	(void)d;
	return 0;
}
