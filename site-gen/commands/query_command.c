#include "site-gen/commands/query_command.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/roof.h"
#include "site-gen/build/build.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"

enum { MOST_RUNS = 12 };

/* --- everything ---------------------------------------------------------------------------- */

static void list_kinds(struct sb *to)
{
	size_t n;
	const struct kind *k = kind_table(&n);
	sb_cstr(to, "kinds\n");
	for (size_t i = 0; i < n; i++)
		sb_printf(to, "  <<bench:%s>>%s  %s\n", k[i].usage,
		          k[i].place == EXPAND_BLOCK ? " alone in a paragraph" : "", k[i].help);
}

static void list_families(const struct data_families *f, struct sb *to)
{
	sb_cstr(to, "\nfamilies\n");
	for (size_t i = 0; i < f->n; i++)
		sb_printf(to, "  %-14s %s\n", f->all[i].id, f->all[i].title);
}

/* Lists the ceiling families, each once; selectors name them without a kernel. */
static void list_ceilings(const struct data *d, struct sb *to)
{
	for (size_t i = 0; i < d->nceilings; i++) {
		const struct run_case *c = d->ceilings[i].d->c;
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = strcmp(d->ceilings[k].d->c->family, c->family) == 0;
		if (!seen)
			sb_printf(to, "%s  %-14s %s\n", i ? "" : "\nceilings\n", c->family,
			          c->family_title);
	}
}

static void list_rest(const struct data *d, struct sb *to)
{
	sb_cstr(to, "\nmetrics\n");
	for (int m = 0; m < METRIC_COUNT; m++)
		sb_printf(to, "  %-14s %s, %s\n", metric_info((enum metric)m)->name,
		          metric_info((enum metric)m)->title, metric_info((enum metric)m)->si);
	sb_cstr(to, "\ndevices\n");
	for (size_t i = 0; i < d->ndevices; i++)
		sb_printf(to, "  %s%s\n", d->devices[i],
		          strcmp(d->devices[i], d->default_device) == 0 ? " (the site's)" : "");
	sb_cstr(to, "\ndatasheet numbers\n");
	for (size_t i = 0; i < d->nspecs; i++) {
		sb_printf(to, "  spec %-14s device=%-8s ", d->specs[i].key, d->specs[i].device);
		number_spec_text(&d->specs[i], to);
		sb_printf(to, "  %s%s%s\n", d->specs[i].title, d->specs[i].note ? ", " : "",
		          d->specs[i].note ? d->specs[i].note : "");
	}
	sb_cstr(to, "\nruns, newest first\n");
	for (size_t i = 0; i < d->nruns && i < MOST_RUNS; i++)
		sb_printf(to, "  %s  %zu cases%s%s\n", d->runs[i].run.head.id,
		          d->runs[i].run.ncases, d->runs[i].why_none ? ", publishes nothing: " : "",
		          d->runs[i].why_none ? d->runs[i].why_none : "");
	if (d->nruns > MOST_RUNS)
		sb_printf(to, "  and %zu more\n", d->nruns - MOST_RUNS);
}

/* --- a family, a variant ------------------------------------------------------------------- */

static bool seen_before(const struct pick *p, size_t i, const char *key, struct arena *a)
{
	const char *v = query_value(p[i].d->c, key, a);
	for (size_t k = 0; k < i; k++) {
		const char *w = query_value(p[k].d->c, key, a);
		if (v && w && strcmp(v, w) == 0)
			return true;
	}
	return !v;
}

static void list_values(const struct pick *p, size_t n, struct arena *a, struct sb *to)
{
	size_t nkeys;
	const char **key = query_keys(p, n, a, &nkeys);
	sb_cstr(to, "\nkeys and their values\n");
	for (size_t k = 0; k < nkeys; k++) {
		sb_printf(to, "  %-10s", key[k]);
		for (size_t i = 0; i < n; i++)
			if (!seen_before(p, i, key[k], a))
				sb_printf(to, " %s", query_value(p[i].d->c, key[k], a));
		sb_char(to, '\n');
	}
}

static void list_variants(const struct pick *p, size_t n, struct sb *to)
{
	sb_cstr(to, "variants, in reading order\n");
	for (size_t i = 0; i < n; i++) {
		const struct run_case *c = p[i].d->c;
		bool again = i > 0 && strcmp(c->variant, p[i - 1].d->c->variant) == 0 &&
		             strcmp(c->family, p[i - 1].d->c->family) == 0;
		if (!again)
			sb_printf(to, "  %s/%-14s %-8s %s\n", c->family, c->variant, c->role,
			          c->variant_title);
	}
}

static void list_cases(const struct data *d, const struct pick *p, size_t n, struct sb *to)
{
	sb_cstr(to, "\ncases, each from its newest run\n");
	for (size_t i = 0; i < n; i++) {
		struct number x;
		sb_printf(to, "  %s  ", p[i].d->c->id);
		if (number_of(&p[i], roof_metric(d, &p[i]), &x))
			number_text(&x, to);
		else
			sb_printf(to, "no number: %s", p[i].d->why_none);
		sb_printf(to, "  %s  %s\n", data_state_name(p[i].d->state), p[i].run->run.head.id);
	}
}

