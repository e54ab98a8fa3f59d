/*
 * The stopwatch of the GPUs: on each that the case uses, a pair of events on its stream
 * around the calls of a sample. There are three ways to take samples:
 *
 *   In groups (the usual way). A gate holds the stream until the host has enqueued a
 *   whole group, so no sample contains time in which the GPU waited for the host.
 *   Without a pause (load=sustained). While one chunk of samples runs, the host enqueues
 *   the next, so that the GPU never waits.
 *   Of the host (side=host). The host's clock times enqueuing calls to an idle GPU; the
 *   wait for the GPU is outside the timed part.
 *
 * Before and after each group, every SM reads its cycle counter and the GPU's nanosecond
 * timer together. The two readings of one SM give the cycles and the time between them,
 * hence its clock, without asking the driver. Counters of different SMs are never mixed;
 * the result is the median over the SMs.
 *
 * With several GPUs all streams have gates, and open together; before each sample all wait
 * for each other. A sample is the slowest GPU's time, and the clock that of the GPU with the
 * lowest. Calls are captured on all streams at once, and make a graph for each GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runner/base/clock.h"
#include "runner/cuda/backend.h"
#include "runner/device/job.h"

enum {
	QUEUE = 500, /* most entries behind one gate; a stream's queue has about 1000 */
	NODES = 100,
	TICK_PAIRS = 1000,
	HOLD_NS = 2000000, /* for so long a GPU is held back, to see whether others wait */
};

enum { BEFORE, AFTER };

/* The events of the GPU whose device is the current one. */
static int open_events(struct cuda_gpu *g)
{
	int rc = cudaEventCreateWithFlags(&g->here, cudaEventDisableTiming);
	for (int i = 0; i < GROUP && !rc; i++) {
		rc = cudaEventCreate(&g->from[i]);
		if (!rc)
			rc = cudaEventCreate(&g->to[i]);
	}
	for (int i = 0; i < 2 && !rc; i++)
		rc = cudaEventCreateWithFlags(&g->done[i], cudaEventDisableTiming);
	return rc;
}

int stopwatch_open(struct cuda *c)
{
	const unsigned shared = cudaHostAllocMapped | cudaHostAllocPortable;
	int rc = 0;
	for (int i = c->open - 1; i >= 0 && !rc; i--) { /* down to 0, which stays the current one */
		struct cuda_gpu *g = &c->gpu[i];
		rc = cuda_select(c, i);
		if (!rc)
			rc = open_events(g);
		if (!rc)
			rc = cudaHostAlloc((void **)&g->clocks, 2 * sizeof *g->clocks, shared);
		if (!rc)
			rc = cudaHostGetDevicePointer((void **)&g->clocks_device, g->clocks, 0);
	}
	return rc;
}

/* --- clocks of the SMs --- */

static int clocks_for(const struct device *d)
{
	return d->env.sms < CLOCKS ? d->env.sms : CLOCKS;
}

static int read_clocks(struct device *d, size_t slot, int when)
{
	struct cuda *c = d->own;
	int rc = 0;
	for (int i = c->gpus - 1; i >= 0 && !rc; i--) {
		rc = cuda_select(c, i);
		if (!rc)
			rc = device_clocks(c->gpu[i].clocks_device[slot][when], clocks_for(d),
			                   c->gpu[i].stream);
	}
	return rc;
}

static int by_ratio(const void *a, const void *b)
{
	const struct clock_reading *x = a, *y = b;
	double l = (double)x->cycles * (double)y->ns, r = (double)y->cycles * (double)x->ns;
	return (l > r) - (l < r);
}

/* The median SM of a GPU between the two readings of a slot; false if no SM has both. */
static bool median_clock(const struct cuda_gpu *g, size_t slot, int sms, struct clock_reading *out)
{
	const struct clock_reading *before = g->clocks[slot][BEFORE];
	const struct clock_reading *after = g->clocks[slot][AFTER];
	struct clock_reading passed[CLOCKS];
	size_t n = 0;
	for (int i = 0; i < sms; i++) {
		int k = 0; /* search from i on: both readings have nearly the same order */
		while (k < sms && after[(i + k) % sms].sm != before[i].sm)
			k++;
		const struct clock_reading *end = &after[(i + k) % sms];
		if (k < sms && end->cycles > before[i].cycles && end->ns > before[i].ns)
			passed[n++] =
			        (struct clock_reading){.cycles = end->cycles - before[i].cycles,
			                               .ns = end->ns - before[i].ns};
	}
	if (n == 0)
		return false;
	qsort(passed, n, sizeof *passed, by_ratio);
	*out = passed[n / 2];
	return true;
}

