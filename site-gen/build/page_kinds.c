/*
 * The kinds of pages. To add one, add a row here and a template in templates/, define
 * its variables in look/vars.c and document them in templates/README.md. If the kind
 * has many pages, add a loop for them to index.c.
 */
#include "site-gen/build/page_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/pages/changes.h"
#include "site-gen/site/aliases.h"
#include "site-gen/files/data_files.h"
#include "site-gen/look/card.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/site/content.h"
#include "site-gen/site/source.h"
#include "site-gen/pages/code_page.h"
#include "site-gen/pages/device_page.h"
#include "site-gen/files/feed.h"
#include "site-gen/site/handbook.h"
#include "site-gen/pages/figure_page.h"
#include "site-gen/pages/freshness.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/ledger.h"
#include "site-gen/pages/number_page.h"
#include "site-gen/files/search.h"
#include "site-gen/files/source_bundle.h"
#include "site-gen/files/image_sizes.h"
#include "site-gen/files/markdown_copy.h"
#include "site-gen/look/vars.h"
#include "site-gen/pages/waivers.h"
#include "site-gen/lua/words.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"
#include "site-gen/pages/prediction_page.h"
#include "site-gen/pages/board.h"
#include "site-gen/pages/near.h"
#include "site-gen/pages/body.h"

static bool load_home(struct maker *m, struct page *p, struct err *e);
static bool load_one(struct maker *m, struct page *p, struct err *e);
static bool load_families(struct maker *m, struct page *p, struct err *e);
static bool load_family(struct maker *m, struct page *p, struct err *e);
static bool load_run(struct maker *m, struct page *p, struct err *e);
static bool load_comparison(struct maker *m, struct page *p, struct err *e);
static bool load_device(struct maker *m, struct page *p, struct err *e);
static bool load_number(struct maker *m, struct page *p, struct err *e);
static bool load_code(struct maker *m, struct page *p, struct err *e);
static bool load_predictions(struct maker *m, struct page *p, struct err *e);
static bool load_prediction(struct maker *m, struct page *p, struct err *e);

