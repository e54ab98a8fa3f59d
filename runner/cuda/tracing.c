/*
 * Time stamps from inside kernels (kernels/trace.cuh). A first call finds out how many rings and
 * stamps there are; then each call has room for them. A traced call waits behind a gate until the
 * host has enqueued all of it. Before and after it every SM's clock is read.
 */
#include "runner/cuda/backend.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/trace.h"
#include "runner/cuda/kernels.h"
#include "runner/device/job.h"
#include "runner/device/stamps.h"

enum { MOST_RINGS = 1 << 16 };

static const size_t MOST_BYTES = (size_t)1 << 30; /* of stamps */

struct cuda_tracing {
	const struct trace_unit *unit;
	struct trace_room room;         /* addresses on the device */
	struct clock_reading *clock[2]; /* before and after, on the device */
};

static const struct trace_unit *find_unit(const char *file)
{
	for (const struct trace_unit *u = __start_trace_units; u < __stop_trace_units; u++)
		if (strcmp(u->file, file) == 0)
			return u;
	return NULL;
}

/* --- room on the device --- */

static int clear(struct cuda *c)
{
	const struct trace_room *r = &c->tracing->room;
	int rc = cudaMemsetAsync(r->opened, 0, sizeof *r->opened, c->gpu[0].stream);
	return rc ? rc
	          : (int)cudaMemsetAsync(r->ring, 0, r->rings * sizeof *r->ring, c->gpu[0].stream);
}

/* Gives the kernels room for so many rings, a power of 2, each of so many stamps. */
static int give_room(struct device *d, unsigned rings, unsigned stamps)
{
	struct cuda *c = d->own;
	struct trace_room *r = &c->tracing->room;
	cudaFree(r->ring);
	cudaFree(r->stamp);
	*r = (struct trace_room){.opened = r->opened, .rings = rings, .stamps = stamps};
	int rc = cudaMalloc((void **)&r->ring, rings * sizeof *r->ring);
	if (!rc)
		rc = cudaMalloc((void **)&r->stamp, (size_t)rings * stamps * sizeof *r->stamp + 1);
	if (!rc)
		rc = clear(c);
	if (!rc)
		rc = c->tracing->unit->attach(r);
	return rc ? rc : d->backend->finish(d);
}

static int read_rings(struct device *d, unsigned *opened, struct trace_ring **ring)
{
	struct cuda *c = d->own;
	const struct trace_room *r = &c->tracing->room;
	int rc = cudaMemcpy(opened, r->opened, sizeof *opened, cudaMemcpyDeviceToHost);
	size_t n = *opened < r->rings ? *opened : r->rings;
	*ring = calloc(n + 1, sizeof **ring);
	if (!*ring)
		return cudaErrorMemoryAllocation;
	return rc ? rc : (int)cudaMemcpy(*ring, r->ring, n * sizeof **ring, cudaMemcpyDeviceToHost);
}

/* The room for as many rings and stamps as a call made, and some more: tickets vary. */
static int fit_room(struct device *d, unsigned opened, const struct trace_ring *ring)
{
	unsigned rings = 1;
	size_t most = 0;
	while (rings < opened)
		rings *= 2;
	for (unsigned i = 0; i < opened; i++)
		most = ring[i].stamps > most ? ring[i].stamps : most;
	size_t stamps = most + most / 4 + 16;
	size_t limit = MOST_BYTES / (rings * sizeof(struct trace_stamp));
	return give_room(d, rings, (unsigned)(stamps < limit ? stamps : limit));
}

int tracing_end(struct device *d)
{
	struct cuda *c = d->own;
	struct cuda_tracing *t = c->tracing;
	const struct trace_room none = {0};
	int rc = d->backend->finish(d);
	if (!rc)
		rc = t->unit->attach(&none);
	cudaFree(t->room.ring);
	cudaFree(t->room.stamp);
	cudaFree(t->room.opened);
	cudaFree(t->clock[0]);
	free(t);
	c->tracing = NULL;
	return rc ? rc : d->backend->finish(d);
}

