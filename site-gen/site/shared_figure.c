#include "site-gen/site/shared_figure.h"

#include "site-gen/site/page.h"
#include "site-gen/site/page_kind.h"

const struct shared_figure *shared_figure(const struct page *p)
{
	return page_kind_is(p, "figure") ? p->subject : NULL;
}