/*
 * Clocks between the two readings of a slot, which must both exist, around n samples: those of
 * the GPU with the lowest.
 */
static struct clocked clocks_of(struct device *d, size_t slot, size_t n_samples)
{
	struct cuda *c = d->own;
	struct clock_reading least = {0}, one;
	for (int i = 0; i < c->gpus; i++)
		if (median_clock(&c->gpu[i], slot, clocks_for(d), &one) &&
		    (!least.ns || by_ratio(&one, &least) < 0))
			least = one;
	return (struct clocked){n_samples, (int64_t)least.cycles, (int64_t)least.ns};
}

/* --- calls --- */

/* Makes a graph of a GPU ready to launch; it has none if nothing was enqueued on its stream. */
static int make_ready(struct cuda_gpu *g, cudaGraph_t graph)
{
	size_t nodes = 0;
	int rc = cudaGraphGetNodes(graph, NULL, &nodes);
	if (!rc && nodes)
		rc = cudaGraphInstantiate(&g->graph, graph, 0);
	if (!rc && nodes)
		rc = cudaGraphUpload(g->graph, g->stream);
	return rc;
}

/* Begins to capture all streams; *begun counts those that were. */
static int begin_captures(struct cuda *c, int *begun)
{
	int rc = 0;
	for (*begun = 0; *begun < c->gpus && !rc; *begun += !rc) {
		rc = cuda_select(c, *begun);
		if (!rc)
			rc = cudaStreamBeginCapture(c->gpu[*begun].stream,
			                            cudaStreamCaptureModeThreadLocal);
	}
	return rc;
}

/*
 * Captures n calls on all streams at once, which makes a graph for each GPU. No graph can be made
 * ready while a stream is captured, so all captures end first.
 */
static int capture(struct cuda *c, int (*call)(void *), void *arg, int64_t n)
{
	cudaGraph_t graph[KERNEL_MAX_GPUS] = {NULL};
	int begun, rc = begin_captures(c, &begun);
	for (int64_t i = 0; i < n && !rc; i++)
		rc = call(arg);
	for (int i = 0; i < begun; i++) {
		int end = cudaStreamEndCapture(c->gpu[i].stream, &graph[i]);
		rc = rc ? rc : end;
	}
	for (int i = c->gpus - 1; i >= 0; i--) { /* down to 0, which stays the current one */
		int selected = cuda_select(c, i);
		rc = rc ? rc : selected;
		if (!rc)
			rc = make_ready(&c->gpu[i], graph[i]);
		if (graph[i])
			cudaGraphDestroy(graph[i]);
	}
	c->graphs = !rc;
	return rc;
}

static int call_job(void *job)
{
	return job_call(job);
}

static int call_empty(void *stream)
{
	return device_empty(stream);
}

static int call_nothing(void *ignored)
{
	(void)ignored;
	return 0;
}

/* Lets all streams wait for each other. */
static int align(struct cuda *c)
{
	int rc = 0;
	for (int i = 0; i < c->gpus && c->gpus > 1 && !rc; i++)
		rc = cudaEventRecord(c->gpu[i].here, c->gpu[i].stream);
	for (int i = 0; i < c->gpus * c->gpus && !rc; i++)
		if (i / c->gpus != i % c->gpus)
			rc = cudaStreamWaitEvent(c->gpu[i / c->gpus].stream,
			                         c->gpu[i % c->gpus].here, 0);
	return rc;
}

/* Records an event of each GPU: before or after sample i. */
static int mark_events(struct cuda *c, size_t i, int when)
{
	int rc = 0;
	for (int g = 0; g < c->gpus && !rc; g++)
		rc = cudaEventRecord(when == BEFORE ? c->gpu[g].from[i] : c->gpu[g].to[i],
		                     c->gpu[g].stream);
	return rc;
}

static int launch_graphs(struct cuda *c)
{
	int rc = 0;
	for (int i = c->gpus - 1; i >= 0 && !rc; i--) {
		rc = cuda_select(c, i);
		if (!rc && c->gpu[i].graph)
			rc = cudaGraphLaunch(c->gpu[i].graph, c->gpu[i].stream);
	}
	return rc;
}