static int allocate(struct device *d)
{
	struct cuda *c = d->own;
	struct cuda_tracing *t = c->tracing;
	const size_t sms = (size_t)d->env.sms;
	int rc = cudaMalloc((void **)&t->room.opened, sizeof *t->room.opened);
	if (!rc)
		rc = cudaMalloc((void **)&t->clock[0], 2 * sms * sizeof *t->clock[0]);
	t->clock[1] = t->clock[0] + sms;
	return rc ? rc : give_room(d, MOST_RINGS, 0);
}

int tracing_begin(struct device *d, struct job *j, const char **why)
{
	struct cuda *c = d->own;
	const struct trace_unit *unit = find_unit(j->it->variant->file);
	struct trace_ring *ring = NULL;
	unsigned opened = 0;
	*why = NULL;
	if (!unit || j->gpus > 1) {
		*why = unit ? "traces are of one GPU"
		            : "its source has no marks (kernels/trace.cuh)";
		return 0;
	}
	if (!(c->tracing = calloc(1, sizeof *c->tracing)))
		return cudaErrorMemoryAllocation;
	c->tracing->unit = unit;
	int rc = allocate(d);
	if (!rc)
		rc = job_call(j);
	if (!rc)
		rc = d->backend->finish(d);
	if (!rc)
		rc = read_rings(d, &opened, &ring);
	if (!rc && (opened == 0 || opened > MOST_RINGS))
		*why = opened ? "its call opens more than 65536 rings" : "its call meets no mark";
	else if (!rc)
		rc = fit_room(d, opened, ring);
	free(ring);
	if (!rc && *why)
		rc = tracing_end(d);
	return rc;
}

/* --- a traced call --- */

static int read_clocks(struct device *d, int when)
{
	struct cuda *c = d->own;
	return device_clocks_at_step(c->tracing->clock[when], d->env.sms, c->gpu[0].stream);
}

/* Holds the stream until all is enqueued, so that the host's pace is not in the stamps. */
static int make_call(struct device *d, struct job *j)
{
	struct cuda *c = d->own;
	int rc = clear(c);
	if (!rc)
		rc = device_gate(c->flag_device, ++c->ticket, c->gpu[0].stream);
	if (!rc)
		rc = read_clocks(d, 0);
	if (!rc)
		rc = job_call(j);
	if (!rc)
		rc = read_clocks(d, 1);
	__atomic_store_n(c->flag, c->ticket, __ATOMIC_RELEASE);
	int end = d->backend->finish(d);
	return rc ? rc : end;
}

/* Copies n objects of `size` bytes from the device into the arena. */
static void *copy_out(const void *from, size_t n, size_t size, struct arena *a, int *rc)
{
	void *to = arena_array(a, n + 1, size);
	if (!*rc)
		*rc = (int)cudaMemcpy(to, from, n * size, cudaMemcpyDeviceToHost);
	return to;
}

/* The readings of the clocks before and after the call. */
static const struct stamps_clock *copy_clocks(struct device *d, struct arena *a, int *rc)
{
	struct cuda *c = d->own;
	const size_t n = 2 * (size_t)d->env.sms;
	const struct clock_reading *from = copy_out(c->tracing->clock[0], n, sizeof *from, a, rc);
	struct stamps_clock *to = ARENA_ARRAY(a, struct stamps_clock, n);
	for (size_t i = 0; i < n; i++)
		to[i] = (struct stamps_clock){.cycles = from[i].cycles,
		                              .ns = from[i].ns,
		                              .sm = from[i].sm,
		                              .step = from[i].step};
	return to;
}

int tracing_call(struct device *d, struct job *j, struct arena *a, struct run_trace *out,
                 const char **why)
{
	struct cuda *c = d->own;
	const struct trace_room *r = &c->tracing->room;
	int rc = make_call(d, j);
	const unsigned *opened = copy_out(r->opened, 1, sizeof *opened, a, &rc);
	struct stamps s = {.nclocks = (size_t)d->env.sms,
	                   .clock = copy_clocks(d, a, &rc),
	                   .nrings = *opened < r->rings ? *opened : r->rings,
	                   .room = r->stamps};
	s.ring = copy_out(r->ring, s.nrings, sizeof *r->ring, a, &rc);
	s.stamp = copy_out(r->stamp, s.nrings * r->stamps, sizeof *r->stamp, a, &rc);
	if (rc)
		return rc;
	*why = *opened > r->rings ? "its call opened more rings than the one before"
	                          : stamps_record(&s, a, out);
	return 0;
}
