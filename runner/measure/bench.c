#include "runner/measure/bench.h"

#include "runner/base/clock.h"

enum { ALIVE_NS = 200000000 };

void bench_alive(struct bench *b)
{
	int64_t now = clock_ns();
	if (!b->alive || now - b->alive_ns < ALIVE_NS)
		return;
	b->alive_ns = now;
	b->alive(b->alive_ctx);
}

void bench_count(struct bench *b, enum run_part p)
{
	int64_t now = clock_ns();
	bench_alive(b);
	b->spent_ns[p] += now - b->counted_ns;
	b->counted_ns = now;
}