/* Enqueues n samples of `batch` calls or graph launches, between events first … first + n - 1. */
static int enqueue(struct cuda *c, int (*call)(void *), void *arg, size_t first, size_t n)
{
	int rc = 0;
	for (size_t i = first; i < first + n && !rc; i++) {
		rc = align(c);
		if (!rc)
			rc = mark_events(c, i, BEFORE);
		for (int64_t k = 0; k < c->batch && !rc; k++)
			rc = c->graphs ? launch_graphs(c) : call(arg);
		if (!rc)
			rc = mark_events(c, i, AFTER);
	}
	return rc;
}

/* The time of sample i: the slowest GPU's. Notes how much earlier each was done. */
static int elapsed(struct device *d, size_t i, int64_t *ns)
{
	struct cuda *c = d->own;
	int64_t each[KERNEL_MAX_GPUS];
	int rc = 0;
	*ns = 0;
	for (int g = 0; g < c->gpus && !rc; g++) {
		float ms = 0;
		rc = cudaEventElapsedTime(&ms, c->gpu[g].from[i], c->gpu[g].to[i]);
		each[g] = (int64_t)((double)ms * 1e6 + 0.5);
		*ns = each[g] > *ns ? each[g] : *ns;
	}
	for (int g = 0; g < c->gpus && d->skew_ns && !rc; g++)
		d->skew_ns[d->nskew++] = *ns - each[g];
	return rc;
}

/* Closes the gates of all streams; a flag in host memory opens them together. */
static int close_gates(struct cuda *c)
{
	int rc = 0;
	c->ticket++;
	for (int i = c->gpus - 1; i >= 0 && !rc; i--) {
		rc = cuda_select(c, i);
		if (!rc)
			rc = device_gate(c->flag_device, c->ticket, c->gpu[i].stream);
	}
	return rc;
}

static void open_gates(struct cuda *c)
{
	__atomic_store_n(c->flag, c->ticket, __ATOMIC_RELEASE);
}

/* --- in groups --- */

/* Takes n ≤ GROUP samples behind one gate. */
static int sample_group(struct device *d, int (*call)(void *), void *arg, int64_t *ns, size_t n,
                        int64_t *wall_ns)
{
	struct cuda *c = d->own;
	unsigned expired = c->flag[1];
	int rc = close_gates(c);
	if (!rc)
		rc = read_clocks(d, 0, BEFORE);
	if (!rc)
		rc = enqueue(c, call, arg, 0, n);
	if (!rc)
		rc = read_clocks(d, 0, AFTER);
	int64_t start = clock_ns();
	open_gates(c);
	int end = d->backend->finish(d);
	*wall_ns += clock_ns() - start;
	rc = rc ? rc : end;
	if (!rc && __atomic_load_n(&c->flag[1], __ATOMIC_ACQUIRE) != expired)
		d->gates_expired += (int64_t)n;
	for (size_t i = 0; i < n && !rc; i++)
		rc = elapsed(d, i, &ns[i]);
	if (!rc)
		device_clocked(d, clocks_of(d, 0, n));
	return rc;
}

static int sample_any(struct device *d, int (*call)(void *), void *arg, int64_t *ns, size_t n,
                      int64_t *wall_ns)
{
	struct cuda *c = d->own;
	size_t most = QUEUE / (size_t)(c->entries + 2 + (c->gpus > 1 ? c->gpus : 0));
	size_t step = most < 1 ? 1 : most < GROUP ? most : GROUP;
	int rc = 0;
	*wall_ns = 0;
	for (size_t i = 0; i < n && !rc; i += step)
		rc = sample_group(d, call, arg, ns + i, n - i < step ? n - i : step, wall_ns);
	return rc;
}

/* --- without a pause --- */

static int enqueue_chunk(struct device *d, struct job *j)
{
	struct cuda *c = d->own;
	size_t slot = c->made % 2;
	if (c->made++ == 0)
		c->last_ns = clock_ns();
	int rc = read_clocks(d, slot, BEFORE);
	if (!rc)
		rc = enqueue(c, call_job, j, slot * CHUNK, CHUNK);
	if (!rc)
		rc = read_clocks(d, slot, AFTER);
	for (int i = 0; i < c->gpus && !rc; i++)
		rc = cudaEventRecord(c->gpu[i].done[slot], c->gpu[i].stream);
	return rc;
}

