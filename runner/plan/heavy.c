#include "runner/plan/heavy.h"

#include <string.h>

#include "lib/array.h"
#include "runner/plan/roof.h"

/* Below this share of the unit's roof no card comes near its power limit. */
static const double LEAST_SHARE = 0.25;

enum { SAMPLE_NS = 1000000 };

static bool is_tensor_unit(const char *unit)
{
	static const char *const units[] = {"fp64_tensor", "tf32", "bf16", "fp16", "fp8", "int8"};
	for (size_t i = 0; unit && i < ARRAY_LEN(units); i++)
		if (strcmp(unit, units[i]) == 0)
			return true;
	return false;
}

bool heavy_is(const struct facts *f, const struct item *it)
{
	struct kernel_model m = {0};
	it->family->model(it->kcase, &m);
	double roof = roof_operations(f, &m), seconds = 1e-9 * (double)it->call_ns;
	return it->variant->where == KERNEL_CUDA && it->call_ns >= HEAVY_CALL_NS &&
	       is_tensor_unit(m.unit) && (double)m.flop >= LEAST_SHARE * roof * seconds;
}

bool heavy_bursts(const struct item *it)
{
	return it->heavy && it->way.load == WAY_BURST && !it->way.host;
}

const char *heavy_refuses(const struct item *it, struct arena *a)
{
	if (!heavy_bursts(it) || it->call_ns <= HEAVY_BURST_NS)
		return NULL;
	return arena_printf(
	        a,
	        "a call takes %.1f ms, too long for a burst: the power limit lowers the "
	        "clock after %lld ms of load; measure load=steady",
	        1e-6 * (double)it->call_ns, (long long)settings_default.burst_ms);
}

int64_t heavy_batch(int64_t call_ns)
{
	int64_t whole = (SAMPLE_NS + call_ns - 1) / call_ns;
	int64_t calls = settings_default.burst_ms * 1000000 / call_ns - HEAVY_WARM_UP_CALLS;
	int64_t fit = calls / settings_default.min_samples;
	return fit < 1 ? 1 : fit < whole ? fit : whole;
}
