/* Template variables of the handbook. */
#include <stddef.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/site/handbook.h"
#include "site-gen/lua/script.h"
#include "site-gen/look/vars.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "site-gen/records/data.h"

static void make_url(struct script *s, void *maker, const void *page)
{
	vars_url(maker, s, SCRIPT_VALUE, ((const struct page *)page)->url);
}

static void make_number(struct script *s, void *maker, const void *page)
{
	(void)maker;
	script_cstr(s, SCRIPT_VALUE, ((const struct page *)page)->section->number);
}

static void make_status(struct script *s, void *maker, const void *page)
{
	const char *status = ((const struct page *)page)->section->status;
	(void)maker;
	script_cstr(s, SCRIPT_VALUE, status ? status : "");
}

static void make_foreign(struct script *s, void *maker, const void *page)
{
	const struct maker *m = maker;
	const struct page *p = page;
	script_cstr(s, SCRIPT_VALUE, p->language == m->page->language ? "" : site_lang(m->site, p));
}

static void make_steps(struct script *s, void *maker, const void *page)
{
	(void)maker;
	script_int(s, SCRIPT_VALUE, (int64_t)((const struct page *)page)->section->nsteps);
}

/* Makes the number of a path's sections that are written or being written. */
static void make_begun(struct script *s, void *maker, const void *page)
{
	const struct section *of = ((const struct page *)page)->section;
	int64_t n = 0;
	(void)maker;
	for (size_t i = 0; i < of->nsteps; i++)
		n += !handbook_planned(of->step[i]);
	script_int(s, SCRIPT_VALUE, n);
}

#define PAGE(member) offsetof(struct page, member), NULL
static const struct script_field fields[] = {
        {"url", SCRIPT_FIELD_MADE, 0, make_url},
        {"title", SCRIPT_FIELD_TEXT, PAGE(text.title)},
        {"title_html", SCRIPT_FIELD_MARKUP, PAGE(text.title_html)},
        {"description", SCRIPT_FIELD_TEXT, PAGE(text.description)},
        {"description_html", SCRIPT_FIELD_MARKUP, PAGE(text.description_html)},
        {"minutes", SCRIPT_FIELD_INT, PAGE(source.minutes)},
        {"number", SCRIPT_FIELD_MADE, 0, make_number},
        {"status", SCRIPT_FIELD_MADE, 0, make_status},
        {"foreign", SCRIPT_FIELD_MADE, 0, make_foreign},
        {"steps", SCRIPT_FIELD_MADE, 0, make_steps},
        {"begun", SCRIPT_FIELD_MADE, 0, make_begun},
};
static const struct script_class section_class = {"section", fields, ARRAY_LEN(fields)};

static void put_page(struct maker *m, struct script *s, const char *key, const struct page *p)
{
	if (p)
		script_object(s, key, &section_class, m, p);
	else
		script_flag(s, key, false);
}

static void put_pages(struct maker *m, struct script *s, const char *key, struct page *const *p,
                      size_t n)
{
	script_begin(s, key, 0);
	for (size_t i = 0; i < n; i++)
		put_page(m, s, NULL, p[i]);
	script_end(s);
}

void vars_handbook(struct maker *m, struct script *s, const struct page *p)
{
	const struct site_list *l = &m->site->index.lists[p->language];
	put_pages(m, s, "sections", l->sections.all, l->sections.n);
	put_pages(m, s, "paths", l->paths.all, l->paths.n);
}

/* Position of a section on a path; nsteps if it is not on it. */
static size_t step_of(const struct page *path, const struct page *section)
{
	const struct section *of = path->section;
	size_t i = 0;
	while (i < of->nsteps && strcmp(of->step[i]->section->id, section->section->id) != 0)
		i++;
	return i;
}

/* Sets the paths that contain a section, with its next and previous sections. */
static void put_paths(struct maker *m, struct script *s, const struct page *p)
{
	const struct site_list *l = &m->site->index.lists[p->language];
	script_begin(s, "paths", 0);
	for (size_t i = 0; i < l->paths.n; i++) {
		const struct section *of = l->paths.all[i]->section;
		size_t at = step_of(l->paths.all[i], p);
		if (at == of->nsteps)
			continue;
		script_begin(s, NULL, 5);
		put_page(m, s, "path", l->paths.all[i]);
		script_int(s, "step", (int64_t)at + 1);
		script_int(s, "steps", (int64_t)of->nsteps);
		put_page(m, s, "prev", at > 0 ? of->step[at - 1] : NULL);
		put_page(m, s, "next", at + 1 < of->nsteps ? of->step[at + 1] : NULL);
		script_end(s);
	}
	script_end(s);
}

/* The next section in the list that is not only planned, one way or the other; NULL if none. */
static const struct page *beside(const struct site_list *l, const struct page *p, bool after)
{
	size_t at = 0;
	while (at < l->sections.n && l->sections.all[at] != p)
		at++;
	if (at == l->sections.n)
		return NULL;
	for (size_t i = at; after ? ++i < l->sections.n : i-- > 0;)
		if (!handbook_planned(l->sections.all[i]))
			return l->sections.all[i];
	return NULL;
}

static void put_families(struct maker *m, struct script *s, const struct section *of)
{
	const struct site *site = m->site;
	script_begin(s, "families", 0);
	for (size_t i = 0; i < of->nfamilies; i++)
		for (size_t k = 0; k < site->data->families.n; k++) {
			const struct data_family *f = &site->data->families.all[k];
			if (strcmp(f->id, of->families[i]) != 0)
				continue;
			const struct page *p = vars_family_page(m, f);
			script_begin(s, NULL, 4);
			script_cstr(s, "id", f->id);
			script_cstr(s, "title", p ? p->text.title : f->title);
			script_cstr(s, "lang", p && p->path ? site_lang(m->site, p) : "en");
			vars_url(m, s, "url", p ? p->url : f->url);
			script_end(s);
		}
	script_end(s);
}

void vars_section(struct maker *m, struct script *s, const struct page *p)
{
	const struct site_list *l = &m->site->index.lists[p->language];
	const struct section *of = p->section;
	script_begin(s, "section", 10);
	script_cstr(s, "number", of->number);
	script_cstr(s, "status", of->status);
	script_int(s, "minutes", p->source.minutes);
	script_markup(s, "description_html", p->text.description_html);
	put_pages(m, s, "needs", of->need, of->nneed);
	put_pages(m, s, "needed_by", of->needed_by, of->nneeded_by);
	put_page(m, s, "prev", beside(l, p, false));
	put_page(m, s, "next", beside(l, p, true));
	put_families(m, s, of);
	put_paths(m, s, p);
	script_end(s);
}

void vars_path(struct maker *m, struct script *s, const struct page *p)
{
	script_begin(s, "path", 3);
	put_page(m, s, "self", p);
	put_pages(m, s, "steps", p->section->step, p->section->nsteps);
	script_markup(s, "description_html", p->text.description_html);
	script_end(s);
}
