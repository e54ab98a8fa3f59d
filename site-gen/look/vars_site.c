/* Template variables of the site, equal on all pages of a language. */
#include <stddef.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/files/source_bundle.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/outputs.h"
#include "site-gen/look/vars.h"
#include "site-gen/site/maker.h"
#include "site-gen/lua/template.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"
#include "lib/str.h"
#include "lib/arena.h"

enum { HEAD_DIGITS = 12 };

/* True if the page is at or below the navigation entry; nothing is below "/". */
static bool is_current(const struct maker *m, const char *url)
{
	struct str here = str_of(m->page->url),
	           prefix = str_of(site_language(m->site, m->page)->prefix);
	bool home = strcmp(url, "/") == 0 || str_is(str_sub(str_of(url), prefix.n, SIZE_MAX), "/");
	return str_is(here, url) || (!home && str_starts(here, url));
}

static void make_site_version(struct script *s, void *maker, const void *config)
{
	(void)maker;
	(void)config;
	script_cstr(s, SCRIPT_VALUE, SITE_VERSION);
}

static void make_site_api(struct script *s, void *maker, const void *config)
{
	(void)maker;
	(void)config;
	script_int(s, SCRIPT_VALUE, TEMPLATE_API);
}

static void make_site_head(struct script *s, void *maker, const void *config)
{
	const struct maker *m = maker;
	(void)config;
	script_text(s, SCRIPT_VALUE, str_sub(str_of(m->site->repo.head), 0, HEAD_DIGITS));
}

/* The address of the site's own source; "" if it does not carry it. */
static void make_site_source(struct script *s, void *maker, const void *config)
{
	const struct maker *m = maker;
	(void)config;
	script_cstr(s, SCRIPT_VALUE, source_bundle_wanted(m->site) ? SOURCE_BUNDLE_URL : "");
}

static void make_site_title(struct script *s, void *maker, const void *config)
{
	const struct maker *m = maker;
	(void)config;
	script_cstr(s, SCRIPT_VALUE, site_language(m->site, m->page)->title);
}

static void make_site_tagline(struct script *s, void *maker, const void *config)
{
	const struct maker *m = maker;
	(void)config;
	script_cstr(s, SCRIPT_VALUE, site_language(m->site, m->page)->tagline);
}

static void make_site_description(struct script *s, void *maker, const void *config)
{
	const struct maker *m = maker;
	(void)config;
	script_cstr(s, SCRIPT_VALUE, site_language(m->site, m->page)->description);
}

static void make_site_nav(struct script *s, void *maker, const void *config)
{
	struct maker *m = maker;
	const struct config_language *l = site_language(m->site, m->page);
	(void)config;
	script_begin(s, SCRIPT_VALUE, 0);
	for (size_t i = 0; i < l->nnav; i++) {
		script_begin(s, NULL, 3);
		script_cstr(s, "title", l->nav[i].title);
		vars_url(m, s, "url", l->nav[i].url);
		script_flag(s, "current", is_current(m, l->nav[i].url));
		script_end(s);
	}
	script_end(s);
}

/* Pages that the footer links to if the site has them. To add one, add its address. */
static const char *const more[] = {"/predictions/",
                                   "/changes/",
                                   "/freshness/",
                                   "/waivers/",
                                   "/rules/",
                                   "/how-we-measure/",
                                   "/how-to-read-our-plots/",
                                   "/glossary/",
                                   "/search/"};

/* The page at `url` in the current page's language, else in the site's own; or NULL. */
static const struct page *page_here(struct maker *m, const char *url)
{
	const char *prefix = site_language(m->site, m->page)->prefix;
	const struct page *p =
	        outputs_find(m->site, str_of(arena_printf(&m->scratch, "%s%s", prefix, url)));
	return p ? p : outputs_find(m->site, str_of(url));
}

static void make_site_more(struct script *s, void *maker, const void *config)
{
	struct maker *m = maker;
	(void)config;
	script_begin(s, SCRIPT_VALUE, 0);
	for (size_t i = 0; i < ARRAY_LEN(more); i++) {
		const struct page *p = page_here(m, more[i]);
		if (!p)
			continue;
		script_begin(s, NULL, 3);
		script_cstr(s, "title", p->text.title);
		vars_url(m, s, "url", p->url);
		script_cstr(s, "foreign",
		            p->language == m->page->language ? "" : site_lang(m->site, p));
		script_end(s);
	}
	script_end(s);
}

