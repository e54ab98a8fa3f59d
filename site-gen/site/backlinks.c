#include "site-gen/site/backlinks.h"

/* The number that a quote is a quote of. */
static size_t number_at(const struct site *s, const struct quote *q)
{
	const struct data_number *n = data_number_at(&s->data, str_of(q->n.pick.d->url));
	return (size_t)(n - s->data.numbers);
}

void quoted_build(struct site *s)
{
	s->quoted = ARENA_ARRAY(s->arena, struct site_quoted, s->data.nnumbers + 1);
	for (size_t i = 0; i < s->npages; i++)
		for (const struct quote *q = s->pages[i]->quotes; q; q = q->next)
			s->quoted[number_at(s, q)].n++;
	for (size_t i = 0; i < s->data.nnumbers; i++) {
		s->quoted[i].by = ARENA_ARRAY(s->arena, struct quoted, s->quoted[i].n);
		s->quoted[i].n = 0;
	}
	for (size_t i = 0; i < s->npages; i++)
		for (const struct quote *q = s->pages[i]->quotes; q; q = q->next) {
			struct site_quoted *of = &s->quoted[number_at(s, q)];
			of->by[of->n++] = (struct quoted){q, s->pages[i]};
		}
}
