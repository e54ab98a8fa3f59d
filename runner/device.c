#include "runner/device.h"

#include <time.h>

#include "runner/pretend.h"

const struct backend *backend_of(enum kernel_where where)
{
	if (where == KERNEL_CPU)
		return &backend_cpu;
	return pretend_wanted() ? &backend_pretended : &backend_cuda;
}

bool backend_calls(const struct kernel_variant *v)
{
	return v->launch || (v->where == KERNEL_CUDA && pretend_wanted());
}

int64_t device_now(struct device *d)
{
	return d->backend->now ? d->backend->now(d) : clock_ns();
}

int64_t clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
