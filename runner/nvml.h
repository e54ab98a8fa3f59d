/*
 * runner/nvml.h - clocks, power, temperature and throttle reasons, from the
 * driver's management library, found at run time: a host without it measures
 * too, and its records say what was not read and why.
 */
#ifndef RUNNER_NVML_H
#define RUNNER_NVML_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/record.h"
#include "runner/machine.h"

struct nvml; /* an open library and one device */

/* Opens the device at a PCI bus id ("0000:1b:00.0"). NULL: *why says why. */
struct nvml *nvml_open(const char *pci_bus_id, const char **why);
void nvml_close(struct nvml *n); /* NULL is fine */

/* Fills what NVML knows of the device; names what it does not answer. */
void nvml_facts(struct nvml *n, struct facts *f);

enum { WATCH_MAX = 4096 };

/* A thread that reads the device about once a millisecond. */
struct watch {
	struct nvml *nvml;
	pthread_t thread;
	atomic_bool stop;
	int64_t energy_mj, start_ns;
	size_t n; /* readings of the clocks */
	int64_t sm_mhz[WATCH_MAX], mem_mhz[WATCH_MAX];
	size_t nslow; /* power and temperature, every fifth time */
	int64_t mw[WATCH_MAX], c[WATCH_MAX];
	uint64_t reasons;
	bool saw_reasons;
};

/*
 * Starts watching, for `expected_ns` or so: the energy's counter is read only
 * where that may be worth the milliseconds that each reading takes. False: no
 * library, or no thread.
 */
bool watch_start(struct watch *w, struct nvml *n, int64_t expected_ns);
/* Ends it and writes what was seen into the launch. */
void watch_stop(struct watch *w, struct run_launch *l);

/* The SM clock now in MHz, or RECORD_NONE. */
int64_t nvml_sm_clock(struct nvml *n);

/*
 * Is the device free of what ran before: its SM clock within 1.5 % of full_mhz
 * and nothing holding it down? True if that cannot be read.
 */
bool nvml_recovered(struct nvml *n, int64_t full_mhz);

/* The clock alone. */
bool nvml_is_fast(struct nvml *n, int64_t full_mhz);

/* A launch of which nothing was read. */
void nvml_clear(struct run_launch *l);

#endif
