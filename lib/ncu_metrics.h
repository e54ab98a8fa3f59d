/*
 * lib/ncu_metrics.h - the counters that records have, and Nsight Compute's names for them.
 */
#ifndef LIB_NCU_METRICS_H
#define LIB_NCU_METRICS_H

#include "lib/str.h"

enum { NCU_METRICS = 34 };

/* How to join the values of several kernels. */
enum ncu_join { NCU_SUM, NCU_MEAN, NCU_MAX };

struct ncu_metric {
	const char *name;   /* in records */
	const char *metric; /* Nsight Compute's name */
	const char *unit;   /* as printed with --print-units base; "": a plain number */
	enum ncu_join join;
};

/* All of them; the first is the time, by which means are weighed. */
extern const struct ncu_metric ncu_metrics[NCU_METRICS];

/* Nsight Compute's name of a counter in records, "dram__bytes_read.sum"; NULL if it has none. */
const char *ncu_metrics_name(struct str name);

#endif
