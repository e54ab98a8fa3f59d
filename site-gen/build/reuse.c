#include "site-gen/site/shared_figure.h"
#include "site-gen/build/reuse.h"
#include "site-gen/build/noted.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/tool.h"
#include "site-gen/git/git.h"
#include "site-gen/files/feed.h"
#include "site-gen/files/search.h"
#include "site-gen/site/handbook.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/backlinks.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/translation.h"
#include "site-gen/look/spark.h"
#include "site-gen/look/vars.h"
#include "site-gen/site/site.h"
#include "site-gen/output/publish.h"

/* --- files ------------------------------------------------------------------------------------ */

static bool same_file(const struct input *a, const struct input *b)
{
	return a && b && a->size == b->size && a->mtime_ns == b->mtime_ns &&
	       a->ctime_ns == b->ctime_ns && a->inode == b->inode;
}

static bool is_text(const char *path)
{
	return str_starts(str_of(path), "content/") && str_ends(str_of(path), ".md");
}

/* True for files that only templates use; rendering of texts does not depend on them. */
static bool is_look(const char *path)
{
	struct str s = str_of(path);
	return str_starts(s, "templates/") || str_starts(s, "themes/") || str_ends(s, ".css") ||
	       str_ends(s, ".js");
}

static bool is_shown(const char *path)
{
	return !is_text(path) && !is_look(path);
}

/* The next file that a text may show. */
static const struct input *next_shown(const struct inputs *in, size_t *i)
{
	while (*i < in->n && !is_shown(in->file[*i].path))
		(*i)++;
	return *i < in->n ? &in->file[(*i)++] : NULL;
}

