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
/* Steps of that counter are timed if they are so far apart, and each is known so well. */
static const int64_t ENERGY_STEPS_NS = 250000000, ENERGY_ERROR_NS = 5000000;

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0, REASON_IDLE = 1 };

/* As nvml.h declares it. */
struct pci_info {
	char legacy[16];
	unsigned domain, bus, device, device_id, subsystem_id;
	char id[32];
};

struct nvml {
	void *lib, *dev[KERNEL_MAX_GPUS];
	int ndev;
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
	int (*link_state)(void *dev, unsigned link, int *active);
	int (*link_remote)(void *dev, unsigned link, struct pci_info *out);
	int (*p2p)(void *from, void *to, int what, int *status);
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
	find(n->lib, "nvmlDeviceGetNvLinkState", &n->link_state);
	find(n->lib, "nvmlDeviceGetNvLinkRemotePciInfo_v2", &n->link_remote);
	find(n->lib, "nvmlDeviceGetP2PStatus", &n->p2p);
}

/* Starts the library and finds the devices. */
static bool start(struct nvml *n, const struct facts *f, int gpus)
{
	int (*init)(void);
	int (*by_bus)(const char *, void **);
	find(n->lib, "nvmlInit_v2", &init);
	find(n->lib, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus);
	if (!init || !by_bus || init() != 0)
		return false;
	for (n->ndev = 0; n->ndev < gpus; n->ndev++)
		if (by_bus(n->ndev ? f->gpu[n->ndev].pci : f->pci, &n->dev[n->ndev]) != 0)
			return false;
	return true;
}

