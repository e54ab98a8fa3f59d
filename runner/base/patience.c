#include "runner/base/patience.h"

#include <inttypes.h>
#include <stdio.h>

#include "runner/base/clock.h"

/*
 * Time that the process has spent since its start waiting for a CPU, ns, from
 * /proc/PID/schedstat (proc(5): time on the CPU, time waiting for it, time slices).
 * 0 if the kernel does not count it; all time then counts as the process's own.
 */
static int64_t waited_ns(pid_t pid)
{
	char path[40];
	int64_t ran, waited = 0;
	snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNd64 " %" SCNd64, &ran, &waited) != 2)
		waited = 0;
	fclose(f);
	return waited;
}

void patience_begin(struct patience *p, pid_t pid, int64_t limit_ns)
{
	*p = (struct patience){pid, limit_ns, clock_ns(), waited_ns(pid)};
}

/* Time left, ns; 0 or less once the process has been silent for too long. */
static int64_t left_ns(const struct patience *p)
{
	int64_t passed = clock_ns() - p->since_ns;
	if (passed < p->limit_ns) /* waiting can only add to what is left */
		return p->limit_ns - passed;
	int64_t waited = waited_ns(p->pid) - p->waited_ns;
	return p->limit_ns - passed + (waited > 0 ? waited : 0);
}

int patience_poll_ms(const struct patience *p)
{
	int64_t ms = (left_ns(p) + 999999) / 1000000;
	return ms <= 0 ? 0 : ms < 1000 ? (int)ms : 1000;
}