/* Waits for a chunk. Its wall time is the host's time since the chunk before it. */
static int await_chunk(struct device *d, size_t slot)
{
	struct cuda *c = d->own;
	int rc = 0;
	for (int i = 0; i < c->gpus && !rc; i++)
		rc = cudaEventSynchronize(c->gpu[i].done[slot]);
	int64_t now = clock_ns();
	c->chunk_ns = now - c->last_ns;
	c->last_ns = now;
	if (!rc)
		c->chunk = clocks_of(d, slot, 0);
	return rc;
}

/* Counts a sample of the chunk; a chunk that warm-up and samples share is in both. */
static void count_sample(struct device *d, bool first)
{
	struct cuda *c = d->own;
	if (first || d->nclocked == 0)
		device_clocked(d, c->chunk);
	d->clocked[d->nclocked - 1].samples++;
}

static int sample_chain(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns)
{
	struct cuda *c = d->own;
	int rc = 0;
	*wall_ns = 0;
	for (size_t i = 0; i < n && !rc; i++, c->read++) {
		size_t chunk = c->read / CHUNK, k = c->read % CHUNK;
		while (!rc && c->made < chunk + 2)
			rc = enqueue_chunk(d, j);
		if (!rc && k == 0)
			rc = await_chunk(d, chunk % 2);
		if (!rc)
			rc = elapsed(d, chunk % 2 * CHUNK + k, &ns[i]);
		count_sample(d, k == 0);
		*wall_ns += c->chunk_ns / CHUNK;
		c->sample_ns = ns[i];
	}
	return rc;
}

int stopwatch_rest(struct device *d)
{
	struct cuda *c = d->own;
	int64_t left = (int64_t)(c->made * CHUNK - c->read), start = clock_ns();
	d->late_ns = 0;
	if (!c->chain)
		return 0;
	int rc = d->backend->finish(d);
	d->late_ns = clock_ns() - start - left * c->sample_ns;
	c->chain = false;
	return rc;
}

/* --- of the host --- */

static int sample_host(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns)
{
	struct cuda *c = d->own;
	int rc = d->backend->finish(d);
	*wall_ns = 0;
	for (size_t i = 0; i < n && !rc; i++) {
		int64_t start = clock_ns();
		for (int64_t k = 0; k < c->batch && !rc; k++)
			rc = job_call(j);
		ns[i] = clock_ns() - start;
		*wall_ns += ns[i];
		int end = d->backend->finish(d);
		rc = rc ? rc : end;
	}
	return rc;
}

/* --- a session --- */

static int reset_l2(struct cuda *c)
{
	int rc = 0;
	for (int i = c->gpus - 1; i >= 0 && !rc; i--) {
		rc = cuda_select(c, i);
		if (!rc)
			rc = cudaCtxResetPersistingL2Cache();
	}
	return rc;
}

int stopwatch_begin(struct device *d, struct job *j, enum timer t, int64_t batch)
{
	struct cuda *c = d->own;
	c->gpus = j->gpus;
	int rc = reset_l2(c);
	c->batch = t == TIMER_GRAPH ? 1 : batch;
	c->entries = c->batch * (t == TIMER_GRAPH ? 1 : item_entries(j->it));
	c->host = t == TIMER_HOST;
	c->chain = j->it->way.load != WAY_BURST;
	c->made = c->read = 0;
	if (!rc && t == TIMER_GRAPH)
		rc = capture(c, call_job, j, batch);
	return rc ? rc : d->backend->finish(d);
}

int stopwatch_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns)
{
	struct cuda *c = d->own;
	if (c->host)
		return sample_host(d, j, ns, n, wall_ns);
	if (c->chain)
		return sample_chain(d, j, ns, n, wall_ns);
	return sample_any(d, call_job, j, ns, n, wall_ns);
}

void stopwatch_end(struct device *d)
{
	struct cuda *c = d->own;
	for (int i = c->open - 1; i >= 0; i--) {
		cuda_select(c, i);
		if (c->gpu[i].graph)
			cudaGraphExecDestroy(c->gpu[i].graph);
		c->gpu[i].graph = NULL;
	}
	c->graphs = false;
}

/* --- several GPUs --- */

