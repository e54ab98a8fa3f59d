#include "site-gen/site/source.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "lib/file.h"
#include "site-gen/base/front.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"
#include "site-gen/base/inputs.h"
#include "site-gen/base/moment.h"
#include "site-gen/base/rules.h"
#include "site-gen/base/warn.h"
#include "site-gen/git/git.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/aliases.h"
#include "site-gen/site/content.h"
#include "site-gen/site/handbook.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"
#include "site-gen/site/traced.h"
#include "site-gen/site/translation.h"
#include "site-gen/site/unmarked.h"

enum { MAX_SOURCE_BYTES = 256 << 10 }; /* beyond this cmark-gfm may take minutes */

static const char *keep(struct maker *m, const char *s)
{
	return s ? arena_strdup(m->shared, s) : NULL;
}

static struct str keep_str(struct maker *m, struct str s)
{
	return str_keep(m->shared, s);
}

/* Expands the numbers of a front matter text, to plain text and markup; `what` names the text. */
static bool expand_front(struct maker *m, struct expand_ctx *ctx, const struct front_text *t,
                         const char *what, const char **plain, struct str *html, struct err *e)
{
	struct sb text = {0}, markup = {0};
	const struct quote *quotes = ctx->quotes;
	const struct fact *facts = ctx->facts;
	bool ok = expand_all(ctx, t->s, t->at, false, &text, e) &&
	          expand_all(ctx, t->s, t->at, true, &markup, e);
	if (ok) {
		unmarked_check(ctx, quotes, facts, what, m->problems);
		*plain = str_dup(m->shared, sb_view(&text));
		*html = keep_str(m, sb_view(&markup));
	}
	sb_free(&text);
	sb_free(&markup);
	return ok;
}

/* A missing description becomes the first paragraph, cut at a word near 200 bytes. */
static void describe(struct maker *m, struct page *p, const struct expand_ctx *ctx,
                     const struct md_doc *doc)
{
	struct str s = str_of(doc->first_paragraph ? doc->first_paragraph : "");
	struct expand_ctx first = *ctx;
	first.quotes = doc->first_quotes;
	first.facts = doc->first_facts;
	unmarked_check(&first, doc->before_quotes, doc->before_facts,
	               "the first paragraph, which is the description,", m->problems);
	size_t cut = 200;
	bool whole = s.n <= cut;
	if (!whole) {
		while (cut > 140 && s.p[cut] != ' ')
			cut--;
		while (((unsigned char)s.p[cut] & 0xc0) == 0x80) /* no space: cut at a character */
			cut--;
		s.n = cut;
	}
	p->text.description = arena_printf(m->shared, STR_FMT "%s", STR_ARG(s), whole ? "" : "…");
	struct sb html = {0};
	html_text(&html, str_of(p->text.description));
	p->text.description_html = keep_str(m, sb_view(&html));
	sb_free(&html);
}

