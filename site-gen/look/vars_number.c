/* Template variables of a number's page. Its body is made here, when all pages are known. */
#include "site-gen/look/vars.h"

#include <string.h>

#include "site-gen/numbers/case.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/files/dataset.h"
#include "site-gen/pages/number_page.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/maker.h"
#include "site-gen/lua/script.h"
#include "site-gen/site/site.h"

static void put_url(struct maker *m, struct script *s, const char *key, const char *url)
{
	script_cstr(s, key, arena_printf(&m->scratch, "%s%s", m->site->config->base, url));
}

static void put_markup(struct maker *m, struct script *s, const char *key, struct sb *html)
{
	struct str text = str_keep(&m->scratch, sb_view(html));
	script_markup(s, key, text);
	sb_free(html);
}

static const char *family_url(const struct site *s, const char *id)
{
	for (size_t i = 0; i < s->data->families.n; i++)
		if (strcmp(s->data->families.all[i].id, id) == 0)
			return s->data->families.all[i].url;
	return NULL;
}

/* The page of its family; for a ceiling, the page of its device. */
static const char *about_url(struct maker *m, const struct number_view *v)
{
	const char *family = v->p.d->c->family, *url = family_url(m->site, family);
	if (url)
		return url;
	if (!data_is_apart(family))
		return "/kernels/";
	bool there = v->n->newest < v->n->nruns && str_starts(str_of(family), "ceiling-");
	return arena_printf(&m->scratch, "/devices/%s/%s%s", v->n->device, there ? "#" : "",
	                    there ? family : "");
}

static void put_number(struct maker *m, struct script *s, const struct number_view *v)
{
	const struct run_case *c = v->p.d->c;
	const struct config *config = m->site->config;
	const struct words w = {config, config->languages[0].code};
	script_begin(s, "number", 11);
	script_cstr(s, "id", v->n->id);
	script_cstr(s, "variant", words_said(&w, c->variant_title).text);
	script_cstr(s, "idea", words_said(&w, c->idea).text);
	script_cstr(s, "family", words_said(&w, c->family_title).text);
	put_url(m, s, "family_url", about_url(m, v));
	script_cstr(s, "conditions", case_words(NULL, c, v->a));
	script_cstr(s, "hardware", number_view_hardware(&v->p.run->run));
	script_cstr(s, "date", case_date(&v->p.run->run, v->a));
	script_cstr(s, "why", v->p.d->why_state);
	put_url(m, s, "run_url", v->p.run->url);
	script_cstr(s, "run_id", v->p.run->run.head.id);
	script_end(s);
}

void vars_number(struct maker *m, struct script *s, const struct page *p)
{
	const struct data_number *n = p->subject;
	const struct site *site = m->site;
	struct expand_ctx ctx = site_context(m, n->device);
	struct sb html = {0}, json = {0};
	struct err e = ERR_NONE;
	ctx.arena = &m->scratch;
	struct number_view v =
	        number_view(site, n, &site->backlinks[n - site->data->numbers], &m->scratch);
	struct str part[NUMBER_PAGE_PARTS] = {p->fragments[0], p->fragments[1]};
	if (!part[0].p && !number_page_recorded(&ctx, &v, part, &e))
		problems_add(m->problems, &e);
	number_page_body(&ctx, &v, part, &html);
	dataset_of_number(&v, &json);
	put_number(m, s, &v);
	put_markup(m, s, "body", &html);
	put_markup(m, s, "jsonld", &json);
}
