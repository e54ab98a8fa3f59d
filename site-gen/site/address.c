#include "site-gen/site/address.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/site/handbook.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/shared_figure.h"
#include "site-gen/site/site.h"
#include "lib/arena.h"
#include "site-gen/records/data.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/template.h"

const char *address_absolute(const struct site *s, const char *url, struct arena *a)
{
	return arena_printf(a, "%s%s", s->config->base_url, url);
}

const char *address_number(const struct data_number *n, struct arena *a)
{
	return arena_printf(a, "%snumber.json", n->url);
}

const char *address_record(const struct data_run *r, struct arena *a)
{
	return arena_printf(a, "%s%s", r->url, strrchr(r->path, '/') + 1);
}

/* Pages with a body of their own. Lists only repeat the titles of posts. */
bool address_has_numbers(const struct page *p)
{
	return (p->numbers.quotes || p->numbers.facts) && p->path;
}

bool address_has_markdown(const struct site *s, const struct page *p)
{
	return s->config->markdown && p->path && p->loaded && (p->kind->flags & PAGE_SEARCHED) &&
	       (p->kind->flags & PAGE_WRITTEN);
}

const char *address_markdown(const struct site *s, const struct page *p, struct arena *a)
{
	return address_has_markdown(s, p) ? arena_printf(a, "%sindex.md", p->url) : "";
}

bool address_has_cards(const struct site *s)
{
	for (size_t i = 0; s->config->cards && i < s->repo.ntemplates; i++)
		if (strcmp(s->repo.templates[i].name, ADDRESS_CARD_TEMPLATE) == 0)
			return true;
	return false;
}

bool address_has_card(const struct page *p)
{
	static const char *const kinds[] = {"post",    "home",     "family",
	                                    "section", "families", "handbook"};
	const struct shared_figure *f = shared_figure(p);
	if (f)
		return f->unmarked;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (page_kind_is(p, kinds[i]))
			return !p->section || strcmp(p->section->status, "planned") != 0;
	return false;
}

const char *address_card(const struct site *s, const struct page *p, struct arena *a)
{
	if (!address_has_cards(s))
		return "";
	if (address_has_card(p))
		return arena_printf(a, "%scard.png", p->url);
	const struct shared_figure *f = shared_figure(p);
	return f ? address_card(s, f->post, a)
	         : arena_printf(a, "%s/card.png", site_language(s, p)->prefix);
}
