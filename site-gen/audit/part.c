#include "site-gen/audit/part.h"

#include <string.h>

static void begin(struct audit_part *p, const struct audit_html *h)
{
	if (p->device.n || !audit_html_class(h, "dev"))
		return;
	p->device = audit_html_attribute(h, "data-device");
	p->depth = h->depth - 1;
}

bool audit_part_start(struct audit_part *p, const struct audit_html *h, struct err *e)
{
	static const char numbers[] = "/numbers/";
	struct str href = audit_html_attribute(h, "href"), device, rest;
	begin(p, h);
	const char *at = href.n ? memmem(href.p, href.n, numbers, strlen(numbers)) : NULL;
	if (!p->device.n || !at || !str_is(h->name, "a"))
		return true;
	str_cut(str_sub(href, (size_t)(at - href.p) + strlen(numbers), href.n), '/', &device,
	        &rest);
	return str_eq(device, p->device) ||
	       err_set(e, "is a number of " STR_FMT " in the part of the page for " STR_FMT,
	               STR_ARG(device), STR_ARG(p->device));
}

void audit_part_end(struct audit_part *p, const struct audit_html *h)
{
	if (h->depth == p->depth)
		p->device.n = 0;
}
