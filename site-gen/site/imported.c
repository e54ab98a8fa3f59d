#include "site-gen/site/imported.h"

#include "lib/arena.h"
#include "site-gen/base/front.h"
#include "site-gen/base/html.h"
#include "site-gen/base/problems.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/words.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/page.h"
#include "site-gen/site/site.h"

static bool shows_records(const struct page *p)
{
	return p->numbers.quotes || p->numbers.facts || p->numbers.uses;
}

static void keep(struct maker *m, struct page *p, const struct traced_found *f)
{
	struct page_source *s = &p->source;
	s->typed = arena_grow(m->shared, s->typed, s->ntyped, &s->typed_cap, sizeof *s->typed);
	s->typed[s->ntyped++] = (struct imported_number){str_dup(m->shared, f->text), f->at.line};
}

void imported_say(struct maker *m, struct page *p, const struct front *f,
                  const struct traced_found *found)
{
	bool mixed = f->imported && shows_records(p);
	for (; found; found = found->next)
		if (f->imported && !mixed && found->text.n)
			keep(m, p, found);
		else
			problems_rule(m->problems, RULE_TRACED, found->at, "%s%s", found->what,
			              mixed ? "; the post shows numbers from the repository, so "
			                      "'imported' does not excuse typed ones"
			                    : "");
}

/* The findings came newest first. */
static void put_in_order(struct page_source *s)
{
	for (size_t i = 1; i < s->ntyped; i++)
		for (size_t k = i; k > 0 && s->typed[k - 1].line > s->typed[k].line; k--) {
			struct imported_number n = s->typed[k];
			s->typed[k] = s->typed[k - 1];
			s->typed[k - 1] = n;
		}
}

/* <p class="imported">This post came … <a href="/waivers/#site-imported">…</a></p> */
static void add_note(struct maker *m, struct page *p)
{
	const struct config_language *l = site_language(m->site, p);
	const struct words words = {m->site->config, l->code};
	struct sb to = {0};
	sb_str(&to, p->text.body);
	html_raw(&to, "<p class=\"imported fine\">");
	html_text(&to, str_of(words_get(&words, "imported_note")));
	html_raw(&to, " <a href=\"");
	html_attr(&to, str_of(arena_printf(&m->scratch, "%s%s/waivers/#site-imported",
	                                   m->site->config->base, l->prefix)));
	html_raw(&to, "\">");
	html_text(&to, str_of(words_get(&words, "imported_list")));
	html_raw(&to, "</a></p>\n");
	p->text.body = str_keep(m->shared, sb_view(&to));
	sb_free(&to);
}

void imported_end(struct maker *m, struct page *p)
{
	struct page_source *s = &p->source;
	if (!s->ntyped)
		return;
	put_in_order(s);
	problems_warn(
	        m->problems, (struct loc){p->path, s->typed[0].line, 1},
	        "an imported post with typed numbers (%zu, the first is '%s'): it says so in its "
	        "foot, and /waivers/ lists them",
	        s->ntyped, s->typed[0].text);
	add_note(m, p);
}

static void put_numbers(struct script *s, const struct page_source *from)
{
	script_begin(s, "numbers", from->ntyped);
	for (size_t i = 0; i < from->ntyped; i++)
		script_cstr(s, NULL, from->typed[i].text);
	script_end(s);
}

void imported_list(struct maker *m, struct script *s)
{
	const struct site *site = m->site;
	script_begin(s, "imported", 0);
	for (size_t i = 0; i < site->pages.n; i++) {
		const struct page *p = site->pages.all[i];
		if (!p->loaded || !p->source.ntyped || p->language != m->page->language)
			continue;
		script_begin(s, NULL, 4);
		script_cstr(s, "title", p->text.title);
		script_cstr(s, "url",
		            arena_printf(&m->scratch, "%s%s", site->config->base, p->url));
		script_int(s, "count", (int64_t)p->source.ntyped);
		put_numbers(s, &p->source);
		script_end(s);
	}
	script_end(s);
}
