#include "site-gen/records/reason.h"

#include "lib/array.h"

/* What fills a reason may itself be a word, such as the name of a metric. */
static const char *one_text(const struct words *words, const struct reason *r, struct arena *a)
{
	enum { MOST = ARRAY_LEN(r->with) };
	const char *with[MOST];
	for (size_t i = 0; i < MOST; i++)
		with[i] = r->with[i] ? words_label(words, r->with[i]) : NULL;
	return words_fill_all(words, a, r->word, with, MOST);
}

const char *reason_text(const struct words *words, const struct reason *r, struct arena *a)
{
	const char *all = one_text(words, r, a);
	while ((r = r->next))
		all = arena_printf(a, "%s%s%s", all, words_get(words, "semicolon"),
		                   one_text(words, r, a));
	return all;
}

const char *reason_number(size_t n, struct arena *a)
{
	return arena_printf(a, "%zu", n);
}