/* The address of the site's own style sheet; "" if it has none. */
static void make_site_style(struct script *s, void *maker, const void *config)
{
	const struct maker *m = maker;
	const char *url = assets_find(m->site, STR(ASSETS_OWN_STYLE));
	(void)config;
	script_cstr(s, SCRIPT_VALUE, url ? url : "");
}

/* The address of a file of static/; "" if it is not there. */
static void put_asset(struct script *s, const struct maker *m, const char *name)
{
	const char *url = assets_find(m->site, str_of(name));
	script_cstr(s, SCRIPT_VALUE, url ? url : "");
}

static void make_site_logo(struct script *s, void *maker, const void *config)
{
	put_asset(s, maker, ((const struct config *)config)->logo);
}

static void make_site_logo_width(struct script *s, void *maker, const void *config)
{
	(void)maker;
	script_int(s, SCRIPT_VALUE, ((const struct config *)config)->logo_width);
}

static const char *favicon_of(const struct config *c)
{
	return *c->favicon ? c->favicon : "favicon.svg";
}

static void make_site_favicon(struct script *s, void *maker, const void *config)
{
	put_asset(s, maker, favicon_of(config));
}

static void make_site_favicon_type(struct script *s, void *maker, const void *config)
{
	struct str name = str_of(favicon_of(config));
	(void)maker;
	script_cstr(s, SCRIPT_VALUE,
	            str_ends(name, ".svg")   ? "image/svg+xml"
	            : str_ends(name, ".png") ? "image/png"
	                                     : "image/x-icon");
}

static void make_site_background(struct script *s, void *maker, const void *config)
{
	(void)maker;
	script_cstr(s, SCRIPT_VALUE, ((const struct config *)config)->colours[0].background);
}

static void make_site_background_dark(struct script *s, void *maker, const void *config)
{
	(void)maker;
	script_cstr(s, SCRIPT_VALUE, ((const struct config *)config)->colours[1].background);
}

#define SITE(member) SCRIPT_FIELD_TEXT, offsetof(struct config, member), NULL

static const struct script_field site_fields[] = {
        {"title", SCRIPT_FIELD_MADE, 0, make_site_title},
        {"tagline", SCRIPT_FIELD_MADE, 0, make_site_tagline},
        {"description", SCRIPT_FIELD_MADE, 0, make_site_description},
        {"base_url", SITE(base_url)},
        {"author", SITE(author)},
        {"licence", SITE(licence)},
        {"licence_url", SITE(licence_url)},
        {"repository", SITE(repository)},
        {"version", SCRIPT_FIELD_MADE, 0, make_site_version},
        {"api", SCRIPT_FIELD_MADE, 0, make_site_api},
        {"head", SCRIPT_FIELD_MADE, 0, make_site_head},
        {"source", SCRIPT_FIELD_MADE, 0, make_site_source},
        {"style", SCRIPT_FIELD_MADE, 0, make_site_style},
        {"logo", SCRIPT_FIELD_MADE, 0, make_site_logo},
        {"logo_width", SCRIPT_FIELD_MADE, 0, make_site_logo_width},
        {"favicon", SCRIPT_FIELD_MADE, 0, make_site_favicon},
        {"favicon_type", SCRIPT_FIELD_MADE, 0, make_site_favicon_type},
        {"background", SCRIPT_FIELD_MADE, 0, make_site_background},
        {"background_dark", SCRIPT_FIELD_MADE, 0, make_site_background_dark},
        {"nav", SCRIPT_FIELD_MADE, 0, make_site_nav},
        {"more", SCRIPT_FIELD_MADE, 0, make_site_more},
};
static const struct script_class site_class = {"site", site_fields, ARRAY_LEN(site_fields)};

void vars_site_object(struct maker *m, struct script *s)
{
	script_object(s, "site", &site_class, m, m->site->config);
}