static const struct page_kind kinds[] = {
        {"home", "home.html", "/", NULL, true, load_home, vars_home, NULL,
         PAGE_EACH_LANGUAGE | PAGE_WRITTEN | PAGE_OF_ITSELF},
        {"posts", "posts.html", "/posts/", "Posts", true, load_one, vars_posts, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"post", "post.html", NULL, NULL, true, source_load, vars_post, NULL,
         PAGE_SEARCHED | PAGE_WRITTEN | PAGE_OF_ITSELF},
        {"tags", "tags.html", "/tags/", "Tags", true, load_one, vars_tags, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"tag", "tag.html", NULL, NULL, true, load_one, vars_tag, NULL, PAGE_OF_FACES},
        {"series", "series.html", NULL, NULL, true, source_load, vars_series, NULL,
         PAGE_SEARCHED | PAGE_WRITTEN | PAGE_OF_ITSELF},
        {"handbook", "handbook.html", "/handbook/", "Handbook", true, load_one, vars_handbook, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"section", "section.html", NULL, NULL, true, source_load, vars_section, NULL,
         PAGE_SEARCHED | PAGE_WRITTEN | PAGE_OF_ITSELF},
        {"path", "path.html", NULL, NULL, true, source_load, vars_path, NULL,
         PAGE_SEARCHED | PAGE_WRITTEN | PAGE_OF_ITSELF},
        {"families", "families.html", "/kernels/", "Kernels", true, load_families, vars_families,
         NULL, PAGE_EACH_LANGUAGE | PAGE_OF_RECORDS},
        {"family", "family.html", NULL, NULL, true, load_family, vars_family, NULL,
         PAGE_SEARCHED | PAGE_OF_ITSELF},
        {"runs", "runs.html", "/runs/", "Runs", true, load_one, vars_runs, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"run", "run.html", NULL, NULL, true, load_run, vars_run, NULL,
         PAGE_SEARCHED | PAGE_OF_FACES},
        {"comparisons", "comparisons.html", "/compared/", "Comparisons", true, load_one,
         vars_comparisons, NULL, PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"comparison", "comparison.html", NULL, NULL, true, load_comparison, NULL, NULL,
         PAGE_SEARCHED | PAGE_OF_FACES},
        {"devices", "devices.html", "/devices/", "Devices", true, load_one, vars_devices, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"device", "device.html", NULL, NULL, true, load_device, NULL, NULL,
         PAGE_SEARCHED | PAGE_OF_FACES},
        {"number", "number.html", NULL, NULL, true, load_number, vars_number, NULL, PAGE_OF_FACES},
        {"code", "page.html", NULL, NULL, true, load_code, code_page_vars, NULL, PAGE_OF_FACES},
        {"predictions", "predictions.html", "/predictions/", "Predictions", true, load_predictions,
         NULL, NULL, PAGE_EACH_LANGUAGE | PAGE_OF_FACES | PAGE_OF_RECORDS},
        {"prediction", "prediction.html", NULL, NULL, true, load_prediction, NULL, NULL,
         PAGE_SEARCHED | PAGE_OF_FACES},
        {"page", "page.html", NULL, NULL, true, source_load, NULL, NULL,
         PAGE_SEARCHED | PAGE_WRITTEN | PAGE_OF_ITSELF},
        {"404", "404.html", "/404.html", "Page not found", false, load_one, NULL, NULL,
         PAGE_OF_FACES},
        {"changes", "changes.html", "/changes/", "What changed", true, load_one, changes_days, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"waivers", "waivers.html", "/waivers/", "Waivers", true, load_one, waivers_list, NULL,
         PAGE_EACH_LANGUAGE},
        {"freshness", "freshness.html", "/freshness/", "Freshness", true, load_one, freshness_vars,
         NULL, PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"rules", "rules.html", "/rules/", "Rules", true, load_one, freshness_vars_rules, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"source", "source.html", "/source/", "Source", true, load_one, source_bundle_vars, NULL,
         PAGE_EACH_LANGUAGE | PAGE_SEARCHED},
        {"source bundle", NULL, SOURCE_BUNDLE_URL, NULL, false, source_bundle_load, NULL,
         source_bundle_bytes, 0},
        {"changes-log", NULL, "/changes.jsonl", NULL, false, NULL, NULL, changes_log,
         PAGE_OF_FACES},
        {"changes-feed", NULL, "/changes.xml", NULL, false, NULL, NULL, changes_feed,
         PAGE_OF_FACES},
        {"search", "search.html", "/search/", "Search", false, load_one, NULL, NULL,
         PAGE_EACH_LANGUAGE | PAGE_OF_FACES},
        {"search index", NULL, "/search/index.json", NULL, false, NULL, NULL, search_bytes,
         PAGE_EACH_LANGUAGE},
        {"search text", NULL, "/search/text.json", NULL, false, NULL, NULL, search_text_bytes,
         PAGE_EACH_LANGUAGE},
        {"feed", NULL, "/feed.xml", NULL, false, NULL, NULL, feed_bytes,
         PAGE_EACH_LANGUAGE | PAGE_OF_POSTS},
        {"rss", NULL, "/rss.xml", NULL, false, NULL, NULL, feed_rss_bytes,
         PAGE_EACH_LANGUAGE | PAGE_OF_POSTS},
        {"json feed", NULL, "/feed.json", NULL, false, NULL, NULL, feed_json_bytes,
         PAGE_EACH_LANGUAGE | PAGE_OF_POSTS},
        {"tag feed", NULL, NULL, NULL, false, NULL, NULL, feed_bytes, PAGE_OF_POSTS},
        {"series feed", NULL, NULL, NULL, false, NULL, NULL, feed_bytes, PAGE_OF_POSTS},
        {"sitemap", NULL, "/sitemap.xml", NULL, false, NULL, NULL, feed_sitemap_bytes,
         PAGE_OF_FACES},
        {"robots", NULL, "/robots.txt", NULL, false, NULL, NULL, feed_robots_bytes, PAGE_OF_FACES},
        {"twin", NULL, NULL, NULL, false, NULL, NULL, markdown_copy_bytes, PAGE_OF_SUBJECT},
        {"llms", NULL, NULL, NULL, false, NULL, NULL, markdown_copy_llms_bytes, PAGE_OF_FACES},
        {"redirect", NULL, NULL, NULL, false, NULL, NULL, aliases_bytes, 0},
        {"file", NULL, NULL, NULL, false, NULL, NULL, content_file_bytes, PAGE_OF_ITSELF},
        {"number data", NULL, NULL, NULL, false, NULL, NULL, data_files_number_bytes,
         PAGE_OF_LINES},
        {"page numbers", NULL, NULL, NULL, false, NULL, NULL, data_files_numbers_bytes,
         PAGE_OF_SUBJECT},
        {"figure", "figure.html", NULL, NULL, false, NULL, figure_page_vars, NULL, PAGE_OF_ITSELF},
        {"figure data", NULL, NULL, NULL, false, NULL, NULL, data_files_figure_bytes,
         PAGE_OF_FACES},
        {"figure table", NULL, NULL, NULL, false, NULL, NULL, data_files_table_bytes,
         PAGE_OF_FACES},
        {"smaller", NULL, NULL, NULL, false, NULL, NULL, image_sizes_bytes, PAGE_OF_FACES},
        {"card", NULL, NULL, NULL, false, NULL, NULL, card_bytes, PAGE_OF_SUBJECT},
        {"record", NULL, NULL, NULL, false, NULL, NULL, data_files_record_bytes, PAGE_OF_FACES},
};

