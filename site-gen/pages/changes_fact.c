/*
 * Numbers that belong to no case, named for readers: those of the pages on the instrument, whose
 * keys kinds/trust.c makes, and counts.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/pages/changes.h"

/* KIND DEVICE FAMILY FIGURE: a cell of a table with a row for each family, "*" for all of them. */
static const struct {
	const char *kind, *figure, *table, *head; /* the last two are keys of lua/words.c */
} cells[] = {
        {"spread", "median", "change_spread", "spread_median"},
        {"spread", "p90", "change_spread", "spread_p90"},
        {"spread", "within", "change_spread", "spread_within"},
        {"spread", "outside", "change_spread", "spread_outside"},
        {"card", "median", "change_cards", "cards_median"},
        {"card", "p90", "change_cards", "cards_p90"},
        {"card", "alarms", "change_cards", "spread_outside"},
        {"card", "verdict", "change_cards", "selftest_verdict"},
        {"width", "median", "change_widths", "widths_median"},
        {"width", "p90", "change_widths", "widths_p90"},
        {"width", "reached", "change_widths", "widths_reached"},
        {"width", "quick", "change_widths", "widths_quick"},
};

/* "count" WHAT "on" DEVICE */
static const struct {
	const char *what, *word;
} counts[] = {
        {"families", "change_families"},
        {"cases", "change_cases"},
        {"samples", "change_samples"},
};

enum { MOST = 4 };

static void cell_name(const struct data *d, const struct words *w, const struct str *word,
                      struct arena *a, struct change_name *out)
{
	for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
		if (!str_is(word[0], cells[i].kind) || !str_is(word[3], cells[i].figure))
			continue;
		const char *device = data_device_name(d, str_dup(a, word[1]));
		const char *family =
		        str_is(word[2], "*") ? words_get(w, "spread_all") : str_dup(a, word[2]);
		out->name = arena_printf(a, "%s%s%s", words_get(w, cells[i].table),
		                         words_get(w, "colon"), words_get(w, cells[i].head));
		out->detail = arena_printf(a, "%s%s%s", family, words_get(w, "comma"), device);
	}
}

/* "null" RUN CASE, and "low" or "high" for an end of its interval */
static void null_name(const struct words *w, const struct str *word, size_t n, struct arena *a,
                      struct change_name *out)
{
	struct str variant, conditions;
	const char *end = n < MOST                 ? "change_null"
	                  : str_is(word[3], "low") ? "change_null_low"
	                                           : "change_null_high";
	if (!str_cut(word[2], ':', &variant, &conditions))
		return;
	out->name = words_fill(w, a, end, str_dup(a, variant), NULL);
	out->detail = arena_printf(a, "%s%s" STR_FMT, changes_spaced(conditions, a),
	                           words_get(w, "comma"), STR_ARG(word[1]));
}

static void count_name(const struct data *d, const struct words *w, const struct str *word,
                       struct arena *a, struct change_name *out)
{
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (str_is(word[1], counts[i].what)) {
			out->name = words_get(w, counts[i].word);
			out->detail = data_device_name(d, str_dup(a, word[3]));
		}
}

struct change_name changes_fact(const struct data *d, const struct words *w, const char *number,
                                struct arena *a)
{
	struct change_name out = {number, "", NULL};
	struct str word[MOST], rest = str_of(number);
	size_t n = 0;
	while (rest.n > 0 && n < MOST)
		str_cut(rest, ' ', &word[n++], &rest);
	if (rest.n == 0 && n >= MOST - 1 && str_is(word[0], "null"))
		null_name(w, word, n, a, &out);
	else if (rest.n == 0 && n == MOST && str_is(word[0], "count"))
		count_name(d, w, word, a, &out);
	else if (rest.n == 0 && n == MOST)
		cell_name(d, w, word, a, &out);
	return out;
}
