/* Template variables of languages: dates, a page's versions, the age of a translation. */
#include <stdio.h>
#include <string.h>

#include "site-gen/base/moment.h"
#include "site-gen/site/translation.h"
#include "site-gen/look/vars.h"
#include "site-gen/lua/words.h"
#include "site-gen/lua/script.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"

/* Appends the digits without leading zeroes. */
static void put_number(struct sb *to, struct str digits)
{
	size_t zeroes = 0;
	while (zeroes + 1 < digits.n && digits.p[zeroes] == '0')
		zeroes++;
	sb_str(to, str_sub(digits, zeroes, digits.n));
}

/* Appends the form with {y}, {m}, {d}, {month} and {mon} replaced by parts of YYYY-MM-DD. */
static void put_date(const struct words *w, const char *form, struct str day, struct sb *to)
{
	char key[] = "month_00";
	memcpy(key + strlen("month_"), day.p + 5, 2);
	const char *name = words_get(w, key);
	for (struct str s = str_of(form); s.n;) {
		size_t end = s.p[0] == '{' ? str_find(s, '}', 0) + 1 : str_find(s, '{', 0);
		struct str part = str_sub(s, 0, end);
		if (str_is(part, "{y}"))
			put_number(to, str_sub(day, 0, 4));
		else if (str_is(part, "{m}"))
			put_number(to, str_sub(day, 5, 7));
		else if (str_is(part, "{d}"))
			put_number(to, str_sub(day, 8, 10));
		else if (str_is(part, "{month}"))
			sb_cstr(to, name);
		else if (str_is(part, "{mon}"))
			sb_printf(to, "%.3s", name);
		else
			sb_str(to, part);
		s = str_sub(s, part.n, s.n);
	}
}

/* Appends the day in words, and the time behind it: "21 November 2026, 14:05 UTC". */
static void put_whole(const struct words *w, struct str moment, struct arena *a, struct sb *to)
{
	struct sb day = {0};
	put_date(w, words_get(w, "date_long"), moment, &day);
	if (moment.n == MOMENT_TIME)
		sb_cstr(to, words_fill(w, a, "date_time", day.p,
		                       arena_strndup(a, moment.p + MOMENT_DAY + 1, 5)));
	else
		sb_str(to, sb_view(&day));
	sb_free(&day);
}

bool vars_date(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	struct maker *m = ctx;
	const struct words words = {m->site->config, m->page->text.lang};
	struct str s = arg[0], style = arg[1];
	if (moment_check(str_dup(&m->scratch, s)) || (s.n != MOMENT_DAY && s.n != MOMENT_TIME))
		return err_set(
		        e, "date('" STR_FMT "'): expected YYYY-MM-DD, with or without THH:MM:SSZ",
		        STR_ARG(s));
	if (str_is(style, "long") || str_is(style, "short"))
		put_date(&words,
		         words_get(&words, str_is(style, "long") ? "date_long" : "date_short"), s,
		         to);
	else if (str_is(style, "whole"))
		put_whole(&words, s, &m->scratch, to);
	else if (str_is(style, "iso"))
		sb_str(to, s);
	else if (str_is(style, "year"))
		put_number(to, str_sub(s, 0, 4));
	else
		return err_set(e,
		               "date: unknown style '" STR_FMT
		               "', expected long, short, whole, iso or year",
		               STR_ARG(style));
	return true;
}

bool vars_is_older(const struct translation *t)
{
	return t && (t->unknown || t->head_older || t->nolder || t->nadded);
}

/* Sets the site's languages, each with this page's address; empty if there is only one. */
static void put_languages(struct maker *m, struct script *s, const struct page *p)
{
	const struct config *c = m->site->config;
	script_begin(s, "languages", 0);
	for (size_t i = 0; c->nlanguages > 1 && i < c->nlanguages; i++) {
		const struct config_language *l = &c->languages[i];
		const struct page *v = (size_t)p->language == i ? p : site_version(p, i);
		const char *url = v ? v->url : arena_printf(&m->scratch, "%s/", l->prefix);
		script_begin(s, NULL, 6);
		script_cstr(s, "code", l->tag);
		script_cstr(s, "name", l->name);
		vars_url(m, s, "url", url);
		script_cstr(s, "canonical", arena_printf(&m->scratch, "%s%s", c->base_url, url));
		script_flag(s, "current", v == p);
		script_flag(s, "exists", v != NULL);
		script_end(s);
	}
	script_end(s);
}

static void put_translation_blocks(struct maker *m, struct script *s, const char *key,
                                   const struct translation_block *b, const char *original)
{
	script_begin(s, key, 0);
	for (; b; b = b->next) {
		const char *fragment =
		        b->original ? arena_printf(&m->scratch, "#%s", b->original) : "";
		script_begin(s, NULL, 2);
		script_cstr(s, "id", b->anchor);
		vars_url(m, s, "original", arena_printf(&m->scratch, "%s%s", original, fragment));
		script_end(s);
	}
	script_end(s);
}

/* Sets false, or a translation's relation to its original. */
static void put_translation(struct maker *m, struct script *s, const struct page *p)
{
	const struct translation *t = p->source.translation;
	if (!t) {
		script_flag(s, "translation", false);
		return;
	}
	script_begin(s, "translation", 8);
	vars_url(m, s, "url", t->original->url);
	script_cstr(s, "lang", site_lang(m->site, t->original));
	script_cstr(s, "language", site_language(m->site, t->original)->name);
	script_flag(s, "is_older", vars_is_older(t));
	script_flag(s, "unknown", t->unknown);
	script_flag(s, "head_older", t->head_older);
	put_translation_blocks(m, s, "older", t->older, t->original->url);
	put_translation_blocks(m, s, "added", t->added, t->original->url);
	script_end(s);
}

void vars_languages(struct maker *m, struct script *s, const struct page *p)
{
	put_languages(m, s, p);
	put_translation(m, s, p);
}
