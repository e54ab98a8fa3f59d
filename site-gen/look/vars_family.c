/* Template variables of kernel families. */
#include <string.h>

#include "site-gen/look/vars.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/headline.h"
#include "site-gen/pages/body.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/site.h"

const struct page *vars_family_page(struct maker *m, const struct data_family *f)
{
	const struct page *p = outputs_find(m->site, str_of(f->url));
	const struct page *here = p ? site_version(p, (size_t)m->page->language) : NULL;
	return here ? here : p;
}

/* "goals": {text, result, verdict}, in the order of its text. */
static void put_goals(struct script *s, const struct page *p)
{
	script_begin(s, "goals", 0);
	for (const struct page_goal *g = p ? p->numbers.goals : NULL; g; g = g->next) {
		script_begin(s, NULL, 3);
		script_cstr(s, "text", g->text);
		script_markup(s, "result", g->result);
		script_cstr(s, "verdict", g->verdict);
		script_end(s);
	}
	script_end(s);
}

/* Counts the family's cases on its device over all runs. */
static void count_cases(const struct data *d, const struct data_family *f, int64_t *cases,
                        int64_t *variants)
{
	const char *device = f->newest->run.head.device, *before = "";
	*cases = *variants = 0;
	for (size_t i = 0; i < d->nnumbers; i++) { /* sorted by address, so variants are adjacent */
		const struct run_case *c = d->numbers[i].in[0]->c;
		if (strcmp(c->family, f->id) != 0 || strcmp(d->numbers[i].device, device) != 0)
			continue;
		++*cases;
		*variants += strcmp(before, c->variant) != 0;
		before = c->variant;
	}
}

/* "H200, H100": the devices that its page shows. */
static const char *family_devices(struct maker *m, const struct data_family *f)
{
	const struct data *d = m->site->data;
	const char *device[EXPAND_DEVICES], *names = "";
	size_t n = body_family_devices(d, f, headline_find(m->site->headlines, f->id), device);
	for (size_t i = 0; i < n; i++)
		names = arena_printf(&m->scratch, "%s%s%s", names, i ? ", " : "",
		                     data_device_name(d, device[i]));
	return names;
}

/* The name of its headline case, "" if it has none, and the keys that filter the scoreboard. */
static void put_headline(struct maker *m, struct script *s, const struct data_family *f)
{
	const struct words words = {m->site->config, site_language(m->site, m->page)->code};
	const struct headline *h = headline_find(m->site->headlines, f->id);
	script_cstr(s, "case", h ? headline_words(h, &words)->name : "");
	script_cstr(s, "task", h && h->task ? h->task : "");
}

static void put_family(struct maker *m, struct script *s, const char *key,
                       const struct data_family *f)
{
	const struct run *r = &f->newest->run;
	const struct page *p = vars_family_page(m, f);
	int64_t cases, variants;
	count_cases(m->site->data, f, &cases, &variants);
	script_begin(s, key, 13);
	script_cstr(s, "id", f->id);
	script_cstr(s, "title", p ? p->text.title : f->title);
	script_cstr(s, "lang", p && p->path ? site_lang(m->site, p) : "en");
	script_cstr(s, "problem", p ? p->text.description : f->problem);
	vars_url(m, s, "url", p ? p->url : f->url);
	script_int(s, "variants", variants);
	script_int(s, "cases", cases);
	script_cstr(s, "device", r->head.device);
	script_cstr(s, "device_names", family_devices(m, f));
	put_headline(m, s, f);
	put_goals(s, p);
	script_end(s);
}

void vars_family_list(struct maker *m, struct script *s)
{
	script_begin(s, "families", 0);
	for (size_t i = 0; i < m->site->data->families.n; i++)
		put_family(m, s, NULL, &m->site->data->families.all[i]);
	script_end(s);
}

void vars_families(struct maker *m, struct script *s, const struct page *p)
{
	(void)p;
	vars_family_list(m, s);
}

void vars_family(struct maker *m, struct script *s, const struct page *p)
{
	put_family(m, s, "family", p->subject);
	script_markup(s, "lead", p->fragments[0]);
}
