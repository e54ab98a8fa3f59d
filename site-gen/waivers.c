#include "site-gen/waivers.h"

#include "site-gen/data.h"
#include "site-gen/traced.h"

static void put_url(struct maker *m, struct script *s, const char *key, const char *url)
{
	script_cstr(s, key, arena_printf(&m->scratch, "%s%s", m->site->config.base, url));
}

/* The line in the repository, "" if nobody knows where that is. */
static const char *source_url(struct maker *m, struct loc at)
{
	const struct site *site = m->site;
	if (!*site->config.repository || !*site->head)
		return "";
	return arena_printf(&m->scratch, "%s/blob/%s/%s#L%d", site->config.repository, site->head,
	                    at.path, at.line);
}

static void put_waiver(struct maker *m, struct script *s, const struct page *p,
                       const struct waiver *w)
{
	script_begin(s, NULL, 8);
	script_cstr(s, "rule", rule_info(w->rule)->id);
	script_cstr(s, "what", w->in);
	script_cstr(s, "text", w->text ? w->text : "");
	script_cstr(s, "why", w->why);
	script_cstr(s, "title", p->title);
	put_url(m, s, "url", p->url);
	script_cstr(s, "place", arena_printf(&m->scratch, "%s:%d", w->at.path, w->at.line));
	script_cstr(s, "source_url", source_url(m, w->at));
	script_end(s);
}

static void put_record(struct maker *m, struct script *s, const struct traced_record *r)
{
	script_begin(s, NULL, 6);
	script_cstr(s, "what", r->what);
	script_cstr(s, "name", r->name);
	script_cstr(s, "text", r->text);
	script_cstr(s, "found", r->found);
	script_cstr(s, "run_id", r->run->run.head.id);
	put_url(m, s, "run_url", r->run->url);
	script_end(s);
}

void waivers_list(struct maker *m, struct script *s, const struct page *p)
{
	const struct site *site = m->site;
	size_t n;
	(void)p;
	script_begin(s, "waivers", 0);
	for (size_t i = 0; i < site->npages; i++)
		for (const struct waiver *w = site->pages[i]->waivers; w; w = w->next)
			put_waiver(m, s, site->pages[i], w);
	script_end(s);
	const struct traced_record *r = traced_records(site, &m->scratch, &n);
	script_begin(s, "recorded", 0);
	for (size_t i = 0; i < n; i++)
		put_record(m, s, &r[i]);
	script_end(s);
}