struct page_table page_kinds_table(void)
{
	return (struct page_table){kinds, ARRAY_LEN(kinds)};
}

/* --- content of each kind's pages, before templates ---------------------------------- */

static bool is_date(struct str s)
{
	static const char form[] = "0000-00-00";
	for (size_t i = 0; i < sizeof form - 1; i++)
		if (i >= s.n || (form[i] == '-' ? s.p[i] != '-' : s.p[i] < '0' || s.p[i] > '9'))
			return false;
	return true;
}

/* Appends a title in which dates such as "2026-11-21" do not break at their hyphens. */
static void put_title(struct str title, struct sb *to)
{
	enum { DATE = 10 };
	for (size_t i = 0, from = 0; i <= title.n; i++) {
		bool date = is_date(str_sub(title, i, title.n));
		if (!date && i < title.n)
			continue;
		html_text(to, str_sub(title, from, i));
		if (!date)
			return;
		html_raw(to, "<span class=\"whole\">");
		html_text(to, str_sub(title, i, i + DATE));
		html_raw(to, "</span>");
		from = i + DATE;
		i = from - 1;
	}
}

static void set_title(struct maker *m, struct page *p, const char *title, const char *description)
{
	struct sb html = {0};
	p->text.title = arena_strdup(m->shared, title);
	put_title(str_of(title), &html);
	p->text.title_html = str_keep(m->shared, sb_view(&html));
	p->text.description = arena_strdup(m->shared, description);
	p->text.lang = site_language(m->site, p)->code;
	p->loaded = true;
	sb_free(&html);
}

/* The description of a list for search engines: its own, else the site's. */
static const char *description_of(const struct maker *m, const struct page *p)
{
	static const char *const endings[] = {"description", "text"}; /* endings of word keys */
	const struct config_language *l = site_language(m->site, p);
	const char *text = NULL;
	for (size_t i = 0; !text && i < ARRAY_LEN(endings); i++) {
		char key[64];
		snprintf(key, sizeof key, "%s_%s", p->kind->name, endings[i]);
		text = config_word(m->site->config, l->code, str_of(key));
	}
	return text ? text : l->description;
}

/* Loads a page that is the only one of its kind, or a tag's page. */
static bool load_one(struct maker *m, struct page *p, struct err *e)
{
	const struct config_language *l = site_language(m->site, p);
	const struct page_group *tag = p->subject;
	const struct words words = {m->site->config, l->code};
	const char *title = config_word(m->site->config, l->code, str_of(p->kind->name));
	(void)e;
	if (tag)
		set_title(m, p, tag->name,
		          words_fill(&words, m->shared, "posts_about", tag->name, NULL));
	else
		set_title(m, p, title ? title : p->kind->list_title, description_of(m, p));
	return true;
}

static void keep_body(struct maker *m, struct page *p, const struct body *b,
                      const struct expand_ctx *ctx)
{
	p->text.body = (struct str){arena_strndup(m->shared, b->html.p ? b->html.p : "", b->html.n),
	                            b->html.n};
	p->text.nheadings = b->nheadings;
	p->text.headings = ARENA_ARRAY(m->shared, struct md_heading, b->nheadings);
	for (size_t i = 0; i < b->nheadings; i++)
		p->text.headings[i] = (struct md_heading){
		        b->headings[i].level, arena_strdup(m->shared, b->headings[i].id),
		        arena_strdup(m->shared, b->headings[i].text)};
	content_keep_uses(m, p, ctx);
}

