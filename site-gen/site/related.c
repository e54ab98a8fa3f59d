#include "site-gen/site/related.h"

#include <string.h>

/* A shared tag is worth WORTH_TAG / posts that have it, at least 1. */
enum { LOOKED_AT = 500 };
enum { WORTH_TAG = 24, WORTH_FAMILY = 6, WORTH_CATEGORY = 2 };

static int tags_worth(const struct page *a, const struct page *b)
{
	int worth = 0;
	bool one_list =
	        a->language == b->language; /* each language has its own tags (build/index.c) */
	for (size_t i = 0; i < a->ntags; i++)
		for (size_t k = 0; k < b->ntags; k++) {
			bool same = one_list ? a->tag[i] == b->tag[k]
			                     : strcmp(a->tags[i], b->tags[k]) == 0;
			if (!same)
				continue;
			size_t posts = a->tag[i]->nposts;
			worth += posts < WORTH_TAG ? WORTH_TAG / (int)posts : 1;
		}
	return worth;
}

static int families_worth(const struct page *a, const struct page *b)
{
	int worth = 0;
	for (size_t i = 0; i < a->nfamilies; i++)
		for (size_t k = 0; k < b->nfamilies; k++)
			if (strcmp(a->families[i], b->families[k]) == 0)
				worth += WORTH_FAMILY;
	return worth;
}

static int worth_of(const struct page *a, const struct page *b)
{
	bool category = a->category && b->category && strcmp(a->category, b->category) == 0;
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
	uint64_t bits = p->category ? bit_of(p->category) : 0;
	for (size_t i = 0; i < p->ntags; i++)
		bits |= bit_of(p->tags[i]);
	for (size_t i = 0; i < p->nfamilies; i++)
		bits |= bit_of(p->families[i]);
	return bits;
}

static bool leads_there(const struct page *p, const struct page *other)
{
	bool series = p->series && other->series && strcmp(p->series, other->series) == 0;
	return other == p || series || other == p->older || other == p->newer;
}

size_t related_posts(const struct site *s, const struct page *p,
                     const struct page *out[RELATED_MOST])
{
	const struct site_list *l = &s->lists[p->language];
	int worth[RELATED_MOST];
	size_t n = 0;
	for (size_t i = 0; i < l->nposts && i < LOOKED_AT; i++) {
		const struct page *other = l->posts[i];
		if (!(p->kin & other->kin))
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