static bool same_shown(const struct inputs *a, const struct inputs *b)
{
	for (size_t i = 0, k = 0;;) {
		const struct input *x = next_shown(a, &i), *y = next_shown(b, &k);
		if (!x || !y)
			return !x && !y;
		if (strcmp(x->path, y->path) != 0 || !same_file(x, y))
			return false;
	}
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Sources mostly keep their order, so the search starts at *next. */
static const struct page *kept_of(const struct reuse_base *b, const char *path, size_t *next)
{
	for (size_t i = 0; i < b->pages.n; i++) {
		const struct page *p = b->pages.all[(*next + i) % b->pages.n];
		if (strcmp(p->path, path) != 0 || shared_figure(p))
			continue;
		*next = (*next + i + 1) % b->pages.n;
		return p;
	}
	return NULL;
}

static bool same_source(const struct site *s, const struct page *p)
{
	const struct input *now = inputs_find(&s->repo.files, p->path);
	const struct input *then = inputs_find(&s->reuse.texts->inputs, p->path);
	return same_file(now, then) && !then->young;
}

/* True if the sources in all languages are those that the base has read. */
static bool same_versions(const struct site *s, const struct page *p, const struct page *kept)
{
	for (size_t l = 0; l < s->config->nlanguages; l++) {
		const struct page *now = site_version(p, l), *then = site_version(kept, l);
		bool is = now && now->path, was = then && then->path;
		if (is != was || (is && !same_source(s, now)))
			return false;
	}
	return same_source(s, p);
}

/* Copies the waivers, because site/strict.c writes into them when all pages are loaded. */
static struct waiver *own_waivers(const struct site *s, const struct waiver *kept)
{
	struct waiver *first = NULL, **last = &first;
	for (; kept; kept = kept->next, last = &(*last)->next) {
		*last = ARENA_NEW(s->shared, struct waiver);
		**last = *kept;
	}
	return first;
}

/* Takes over the base's page, with this build's own state. */
static void take(const struct site *s, struct page *p, const struct page *kept)
{
	const struct page own = *p;
	*p = *kept;
	p->path = own.path;
	p->subject = own.subject;
	p->versions = own.versions;
	p->source.waivers = own_waivers(s, kept->source.waivers);
	if (kept->source.translation) {
		struct translation *t = ARENA_NEW(s->shared, struct translation);
		*t = *kept->source.translation;
		t->original = site_version(&own, 0);
		p->source.translation = t;
	}
	if (kept->section) { /* a copy, because the index links it with others */
		p->section = ARENA_NEW(s->shared, struct section);
		*p->section = *kept->section;
	}
}

void reuse_pages(struct site *s)
{
	if (!s->reuse.texts || !same_shown(&s->repo.files, &s->reuse.texts->inputs))
		return;
	size_t next = 0;
	for (size_t i = 0; i < s->pages.n; i++) {
		struct page *p = s->pages.all[i];
		bool text = p->path && is_text(p->path) && p->kind->load;
		const struct page *kept = text ? kept_of(s->reuse.texts, p->path, &next) : NULL;
		if (kept && kept->language == p->language && same_versions(s, p, kept))
			take(s, p, kept);
	}
}

/* --- dependencies of an output ---------------------------------------------------------------- */

static void put(struct sb *to, const char *s)
{
	sb_put(to, s ? s : "", (s ? strlen(s) : 0) + 1);
}

static void put_str(struct sb *to, struct str s)
{
	sb_put(to, &s.n, sizeof s.n);
	sb_str(to, s);
}

static void put_words(struct sb *to, const char *const *word, size_t n)
{
	sb_put(to, &n, sizeof n);
	for (size_t i = 0; i < n; i++)
		put(to, word[i]);
}

/* Digests a file. One too young for its times to prove anything differs each time. */
static void put_file(struct sb *to, const struct input *f)
{
	struct timespec now = {0};
	if (f->young)
		clock_gettime(CLOCK_REALTIME, &now);
	int64_t numbers[] = {f->size,           f->mtime_ns, f->ctime_ns,
	                     (int64_t)f->inode, now.tv_sec,  now.tv_nsec};
	put(to, f->path);
	sb_put(to, numbers, sizeof numbers);
}

static void put_source(struct sb *to, const struct site *s, const struct page *p)
{
	const struct input *f = p && p->path ? inputs_find(&s->repo.files, p->path) : NULL;
	if (f)
		put_file(to, f);
}

/* Digests all sources of a page, because a translation shows where its original is newer. */
void reuse_put_sources(struct sb *to, const struct site *s, const struct page *p)
{
	put_source(to, s, p);
	for (size_t l = 0; p->versions && l < s->config->nlanguages; l++)
		put_source(to, s, p->versions[l]);
}

/* Digests a case by its names: another process has it at another address. */
static void put_case(struct sb *to, const struct run *r, const struct run_case *c)
{
	put(to, r ? r->head.id : NULL);
	put(to, c ? c->id : NULL);
}

static void put_pick(struct sb *to, const struct pick *p)
{
	put_case(to, p->run ? &p->run->run : NULL, p->d ? p->d->c : NULL);
}

static void put_number(struct sb *to, const struct number *n)
{
	const double values[] = {n->value, n->lo, n->hi, n->speed[0], n->speed[1], n->between};
	const int64_t numbers[] = {n->kind, n->metric, (int64_t)n->at_speed[0],
	                           (int64_t)n->at_speed[1], n->as_loss};
	sb_put(to, values, sizeof values);
	sb_put(to, numbers, sizeof numbers);
	put(to, n->si);
	put_pick(to, &n->pick);
	put_pick(to, &n->over);
	put_pick(to, &n->worst);
	put(to, n->peak ? n->peak->device : NULL);
	put(to, n->peak ? n->peak->key : NULL);
	put(to, n->cards ? n->cards->url : NULL);
	put(to, n->over_cards ? n->over_cards->url : NULL);
}

static void put_numbers(struct sb *to, const struct page *p)
{
	for (const struct quote *q = p->numbers.quotes; q; q = q->next) {
		put_number(to, &q->n);
		sb_put(to, &q->figure, sizeof q->figure);
		sb_char(to, q->block);
		put(to, q->text);
		put(to, q->placeholder);
	}
	for (const struct fact *f = p->numbers.facts; f; f = f->next) {
		sb_put(to, &f->value, sizeof f->value);
		put(to, f->key);
		put(to, f->text);
		put(to, f->unit);
		put(to, f->run);
		put(to, f->source);
		put_pick(to, &f->not_of);
		put_pick(to, &f->worst);
		sb_put(to, &f->lo, sizeof f->lo);
		sb_put(to, &f->hi, sizeof f->hi);
	}
	for (const struct expand_use *u = p->numbers.uses; u; u = u->next)
		put_case(to, u->run, u->c);
}

static void put_statements(struct sb *to, const struct page *p)
{
	for (const struct page_goal *g = p->numbers.goals; g; g = g->next) {
		put(to, g->text);
		put_str(to, g->result);
		put(to, g->verdict);
	}
	for (const struct waiver *w = p->source.waivers; w; w = w->next) {
		sb_put(to, &w->rule, sizeof w->rule);
		put(to, w->in);
		put(to, w->why);
		put(to, w->text);
	}
}

static void put_place(struct sb *to, const struct page *p)
{
	const struct section *s = p->section;
	if (s) {
		put(to, s->id);
		put(to, s->number);
		put(to, s->status);
		put_words(to, s->needs, s->nneeds);
		put_words(to, s->families, s->nfamilies);
		put_words(to, s->sections, s->nsections);
	}
	sb_char(to, vars_is_older(p->source.translation));
}

/* Digests a written page's face: what other pages may show of it, without source lines. */
static void put_face(struct sb *to, const struct page *p)
{
	const char *texts[] = {p->text.title,     p->text.description, p->text.lang,
	                       p->front.key,      p->front.date,       p->front.updated,
	                       p->front.category, p->front.difficulty, p->front.series,
	                       p->front.scheduled};
	int64_t numbers[] = {p->source.minutes, p->front.part,  p->front.order,
	                     p->numbers.state,  p->front.draft, p->numbers.blocks,
	                     p->front.featured};
	put_words(to, texts, ARRAY_LEN(texts));
	sb_put(to, numbers, sizeof numbers);
	put_str(to, p->text.title_html);
	put_str(to, p->text.description_html);
	put_str(to, p->front.key_html);
	spark_draw(p->numbers.quotes, to);
	for (size_t i = 0; i < FRONT_TAKES; i++)
		put_str(to, p->front.take_html[i]);
	put_words(to, p->front.tags, p->front.ntags);
	put_words(to, p->numbers.families, p->numbers.nfamilies);
	put_words(to, p->front.aliases, p->front.naliases);
	put_words(to, p->front.devices, p->front.ndevices);
	for (size_t i = 0; i < p->text.nheadings; i++) {
		sb_put(to, &p->text.headings[i].level, sizeof p->text.headings[i].level);
		put(to, p->text.headings[i].id);
		put(to, p->text.headings[i].text);
	}
	put_numbers(to, p);
	put_statements(to, p);
	put_place(to, p);
}

/* A tag may be made again under its name. */
static void put_tag(struct sb *to, const struct git_tag *t)
{
	put(to, t ? t->name : NULL);
	if (t)
		sb_printf(to, "%lld %d ", (long long)t->time, t->is_signed);
}

static void put_judged(struct sb *to, const struct data *d)
{
	const struct predictions *all = prediction_all(d);
	for (size_t i = 0; i < d->nruns; i++) {
		put(to, d->runs[i].recorded);
		put(to, d->runs[i].why_none);
		for (size_t k = 0; k < d->runs[i].run.ncases; k++) {
			put(to, d->runs[i].cases[k].why_none);
			put(to, d->runs[i].cases[k].why_state);
		}
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct prediction *p = &all->all[i];
		put(to, p->added);
		put(to, p->changed);
		put_tag(to, p->tag);
		sb_put(to, &p->verdict, sizeof p->verdict);
		put(to, p->why);
	}
}

void reuse_judged(const struct data *d, char hex[HASH_SHA256_HEX + 1])
{
	struct sb to = {0};
	put_judged(&to, d);
	hash_sha256(sb_view(&to), hex);
	sb_free(&to);
}

/* The programs that draw: their size and time stand for their versions. */
static void put_tools(struct sb *to, struct arena *a)
{
	static const char *const tools[] = {"gnuplot", "blahtexml", "rsvg-convert", "cwebp",
	                                    "woff2_decompress"};
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		struct stat st = {0};
		const char *path = tool_find(tools[i], a);
		if (path)
			stat(path, &st);
		put(to, path);
		sb_printf(to, "%lld %lld ", (long long)st.st_size, (long long)st.st_mtime);
	}
}

