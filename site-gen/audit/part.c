#include "site-gen/audit/part.h"

#include <string.h>

#include "lib/array.h"

static void begin(struct audit_part *p, const struct audit_html *h)
{
	if (p->device.n && !p->row.n && str_is(h->name, "tr") && audit_html_class(h, "elsewhere")) {
		p->row = audit_html_attribute(h, "data-device");
		p->row_depth = h->depth - 1;
	}
	if (p->device.n || !audit_html_class(h, "dev"))
		return;
	p->device = audit_html_attribute(h, "data-device");
	p->depth = h->depth - 1;
}

/* The device of a link to the page of a number; empty if it is none. */
static struct str of_link(struct str href)
{
	static const char numbers[] = "/numbers/";
	struct str device = {0}, rest;
	const char *at = href.n ? memmem(href.p, href.n, numbers, strlen(numbers)) : NULL;
	if (at)
		str_cut(str_sub(href, (size_t)(at - href.p) + strlen(numbers), href.n), '/',
		        &device, &rest);
	return device;
}

/* The device of a fact by its data-n: "spec h200 hbm", "derived h200 …", "count … on h200". */
static struct str of_fact(struct str key)
{
	static const char on[] = " on ";
	struct str word, device = {0}, rest;
	str_cut(key, ' ', &word, &rest);
	if (str_is(word, "spec") || str_is(word, "derived"))
		str_cut(rest, ' ', &device, &rest);
	else if (str_is(word, "count"))
		for (size_t i = 0; i + strlen(on) < key.n; i++)
			if (memcmp(key.p + i, on, strlen(on)) == 0)
				device = str_sub(key, i + strlen(on), key.n);
	return device;
}

/* The device whose numbers may stand here. */
static struct str here(const struct audit_part *p)
{
	return p->row.n ? p->row : p->device;
}

/* Is it this device, or the data sheet of it? */
static bool is_of(const struct audit_part *p, const struct data *d, struct str device)
{
	for (size_t i = 0; i < d->nspecs; i++)
		if (str_is(device, d->specs[i].device) && data_spec_is_of(&d->specs[i], here(p)))
			return true;
	return str_eq(device, here(p));
}

bool audit_part_start(struct audit_part *p, const struct audit_html *h, const struct data *d,
                      struct err *e)
{
	begin(p, h);
	if (!p->device.n)
		return true;
	/* a derivation has both: the link of its first number, and the device of its datasheets */
	const struct str device[] = {str_is(h->name, "a") ? of_link(audit_html_attribute(h, "href"))
	                                                  : (struct str){0},
	                             of_fact(audit_html_attribute(h, "data-n"))};
	for (size_t i = 0; i < ARRAY_LEN(device); i++)
		if (device[i].n && !is_of(p, d, device[i]))
			return err_set(e,
			               "is a number of " STR_FMT
			               " in the part of the page for " STR_FMT,
			               STR_ARG(device[i]), STR_ARG(here(p)));
	return true;
}

void audit_part_end(struct audit_part *p, const struct audit_html *h)
{
	if (h->depth == p->row_depth)
		p->row.n = 0;
	if (h->depth == p->depth)
		p->device.n = 0;
}
