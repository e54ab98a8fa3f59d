#include "site-gen/site/site.h"
#include "site-gen/lua/words.h"
#include "site-gen/records/data.h"
#include "site-gen/records/context.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/maker.h"

#include <string.h>

struct expand_ctx site_context(struct maker *m, const char *device)
{
	struct site *s = m->site;
	struct words *words = ARENA_NEW(&m->scratch, struct words);
	*words = (struct words){s->config,
	                        s->config->languages[m->page ? m->page->language : 0].code};
	return (struct expand_ctx){
	        .data = s->data,
	        .device = device ? device : s->data->default_device,
	        .words = words,
	        .base = s->config->base,
	        .arena = &m->scratch,
	        .plots = s->plots,
	        .shortcodes = s->shortcodes,
	        .cache = s->options.cache,
	        .lint = s->lint,
	};
}

struct expand_ctx site_page_context(struct maker *m, const struct page *p)
{
	const struct page_front *f = &p->front;
	struct expand_ctx ctx = site_context(m, f->ndevices ? f->devices[0] : f->device);
	ctx.one_device = f->ndevices < 2;
	if (!ctx.one_device) {
		ctx.devices = f->devices;
		ctx.ndevices = f->ndevices;
	} else if (p->made.n > 1) {
		ctx.devices = p->made.all;
		ctx.ndevices = p->made.n;
	}
	return ctx;
}

const struct config_language *site_language(const struct site *s, const struct page *p)
{
	return &s->config->languages[p->language];
}

const char *site_lang(const struct site *s, const struct page *p)
{
	const struct config_language *l = site_language(s, p);
	return strcmp(p->text.lang, l->code) == 0 ? l->tag : p->text.lang;
}

struct page *site_version(const struct page *p, size_t language)
{
	return p->versions ? p->versions[language] : NULL;
}

const char *site_out_of(struct arena *a, const char *url)
{
	bool folder = str_ends(str_of(url), "/");
	return arena_printf(a, "%s%s", url + 1, folder ? "index.html" : "");
}

struct page *site_add(struct site *s, const struct page_kind *kind, const char *url,
                      const void *subject)
{
	s->pages.all =
	        arena_grow(s->arena, s->pages.all, s->pages.n, &s->pages.cap, sizeof *s->pages.all);
	struct page *p = ARENA_NEW(s->shared, struct page);
	p->kind = kind;
	p->url = url;
	p->out = url ? site_out_of(s->shared, url) : NULL;
	p->subject = subject;
	return s->pages.all[s->pages.n++] = p;
}
