#include "site-gen/files/source_bundle.h"
#include "site-gen/pages/reproduce.h"
#include "site-gen/look/vars.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/site/address.h"
#include "site-gen/site/assets.h"
#include "site-gen/look/style.h"
#include "site-gen/pages/changes.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/pages/device_page.h"
#include "site-gen/site/outputs.h"
#include "site-gen/files/dataset.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/files/structured.h"
#include "site-gen/lua/words.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "site-gen/markdown/markdown.h"

enum { HOME_POSTS = 10, HOME_RUNS = 1 };

/* --- functions -------------------------------------------------------------------- */

static bool fn_url(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct maker *m = ctx;
	if (!str_starts(arg[0], "/"))
		return err_set(e, "url('" STR_FMT "'): expected a path that starts with '/'",
		               STR_ARG(arg[0]));
	sb_cstr(to, m->site->config->base);
	sb_str(to, arg[0]);
	return true;
}

static bool fn_absolute(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct maker *m = ctx;
	if (!str_starts(arg[0], "/"))
		return err_set(e, "absolute('" STR_FMT "'): expected a path that starts with '/'",
		               STR_ARG(arg[0]));
	sb_cstr(to, m->site->config->base_url);
	sb_str(to, arg[0]);
	return true;
}

static bool fn_asset(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct maker *m = ctx;
	return assets_url(m->site, arg[0], to, e);
}

/* The address of a list page in the language of this page: "/zh/posts/" for "/posts/". */
static bool fn_here(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct maker *m = ctx;
	if (!str_starts(arg[0], "/"))
		return err_set(e, "here('" STR_FMT "'): expected a path that starts with '/'",
		               STR_ARG(arg[0]));
	sb_cstr(to, m->site->config->base);
	sb_cstr(to, site_language(m->site, m->page)->prefix);
	sb_str(to, arg[0]);
	return true;
}

static bool fn_word(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct maker *m = ctx;
	const struct config *c = m->site->config;
	const char *lang = m->page->text.lang, *word = config_word(c, lang, arg[0]);
	if (!word)
		word = config_word(c, c->language, arg[0]);
	if (!word)
		word = words_english(arg[0]);
	if (!word)
		return err_set(e, "no word '" STR_FMT "' for language '%s' in templates/words.lua",
		               STR_ARG(arg[0]), lang);
	sb_cstr(to, word);
	return true;
}

void vars_define(struct maker *m)
{
	if (m->lang && strcmp(m->lang, m->page->text.lang) == 0 && m->language == m->page->language)
		return;
	m->lang = m->page->text.lang;
	m->language = m->page->language;
	script_forget(m->script);
	static const struct script_function functions[] = {
	        {"url", 1, false, fn_url},         {"absolute", 1, false, fn_absolute},
	        {"asset", 1, true, fn_asset},      {"date", 2, false, vars_date},
	        {"here", 1, true, fn_here},        {"t", 1, true, fn_word}, /* per language */
	        {"colour", 1, true, style_colour},
	};
	for (size_t i = 0; i < ARRAY_LEN(functions); i++)
		script_define(m->script, &functions[i], m);
}

/* --- small pieces ------------------------------------------------------------------- */

/* Sets an address of the site, with its prefix. */
void vars_url(struct maker *m, struct script *s, const char *key, const char *url)
{
	bool ours = url[0] == '/' && url[1] != '/';
	const char *base = ours ? m->site->config->base : "";
	script_cstr(s, key, *base ? arena_printf(&m->scratch, "%s%s", base, url) : url);
}

/* --- runs and families --------------------------------------------------------------- */

enum data_state vars_run_state(const struct data *d, const struct data_run *r)
{
	enum data_state worst = r->committed ? DATA_OK : DATA_PREVIEW;
	for (size_t i = 0; i < r->run.ncases; i++) {
		enum data_state x = data_state_of(d, r, &r->run.cases[i]);
		if (x > worst)
			worst = x;
	}
	return worst;
}

static const struct data_family *family_of(const struct site *s, const char *id)
{
	for (size_t i = 0; i < s->data->families.n; i++)
		if (strcmp(s->data->families.all[i].id, id) == 0)
			return &s->data->families.all[i];
	return NULL;
}

