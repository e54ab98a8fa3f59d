/* Finds words and fills them in, and translates names, titles and states. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/lua/words.h"

const char *words_fill_all(const struct words *w, struct arena *a, const char *key,
                           const char *const *with, size_t n)
{
	struct sb b = {0};
	for (const char *p = words_get(w, key); *p;) {
		size_t plain = strcspn(p, "{");
		sb_put(&b, p, plain);
		p += plain;
		size_t i =
		        *p && p[1] >= '1' && p[1] <= '9' && p[2] == '}' ? (size_t)(p[1] - '1') : n;
		const char *fill = i < n ? with[i] : NULL;
		if (fill)
			sb_cstr(&b, fill);
		else if (*p)
			sb_char(&b, *p);
		p += fill ? 3 : *p != 0;
	}
	return sb_take(a, &b);
}

const char *words_fill(const struct words *w, struct arena *a, const char *key, const char *one,
                       const char *two)
{
	return words_fill_all(w, a, key, (const char *const[]){one, two}, 2);
}

const char *words_label(const struct words *w, const char *english)
{
	const char *text = w && w->config ? config_word(w->config, w->lang, str_of(english)) : NULL;
	return text ? text : english;
}

struct words_said words_said(const struct words *w, const char *recorded)
{
	const char *text = words_label(w, recorded);
	return (struct words_said){text, text == recorded ? words_record_lang(w) : ""};
}

const char *words_state(const struct words *w, const char *state)
{
	char key[64];
	snprintf(key, sizeof key, "state_%s", state);
	return words_get(w, key);
}

/* In English the sentences are those of records/data_state.c. */
const char *words_state_text(const struct words *w, const char *state, const char *english)
{
	char key[64];
	bool own = !w || !w->config || strncmp(w->lang, "en", 2) == 0;
	snprintf(key, sizeof key, "state_text_%s", state);
	const char *text = own ? NULL : config_word(w->config, w->lang, str_of(key));
	return text ? text : english;
}

const char *words_record_lang(const struct words *w)
{
	bool english = !w || !w->lang || strncmp(w->lang, "en", 2) == 0;
	return english ? "" : " lang=\"en\"";
}

const char *words_english(struct str key)
{
	size_t n;
	const struct words_row *rows = words_table(&n);
	for (size_t lo = 0, hi = n; lo < hi;) {
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
