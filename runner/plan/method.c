#include "runner/plan/method.h"

#include "runner/plan/heavy.h"

enum {
	/*
	 * A pair of events costs microseconds (each run's calibration records it), so
	 * a sample is a batch of calls that takes a millisecond. Short calls go into a
	 * graph, whose nodes follow each other closely. Long calls need no graph, and
	 * the driver's copies are slower inside one.
	 */
	SAMPLE_NS = 1000000,
	GRAPH_BELOW_NS = 100000,
	GRAPH_MIN_CALLS = 20,
	GRAPH_MAX_CALLS = 4096,
	CLOCK_SAMPLE_NS = 100000, /* the clock's own cost is then under 0.1 % */
	HOST_CALLS = 32,
};

static int64_t ceil_div(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

static int64_t clamp(int64_t v, int64_t lo, int64_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

void method_choose_timer(struct item *it, enum kernel_where where)
{
	int64_t call = it->call_ns > 0 ? it->call_ns : 1000000;
	it->batch = 1;
	if (where == KERNEL_CPU) {
		it->timer = TIMER_CLOCK;
		it->batch = clamp(ceil_div(CLOCK_SAMPLE_NS, call), 1, 100000);
	} else if (it->way.host) {
		it->timer = TIMER_HOST;
		it->batch = clamp(STREAM_ENTRIES / item_entries(it), 1, HOST_CALLS);
	} else if (call >= GRAPH_BELOW_NS || it->variant->queued || it->uncaptured) {
		int64_t most = STREAM_ENTRIES / item_entries(it);
		int64_t want = heavy_bursts(it) ? heavy_batch(call) : ceil_div(SAMPLE_NS, call);
		it->timer = TIMER_EVENTS;
		it->batch = clamp(want, 1, most > 1 ? most : 1);
	} else {
		/* whole rounds over the sets: when the graph starts again, set 0 is cold, too */
		int64_t sets = (int64_t)it->sets;
		int64_t calls = clamp(ceil_div(SAMPLE_NS, call), GRAPH_MIN_CALLS, GRAPH_MAX_CALLS);
		it->timer = TIMER_GRAPH;
		it->batch = ceil_div(calls, sets) * sets;
	}
}

/* Expected time of one item in a process, s. */
static double item_seconds(const struct item *it, const struct settings *set)
{
	double call = it->call_ns > 0 ? (double)it->call_ns * 1e-9 : 1e-3, around = 0.02 + 3 * call;
	if (heavy_bursts(it))
		return around + 1e-3 * (double)(set->idle_ms + set->burst_ms);
	double timed = 25 * call * (double)it->batch, cap = 1e-3 * (double)set->cap_ms;
	double least = it->way.load != WAY_BURST ? 1e-3 * (double)set->window_ms : 0;
	timed = timed > cap ? cap : timed;
	return around + (timed > least ? timed : least) + 1e-3 * (double)set->warmup_ms;
}

double method_launch_seconds(const struct plan *p)
{
	double load = 0, total = 0.5; /* starting a process and its CUDA context */
	for (size_t i = 0; i < p->n; i++) {
		const struct item *it = &p->item[i];
		struct settings set = settings_of(&p->set, &it->way);
		if (it->unavailable)
			continue;
		if (it->way.load == WAY_STEADY) /* once for all of them */
			load = 1e-3 * (double)(set.load_ms - set.settle_ms);
		total += item_seconds(it, &set);
	}
	return total + load;
}