/* The measured device that the front matter names; NULL, with the error: there is none. */
static const char *device_named(struct maker *m, const char *name, struct loc at, struct err *e)
{
	const struct data *d = m->site->data;
	const char *slug = data_device_find(d, str_of(name));
	struct sb all = {0};
	for (size_t i = 0; i < d->ndevices; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", d->devices[i]);
	if (!slug)
		err_at(e, at, "device '%s' has no run, expected one of %s", name,
		       all.n ? all.p : "none: nothing is measured yet");
	sb_free(&all);
	return slug;
}

/* A text for a page that is generated for several devices may be over the same. */
static bool has_made_devices(const struct page *p, const struct front *f, const char **slug,
                             struct err *e)
{
	struct sb all = {0};
	bool same = f->ndevices < 2 || f->ndevices == p->made.n;
	for (size_t i = 0; i < p->made.n; i++) {
		same = same && (f->ndevices < 2 || strcmp(slug[i], p->made.all[i]) == 0);
		sb_printf(&all, "%s%s", i ? ", " : "", p->made.all[i]);
	}
	if (!same)
		err_at(e, f->devices_at,
		       "devices are not those of the page that has this text, expected [%s]",
		       all.p);
	sb_free(&all);
	return same;
}

/* Keeps the devices of the numbers. */
static bool keep_devices(struct maker *m, struct page *p, const struct front *f, struct err *e)
{
	const char **slug = ARENA_ARRAY(m->shared, const char *, f->ndevices + 1);
	const char *named = f->device ? data_device_find(m->site->data, str_of(f->device)) : NULL;
	p->front.device = keep(m, named ? named : f->device);
	if (f->ndevices > EXPAND_DEVICES)
		return err_at(e, f->devices_at, "more than %d devices", EXPAND_DEVICES);
	for (size_t i = 0; i < f->ndevices; i++) {
		if (!(slug[i] = device_named(m, f->devices[i], f->devices_at, e)))
			return false;
		for (size_t k = 0; k < i; k++)
			if (strcmp(slug[k], slug[i]) == 0)
				return err_at(e, f->devices_at, "devices has %s twice: '%s', '%s'",
				              slug[i], f->devices[k], f->devices[i]);
	}
	p->front.devices = slug;
	p->front.ndevices = f->ndevices;
	return p->made.n == 0 || has_made_devices(p, f, slug, e);
}

static void keep_front(struct maker *m, struct page *p, const struct front *f)
{
	p->front.date = keep(m, f->date);
	p->front.updated = keep(m, f->updated);
	p->front.category = keep(m, f->category);
	p->front.author = keep(m, f->author);
	p->front.difficulty = keep(m, f->difficulty);
	p->front.series = keep(m, f->series);
	p->text.lang = f->lang ? keep(m, f->lang) : site_language(m->site, p)->code;
	p->front.part = f->part;
	p->front.order = f->order;
	p->front.featured = f->featured;
	p->front.ntags = f->ntags;
	p->section = handbook_keep(m, p, f);
	p->front.tags = ARENA_ARRAY(m->shared, const char *, f->ntags);
	for (size_t i = 0; i < f->ntags; i++)
		p->front.tags[i] = keep(m, f->tags[i]);
}

static void keep_doc(struct maker *m, struct page *p, const struct md_doc *d)
{
	p->text.body = (struct str){arena_strndup(m->shared, d->html.p ? d->html.p : "", d->html.n),
	                            d->html.n};
	p->source.minutes = markdown_minutes(d);
	p->text.nheadings = d->nheadings;
	p->text.headings = ARENA_ARRAY(m->shared, struct md_heading, d->nheadings);
	for (size_t i = 0; i < d->nheadings; i++)
		p->text.headings[i] =
		        (struct md_heading){d->headings[i].level, keep(m, d->headings[i].id),
		                            keep(m, d->headings[i].text)};
	p->source.nhidden = d->nunshown;
	p->source.hidden = ARENA_ARRAY(m->shared, struct md_lines, d->nunshown);
	for (size_t i = 0; i < d->nunshown; i++)
		p->source.hidden[i] = d->unshown[i];
	p->source.nlinks = d->nlinks;
	p->source.links = ARENA_ARRAY(m->shared, struct md_link, d->nlinks);
	for (size_t i = 0; i < d->nlinks; i++) {
		p->source.links[i] = d->links[i];
		p->source.links[i].url = keep(m, d->links[i].url);
		p->source.links[i].at.path = p->path;
	}
	p->source.npictures = d->npictures;
	p->source.pictures = ARENA_ARRAY(m->shared, struct md_picture, d->npictures);
	for (size_t i = 0; i < d->npictures; i++) {
		p->source.pictures[i] = d->pictures[i];
		p->source.pictures[i].url = keep(m, d->pictures[i].url);
		p->source.pictures[i].file = keep(m, d->pictures[i].file);
	}
}

static void add_waivers(struct page *p, struct waiver *more)
{
	struct waiver **last = &p->source.waivers;
	while (*last)
		last = &(*last)->next;
	*last = more;
}

/* The finding of a drawing is the title of its page and of its card. */
static void check_findings(struct maker *m, const struct expand_ctx *ctx)
{
	struct expand_ctx of = *ctx;
	for (const struct expand_figure *f = ctx->figures; ctx->shares && f; f = f->next) {
		of.quotes = (struct quote *)f->says.quotes;
		of.facts = (struct fact *)f->says.facts;
		if (f->drawn)
			unmarked_check(&of, f->says.quotes_end, f->says.facts_end,
			               "the title of a figure", m->problems);
	}
}

static bool render(struct maker *m, struct page *p, const struct front *f,
                   const struct md_options *options, struct err *e)
{
	struct md_doc doc = {0};
	if (!keep_devices(m, p, f, e))
		return false;
	struct expand_ctx ctx = site_page_context(m, p);
	struct waiver *waivers = content_check_files(m, p);
	ctx.problems = m->problems;
	ctx.blocks = p->numbers.blocks;
	ctx.figures = p->numbers.figures;
	ctx.shares = page_kind_is(p, "post");
	bool ok = markdown_render_with(&ctx, f->body, p->path, f->body_line, options, &doc, e);
	ctx.problems = NULL;
	problems_add(m->problems, e);
	*e = ERR_NONE;
	if (!expand_front(m, &ctx, &f->title, "the title", &p->text.title, &p->text.title_html,
	                  e) ||
	    !ok)
		return false;
	check_findings(m, &ctx);
	if (f->description.s.p) {
		if (!expand_front(m, &ctx, &f->description, "the description", &p->text.description,
		                  &p->text.description_html, e))
			return false;
	} else {
		describe(m, p, &ctx, &doc);
	}
	if (f->key.s.p &&
	    !expand_front(m, &ctx, &f->key, "the key result", &p->front.key, &p->front.key_html, e))
		return false;
	p->front.key_line = f->key.s.p ? f->key.at.line : 0;
	for (size_t i = 0; f->take[0].s.p && i < FRONT_TAKES; i++)
		if (!expand_front(m, &ctx, &f->take[i], "a take-away", &p->front.take[i],
		                  &p->front.take_html[i], e))
			return false;
	keep_front(m, p, f);
	keep_doc(m, p, &doc);
	if (!aliases_keep(m, p, f, e))
		return false;
	content_keep_uses(m, p, &ctx);
	traced_page(m, p, f, &doc);
	add_waivers(p, waivers);
	warn_markdown(f->body, p->path, f->body_line, m->problems);
	p->loaded = true;
	return true;
}

/* index.md takes its slug from its folder. */
static bool slug_of(struct maker *m, const struct page *p, const struct front *f, const char **slug,
                    struct err *e)
{
	const char *folder = content_folder(p, &m->scratch);
	*slug = f->slug;
	if (strcmp(f->slug, "index") != 0 || !folder)
		return true;
	size_t before = strlen(content_place(p->path)->folder);
	*slug = arena_strndup(&m->scratch, folder + before, strlen(folder) - before - 1);
	return !front_check_slug(*slug) ||
	       err_set(e, "%s: the folder's name is no slug, expected [a-z0-9-]{1,64}", p->path);
}

static bool check_lang(struct maker *m, const struct page *p, const struct front *f, struct err *e)
{
	const char *code = site_language(m->site, p)->code;
	if (m->site->config->nlanguages == 1 || !f->lang || strcmp(f->lang, code) == 0)
		return true;
	return rule_err(e, RULE_BILINGUAL, f->lang_at,
	                "lang is '%s', but the file's name says '%s'; expected NAME.%s.md", f->lang,
	                code, f->lang);
}

/* Compares a translation with its original, and renders it with marks where it is outdated. */
static bool load_translation(struct maker *m, struct page *p, struct front *f, const char *folder,
                             struct md_options *options, struct err *e)
{
	struct translation_pair pair;
	const char *slug;
	if (!translation_compare(m, p, f, content_front(p), &pair, e) ||
	    (!p->url && !slug_of(m, pair.state->original, &pair.original, &slug, e)))
		return false;
	p->source.translation = pair.state;
	*options = pair.options;
	options->original =
	        p->url ? site_version(p, 0)->url : arena_printf(&m->scratch, "%s%s/", folder, slug);
	return true;
}

/*
 * Is the date in the future? The time of HEAD is the site's present, not a clock, so
 * the same commit always gives the same site. A day without a time begins when it begins
 * anywhere on Earth, at UTC+14.
 */
static bool is_ahead(const struct site *s, const char *date)
{
	int64_t now = s->repo.git ? git_head_time(s->repo.git) : 0;
	bool day = date && strlen(date) == MOMENT_DAY;
	time_t latest = (time_t)now + (day ? 14 * 3600 : 0);
	struct tm tm;
	char head[MOMENT_TIME + 1];
	return now > 0 && date && gmtime_r(&latest, &tm) &&
	       strftime(head, sizeof head, day ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ", &tm) > 0 &&
	       strcmp(date, head) > 0;
}

/*
 * Reads the body of a page whose front matter is wrong, too, to report all errors
 * together. Not for a page whose device was not read: that would cause false errors.
 */
static void read_body(struct maker *m, const struct page *p, const struct front *f)
{
	struct expand_ctx ctx = site_context(m, f->device);
	struct md_doc doc = {0};
	struct err e = ERR_NONE;
	if (!f->body.p || f->body_line == 0)
		return;
	ctx.problems = m->problems;
	/* m->problems has its errors */
	unchecked(markdown_render_with(&ctx, f->body, p->path, f->body_line, NULL, &doc, &e));
	problems_add(m->problems, &e);
}

static bool load(struct maker *m, struct page *p, enum front_kind kind, const char *folder,
                 struct err *e)
{
	struct str src;
	struct front f = {0};
	const char *slug;
	bool translation = translation_original(p);
	struct md_options options = {.anchors = p->versions != NULL};
	if (!file_read(p->path, MAX_SOURCE_BYTES, &m->scratch, &src, e))
		return false;
	if (!front_parse(src, p->path, translation ? FRONT_TRANSLATION : kind, &m->scratch, &f,
	                 e)) {
		if (!f.device &&
		    !memmem(src.p, (size_t)(f.body.p ? f.body.p - src.p : 0), "\ndevice", 7))
			read_body(m, p, &f);
		return false;
	}
	if (!check_lang(m, p, &f, e) ||
	    (translation && !load_translation(m, p, &f, folder, &options, e)) ||
	    (!p->url && !slug_of(m, p, &f, &slug, e)))
		return false;
	p->front.draft = f.draft;
	if (!f.draft && is_ahead(m->site, f.date))
		p->front.scheduled = arena_strdup(m->shared, f.date);
	if ((p->front.draft && !m->site->options.drafts) ||
	    (p->front.scheduled && !m->site->options.future))
		return true;
	if (!p->url) {
		p->url = arena_printf(m->shared, "%s%s%s/", site_language(m->site, p)->prefix,
		                      folder, slug);
		p->out = site_out_of(m->shared, p->url);
	}
	return render(m, p, &f, p->versions ? &options : NULL, e);
}

bool source_load(struct maker *m, struct page *p, struct err *e)
{
	const struct content_place *place = content_place(p->path);
	return load(m, p, place->front, place->url, e);
}

/* The other parts of the page are of the file that was listed, so the body has to be, too. */
static bool is_as_kept(const struct site *s, const struct page *p, struct err *e)
{
	const struct input *f = inputs_find(&s->repo.files, p->path);
	return (p->loaded && f && inputs_unchanged(f)) ||
	       err_set(e, "%s: was changed during the build; build again", p->path);
}

bool source_complete(struct maker *m, struct page *p, struct err *e)
{
	struct maker reader = {.site = m->site, .shared = m->shared, .problems = m->problems};
	struct page again = {.kind = p->kind,
	                     .path = p->path,
	                     .url = p->url,
	                     .out = p->out,
	                     .language = p->language,
	                     .versions = p->versions};
	if (!atomic_load(&p->kept.unread))
		return true;
	reader.page = &again;
	bool ok = source_load(&reader, &again, e) && is_as_kept(m->site, &again, e);
	arena_free(&reader.scratch);
	if (!ok)
		return false;
	p->text.body = again.text.body;
	atomic_store(&p->kept.unread, false); /* after the body, for other workers */
	return true;
}
