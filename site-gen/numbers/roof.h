/*
 * site-gen/numbers/roof.h - the roofs of a case: the peak of the data sheet, and the
 * fastest comparable measurement (rule `roofed`).
 */
#ifndef SITE_GEN_NUMBERS_ROOF_H
#define SITE_GEN_NUMBERS_ROOF_H

#include "lib/err.h"
#include "site-gen/numbers/number.h"

/*
 * The theoretical roof of a metric of a case: the peak of its memory level for bandwidth, that of
 * its arithmetic unit for throughput, in FLOP/s or for each clock and SM. Bytes over NVLink that
 * go one way only have the peak of one direction, spec nvlink_way. NULL: no such spec.
 */
const struct data_spec *roof_spec(const struct data *d, const struct pick *p, enum metric m);

/* The key of that spec, "hbm", "bf16" or "bf16-clock". False: no peak bounds the metric. */
bool roof_key(const struct run_case *c, enum metric m, char *key, size_t n);

/*
 * The achievable roof. For bandwidth it is the fastest case of the device that moves bytes of the
 * same memory in a similar mix of reads and writes, whatever it computes and whoever wrote it.
 * Candidates are the newest numbers of all cases, and the numbers of p's own run. For throughput
 * it is the fastest case with role `ceiling` on the same unit, unless another case of the device
 * has done more: then the ceiling is to be measured again, and is no roof. False: there is none.
 */
bool roof_measured(const struct data *d, const struct pick *p, enum metric m, struct pick *out);

/*
 * Rule `roofed` for a roof that an author names: `roof` must not lie below roof_measured() of p.
 * Otherwise sets an error at `at` that names the higher case. Only bandwidth is checked.
 */
MUST_CHECK bool roof_holds(const struct data *d, const struct pick *p, const struct pick *roof,
                           enum metric m, struct loc at, struct err *e);

/*
 * The headline metric of a case: that of its family (metric_headline()), with one exception. If
 * that is bandwidth, but the cost model puts the case right of the ridge point of its device's
 * roofline (more FLOPs a byte than peak throughput over peak bandwidth), it is throughput.
 */
enum metric roof_metric(const struct data *d, const struct pick *p);

#endif
