#include "runner/device/device.h"

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
