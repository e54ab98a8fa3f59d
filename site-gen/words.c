/*
 * To add a word: a row here, in the order of the keys; its other languages in
 * templates/words.lua (a test asks for each). {1} and {2} stand for what the
 * place that uses it fills in.
 */
#include "site-gen/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct words_row rows[] = {
        {"callout_caution", "Caution"},
        {"callout_important", "Important"},
        {"callout_note", "Note"},
        {"callout_tip", "Tip"},
        {"callout_warning", "Warning"},
        {"date_long", "{d} {month} {y}"},
        {"date_short", "{d} {mon} {y}"},
        {"footnote", "Footnote {1}"},
        {"footnote_back", "Back to reference {1}"},
        {"footnotes", "Footnotes"},
        {"link_to_section", "Link to this section: {1}"},
        {"month_01", "January"},
        {"month_02", "February"},
        {"month_03", "March"},
        {"month_04", "April"},
        {"month_05", "May"},
        {"month_06", "June"},
        {"month_07", "July"},
        {"month_08", "August"},
        {"month_09", "September"},
        {"month_10", "October"},
        {"month_11", "November"},
        {"month_12", "December"},
        {"older_block", "The original has changed here"},
        {"posts_about", "Posts about {1}"},
        {"table", "Table"},
        {"table_of", "Table: {1}"},
};
enum { NROWS = sizeof rows / sizeof *rows };

const struct words_row *words_table(size_t *n)
{
	*n = NROWS;
	return rows;
}

const char *words_english(struct str key)
{
	for (size_t lo = 0, hi = NROWS; lo < hi;) {
		size_t mid = (lo + hi) / 2;
		int d = str_cmp(str_of(rows[mid].key), key);
		if (d == 0)
			return rows[mid].english;
		if (d < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const char *words_get(const struct words *w, const char *key)
{
	const char *text = NULL;
	if (w && w->config) {
		text = config_word(w->config, w->lang, str_of(key));
		text = text ? text : config_word(w->config, w->config->language, str_of(key));
	}
	text = text ? text : words_english(str_of(key));
	if (text)
		return text;
	fprintf(stderr, "site-gen: no word '%s' in words.c\n", key);
	abort();
}

const char *words_fill(const struct words *w, struct arena *a, const char *key, const char *one,
                       const char *two)
{
	struct sb b = {0};
	for (const char *p = words_get(w, key); *p; p++) {
		const char *fill = str_starts(str_of(p), "{1}")   ? one
		                   : str_starts(str_of(p), "{2}") ? two
		                                                  : NULL;
		if (fill)
			sb_cstr(&b, fill);
		else
			sb_char(&b, *p);
		p += fill ? 2 : 0;
	}
	const char *text = arena_strndup(a, b.p ? b.p : "", b.n);
	sb_free(&b);
	return text;
}

const char *words_record_lang(const struct words *w)
{
	bool english = !w || !w->lang || strncmp(w->lang, "en", 2) == 0;
	return english ? "" : " lang=\"en\"";
}
