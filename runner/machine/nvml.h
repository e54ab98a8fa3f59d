/*
 * runner/machine/nvml.h - clocks, power, temperature and throttle reasons, read from the
 * driver's management library (NVML). The library is loaded at run time. A host without
 * it can still measure; its records then say what could not be read and why.
 */
#ifndef RUNNER_MACHINE_NVML_H
#define RUNNER_MACHINE_NVML_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/record.h"
#include "runner/machine/machine.h"

struct nvml; /* an open library and the devices of a run */

/*
 * Opens the first `gpus` devices of the facts, by their PCI bus ids ("0000:1b:00.0"). NULL if
 * that fails; *why says why. Readings of several are those of the slowest or hottest one: the
 * lowest clock, the highest temperature, the reasons of any. Power and energy are sums.
 */
struct nvml *nvml_open(const struct facts *f, int gpus, const char **why);
void nvml_close(struct nvml *n); /* NULL is fine */

/* Fills in the facts that NVML knows, and notes those that it does not answer. */
void nvml_facts(struct nvml *n, struct facts *f);

/*
 * Fills in what NVML knows of each of several GPUs and of the links between them. Without NVML
 * lanes stay unknown.
 */
void nvml_links(struct nvml *n, struct facts *f);

enum { WATCH_MAX = 4096 };

/* A step of the energy counter: its reading after it, and when that was, with a possible error. */
struct energy_step {
	int64_t mj, ns, error_ns;
};

/* A thread that reads the device's state about once a millisecond. */
struct watch {
	struct nvml *nvml;
	pthread_t thread;
	atomic_bool stop;
	int64_t energy_mj, start_ns; /* energy_mj: at the start; RECORD_NONE: not read */
	int64_t last_mj, looked_ns;  /* the thread's last reading of the counter */
	struct energy_step first, last;
	size_t n; /* readings of the clocks */
	int64_t sm_mhz[WATCH_MAX], mem_mhz[WATCH_MAX];
	size_t nslow; /* readings of power and temperature: every fifth time */
	int64_t mw[WATCH_MAX], c[WATCH_MAX];
	uint64_t reasons;
	bool saw_reasons;
};

/*
 * Starts watching. Each reading of the energy counter takes milliseconds, so it is read
 * only if the watch is expected to last long enough (`expected_ns`) for the counter to
 * move. It moves every tenth of a second, and the thread notes when. The energy is then that
 * between the first and the last step, and the time between them is known to a few
 * milliseconds. False if there is no library or the thread could not be started.
 */
bool watch_start(struct watch *w, struct nvml *n, int64_t expected_ns);
/* Stops watching and writes the readings into the launch record. */
void watch_stop(struct watch *w, struct run_launch *l);

/* The SM clock now in MHz, or RECORD_NONE. */
int64_t nvml_sm_clock(struct nvml *n);

/*
 * True if the device has recovered from earlier load: its SM clock is at least 98.5 % of
 * full_mhz, and no throttle reason is active. True, too, if these cannot be read.
 */
bool nvml_recovered(struct nvml *n, int64_t full_mhz);

/* The same for the clock alone, whatever the throttle reasons. */
bool nvml_is_fast(struct nvml *n, int64_t full_mhz);

/* Marks all readings of a launch record as missing. */
void nvml_clear(struct run_launch *l);

#endif
