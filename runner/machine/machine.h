/*
 * runner/machine/machine.h - facts about the machine: CPU and memory from /proc, the
 * GPU from its driver. struct facts holds no pointers, because a child process reads
 * the GPU's facts and hands them to its parent, which never starts CUDA.
 */
#ifndef RUNNER_MACHINE_MACHINE_H
#define RUNNER_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"

enum { FACTS_MISSING = 16 };

/* One of the GPUs that this process sees, by its number. Unknown texts are empty. */
struct facts_gpu {
	char pci[24]; /* bus id */
	char uuid[48], vbios[40];
	int64_t free_bytes, nvlink_lanes; /* lanes that are up */
};

/* What GPU a may do with the memory of GPU b. */
struct facts_link {
	bool read, write, atomics; /* by kernels; `read` and `write` go together */
	int64_t nvlink_lanes;      /* between the two, directly or through switches */
};

/* A backend's facts about its device. Unknown numbers are RECORD_NONE. */
struct facts {
	bool usable;
	bool pretended; /* the device does not exist: runner/machine/pretend.h */
	char why[200];  /* why the device is not usable */
	char slug[48];  /* "h200", "cpu-amd-epyc" */
	char pci[24];   /* bus id of the GPU; empty for a CPU */
	char name[96], uuid[48], vbios[40], driver[40], capability[8];
	int64_t cuda_driver, cuda_runtime;
	int64_t sms, cache_bytes, memory_bytes, free_bytes, bus_bits;
	int64_t sm_clock_max_mhz, memory_clock_max_mhz, power_limit_mw, ecc;
	int threads;
	/*
	 * The GPUs that were asked for. [0] is the one above. Where another kind is among
	 * them, `unequal` says which, and no case may use more than one.
	 */
	int gpus;
	char unequal[200];
	struct facts_gpu gpu[KERNEL_MAX_GPUS];
	struct facts_link link[KERNEL_MAX_GPUS][KERNEL_MAX_GPUS]; /* [from][to] */
	/* facts that could not be read */
	struct {
		char name[32], why[96];
	} missing[FACTS_MISSING];
	size_t nmissing;
};

/* Notes that the fact `name` could not be read, and why. */
void facts_miss(struct facts *f, const char *name, const char *why);

/* Reads the facts of the CPU; not `usable` if the system fails to read them. */
void machine_cpu_facts(struct facts *f);

/*
 * Fills in the `machine` and `gpu` members of a run's head, in the arena; with gpus > 1 also
 * `gpus`, `topology` and `env`. 0 GPUs: the run is one of the CPU. Fails if the system fails to
 * read a fact.
 */
MUST_CHECK bool machine_describe(const struct facts *f, int gpus, struct arena *a,
                                 struct run_head *h, struct err *e);

/*
 * False, with an error, unless the environment turns NVLink multicast off for all libraries
 * that could use it. A run with several GPUs requires that, and records the variables.
 */
MUST_CHECK bool machine_multicast_is_off(struct err *e);

/* Number of CPUs that this process may run on. */
int machine_threads(void);

#endif
