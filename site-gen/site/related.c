#include "site-gen/site/related.h"
#include "site-gen/site/site.h"

#include <string.h>
#include <stdbool.h>

/* A shared tag is worth WORTH_TAG / (number of posts with it), but at least 1. */
enum { LOOKED_AT = 500 };
enum { WORTH_TAG = 24, WORTH_FAMILY = 6, WORTH_CATEGORY = 2 };

static int tags_worth(const struct page *a, const struct page *b)
{
	int worth = 0;
	bool one_list =
	        a->language == b->language; /* each language has its own tags (build/index.c) */
	for (size_t i = 0; i < a->front.ntags; i++)
		for (size_t k = 0; k < b->front.ntags; k++) {
			bool same = one_list ? a->place.tags[i] == b->place.tags[k]
			                     : strcmp(a->front.tags[i], b->front.tags[k]) == 0;
			if (!same)
				continue;
			size_t posts = a->place.tags[i]->posts.n;
			worth += posts < WORTH_TAG ? WORTH_TAG / (int)posts : 1;
		}
	return worth;
}

static int families_worth(const struct page *a, const struct page *b)
{
	int worth = 0;
	for (size_t i = 0; i < a->numbers.nfamilies; i++)
		for (size_t k = 0; k < b->numbers.nfamilies; k++)
			if (strcmp(a->numbers.families[i], b->numbers.families[k]) == 0)
				worth += WORTH_FAMILY;
	return worth;
}

static int worth_of(const struct page *a, const struct page *b)
{
	bool category = a->front.category && b->front.category &&
	                strcmp(a->front.category, b->front.category) == 0;
	return tags_worth(a, b) + families_worth(a, b) + (category ? WORTH_CATEGORY : 0);
}

static uint64_t bit_of(const char *name)
{
	uint64_t h = 14695981039346656037u;
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 1099511628211u;
	return (uint64_t)1 << (h >> 58);
}

uint64_t related_kin(const struct page *p)
{
	uint64_t bits = p->front.category ? bit_of(p->front.category) : 0;
	for (size_t i = 0; i < p->front.ntags; i++)
		bits |= bit_of(p->front.tags[i]);
	for (size_t i = 0; i < p->numbers.nfamilies; i++)
		bits |= bit_of(p->numbers.families[i]);
	return bits;
}

static bool leads_there(const struct page *p, const struct page *other)
{
	bool series = p->front.series && other->front.series &&
	              strcmp(p->front.series, other->front.series) == 0;
	return other == p || series || other == p->place.older || other == p->place.newer;
}

size_t related_posts(const struct site *s, const struct page *p,
                     const struct page *out[RELATED_MOST])
{
	const struct site_list *l = &s->index.lists[p->language];
	int worth[RELATED_MOST];
	size_t n = 0;
	for (size_t i = 0; i < l->posts.n && i < LOOKED_AT; i++) {
		const struct page *other = l->posts.all[i];
		if (!(p->place.topics & other->place.topics))
			continue;
		int w = worth_of(p, other);
		size_t at = n;
		while (at > 0 && w > worth[at - 1])
			at--;
		if (w == 0 || at == RELATED_MOST || leads_there(p, other))
			continue;
		n += n < RELATED_MOST;
		for (size_t k = n - 1; k > at; k--) {
			out[k] = out[k - 1];
			worth[k] = worth[k - 1];
		}
		out[at] = other;
		worth[at] = w;
	}
	return n;
}
