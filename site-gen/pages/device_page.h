/* site-gen/pages/device_page.h - the page of a device: its data sheet, its runs, what was measured. */
#ifndef SITE_GEN_PAGES_DEVICE_PAGE_H
#define SITE_GEN_PAGES_DEVICE_PAGE_H

#include "site-gen/records/data.h"

/* The subject of a page. */
struct device {
	const char *slug, *name, *url; /* "h200", "NVIDIA H200", "/devices/h200/" */
	const struct data_run *newest; /* that publishes; else the newest of all */
};

/* All devices that have runs. */
struct device *devices_all(const struct data *d, struct arena *a, size_t *n);

struct writer;
/* Its ceilings (device_ceilings.c); nothing if none were measured. */
void device_ceilings(struct writer *w, const struct device *v);

/* The body, as markup. */
bool device_body(struct expand_ctx *ctx, const struct device *v, struct body *out, struct err *e);

#endif
