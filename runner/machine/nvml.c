#include "runner/machine/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runner/base/clock.h"

/*
 * The part of NVML's interface that is used here, after its public reference manual
 * (docs.nvidia.com/deploy/nvml-api). Functions are looked up by name; if one is
 * missing, its reading is not available.
 */
/* The energy counter is updated about ten times a second: a shorter window says nothing. */
static const int64_t ENERGY_WINDOW_NS = 500000000;

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0, REASON_IDLE = 1 };

struct nvml {
	void *lib, *dev;
	int (*shutdown)(void);
	int (*clock)(void *dev, int what, unsigned *mhz);
	int (*max_clock)(void *dev, int what, unsigned *mhz);
	int (*temperature)(void *dev, int what, unsigned *c);
	int (*power)(void *dev, unsigned *mw);
	int (*power_limit)(void *dev, unsigned *mw);
	int (*bus_width)(void *dev, unsigned *bits);
	int (*energy)(void *dev, unsigned long long *mj);
	int (*reasons)(void *dev, unsigned long long *bits);
	int (*vbios)(void *dev, char *out, unsigned size);
	int (*uuid)(void *dev, char *out, unsigned size);
	int (*driver)(char *out, unsigned size);
	int (*ecc)(void *dev, unsigned *current, unsigned *pending);
};

/* dlsym() returns functions as data pointers, which C cannot convert; so this copies the bytes. */
static void find(void *lib, const char *name, void *slot)
{
	void *f = dlsym(lib, name);
	memcpy(slot, &f, sizeof f);
}

static void find_all(struct nvml *n)
{
	find(n->lib, "nvmlShutdown", &n->shutdown);
	find(n->lib, "nvmlDeviceGetClockInfo", &n->clock);
	find(n->lib, "nvmlDeviceGetMaxClockInfo", &n->max_clock);
	find(n->lib, "nvmlDeviceGetTemperature", &n->temperature);
	find(n->lib, "nvmlDeviceGetPowerUsage", &n->power);
	find(n->lib, "nvmlDeviceGetEnforcedPowerLimit", &n->power_limit);
	find(n->lib, "nvmlDeviceGetMemoryBusWidth", &n->bus_width);
	find(n->lib, "nvmlDeviceGetTotalEnergyConsumption", &n->energy);
	find(n->lib, "nvmlDeviceGetCurrentClocksEventReasons", &n->reasons);
	if (!n->reasons) /* its name before CUDA 12.2 */
		find(n->lib, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->reasons);
	find(n->lib, "nvmlDeviceGetVbiosVersion", &n->vbios);
	find(n->lib, "nvmlDeviceGetUUID", &n->uuid);
	find(n->lib, "nvmlSystemGetDriverVersion", &n->driver);
	find(n->lib, "nvmlDeviceGetEccMode", &n->ecc);
}

struct nvml *nvml_open(const char *pci_bus_id, const char **why)
{
	int (*init)(void);
	int (*by_bus)(const char *, void **);
	struct nvml *n = calloc(1, sizeof *n);
	*why = "out of memory";
	if (!n)
		return NULL;
	*why = "libnvidia-ml.so.1 not found";
	n->lib = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	if (!n->lib) {
		free(n);
		return NULL;
	}
	find_all(n);
	find(n->lib, "nvmlInit_v2", &init);
	find(n->lib, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus);
	*why = "nvml does not start";
	if (!init || !by_bus || init() != 0 || by_bus(pci_bus_id, &n->dev) != 0) {
		nvml_close(n);
		return NULL;
	}
	*why = NULL;
	return n;
}

void nvml_close(struct nvml *n)
{
	if (!n)
		return;
	if (n->shutdown)
		n->shutdown();
	dlclose(n->lib);
	free(n);
}

static int64_t get_of(int (*f)(void *, int, unsigned *), struct nvml *n, int what)
{
	unsigned v;
	return n && f && f(n->dev, what, &v) == 0 ? (int64_t)v : RECORD_NONE;
}

static int64_t get_u32(int (*f)(void *, unsigned *), struct nvml *n)
{
	unsigned v;
	return n && f && f(n->dev, &v) == 0 ? (int64_t)v : RECORD_NONE;
}

static int64_t get_u64(int (*f)(void *, unsigned long long *), struct nvml *n)
{
	unsigned long long v;
	return n && f && f(n->dev, &v) == 0 ? (int64_t)v : RECORD_NONE;
}

/* Stores a reading, and notes it if it is missing. */
static void want(struct facts *f, const char *name, int64_t got, int64_t *out)
{
	*out = got;
	if (got == RECORD_NONE)
		facts_miss(f, name, "nvml does not answer");
}