static void put_link(struct maker *m, struct script *s, const char *id, const char *title,
                     const char *url)
{
	script_begin(s, NULL, 3);
	script_cstr(s, "id", id);
	script_cstr(s, "title", title);
	vars_url(m, s, "url", url);
	script_end(s);
}

/* Sets a run's families in its order; all ceilings share one link, to the device's page. */
static void put_run_families(struct maker *m, struct script *s, const struct run *r,
                             const char *url)
{
	const struct words words = {m->site->config, site_language(m->site, m->page)->code};
	bool ceilings = false;
	script_begin(s, "families", 0);
	for (size_t i = 0; i < r->ncases; i++) {
		const char *family = r->cases[i].family;
		const struct data_family *f = family_of(m->site, family);
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = strcmp(family, r->cases[k].family) == 0;
		if (f && !seen)
			put_link(m, s, f->id, words_said(&words, f->title).text, f->url);
		else if (!seen && r->head.foreign)
			put_link(m, s, family, family, url); /* it has no page of its own */
		else if (!ceilings && str_starts(str_of(family), "ceiling-")) {
			put_link(m, s, "ceilings", words_get(&words, "ceilings"),
			         arena_printf(&m->scratch, "/devices/%s/", r->head.device));
			ceilings = true;
		}
	}
	script_end(s);
}

/* Counts a run's cases in a state; all cases of an uncommitted run are a preview. */
static size_t count_in_state(const struct data *d, const struct data_run *r, enum data_state state)
{
	size_t n = 0;
	for (size_t i = 0; i < r->run.ncases; i++)
		n += !r->committed || data_state_of(d, r, &r->run.cases[i]) == state;
	return n;
}

static void put_run(struct maker *m, struct script *s, const char *key, const struct data_run *r)
{
	const struct run_head *h = &r->run.head;
	enum data_state state = vars_run_state(m->site->data, r);
	script_begin(s, key, 12);
	script_cstr(s, "id", h->id);
	vars_url(m, s, "url", r->url);
	script_cstr(s, "device", h->device);
	script_cstr(s, "device_name", data_device_name(m->site->data, h->device));
	script_text(s, "date", str_sub(str_of(h->start), 0, 10));
	script_int(s, "cases", (int64_t)r->run.ncases);
	script_int(s, "launches", (int64_t)r->run.nlaunches);
	script_cstr(s, "state", data_state_name(state));
	script_int(s, "in_state", (int64_t)count_in_state(m->site->data, r, state));
	script_flag(s, "publishes", !r->why_none);
	script_cstr(s, "reason", h->reason);
	put_run_families(m, s, &r->run, r->url);
	script_end(s);
}

static void put_runs(struct maker *m, struct script *s, size_t most)
{
	const struct data *d = m->site->data;
	script_begin(s, "runs", 0);
	for (size_t i = 0; i < d->nruns && i < most; i++)
		put_run(m, s, NULL, &d->runs[i]);
	script_end(s);
}

static const char *fact_value(const struct data_fact *f, size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i].label, label) == 0)
			return f[i].value;
	return "";
}

static void put_condition(struct maker *m, struct script *s, const struct data_run *r)
{
	size_t n;
	const struct words words = {m->site->config, site_language(m->site, m->page)->code};
	const struct data_fact *f = data_conditions(r, &n);
	script_begin(s, NULL, 7);
	vars_url(m, s, "run_url", r->url);
	script_cstr(s, "run_id", r->run.head.id);
	script_cstr(s, "device", r->run.head.device);
	script_cstr(s, "machine",
	            r->run.head.gpu.name ? r->run.head.gpu.name : r->run.head.machine.cpu);
	script_cstr(s, "cuda", fact_value(f, n, "CUDA runtime"));
	script_text(s, "date", str_sub(str_of(r->run.head.start), 0, 10));
	script_begin(s, "facts", 0);
	for (size_t i = 0; i < n; i++) {
		script_begin(s, NULL, 3);
		script_cstr(s, "label", words_label(&words, f[i].label));
		script_cstr(s, "value", data_fact_text(&words, &f[i], &m->scratch));
		/* without a translation, the text is the record's English */
		script_cstr(s, "lang", f[i].part[0].word ? site_lang(m->site, m->page) : "en");
		script_end(s);
	}
	script_end(s);
	script_end(s);
}