void reuse_surroundings(const struct site *s, char hex[HASH_SHA256_HEX + 1])
{
	const struct site_options *o = &s->options;
	char judged[HASH_SHA256_HEX + 1];
	struct sb to = {0};
	put(&to, s->reuse.digest);
	put(&to, kept_program(s->arena));
	put_tools(&to, s->arena);
	if (!s->reuse.judged)
		reuse_judged(s->data, judged);
	put(&to, s->reuse.judged ? s->reuse.judged : judged);
	sb_printf(&to, "%d %d %d %d", o->drafts, o->future, o->strict, o->werror);
	for (size_t i = 0; i < s->repo.files.n; i++)
		if (!is_text(s->repo.files.file[i].path))
			put_file(&to, &s->repo.files.file[i]);
	hash_sha256(sb_view(&to), hex);
	sb_free(&to);
}

/* Digests everything that any output may depend on. */
static void digest_common(const struct site *s, char hex[HASH_SHA256_HEX + 1])
{
	struct sb to = {0};
	put(&to, s->reuse.around);
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *p = s->pages.all[i];
		put(&to, p->kind->name);
		put(&to, p->url);
		put(&to, p->out);
		sb_put(&to, &p->language, sizeof p->language);
		if (p->path)
			put_face(&to, p);
		else /* that of the bundle is its hash */
			put(&to, p->text.description);
	}
	hash_sha256(sb_view(&to), hex);
	sb_free(&to);
}