int stopwatch_captures(struct device *d, struct job *j, bool *can)
{
	struct cuda *c = d->own;
	c->gpus = j->gpus;
	int rc = capture(c, call_job, j, 2);
	*can = !rc;
	cudaGetLastError(); /* that a call cannot be captured is no error of what follows */
	if (*can)
		rc = launch_graphs(c);
	else
		rc = 0;
	int end = d->backend->finish(d);
	stopwatch_end(d);
	return rc ? rc : end;
}

/* True if some GPU other than `held` has done all of its work. */
static bool any_done(struct cuda *c, int held)
{
	bool any = false;
	for (int i = 0; i < c->gpus; i++)
		any = any || (i != held && cudaEventQuery(c->gpu[i].done[0]) == cudaSuccess);
	return any;
}

int stopwatch_hold(struct device *d, struct job *j, int held, bool *early)
{
	struct cuda *c = d->own;
	c->gpus = j->gpus;
	int rc = d->backend->finish(d);
	if (!rc)
		rc = cuda_select(c, held);
	if (!rc)
		rc = device_gate(c->flag_device, ++c->ticket, c->gpu[held].stream);
	if (!rc)
		rc = job_call(j);
	for (int i = 0; i < c->gpus && !rc; i++)
		rc = cudaEventRecord(c->gpu[i].done[0], c->gpu[i].stream);
	nanosleep(&(struct timespec){.tv_nsec = HOLD_NS}, NULL);
	*early = !rc && any_done(c, held);
	cudaGetLastError(); /* that an event is not done yet is no error */
	open_gates(c);
	int end = d->backend->finish(d);
	return rc ? rc : end;
}

/* --- calibration --- */

static int ns_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Finds the resolution: the smallest difference between unequal readings of the same work. */
static int find_tick(struct device *d, double *tick_ns)
{
	int64_t ns[TICK_PAIRS], wall;
	int rc = sample_any(d, call_nothing, NULL, ns, TICK_PAIRS, &wall);
	qsort(ns, TICK_PAIRS, sizeof *ns, ns_order);
	*tick_ns = 1e6;
	for (size_t i = 1; i < TICK_PAIRS; i++)
		if (ns[i] > ns[i - 1] && (double)(ns[i] - ns[i - 1]) < *tick_ns)
			*tick_ns = (double)(ns[i] - ns[i - 1]);
	return rc;
}

static int find_graph_node(struct device *d, struct calibration *k)
{
	struct cuda *c = d->own;
	int64_t wall;
	int rc = capture(c, call_empty, c->gpu[0].stream, NODES);
	if (!rc)
		rc = sample_any(d, call_nothing, NULL, k->graph_node_ns, CALIBRATION_SAMPLES,
		                &wall);
	stopwatch_end(d);
	for (size_t i = 0; i < CALIBRATION_SAMPLES; i++)
		k->graph_node_ns[i] /= NODES;
	return rc;
}

static int call_flush(void *arg)
{
	struct device *d = arg;
	return d->backend->set(d, d->mem[0], 0, d->env.l2_bytes * 2);
}

bool stopwatch_calibrate(struct device *d, struct calibration *k, struct err *e)
{
	struct cuda *c = d->own;
	int64_t wall, warm[CALIBRATION_SAMPLES];
	*k = (struct calibration){.nempty_pair = CALIBRATION_SAMPLES,
	                          .nempty_kernel = CALIBRATION_SAMPLES,
	                          .ngraph_node = CALIBRATION_SAMPLES,
	                          .nflush = CALIBRATION_SAMPLES};
	int rc = 0;
	c->gpus = 1;
	c->batch = c->entries = 1;
	for (int64_t start = clock_ns(); !rc && clock_ns() - start < 50000000;) /* 50 ms */
		rc = sample_any(d, call_flush, d, warm, CALIBRATION_SAMPLES, &wall);
	if (!rc)
		rc = find_tick(d, &k->tick_ns);
	if (!rc)
		rc = sample_any(d, call_nothing, NULL, k->empty_pair_ns, k->nempty_pair, &wall);
	if (!rc)
		rc = sample_any(d, call_empty, c->gpu[0].stream, k->empty_kernel_ns,
		                k->nempty_kernel, &wall);
	if (!rc)
		rc = find_graph_node(d, k);
	if (!rc)
		rc = sample_any(d, call_flush, d, k->flush_ns, k->nflush, &wall);
	return !rc || err_set(e, "cannot calibrate: %s", cudaGetErrorString(rc));
}
