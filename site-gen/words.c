/*
 * To add a word: a row here, in the order of the keys; its other languages in
 * templates/words.lua (a test asks for each). {1} and {2} stand for what the
 * place that uses it fills in.
 */
#include "site-gen/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBSP "\xC2\xA0"

static const struct words_row rows[] = {
        {"attained", "attained bandwidth"},
        {"bytes_moved", "Bytes moved, B"},
        {"callout_caution", "Caution"},
        {"callout_important", "Important"},
        {"callout_note", "Note"},
        {"callout_tip", "Tip"},
        {"callout_warning", "Warning"},
        {"date_long", "{d} {month} {y}"},
        {"date_short", "{d} {mon} {y}"},
        {"derived", "Derived, not measured:"},
        {"exact_values", "Exact values"},
        {"fact_run", "Run"},
        {"footnote", "Footnote {1}"},
        {"footnote_back", "Back to reference {1}"},
        {"footnotes", "Footnotes"},
        {"head_between", "Between launches"},
        {"head_case", "Case"},
        {"head_interval", "95" NBSP "% interval"},
        {"head_launches", "Launches"},
        {"head_launches_samples", "Launches × samples"},
        {"head_samples", "Samples, 5–95" NBSP "%"},
        {"head_time_interval", "Time, 95" NBSP "%"},
        {"head_typical", "Typical time"},
        {"head_variant", "Variant"},
        {"ladder_bar", "Bar"},
        {"ladder_gain", "Gain"},
        {"ladder_of_measured", "Of measured"},
        {"ladder_of_spec", "Of theoretical"},
        {"ladder_other_run", "the step before was measured in another run"},
        {"ladder_roof", "{1}, the fastest of this run with such a mix of reads and writes"},
        {"ladder_step", "Step"},
        {"link_to_section", "Link to this section: {1}"},
        {"listing_against", "Against {1}:"},
        {"listing_changed",
         "This file has changed since it was measured; here is what was measured."},
        {"listing_commit", "at {1}"},
        {"listing_measured", "As measured:"},
        {"listing_source", "Source"},
        {"metric_of", "{1} of {2}"},
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
        {"none_measured", "not measured"},
        {"none_metric", "has no such metric"},
        {"number_interval", "95" NBSP "% interval {1}"},
        {"number_launches", "{1} launches"},
        {"older_block", "The original has changed here"},
        {"plot_exact", "The table of exact values follows."},
        {"plot_over", "{1} over {2}"},
        {"posts_about", "Posts about {1}"},
        {"range", "{1} to {2}"},
        {"ratio_of", ", ratio of {1}"},
        {"ratio_open", ", no difference shown"},
        {"ratio_paired", "{1} over {2}, paired by launch"},
        {"ratio_two_runs", "{1} over {2}, from two runs"},
        {"roof_measured", "measured {1}"},
        {"roof_ridge", "ridge {1}"},
        {"roof_theoretical", "theoretical {1}"},
        {"roofline", "roofline"},
        {"run_of", "run of {1}"},
        {"samples_caption", "median time of each launch"},
        {"share_measured", "{1}, share of the measured {2}"},
        {"share_spec", "{1}, share of the theoretical {2}"},
        {"spec_of", "{1} of the {2}"},
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

const char *words_label(const struct words *w, const char *english)
{
	const char *text = w && w->config ? config_word(w->config, w->lang, str_of(english)) : NULL;
	return text ? text : english;
}

/* The word of a state in this language; NULL in English, which data.c has. */
static const char *state_word(const struct words *w, const char *prefix, const char *state)
{
	char key[64];
	bool english = !w || !w->config || strncmp(w->lang, "en", 2) == 0;
	snprintf(key, sizeof key, "%s%s", prefix, state);
	return english ? NULL : config_word(w->config, w->lang, str_of(key));
}

const char *words_state(const struct words *w, const char *state)
{
	const char *text = state_word(w, "state_", state);
	return text ? text : state;
}

const char *words_state_text(const struct words *w, const char *state, const char *english)
{
	const char *text = state_word(w, "state_text_", state);
	return text ? text : english;
}

const char *words_record_lang(const struct words *w)
{
	bool english = !w || !w->lang || strncmp(w->lang, "en", 2) == 0;
	return english ? "" : " lang=\"en\"";
}