/* How near families come to their roofs. A template may leave it out, so nothing is quoted here. */
static struct str near_of(struct maker *m)
{
	struct expand_ctx ctx = site_context(m, NULL);
	struct sb to = {0};
	near_write(&ctx, m->site->headlines, &to);
	struct str html = str_keep(m->shared, sb_view(&to));
	sb_free(&to);
	return html;
}

/* The home page's title is the site's, and its text is content/pages/home.md. */
static bool load_home(struct maker *m, struct page *p, struct err *e)
{
	const struct config_language *l = site_language(m->site, p);
	p->fragments[0] = near_of(m);
	if (p->path && !source_load(m, p, e))
		return false;
	if (!p->loaded)
		set_title(m, p, l->title, l->description);
	return true;
}

/* The scoreboard. */
static bool load_families(struct maker *m, struct page *p, struct err *e)
{
	const struct words words = {m->site->config, site_language(m->site, p)->code};
	struct expand_ctx ctx = site_context(m, NULL);
	struct body body = {0};
	struct sb to = {0};
	if (!load_one(m, p, e))
		return false;
	ctx.words = &words;
	p->made.all = ARENA_ARRAY(m->shared, const char *, EXPAND_DEVICES);
	p->made.n = board_devices(m->site->data, m->site->headlines, p->made.all);
	board_write(&ctx, m->site->headlines, p->made.all, p->made.n, &to);
	body.html = str_keep(m->shared, sb_view(&to));
	keep_body(m, p, &body, &ctx);
	sb_free(&to);
	return true;
}

static bool make_family(struct maker *m, struct page *p, struct err *e)
{
	const struct data_family *f = p->subject;
	struct expand_ctx ctx = site_context(m, f->newest->run.head.device);
	struct body body = {0};
	struct str lead;
	if (!body_family(&ctx, f, headline_find(m->site->headlines, f->id), &lead, &body, e))
		return false;
	p->fragments[0] = str_keep(m->shared, lead);
	set_title(m, p, f->title, f->problem);
	keep_body(m, p, &body, &ctx);
	p->numbers.blocks = ctx.blocks;
	return true;
}

/* Checks that an author's ids do not repeat generated ones, which links to variants use. */
static bool ids_are_free(const struct page *text, const struct page *made, struct err *e)
{
	for (size_t i = 0; i < text->text.nheadings; i++)
		for (size_t k = 0; k < made->text.nheadings; k++)
			if (strcmp(text->text.headings[i].id, made->text.headings[k].id) == 0)
				return err_at(
				        e, (struct loc){text->path, 0, 0},
				        "the heading '%s' has the id '%s', which the section '%s' "
				        "below has, expected another: '## %s {#about-%s}'",
				        text->text.headings[i].text, text->text.headings[i].id,
				        made->text.headings[k].text, text->text.headings[i].text,
				        text->text.headings[i].id);
	return true;
}

/* Puts the author's text (content/kernels/) before the part generated from records. */
static bool add_text(struct maker *m, struct page *p, struct err *e)
{
	const struct page made = *p;
	struct sb body = {0};
	p->loaded = false;
	if (!source_load(m, p, e))
		return false;
	if (!p->loaded) /* a translation that is a draft */
		return true;
	if (!ids_are_free(p, &made, e))
		return false;
	sb_str(&body, p->text.body);
	sb_str(&body, made.text.body);
	p->text.body = str_keep(m->shared, sb_view(&body));
	struct md_heading *all =
	        ARENA_ARRAY(m->shared, struct md_heading, p->text.nheadings + made.text.nheadings);
	memcpy(all, p->text.headings, p->text.nheadings * sizeof *all);
	memcpy(all + p->text.nheadings, made.text.headings, made.text.nheadings * sizeof *all);
	p->text.headings = all;
	p->text.nheadings += made.text.nheadings;
	sb_free(&body);
	return true;
}

static bool load_family(struct maker *m, struct page *p, struct err *e)
{
	bool made = p->text.body.n > 0; /* an earlier build has made it */
	p->made.all = ARENA_ARRAY(m->shared, const char *, EXPAND_DEVICES);
	const struct data_family *f = p->subject;
	p->made.n = body_family_devices(m->site->data, f, headline_find(m->site->headlines, f->id),
	                                p->made.all);
	return (made || make_family(m, p, e)) && (!p->path || add_text(m, p, e));
}

