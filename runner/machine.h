/*
 * runner/machine.h - facts about the machine: CPU and memory from /proc, the
 * GPU from the driver. GPU facts are plain bytes, since a child process reads
 * them and sends them through a pipe: the parent never initialises CUDA.
 */
#ifndef RUNNER_MACHINE_H
#define RUNNER_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/record.h"

enum { FACTS_MISSING = 16 };

/* What a backend says of its device. Numbers not known are RECORD_NONE. */
struct facts {
	bool usable;
	bool pretended; /* of a device that is not there: runner/pretend.h */
	char why[200];  /* why it is not usable */
	char slug[48];  /* "h200", "cpu-amd-epyc" */
	char pci[24];   /* bus id of the GPU; empty: none */
	char name[96], uuid[48], vbios[40], driver[40], capability[8];
	int64_t cuda_driver, cuda_runtime;
	int64_t sms, cache_bytes, memory_bytes, free_bytes, bus_bits;
	int64_t sm_clock_max_mhz, memory_clock_max_mhz, power_limit_mw, ecc;
	int threads;
	/* what could not be read */
	struct {
		char name[32], why[96];
	} missing[FACTS_MISSING];
	size_t nmissing;
};

/* Notes that `name` could not be read. */
void facts_miss(struct facts *f, const char *name, const char *why);

/* CPU and operating system. */
void machine_cpu_facts(struct facts *f);

/* The `machine` and `gpu` members of a run's head, in the arena. */
void machine_describe(const struct facts *f, bool gpu, struct arena *a, struct run_head *h);

/* CPUs this process may run on. */
int machine_threads(void);

#endif