static bool quotes(const struct page *p, const struct data_run *r)
{
	if (p->subject == r)
		return true;
	for (const struct expand_use *u = p->numbers.uses; u; u = u->next)
		if (u->run == &r->run)
			return true;
	return false;
}

/* --- every page ------------------------------------------------------------------------ */

static void put_toc(struct script *s, const struct page *p)
{
	script_begin(s, "toc", 0);
	for (size_t i = 0; i < p->text.nheadings; i++) {
		if (p->text.headings[i].level < 2 || p->text.headings[i].level > 3)
			continue;
		script_begin(s, NULL, 3);
		script_int(s, "level", p->text.headings[i].level);
		script_cstr(s, "id", p->text.headings[i].id);
		script_cstr(s, "text", p->text.headings[i].text);
		script_end(s);
	}
	script_end(s);
}

/*
 * Sets "device_choices", the devices of which a switch shows one. `also` is the slug of the data
 * sheet, by which an address may name a device.
 */
static void put_devices(const struct maker *m, struct script *s, const struct page *p)
{
	const struct data *d = m->site->data;
	const struct page_front *f = &p->front;
	const char **all = p->made.n ? p->made.all : f->devices;
	size_t n = p->made.n ? p->made.n : f->ndevices;
	script_begin(s, "device_choices", 0);
	for (size_t i = 0; n > 1 && i < n; i++) {
		const char *slug = all[i];
		script_begin(s, NULL, 3);
		script_cstr(s, "slug", slug);
		script_cstr(s, "also", data_device_sheet(d, slug));
		script_cstr(s, "name", data_device_name(d, slug));
		script_end(s);
	}
	script_end(s);
}

/* The conditions of the quoted runs: newest first, those of the site's own device before others. */
static void put_conditions(struct maker *m, struct script *s, const struct page *p)
{
	const struct data *d = m->site->data;
	bool any = p->numbers.uses || p->kind->variables == vars_run;
	script_begin(s, "conditions", 0);
	for (int other = 0; any && other <= 1; other++)
		for (size_t i = 0; i < d->nruns; i++) {
			const struct data_run *r = &d->runs[i];
			bool own = strcmp(r->run.head.device, d->default_device) == 0;
			if (own != other && quotes(p, r))
				put_condition(m, s, r);
		}
	script_end(s);
}

/* Sets the address of the page's numbers.json; "" if the page shows no numbers. */
static void put_data_url(struct maker *m, struct script *s, const struct page *p)
{
	const char *url = "";
	if (p->kind->variables == vars_number)
		url = address_number(p->subject, &m->scratch);
	else if (address_has_numbers(p))
		url = arena_printf(&m->scratch, "%snumbers.json", p->url);
	vars_url(m, s, "data_url", url);
}

/* Sets the address to edit the page's source at; "" if the settings have none. */
static void put_edit_url(struct maker *m, struct script *s, const struct page *p)
{
	const char *edit = m->site->config->edit, *at = *edit ? strstr(edit, "{path}") : NULL;
	bool written = at && p->path && (p->kind->flags & PAGE_WRITTEN);
	script_cstr(s, "edit_url",
	            written ? arena_printf(&m->scratch, "%.*s%s%s", (int)(at - edit), edit, p->path,
	                                   at + strlen("{path}"))
	                    : "");
}

static void put_structured(struct maker *m, struct script *s, const struct page *p)
{
	struct sb json = {0};
	structured_page(m, p, &json);
	script_markup(s, "structured", str_keep(&m->scratch, sb_view(&json)));
	sb_free(&json);
}

/* page.card */
static void put_card(struct maker *m, struct script *s, const struct page *p)
{
	const char *url = address_card(m->site, p, &m->scratch);
	script_cstr(s, "card",
	            *url ? arena_printf(&m->scratch, "%s%s", m->site->config->base_url, url) : "");
}