static bool list_selected(struct site *s, const char *selector, const char *device, struct sb *to,
                          struct err *e)
{
	struct expand_ctx ctx = {.data = s->data,
	                         .device = device ? device : s->data->default_device,
	                         .base = "",
	                         .arena = s->arena,
	                         .plots = s->plots,
	                         .cache = s->options.cache};
	/* parsed as a placeholder, so that errors suggest the nearest name */
	const char *text = arena_printf(s->arena, "<<bench:table %s>>", selector);
	struct placeholder p;
	struct query q;
	struct pick *pick;
	size_t n;
	if (!placeholder_parse(str_of(text), (struct loc){0}, &p, e) ||
	    !query_parse(&p, p.nwords ? p.word[0] : STR("*"), NULL, true, &q, e) ||
	    !query_all(&ctx, &q, &pick, &n, e))
		return false;
	list_variants(pick, n, to);
	list_values(pick, n, s->arena, to);
	if (strchr(selector, '/'))
		list_cases(s->data, pick, n, to);
	return true;
}

int query_command_list(const struct site_options *options, const char *selector, const char *device)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb out = {0};
	struct site s = {.options = *options, .arena = &a};
	bool ok = build_load_data(&s, &e);
	if (ok && selector) {
		ok = list_selected(&s, selector, device, &out, &e);
	} else if (ok) {
		list_kinds(&out);
		list_families(&s.data->families, &out);
		list_ceilings(s.data, &out);
		list_rest(s.data, &out);
	}
	if (ok)
		fputs(out.p, stdout);
	else
		fprintf(stderr, "site-gen: %s\n", e.text);
	sb_free(&out);
	git_close(s.repo.git);
	arena_free(&a);
	return ok ? 0 : 1;
}

/* --- what a post quotes -------------------------------------------------------------------- */

struct lines {
	const char **line;
	size_t n;
};

/* A case that `runner python` measured has its file behind it. */
static void add_case(struct lines *l, const struct run_head *h, const struct run_case *c,
                     struct arena *a)
{
	bool python = c->nsource && str_ends(str_of(c->source[0].path), ".py");
	l->line[l->n++] = arena_printf(a, "%s\t%s\t%s%s%s", h->id, record_commit(h), c->id,
	                               python ? "\t" : "", python ? c->source[0].path : "");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "/posts/SLUG/" in any language, or "/SLUG/". */
static bool is_called(const struct page *p, const char *slug)
{
	struct str url = str_of(p->url), name = str_of(slug);
	if (!p->path || url.n < name.n + 2)
		return false;
	return str_eq(str_sub(url, url.n - name.n - 1, url.n - 1), name) &&
	       url.p[url.n - name.n - 2] == '/';
}

struct call {
	const char *slug;
	bool cases;
};

static void add_uses(struct lines *l, const struct page *p, struct arena *a)
{
	for (const struct expand_use *u = p->numbers.uses; u; u = u->next)
		if (!u->c->foreign) /* nothing of the runner measures it again */
			add_case(l, &u->run->head, u->c, a);
}

static void add_numbers(struct lines *l, const struct page *p, struct arena *a)
{
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		l->line[l->n++] = arena_printf(a, "%s\t%s\t%s", number_key(&q->n, a), q->text,
		                               q->n.pick.run->run.head.id);
	for (const struct fact *f = p->numbers.facts; f; f = f->next)
		l->line[l->n++] =
		        arena_printf(a, "%s\t%s\t%s", f->key, f->text, f->run ? f->run : "-");
}

static size_t most_lines(const struct page *p)
{
	size_t n = 0;
	for (const struct expand_use *u = p->numbers.uses; u; u = u->next)
		n++;
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		n++;
	for (const struct fact *f = p->numbers.facts; f; f = f->next)
		n++;
	return n;
}

static bool print_lines(struct site *s, void *ctx, struct err *e)
{
	const struct call *c = ctx;
	struct lines l = {0};
	size_t n = 0, found = 0;
	for (size_t i = 0; i < s->pages.n; i++)
		n += most_lines(s->pages.all[i]);
	l.line = ARENA_ARRAY(s->arena, const char *, n + 1);
	for (size_t i = 0; i < s->pages.n; i++) {
		if (!is_called(s->pages.all[i], c->slug))
			continue;
		found++;
		(c->cases ? add_uses : add_numbers)(&l, s->pages.all[i], s->arena);
	}
	if (!found)
		return err_set(e, "no post or page is called '%s'", c->slug);
	if (l.n)
		qsort(l.line, l.n, sizeof *l.line, by_text);
	for (size_t i = 0; i < l.n; i++)
		if (i == 0 || strcmp(l.line[i], l.line[i - 1]) != 0)
			puts(l.line[i]);
	return true;
}

int query_command_post(const struct site_options *options, const char *slug, bool cases)
{
	struct call c = {slug, cases};
	return build_loaded(options, NULL, print_lines, &c);
}