/* Digests the source lines of quotes, which a number's own file lists. */
static void put_lines(struct sb *to, const struct site *s, const struct page *p)
{
	const struct data_number *n = p->subject;
	const struct backlinks *q = &s->backlinks[n - s->data->numbers];
	for (size_t i = 0; i < q->n; i++)
		sb_put(to, &q->by[i].q->at.line, sizeof q->by[i].q->at.line);
}

static void put_posts(struct sb *to, const struct site *s, const struct page *p)
{
	const struct page_group *tag = p->subject;
	const struct site_list *l = &s->index.lists[p->language];
	struct page *const *posts = tag ? tag->posts.all : l->posts.all;
	size_t n = tag ? tag->posts.n : l->posts.n;
	n = n < FEED_POSTS ? n : FEED_POSTS; /* which those are, the faces say */
	for (size_t i = 0; i < n; i++)
		reuse_put_sources(to, s, posts[i]);
}

static void put_all_texts(struct sb *to, const struct site *s)
{
	for (size_t i = 0; i < s->repo.files.n; i++)
		if (is_text(s->repo.files.file[i].path))
			put_file(to, &s->repo.files.file[i]);
}

/* The search index of a large site has no words of bodies. */
static bool is_large_index(const struct site *s, const struct page *p)
{
	return page_kind_is(p, "search index") && !search_reads_bodies(s, p->language);
}

static void digest_page(const struct site *s, const char *common, const char *texts, struct page *p)
{
	int flags = p->kind->flags;
	struct sb to = {0};
	put(&to, common);
	if (!(flags &
	      (PAGE_OF_FACES | PAGE_OF_ITSELF | PAGE_OF_SUBJECT | PAGE_OF_POSTS | PAGE_OF_LINES)) &&
	    !is_large_index(s, p))
		put(&to, texts);
	if (flags & PAGE_OF_ITSELF)
		reuse_put_sources(&to, s, p);
	if (flags & PAGE_OF_SUBJECT)
		reuse_put_sources(&to, s, p->subject);
	if (flags & PAGE_OF_POSTS)
		put_posts(&to, s, p);
	if (flags & PAGE_OF_LINES)
		put_lines(&to, s, p);
	hash_sha256(sb_view(&to), p->output.depends);
	sb_free(&to);
}

/* --- the notes of the last build -------------------------------------------------------------- */

static void read_notes(struct site *s)
{
	struct noted *n = ARENA_NEW(s->arena, struct noted);
	if (noted_read(s, s->publish->old, s->arena, n))
		s->reuse.noted = n;
}

bool reuse_is_as_left(struct site *s)
{
	read_notes(s);
	return s->reuse.noted && noted_holds(s->reuse.noted, s->publish->old);
}

void reuse_records(struct site *s)
{
	if (!s->reuse.digest || s->options.whole)
		return;
	if (!s->reuse.noted)
		read_notes(s);
	s->reuse.sure = s->reuse.noted && s->reuse.noted->records &&
	                strcmp(s->reuse.noted->records, noted_records(s, s->arena)) == 0;
}

/* Applies what is noted of a file. Pages mostly keep their order: the search starts at *next. */
static void try_file(struct site *s, const struct noted_file *f, size_t *next, size_t *cap_gone)
{
	for (size_t k = 0; k < s->pages.n; k++) {
		struct page *p = s->pages.all[(*next + k) % s->pages.n];
		if (strcmp(p->out, f->file.path) != 0)
			continue;
		*next = (*next + k + 1) % s->pages.n;
		p->output.reused = strcmp(p->output.depends, f->depends) == 0 && f->there;
		p->output.proved = f->proved;
		p->output.audited = f->audited;
		p->output.replaces = true;
		p->output.file = f->file;
		p->output.file.path = p->out;
		return;
	}
	s->reuse.gone = arena_grow(s->arena, s->reuse.gone, s->reuse.ngone, cap_gone,
	                           sizeof *s->reuse.gone);
	s->reuse.gone[s->reuse.ngone++] = f->file.path;
}

void reuse_outputs(struct site *s)
{
	char common[HASH_SHA256_HEX + 1], texts[HASH_SHA256_HEX + 1];
	struct sb all = {0};
	size_t next = 0, cap_gone = 0;
	if (!s->reuse.digest)
		return;
	reuse_surroundings(s, s->reuse.around);
	digest_common(s, common);
	put_all_texts(&all, s);
	hash_sha256(sb_view(&all), texts);
	sb_free(&all);
	for (size_t i = 0; i < s->pages.n; i++)
		digest_page(s, common, texts, s->pages.all[i]);
	if (s->options.whole)
		return;
	if (!s->reuse.noted)
		read_notes(s);
	for (size_t i = 0; s->reuse.noted && i < s->reuse.noted->nfiles; i++)
		try_file(s, &s->reuse.noted->file[i], &next, &cap_gone);
}
