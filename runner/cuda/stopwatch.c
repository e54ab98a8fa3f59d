/*
 * The stopwatch of a GPU: a pair of events on the stream around the calls of a
 * sample. There are three ways to take samples:
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
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/cuda/backend.h"
#include "runner/device/job.h"

enum {
	QUEUE = 500, /* most entries behind one gate; a stream's queue has about 1000 */
	NODES = 100,
	TICK_PAIRS = 1000,
};

enum { BEFORE, AFTER };

int stopwatch_open(struct cuda *c)
{
	int rc = 0;
	for (int i = 0; i < GROUP && !rc; i++) {
		rc = cudaEventCreate(&c->from[i]);
		if (!rc)
			rc = cudaEventCreate(&c->to[i]);
	}
	for (int i = 0; i < 2 && !rc; i++)
		rc = cudaEventCreateWithFlags(&c->done[i], cudaEventDisableTiming);
	if (!rc)
		rc = cudaHostAlloc((void **)&c->clocks, 2 * sizeof *c->clocks, cudaHostAllocMapped);
	if (!rc)
		rc = cudaHostGetDevicePointer((void **)&c->clocks_device, c->clocks, 0);
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
	return device_clocks(c->clocks_device[slot][when], clocks_for(d), c->stream);
}

static int by_ratio(const void *a, const void *b)
{
	const struct clock_reading *x = a, *y = b;
	double l = (double)x->cycles * (double)y->ns, r = (double)y->cycles * (double)x->ns;
	return (l > r) - (l < r);
}

/* Clocks between the two readings of a slot, which must both exist, around n samples. */
static struct clocked clocks_of(struct device *d, size_t slot, size_t n_samples)
{
	struct cuda *c = d->own;
	const struct clock_reading *before = c->clocks[slot][BEFORE];
	const struct clock_reading *after = c->clocks[slot][AFTER];
	struct clock_reading passed[CLOCKS];
	size_t n = 0;
	int sms = clocks_for(d);
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
		return (struct clocked){.samples = n_samples};
	qsort(passed, n, sizeof *passed, by_ratio);
	return (struct clocked){n_samples, (int64_t)passed[n / 2].cycles,
	                        (int64_t)passed[n / 2].ns};
}

/* --- calls --- */

static int capture(struct cuda *c, int (*call)(void *), void *arg, int64_t n)
{
	cudaGraph_t graph = NULL;
	int rc = cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal), end;
	if (rc)
		return rc;
	for (int64_t i = 0; i < n && !rc; i++)
		rc = call(arg);
	end = cudaStreamEndCapture(c->stream, &graph);
	rc = rc ? rc : end;
	if (!rc)
		rc = cudaGraphInstantiate(&c->graph, graph, 0);
	if (!rc)
		rc = cudaGraphUpload(c->graph, c->stream);
	if (graph)
		cudaGraphDestroy(graph);
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

/* Enqueues n samples of `batch` calls or graph launches, between events first … first + n - 1. */
static int enqueue(struct cuda *c, int (*call)(void *), void *arg, size_t first, size_t n)
{
	int rc = 0;
	for (size_t i = first; i < first + n && !rc; i++) {
		rc = cudaEventRecord(c->from[i], c->stream);
		for (int64_t k = 0; k < c->batch && !rc; k++)
			rc = c->graph ? (int)cudaGraphLaunch(c->graph, c->stream) : call(arg);
		if (!rc)
			rc = cudaEventRecord(c->to[i], c->stream);
	}
	return rc;
}

static int elapsed(struct cuda *c, size_t i, int64_t *ns)
{
	float ms = 0;
	int rc = cudaEventElapsedTime(&ms, c->from[i], c->to[i]);
	*ns = (int64_t)((double)ms * 1e6 + 0.5);
	return rc;
}

/* --- in groups --- */

/* Takes n ≤ GROUP samples behind one gate. */
static int sample_group(struct device *d, int (*call)(void *), void *arg, int64_t *ns, size_t n,
                        int64_t *wall_ns)
{
	struct cuda *c = d->own;
	unsigned expired = c->flag[1];
	int rc = device_gate(c->flag_device, ++c->ticket, c->stream);
	if (!rc)
		rc = read_clocks(d, 0, BEFORE);
	if (!rc)
		rc = enqueue(c, call, arg, 0, n);
	if (!rc)
		rc = read_clocks(d, 0, AFTER);
	int64_t start = clock_ns();
	__atomic_store_n(c->flag, c->ticket, __ATOMIC_RELEASE);
	int end = d->backend->finish(d);
	*wall_ns += clock_ns() - start;
	rc = rc ? rc : end;
	if (!rc && __atomic_load_n(&c->flag[1], __ATOMIC_ACQUIRE) != expired)
		d->gates_expired += (int64_t)n;
	for (size_t i = 0; i < n && !rc; i++)
		rc = elapsed(c, i, &ns[i]);
	if (!rc)
		device_clocked(d, clocks_of(d, 0, n));
	return rc;
}

static int sample_any(struct device *d, int (*call)(void *), void *arg, int64_t *ns, size_t n,
                      int64_t *wall_ns)
{
	struct cuda *c = d->own;
	size_t most = QUEUE / (size_t)(c->entries + 2);
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
	return rc ? rc : (int)cudaEventRecord(c->done[slot], c->stream);
}

/* Waits for a chunk. Its wall time is the host's time since the chunk before it. */
static int await_chunk(struct device *d, size_t slot)
{
	struct cuda *c = d->own;
	int rc = cudaEventSynchronize(c->done[slot]);
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
			rc = elapsed(c, chunk % 2 * CHUNK + k, &ns[i]);
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

int stopwatch_begin(struct device *d, struct job *j, enum timer t, int64_t batch)
{
	struct cuda *c = d->own;
	int rc = cudaCtxResetPersistingL2Cache();
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
	if (c->graph)
		cudaGraphExecDestroy(c->graph);
	c->graph = NULL;
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
	int rc = capture(c, call_empty, c->stream, NODES);
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
	return d->backend->set(d, d->mem, 0, d->env.l2_bytes * 2);
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
	c->batch = c->entries = 1;
	for (int64_t start = clock_ns(); !rc && clock_ns() - start < 50000000;) /* 50 ms */
		rc = sample_any(d, call_flush, d, warm, CALIBRATION_SAMPLES, &wall);
	if (!rc)
		rc = find_tick(d, &k->tick_ns);
	if (!rc)
		rc = sample_any(d, call_nothing, NULL, k->empty_pair_ns, k->nempty_pair, &wall);
	if (!rc)
		rc = sample_any(d, call_empty, c->stream, k->empty_kernel_ns, k->nempty_kernel,
		                &wall);
	if (!rc)
		rc = find_graph_node(d, k);
	if (!rc)
		rc = sample_any(d, call_flush, d, k->flush_ns, k->nflush, &wall);
	return !rc || err_set(e, "cannot calibrate: %s", cudaGetErrorString(rc));
}
