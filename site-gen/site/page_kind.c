#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct page_kind *page_kind(const struct site *s, const char *name)
{
	for (size_t i = 0; i < s->kinds.n; i++)
		if (strcmp(s->kinds.row[i].name, name) == 0)
			return &s->kinds.row[i];
	fprintf(stderr, "site-gen: no page kind '%s'\n", name);
	abort();
}

bool page_kind_is(const struct page *p, const char *kind)
{
	return strcmp(p->kind->name, kind) == 0;
}
