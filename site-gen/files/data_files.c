#include "site-gen/files/data_files.h"

#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "lib/record_file.h"
#include "site-gen/site/address.h"
#include "site-gen/files/figure_csv.h"
#include "site-gen/files/number_json.h"
#include "site-gen/kinds/figure.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/backlinks.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

/* The subject of a figure's file. */
struct figure {
	const struct page *page;
	int number;
};

/* --- adding them ----------------------------------------------------------------- */

static void add(struct site *s, const char *kind, const char *url, const void *subject)
{
	struct page *p = site_add(s, page_kind(s, kind), url, subject);
	p->text.title = p->text.description = "";
	p->text.lang = s->config->language;
	p->loaded = true;
}

/* Figures stand in no order: what an author says of a family comes before the generated ones. */
static void add_of_page(struct site *s, const struct page *p)
{
	int last = 0;
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		if (q->figure > last)
			last = q->figure;
	bool *has = ARENA_ARRAY(s->shared, bool, (size_t)last + 1);
	if (address_has_numbers(p))
		add(s, "page numbers", arena_printf(s->shared, "%snumbers.json", p->url), p);
	for (const struct quote *q = p->numbers.quotes; q; q = q->next) {
		if (q->figure <= 0 || has[q->figure])
			continue;
		has[q->figure] = true;
		struct figure *f = ARENA_NEW(s->shared, struct figure);
		*f = (struct figure){p, q->figure};
		const char *name = figure_find(p->numbers.figures, q->figure)->name;
		add(s, "figure data", arena_printf(s->shared, "%s%s.csv", p->url, name), f);
		add(s, "figure table", arena_printf(s->shared, "%s%s.columns.json", p->url, name),
		    f);
	}
}

void data_files_add(struct site *s)
{
	size_t npages = s->pages.n;
	for (size_t i = 0; i < npages; i++)
		add_of_page(s, s->pages.all[i]);
	for (size_t i = 0; i < s->data->nnumbers; i++)
		add(s, "number data", address_number(&s->data->numbers[i], s->shared),
		    &s->data->numbers[i]);
	for (size_t i = 0; i < s->data->nruns; i++)
		add(s, "record", address_record(&s->data->runs[i], s->shared), &s->data->runs[i]);
}

/* --- their bytes ----------------------------------------------------------------- */

bool data_files_number_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct data_number *n = p->subject;
	(void)e;
	number_json(m->site, n, &m->site->backlinks[n - m->site->data->numbers], &m->scratch, to);
	return true;
}

bool data_files_numbers_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	(void)e;
	number_json_page(m->site, p->subject, &m->scratch, to);
	return true;
}

bool data_files_figure_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct figure *f = p->subject;
	(void)e;
	figure_csv(f->page->numbers.quotes, f->number, &m->scratch, to);
	return true;
}

bool data_files_table_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct figure *f = p->subject;
	(void)e;
	figure_csv_columns(f->page->numbers.quotes, f->number, &m->scratch, to);
	return true;
}

/*
 * Reads the work tree's copy, which equals the blob; otherwise the build has already
 * stopped. It is published as it is, compressed or plain.
 */
bool data_files_record_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct data_run *r = p->subject;
	const struct data *d = m->site->data;
	const char *path = arena_printf(&m->scratch, "%s/%s", d->root, r->path);
	char id[HASH_GIT_HEX + 1] = "";
	bool found = false;
	struct str bytes;
	if (file_exists(path)) {
		if (!file_read(path, RECORD_MAX_BYTES, &m->scratch, &bytes, e))
			return false;
		hash_git_blob(bytes, id);
		found = strcmp(id, r->blob) == 0;
	}
	if (!found && d->git && !git_bytes(d->git, r->blob, &m->scratch, &bytes, &found, e))
		return false;
	if (!found)
		return err_set(e, "%s: changed while the site was made; its blob was %s", r->path,
		               r->blob);
	sb_str(to, bytes);
	return true;
}
