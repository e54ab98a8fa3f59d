#include "runner/plan/roof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"

static const double FORGIVEN = 1.01;

/*
 * Operations per clock of one SM, by unit or, where the cost model names none, by the
 * operation that it counts; a multiply-add is two. Sources: the CUDA C++ Programming
 * Guide (arithmetic instructions, throughput) for vector units and special functions.
 * The tensor cores' rates follow from NVIDIA's dense peaks for the H100 SXM, with 132
 * SMs at 1830 MHz (H100 Tensor Core GPU Architecture, table 2).
 */
static const struct {
	const char *capability, *what;
	double per_clock;
} units[] = {
        {"9.0", "fp64", 128},  {"9.0", "fp32", 256},  {"9.0", "power of two", 16},
        {"9.0", "tf32", 2048}, {"9.0", "fp16", 4096}, {"9.0", "bf16", 4096},
        {"9.0", "fp8", 8192},  {"9.0", "int8", 8192},
};

/* True if both numbers are known; RECORD_NONE is negative. */
static bool known(int64_t a, int64_t b)
{
	return a > 0 && b > 0;
}

double roof_memory(const struct facts *f)
{
	if (!known(f->bus_bits, f->memory_clock_max_mhz))
		return 0;
	return (double)f->bus_bits / 8 * (double)f->memory_clock_max_mhz * 1e6 * 2;
}

static double clocks(const struct facts *f)
{
	if (!known(f->sms, f->sm_clock_max_mhz))
		return 0;
	return (double)f->sms * (double)f->sm_clock_max_mhz * 1e6;
}

double roof_link(const struct facts *f)
{
	static const double LANE = 25e9; /* of NVLink 4 */
	if (f->gpus < 2 || strcmp(f->capability, "9.0") != 0 || f->gpu[0].nvlink_lanes < 1)
		return 0;
	return LANE * (double)f->gpu[0].nvlink_lanes;
}

bool roof_is_link(const struct kernel_model *m)
{
	return m->level && strcmp(m->level, "nvlink") == 0;
}

double roof_caches(const struct facts *f)
{
	return 128 * clocks(f);
}

double roof_operations(const struct facts *f, const struct kernel_model *m)
{
	const char *what = m->unit ? m->unit : m->op;
	for (size_t i = 0; what && i < ARRAY_LEN(units); i++)
		if (strcmp(units[i].capability, f->capability) == 0 &&
		    strcmp(units[i].what, what) == 0)
			return units[i].per_clock * clocks(f);
	return 0;
}

static bool below(double amount, double seconds, double roof, const char *unit, const char *what,
                  char *why, size_t n)
{
	if (roof <= 0 || amount <= roof * FORGIVEN * seconds)
		return true;
	snprintf(why, n, "%.4g %s, but %s allow %.4g at most", amount / seconds, unit, what, roof);
	return false;
}

/* The facts with the clock that was counted, if it is above the driver's maximum. */
static struct facts at_clock(const struct facts *f, double hz)
{
	struct facts at = *f;
	int64_t mhz = (int64_t)ceil(hz / 1e6);
	if (f->sm_clock_max_mhz > 0 && mhz > f->sm_clock_max_mhz)
		at.sm_clock_max_mhz = mhz;
	return at;
}

bool roof_allows(const struct facts *f, const struct item *it, double seconds, double hz, char *why,
                 size_t n)
{
	const struct facts at = at_clock(f, hz);
	struct kernel_model m = {0};
	it->family->model(it->kcase, &m);
	double bytes = (double)m.bytes_read + (double)m.bytes_written;
	bool cold = it->way.cold, memory = m.level && strcmp(m.level, "hbm") == 0;
	double most = fmax((double)m.bytes_read, (double)m.bytes_written);
	double kept = cold ? 0 : (double)f->cache_bytes;
	if (it->variant->where != KERNEL_CUDA || it->way.host)
		return true;
	if (memory && (cold || f->cache_bytes > 0) &&
	    !below(bytes - kept, seconds, roof_memory(f), "B/s of memory",
	           "width and clock of its bus", why, n))
		return false;
	if (roof_is_link(&m) &&
	    !below(most, seconds, roof_link(f), "B/s one way", "the lanes of NVLink", why, n))
		return false;
	return below(bytes, seconds, roof_caches(&at), "B/s",
	             "128 bytes a clock of each multiprocessor", why, n) &&
	       below((double)m.flop, seconds, roof_operations(&at, &m),
	             m.unit ? "FLOP/s" : "operations/s",
	             "operations a clock of each multiprocessor", why, n);
}
