#include "runner/device/device.h"

#include <time.h>

#include "runner/base/clock.h"
#include "runner/machine/pretend.h"

const struct backend *backend_of(enum kernel_where where)
{
	if (where == KERNEL_CPU)
		return &backend_cpu;
	return pretend_wanted() ? &backend_pretended : &backend_cuda;
}

int64_t device_now(struct device *d)
{
	return d->backend->now ? d->backend->now(d) : clock_ns();
}

void device_idle(struct device *d, int64_t ns)
{
	const struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	if (d->backend->idle)
		d->backend->idle(d, ns);
	else
		nanosleep(&t, NULL);
}

void device_clocked(struct device *d, struct clocked g)
{
	struct clocked *last = &d->clocked[CLOCKED_MAX - 1];
	if (d->nclocked < CLOCKED_MAX) {
		d->clocked[d->nclocked++] = g;
		return;
	}
	last->samples += g.samples;
	last->cycles += g.cycles;
	last->ns += g.ns;
}