static bool load_run(struct maker *m, struct page *p, struct err *e)
{
	const struct data_run *r = p->subject;
	struct expand_ctx ctx = site_context(m, r->run.head.device);
	struct body body = {0};
	if (!body_run(&ctx, r, &body, e))
		return false;
	set_title(m, p, arena_printf(m->shared, "Run %s", r->run.head.id),
	          arena_printf(m->shared,
	                       "Conditions, cases and samples of a run on %s, started %s.",
	                       r->run.head.device, r->run.head.start));
	keep_body(m, p, &body, &ctx);
	p->numbers.state = vars_run_state(m->site->data, r);
	return true;
}

static bool load_comparison(struct maker *m, struct page *p, struct err *e)
{
	const struct comparison *c = p->subject;
	const struct run_head *now = &c->now->run.head, *then = &c->then->run.head;
	const struct words words = {m->site->config, site_language(m->site, p)->code};
	struct expand_ctx ctx = site_context(m, now->device);
	struct body body = {0};
	if (!comparison_body(&ctx, c, &body, e))
		return false;
	set_title(m, p, comparison_title(m->site->data, &words, c, m->shared),
	          words_fill(&words, m->shared, "comparison_text", now->id, then->id));
	keep_body(m, p, &body, &ctx);
	return true;
}

static bool load_device(struct maker *m, struct page *p, struct err *e)
{
	const struct device *v = p->subject;
	struct expand_ctx ctx = site_context(m, v->slug);
	struct body body = {0};
	if (!device_body(&ctx, v, &body, e))
		return false;
	set_title(m, p, v->name,
	          arena_printf(m->shared,
	                       "The device %s: its data sheet, what was measured on it, "
	                       "and its runs.",
	                       v->slug));
	keep_body(m, p, &body, &ctx);
	return true;
}

/* Makes, for several builds, the parts that do not depend on the pages that quote it. */
static bool keep_recorded(struct maker *m, struct page *p, struct err *e)
{
	static const struct backlinks nobody = {.n = 0};
	const struct data_number *n = p->subject;
	struct expand_ctx ctx = site_context(m, n->device);
	struct number_view v = number_view(m->site, n, &nobody, &m->scratch);
	struct str part[NUMBER_PAGE_PARTS];
	if (!number_page_recorded(&ctx, &v, part, e))
		return false;
	for (int i = 0; i < NUMBER_PAGE_PARTS; i++)
		p->fragments[i] = str_keep(m->shared, part[i]);
	return true;
}

/* Only the head: the body names the pages that quote it, so vars_number() makes it later. */
static bool load_number(struct maker *m, struct page *p, struct err *e)
{
	const struct data_number *n = p->subject;
	if (m->site->reuse.is_base && !keep_recorded(m, p, e))
		return false;
	const char *title = number_view_title(m->site->config, n, m->shared);
	set_title(m, p, title,
	          arena_printf(m->shared,
	                       "%s: value and interval, every sample, conditions, history and who "
	                       "quotes it.",
	                       title));
	if (n->newest < n->nruns)
		p->numbers.state = n->in[n->newest]->state;
	return true;
}

/* Only the head, as of a number: a build makes the body only if it writes the page. */
static bool load_code(struct maker *m, struct page *p, struct err *e)
{
	const struct code_file *f = p->subject;
	(void)e;
	set_title(m, p, arena_printf(m->shared, "%s, version %.12s", f->path, f->blob),
	          arena_printf(m->shared,
	                       "The file %s as it was compiled for measured numbers, and what has "
	                       "changed in it since.",
	                       f->path));
	return true;
}

static bool load_predictions(struct maker *m, struct page *p, struct err *e)
{
	struct expand_ctx ctx = site_context(m, NULL);
	struct body body;
	(void)e;
	prediction_page_all(&ctx, m->site->data->predictions, &body);
	set_title(m, p, words_get(ctx.words, "predictions"), words_get(ctx.words, "ledger_intro"));
	keep_body(m, p, &body, &ctx);
	return true;
}

static bool load_prediction(struct maker *m, struct page *p, struct err *e)
{
	const struct prediction *x = p->subject;
	struct expand_ctx ctx = site_context(m, NULL);
	struct body body;
	struct sb says = {0};
	if (!prediction_page(&ctx, x, &body, e))
		return false;
	prediction_says(x, ctx.words, ctx.arena, &says);
	set_title(m, p, x->title,
	          words_fill(ctx.words, m->shared, "prediction_text", x->title, says.p));
	sb_free(&says);
	p->path = x->path; /* its quotes use it, too */
	keep_body(m, p, &body, &ctx);
	return true;
}
