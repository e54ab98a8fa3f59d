#include "site-gen/site/backlinks.h"
#include "site-gen/site/site.h"

/* The index of the number that a quote shows. */
static size_t number_at(const struct site *s, const struct quote *q)
{
	const struct data_number *n = data_number_of(s->data, q->n.pick.d);
	return (size_t)(n - s->data->numbers);
}

void backlinks_build(struct site *s)
{
	s->backlinks = ARENA_ARRAY(s->arena, struct backlinks, s->data->nnumbers + 1);
	for (size_t i = 0; i < s->pages.n; i++)
		for (const struct quote *q = s->pages.all[i]->numbers.quotes; q; q = q->next)
			s->backlinks[number_at(s, q)].n++;
	for (size_t i = 0; i < s->data->nnumbers; i++) {
		s->backlinks[i].by = ARENA_ARRAY(s->arena, struct backlink, s->backlinks[i].n);
		s->backlinks[i].n = 0;
	}
	for (size_t i = 0; i < s->pages.n; i++)
		for (const struct quote *q = s->pages.all[i]->numbers.quotes; q; q = q->next) {
			struct backlinks *of = &s->backlinks[number_at(s, q)];
			of->by[of->n++] = (struct backlink){q, s->pages.all[i]};
		}
}