void nvml_facts(struct nvml *n, struct facts *f)
{
	unsigned now, pending;
	int64_t ignored;
	if (n->vbios)
		n->vbios(n->dev, f->vbios, sizeof f->vbios);
	if (n->uuid)
		n->uuid(n->dev, f->uuid, sizeof f->uuid);
	if (n->driver)
		n->driver(f->driver, sizeof f->driver);
	f->ecc = n->ecc && n->ecc(n->dev, &now, &pending) == 0 ? (int64_t)now : RECORD_NONE;
	if (f->ecc == RECORD_NONE)
		facts_miss(f, "ecc", "nvml does not answer");
	want(f, "power_limit_mw", get_u32(n->power_limit, n), &f->power_limit_mw);
	want(f, "sm_clock_max_mhz", get_of(n->max_clock, n, NVML_CLOCK_SM), &f->sm_clock_max_mhz);
	want(f, "memory_clock_max_mhz", get_of(n->max_clock, n, NVML_CLOCK_MEM),
	     &f->memory_clock_max_mhz);
	if (f->bus_bits == RECORD_NONE)
		want(f, "bus_bits", get_u32(n->bus_width, n), &f->bus_bits);
	want(f, "sm_clock_mhz", nvml_sm_clock(n), &ignored);
	want(f, "power_mw", get_u32(n->power, n), &ignored);
	want(f, "temperature_c", get_of(n->temperature, n, NVML_TEMPERATURE_GPU), &ignored);
	want(f, "energy_mj", get_u64(n->energy, n), &ignored);
	want(f, "throttle_reasons", get_u64(n->reasons, n), &ignored);
}

int64_t nvml_sm_clock(struct nvml *n)
{
	return n ? get_of(n->clock, n, NVML_CLOCK_SM) : RECORD_NONE;
}

bool nvml_is_fast(struct nvml *n, int64_t full_mhz)
{
	int64_t now = nvml_sm_clock(n);
	return now == RECORD_NONE || now * 1000 >= full_mhz * 985;
}

bool nvml_recovered(struct nvml *n, int64_t full_mhz)
{
	int64_t why = n ? get_u64(n->reasons, n) : RECORD_NONE;
	bool free = why == RECORD_NONE || (why & ~(int64_t)REASON_IDLE) == 0;
	return nvml_is_fast(n, full_mhz) && free;
}

/* --- watching --- */

static void read_clocks(struct watch *w)
{
	int64_t sm = nvml_sm_clock(w->nvml);
	int64_t mem = get_of(w->nvml->clock, w->nvml, NVML_CLOCK_MEM);
	int64_t why = get_u64(w->nvml->reasons, w->nvml);
	if (sm != RECORD_NONE && w->n < WATCH_MAX) {
		w->sm_mhz[w->n] = sm;
		w->mem_mhz[w->n++] = mem;
	}
	if (why != RECORD_NONE) {
		w->reasons |= (uint64_t)why;
		w->saw_reasons = true;
	}
}

static void read_slow(struct watch *w)
{
	if (w->nslow == WATCH_MAX)
		return;
	w->mw[w->nslow] = get_u32(w->nvml->power, w->nvml);
	w->c[w->nslow++] = get_of(w->nvml->temperature, w->nvml, NVML_TEMPERATURE_GPU);
}

static void *watching(void *arg)
{
	struct watch *w = arg;
	const struct timespec pause = {.tv_nsec = 1000000};
	for (unsigned i = 0; !atomic_load(&w->stop); i++) {
		read_clocks(w);
		if (i % 5 == 0)
			read_slow(w);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

bool watch_start(struct watch *w, struct nvml *n, int64_t expected_ns)
{
	w->nvml = n;
	w->n = w->nslow = 0;
	w->reasons = 0;
	w->saw_reasons = false;
	atomic_store(&w->stop, false);
	if (!n)
		return false;
	bool energy = expected_ns >= ENERGY_WINDOW_NS / 2; /* may last longer than expected */
	w->energy_mj = energy ? get_u64(n->energy, n) : RECORD_NONE;
	w->start_ns = clock_ns();
	if (pthread_create(&w->thread, NULL, watching, w) == 0)
		return true;
	w->nvml = NULL;
	return false;
}

static int order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Minimum, median and maximum of the readings, which it sorts. */
static void min_med_max(int64_t *x, size_t n, int64_t out[3])
{
	if (n == 0)
		return;
	qsort(x, n, sizeof *x, order);
	if (x[0] == RECORD_NONE)
		return;
	out[0] = x[0];
	out[1] = x[n / 2];
	out[2] = x[n - 1];
}

void nvml_clear(struct run_launch *l)
{
	for (int i = 0; i < 3; i++)
		l->sm_clock_mhz[i] = l->power_mw[i] = RECORD_NONE;
	l->temperature_c[0] = l->temperature_c[1] = RECORD_NONE;
	l->memory_clock_mhz = l->energy_mj = l->throttle_reasons = RECORD_NONE;
	l->sm_cycles = l->sm_cycles_ns = RECORD_NONE;
}

void watch_stop(struct watch *w, struct run_launch *l)
{
	nvml_clear(l);
	if (!w->nvml)
		return;
	atomic_store(&w->stop, true);
	pthread_join(w->thread, NULL);
	int64_t mem[3] = {RECORD_NONE, RECORD_NONE, RECORD_NONE}, c[3] = {RECORD_NONE};
	min_med_max(w->sm_mhz, w->n, l->sm_clock_mhz);
	min_med_max(w->mem_mhz, w->n, mem);
	min_med_max(w->mw, w->nslow, l->power_mw);
	c[2] = RECORD_NONE;
	min_med_max(w->c, w->nslow, c);
	l->memory_clock_mhz = mem[1];
	l->temperature_c[0] = c[0];
	l->temperature_c[1] = c[2];
	if (w->energy_mj != RECORD_NONE && clock_ns() - w->start_ns >= ENERGY_WINDOW_NS) {
		int64_t energy = get_u64(w->nvml->energy, w->nvml);
		if (energy != RECORD_NONE)
			l->energy_mj = energy - w->energy_mj;
	}
	if (w->saw_reasons)
		l->throttle_reasons = (int64_t)w->reasons;
}