struct nvml *nvml_open(const struct facts *f, int gpus, const char **why)
{
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
	*why = "nvml does not start";
	if (!start(n, f, gpus)) {
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

/* How the readings of several devices become one. */
enum join { LEAST, MOST, SUM, ANY };

static int64_t join(enum join how, int64_t a, int64_t b)
{
	if (a == RECORD_NONE || b == RECORD_NONE)
		return RECORD_NONE;
	switch (how) {
	case LEAST:
		return a < b ? a : b;
	case MOST:
		return a > b ? a : b;
	case SUM:
		return a + b;
	case ANY:
		return a | b;
	}
	return RECORD_NONE;
}

static int64_t get_of(int (*f)(void *, int, unsigned *), struct nvml *n, int what, enum join how)
{
	int64_t all = RECORD_NONE;
	for (int i = 0; n && f && i < n->ndev; i++) {
		unsigned v;
		int64_t one = f(n->dev[i], what, &v) == 0 ? (int64_t)v : RECORD_NONE;
		all = i ? join(how, all, one) : one;
	}
	return all;
}

static int64_t get_u32(int (*f)(void *, unsigned *), struct nvml *n, enum join how)
{
	int64_t all = RECORD_NONE;
	for (int i = 0; n && f && i < n->ndev; i++) {
		unsigned v;
		int64_t one = f(n->dev[i], &v) == 0 ? (int64_t)v : RECORD_NONE;
		all = i ? join(how, all, one) : one;
	}
	return all;
}

static int64_t get_u64(int (*f)(void *, unsigned long long *), struct nvml *n, enum join how)
{
	int64_t all = RECORD_NONE;
	for (int i = 0; n && f && i < n->ndev; i++) {
		unsigned long long v;
		int64_t one = f(n->dev[i], &v) == 0 ? (int64_t)v : RECORD_NONE;
		all = i ? join(how, all, one) : one;
	}
	return all;
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
		n->vbios(n->dev[0], f->vbios, sizeof f->vbios);
	if (n->uuid)
		n->uuid(n->dev[0], f->uuid, sizeof f->uuid);
	if (n->driver)
		n->driver(f->driver, sizeof f->driver);
	f->ecc = n->ecc && n->ecc(n->dev[0], &now, &pending) == 0 ? (int64_t)now : RECORD_NONE;
	if (f->ecc == RECORD_NONE)
		facts_miss(f, "ecc", "nvml does not answer");
	want(f, "power_limit_mw", get_u32(n->power_limit, n, LEAST), &f->power_limit_mw);
	want(f, "sm_clock_max_mhz", get_of(n->max_clock, n, NVML_CLOCK_SM, LEAST),
	     &f->sm_clock_max_mhz);
	want(f, "memory_clock_max_mhz", get_of(n->max_clock, n, NVML_CLOCK_MEM, LEAST),
	     &f->memory_clock_max_mhz);
	if (f->bus_bits == RECORD_NONE)
		want(f, "bus_bits", get_u32(n->bus_width, n, LEAST), &f->bus_bits);
	want(f, "sm_clock_mhz", nvml_sm_clock(n), &ignored);
	want(f, "power_mw", get_u32(n->power, n, SUM), &ignored);
	want(f, "temperature_c", get_of(n->temperature, n, NVML_TEMPERATURE_GPU, MOST), &ignored);
	want(f, "energy_mj", get_u64(n->energy, n, SUM), &ignored);
	want(f, "throttle_reasons", get_u64(n->reasons, n, ANY), &ignored);
}

/* --- several GPUs --- */

enum { LINKS = 32 }; /* no GPU has more links */

/* Links of a device that are up; RECORD_NONE if none answers. *direct: those that lead to the PCI
 * device `to` itself. */
static int64_t links_up(struct nvml *n, int dev, const char *to, int64_t *direct)
{
	unsigned domain = 0, bus = 0, device = 0;
	int64_t up = RECORD_NONE;
	sscanf(to, "%x:%x:%x", &domain, &bus, &device);
	*direct = 0;
	for (unsigned link = 0; link < LINKS; link++) {
		struct pci_info there = {0};
		int active = 0;
		if (n->link_state(n->dev[dev], link, &active) != 0)
			continue;
		up = (up == RECORD_NONE ? 0 : up) + (active != 0);
		if (!active)
			continue;
		if (n->link_remote && n->link_remote(n->dev[dev], link, &there) == 0)
			*direct += there.domain == domain && there.bus == bus &&
			           there.device == device;
	}
	return up;
}

void nvml_links(struct nvml *n, struct facts *f)
{
	enum { P2P_NVLINK = 2, P2P_OK = 0 };
	for (int g = 0; g < n->ndev; g++) {
		struct facts_gpu *one = &f->gpu[g];
		int64_t direct;
		if (n->vbios)
			n->vbios(n->dev[g], one->vbios, sizeof one->vbios);
		if (n->uuid)
			n->uuid(n->dev[g], one->uuid, sizeof one->uuid);
		one->nvlink_lanes = n->link_state ? links_up(n, g, "", &direct) : RECORD_NONE;
	}
	for (int g = 0; g < n->ndev && n->link_state && n->p2p; g++)
		for (int to = 0; to < n->ndev; to++) {
			int64_t direct, up = links_up(n, g, f->gpu[to].pci, &direct);
			int status = -1;
			bool joined = g != to &&
			              n->p2p(n->dev[g], n->dev[to], P2P_NVLINK, &status) == 0 &&
			              status == P2P_OK;
			/* none leads there directly: they pass switches */
			f->link[g][to].nvlink_lanes = !joined ? 0 : direct ? direct : up;
		}
}

int64_t nvml_sm_clock(struct nvml *n)
{
	return n ? get_of(n->clock, n, NVML_CLOCK_SM, LEAST) : RECORD_NONE;
}

bool nvml_is_fast(struct nvml *n, int64_t full_mhz)
{
	int64_t now = nvml_sm_clock(n);
	return now == RECORD_NONE || now * 1000 >= full_mhz * 985;
}

bool nvml_recovered(struct nvml *n, int64_t full_mhz)
{
	int64_t why = n ? get_u64(n->reasons, n, ANY) : RECORD_NONE;
	bool free = why == RECORD_NONE || (why & ~(int64_t)REASON_IDLE) == 0;
	return nvml_is_fast(n, full_mhz) && free;
}

/* --- watching --- */

static void read_clocks(struct watch *w)
{
	int64_t sm = nvml_sm_clock(w->nvml);
	int64_t mem = get_of(w->nvml->clock, w->nvml, NVML_CLOCK_MEM, LEAST);
	int64_t why = get_u64(w->nvml->reasons, w->nvml, ANY);
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
	w->mw[w->nslow] = get_u32(w->nvml->power, w->nvml, SUM);
	w->c[w->nslow++] = get_of(w->nvml->temperature, w->nvml, NVML_TEMPERATURE_GPU, MOST);
}

/*
 * Notes a step of the energy counter, if it is known well enough when it was. Counters of several
 * GPUs move one after the other: their sum has no steps.
 */
static void read_energy_steps(struct watch *w)
{
	int64_t before = w->looked_ns, mj = get_u64(w->nvml->energy, w->nvml, SUM),
	        now = clock_ns();
	bool moved = mj != RECORD_NONE && w->last_mj != RECORD_NONE && mj != w->last_mj;
	struct energy_step step = {mj, before + (now - before) / 2, (now - before) / 2};
	if (moved && before && w->nvml->ndev == 1 && step.error_ns <= ENERGY_ERROR_NS)
		*(w->first.ns ? &w->last : &w->first) = step;
	w->last_mj = mj;
	w->looked_ns = now;
}

static void *watching(void *arg)
{
	struct watch *w = arg;
	const struct timespec pause = {.tv_nsec = 1000000};
	for (unsigned i = 0; !atomic_load(&w->stop); i++) {
		read_clocks(w);
		if (w->energy_mj != RECORD_NONE)
			read_energy_steps(w);
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
	w->energy_mj = w->last_mj = energy ? get_u64(n->energy, n, SUM) : RECORD_NONE;
	w->looked_ns = 0;
	w->first = w->last = (struct energy_step){0};
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
	l->energy_ns = 0;
	l->sm_cycles = l->sm_cycles_ns = RECORD_NONE;
}

/* The energy between two timed steps of the counter; else that of the whole window. */
static void record_energy(const struct watch *w, struct run_launch *l)
{
	int64_t apart = w->last.ns - w->first.ns, energy;
	if (w->energy_mj == RECORD_NONE)
		return;
	if (apart >= ENERGY_STEPS_NS) {
		l->energy_mj = w->last.mj - w->first.mj;
		l->energy_ns = apart;
	} else if (clock_ns() - w->start_ns >= ENERGY_WINDOW_NS) {
		energy = get_u64(w->nvml->energy, w->nvml, SUM);
		l->energy_mj = energy == RECORD_NONE ? RECORD_NONE : energy - w->energy_mj;
	}
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
	record_energy(w, l);
	if (w->saw_reasons)
		l->throttle_reasons = (int64_t)w->reasons;
}
