/* site-gen/pages/device_page.h - page of a device: datasheet, runs and measured ceilings. */
#ifndef SITE_GEN_PAGES_DEVICE_PAGE_H
#define SITE_GEN_PAGES_DEVICE_PAGE_H

#include "lib/err.h"
#include "site-gen/records/data.h"
#include "site-gen/pages/body_writer.h"

/* A page's subject. */
struct device {
	const char *slug, *name, *url; /* "h200", "NVIDIA H200", "/devices/h200/" */
	const struct data_run *newest; /* newest run that publishes; else the newest of all */
};

/* All devices that have runs. */
struct device *device_list(const struct data *d, struct arena *a, size_t *n);

struct writer;
/* Writes its ceilings (device_ceilings.c); nothing if none were measured. */
void device_ceilings(struct writer *w, const struct device *v);

/* Makes the body, as markup. */
MUST_CHECK bool device_body(struct expand_ctx *ctx, const struct device *v, struct body *out,
                            struct err *e);

#endif