void vars_page(struct script *s, void *maker)
{
	struct maker *m = maker;
	const struct page *p = m->page;
	const struct words words = {m->site->config, site_language(m->site, p)->code};
	vars_site_object(m, s);
	script_begin(s, "page", 16);
	script_cstr(s, "kind", p->kind->name);
	script_cstr(s, "url", p->url);
	script_cstr(s, "canonical",
	            arena_printf(&m->scratch, "%s%s", m->site->config->base_url, p->url));
	script_cstr(s, "title", p->text.title);
	script_cstr(s, "description", p->text.description);
	script_markup(s, "title_html", p->text.title_html);
	script_cstr(s, "lang", site_lang(m->site, p));
	script_markup(s, "body", p->text.body);
	script_cstr(s, "state", data_state_name(p->numbers.state));
	script_cstr(s, "state_text",
	            words_state_text(&words, data_state_name(p->numbers.state),
	                             data_state_title(p->numbers.state)));
	vars_marks(s, p, &words);
	vars_languages(m, s, p);
	put_data_url(m, s, p);
	put_toc(s, p);
	put_devices(m, s, p);
	put_conditions(m, s, p);
	put_structured(m, s, p);
	put_edit_url(m, s, p);
	vars_url(m, s, "markdown_url", address_markdown(m->site, p, &m->scratch));
	changes_since(m, s, p);
	put_card(m, s, p);
	if (p->kind->variables)
		p->kind->variables(m, s, p);
	script_end(s);
}

/* --- the kinds ---------------------------------------------------------------------------- */

void vars_home(struct maker *m, struct script *s, const struct page *p)
{
	const struct page_list *posts = &m->site->index.lists[p->language].posts;
	vars_post_list(m, s, posts->all, posts->n < HOME_POSTS ? posts->n : HOME_POSTS);
	vars_featured(m, s, posts);
	vars_family_list(m, s);
	script_markup(s, "near", p->fragments[0]);
	put_runs(m, s, HOME_RUNS);
}

/* Sets "series", those with a page, each with its title, url and number of posts. */
static void put_series(struct maker *m, struct script *s, const struct site_list *l)
{
	script_begin(s, "series", 0);
	for (size_t i = 0; i < l->nseries; i++)
		if (l->series[i].page)
			vars_tag_object(m, s, NULL, &l->series[i]);
	script_end(s);
}

void vars_posts(struct maker *m, struct script *s, const struct page *p)
{
	const struct site_list *l = &m->site->index.lists[p->language];
	put_series(m, s, l);
	script_begin(s, "years", 0);
	for (size_t i = 0, k; i < l->posts.n; i = k) {
		for (k = i + 1; k < l->posts.n; k++)
			if (memcmp(l->posts.all[k]->front.date, l->posts.all[i]->front.date, 4) !=
			    0)
				break;
		script_begin(s, NULL, 2);
		script_text(s, "year", str_sub(str_of(l->posts.all[i]->front.date), 0, 4));
		vars_post_list(m, s, l->posts.all + i, k - i);
		script_end(s);
	}
	script_end(s);
}

/* Sets "reproduce": what it takes to measure the post again, and what should come out. */
static void put_reproduce(struct maker *m, struct script *s, const struct page *p)
{
	struct expand_ctx ctx = site_page_context(m, p);
	struct reproduce cost = reproduce_cost(p, m->site->data, &m->scratch);
	struct sb expected = {0};
	reproduce_expected(&ctx, p, &expected);
	script_begin(s, "reproduce", 4);
	script_int(s, "minutes", cost.minutes);
	script_int(s, "builds", (int64_t)cost.builds);
	script_int(s, "megabytes", source_bundle_megabytes(m, cost.builds));
	script_markup(s, "expected", str_keep(&m->scratch, sb_view(&expected)));
	script_end(s);
	sb_free(&expected);
}

void vars_post(struct maker *m, struct script *s, const struct page *p)
{
	put_reproduce(m, s, p);
	vars_post_object(m, s, "post", p);
	vars_opening(s, p);
}

void vars_tags(struct maker *m, struct script *s, const struct page *p)
{
	const struct site_list *l = &m->site->index.lists[p->language];
	script_begin(s, "tags", 0);
	for (size_t i = 0; i < l->ntags; i++)
		vars_tag_object(m, s, NULL, &l->tags[i]);
	script_end(s);
}

