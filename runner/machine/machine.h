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

#include "lib/arena.h"
#include "lib/record.h"

enum { FACTS_MISSING = 16 };

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
	/* facts that could not be read */
	struct {
		char name[32], why[96];
	} missing[FACTS_MISSING];
	size_t nmissing;
};

/* Notes that the fact `name` could not be read, and why. */
void facts_miss(struct facts *f, const char *name, const char *why);

/* Reads the facts of the CPU and the operating system. */
void machine_cpu_facts(struct facts *f);

/* Fills in the `machine` and `gpu` members of a run's head, in the arena. */
void machine_describe(const struct facts *f, bool gpu, struct arena *a, struct run_head *h);

/* Number of CPUs that this process may run on. */
int machine_threads(void);

#endif
