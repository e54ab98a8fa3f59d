/*
 * site-gen/numbers/roof.h - what bounds a case: a peak of the data sheet, and the
 * fastest that was measured (rule `roofed`).
 */
#ifndef SITE_GEN_NUMBERS_ROOF_H
#define SITE_GEN_NUMBERS_ROOF_H

#include "site-gen/numbers/number.h"

/*
 * The theoretical roof that bounds a metric of a case: memory level for
 * bandwidth, arithmetic unit for throughput. NULL: no such spec.
 */
const struct data_spec *roof_spec(const struct data *d, const struct pick *p, enum metric m);

/*
 * The achievable roof. Of bandwidth: the fastest of all cases of the device that move bytes of
 * the same memory in a like mix of reads and writes, whatever they compute, whoever wrote them,
 * and in whatever run: each by its newest number, and those of p's own run. Of throughput: the
 * fastest case with role `ceiling` on the same unit. False: there is none.
 */
bool roof_measured(const struct data *d, const struct pick *p, enum metric m, struct pick *out);

/*
 * Rule `roofed`, where an author names the roof: `roof` must not lie below roof_measured() of p.
 * Otherwise an error at `at` that names the higher one. A metric other than bandwidth passes.
 */
bool roof_holds(const struct data *d, const struct pick *p, const struct pick *roof, enum metric m,
                struct loc at, struct err *e);

/*
 * The headline metric of a case: that of its family (metric_headline); but a case of a family
 * known by its bandwidth that the cost model puts right of the ridge of its device's datasheet,
 * more FLOPs a byte than the unit can do while memory brings one, is known by its throughput.
 */
enum metric roof_metric(const struct data *d, const struct pick *p);

#endif
