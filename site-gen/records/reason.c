#include "site-gen/records/reason.h"

#include "lib/array.h"
#include "site-gen/lint/typeset.h"

/* What fills a reason may itself be a word, such as the name of a metric. */
static const char *one_text(const struct words *words, const struct reason *r, struct arena *a)
{
	enum { MOST = ARRAY_LEN(r->with) };
	const char *with[MOST];
	for (size_t i = 0; i < MOST; i++)
		with[i] = r->with[i] ? words_label(words, r->with[i]) : NULL;
	return words_fill_all(words, a, r->word, with, MOST);
}

/* A page keeps "±3 %" on one line; in an error the space is one that can be searched for. */
static const char *as_set(const char *text, struct arena *a)
{
	struct sb set = {0};
	typeset(&set, str_of(text));
	return sb_take(a, &set);
}

const char *reason_text(const struct words *words, const struct reason *r, struct arena *a)
{
	const char *all = one_text(words, r, a);
	while ((r = r->next))
		all = arena_printf(a, "%s%s%s", all, words_get(words, "semicolon"),
		                   one_text(words, r, a));
	return words ? as_set(all, a) : all;
}

const char *reason_number(size_t n, struct arena *a)
{
	return arena_printf(a, "%zu", n);
}