void vars_tag(struct maker *m, struct script *s, const struct page *p)
{
	const struct page_group *t = p->subject;
	vars_tag_object(m, s, "tag", t);
	vars_post_list(m, s, t->posts.all, t->posts.n);
}

/* Sets "posts" in reading order, "minutes" to read them all, and "feed_url". */
void vars_series(struct maker *m, struct script *s, const struct page *p)
{
	const struct page_group *g = p->subject;
	int64_t minutes = 0;
	for (size_t i = 0; i < g->posts.n; i++)
		minutes += g->posts.all[i]->source.minutes;
	vars_post_list(m, s, g->posts.all, g->posts.n);
	script_int(s, "minutes", minutes);
	vars_url(m, s, "feed_url", arena_printf(&m->scratch, "%sfeed.xml", p->url));
}

void vars_runs(struct maker *m, struct script *s, const struct page *p)
{
	(void)p;
	put_runs(m, s, SIZE_MAX);
	script_flag(s, "compared", comparison_any(m->site->data));
}

static size_t count_runs(const struct data *d, const char *device)
{
	size_t n = 0;
	for (size_t i = 0; i < d->nruns; i++)
		n += strcmp(d->runs[i].run.head.device, device) == 0;
	return n;
}

/* Sets "devices", each with its newest run. */
void vars_devices(struct maker *m, struct script *s, const struct page *p)
{
	const struct data *d = m->site->data;
	size_t n;
	const struct device *v = device_list(d, &m->scratch, &n);
	(void)p;
	script_begin(s, "devices", 0);
	for (size_t i = 0; i < n; i++) {
		script_begin(s, NULL, 6);
		script_cstr(s, "slug", v[i].slug);
		script_cstr(s, "name", v[i].name);
		vars_url(m, s, "url", v[i].url);
		script_int(s, "runs", (int64_t)count_runs(d, v[i].slug));
		put_run(m, s, "run", v[i].newest);
		script_end(s);
	}
	script_end(s);
}

/* Sets "comparisons", newest first; `devices`: of two devices. */
void vars_comparisons(struct maker *m, struct script *s, const struct page *p)
{
	size_t n;
	const struct comparison *c = comparison_all(m->site->data, &m->scratch, &n);
	const struct config_language *l = site_language(m->site, p);
	const struct words words = {m->site->config, l->code};
	script_begin(s, "comparisons", 0);
	for (size_t i = 0; i < n; i++) {
		script_begin(s, NULL, 5);
		vars_url(m, s, "url", arena_printf(&m->scratch, "%s%s", l->prefix, c[i].url));
		script_cstr(s, "title",
		            comparison_title(m->site->data, &words, &c[i], &m->scratch));
		script_flag(s, "devices", c[i].devices);
		put_run(m, s, "now", c[i].now);
		put_run(m, s, "before", c[i].then);
		script_end(s);
	}
	script_end(s);
}

/* Sets "states": a run's number of cases in each state, worst first, without those in order. */
static void put_states(struct script *s, const struct data *d, const struct data_run *r)
{
	size_t n[DATA_STATE_COUNT] = {0};
	for (size_t i = 0; i < r->run.ncases; i++)
		n[data_state_of(d, r, &r->run.cases[i])]++;
	script_begin(s, "states", 0);
	for (int state = DATA_STATE_COUNT - 1; state > DATA_OK; state--) {
		if (n[state] == 0)
			continue;
		script_begin(s, NULL, 2);
		script_cstr(s, "state", data_state_name((enum data_state)state));
		script_int(s, "cases", (int64_t)n[state]);
		script_end(s);
	}
	script_end(s);
}

void vars_run(struct maker *m, struct script *s, const struct page *p)
{
	struct sb json = {0};
	put_run(m, s, "run", p->subject);
	put_states(s, m->site->data, p->subject);
	vars_url(m, s, "record_url", address_record(p->subject, &m->scratch));
	dataset_of_run(m->site, p->subject, &m->scratch, &json);
	script_markup(s, "jsonld", str_keep(&m->scratch, sb_view(&json)));
	sb_free(&json);
}
