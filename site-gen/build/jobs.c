#include "site-gen/build/jobs.h"
#include "site-gen/build/noted.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "site-gen/audit/audit.h"
#include "site-gen/base/problems.h"
#include "site-gen/base/worker.h"
#include "site-gen/git/git.h"
#include "site-gen/look/vars.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/template.h"
#include "site-gen/output/publish.h"
#include "site-gen/pages/figure_page.h"
#include "site-gen/site/links.h"
#include "site-gen/site/log_check.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"
#include "site-gen/site/source.h"
#include "site-gen/records/launches.h"

bool jobs_start(struct site *s, struct err *e)
{
	if (s->options.jobs < 1)
		s->options.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
	s->workers.pool = worker_pool_new(s->options.jobs, e);
	if (!s->workers.pool)
		return false;
	int n = s->options.jobs = worker_count(s->workers.pool);
	s->shared = worker_arena(s->workers.pool, n);
	s->workers.problems = ARENA_ARRAY(s->shared, struct problems, (size_t)n + 1);
	s->workers.audited = ARENA_ARRAY(s->shared, size_t, (size_t)n + 1);
	s->workers.stopped = ARENA_NEW(s->shared, atomic_bool);
	for (int i = 0; i <= n; i++)
		s->workers.problems[i].arena = worker_arena(s->workers.pool, i);
	return true;
}

struct problems *jobs_problems(struct site *s)
{
	return &s->workers.problems[s->options.jobs];
}

static void *enter(void *ctx, int slot)
{
	struct site *s = ctx;
	struct maker *m = ARENA_NEW(s->arena, struct maker);
	m->site = s;
	m->shared = worker_arena(s->workers.pool, slot);
	m->problems = &s->workers.problems[slot];
	return m;
}

struct maker *jobs_parent(struct site *s)
{
	return enter(s, s->options.jobs);
}

static void *enter_writing(void *ctx, int slot)
{
	struct maker *m = enter(ctx, slot);
	struct err e = ERR_NONE;
	m->script = template_compile(m->site->repo.templates, m->site->repo.ntemplates, &e);
	if (!m->script) { /* they compiled before, so the machine is out of memory */
		problems_add(m->problems, &e);
		_exit(1);
	}
	if (m->site->options.audit) {
		m->audit = ARENA_NEW(m->site->arena, struct audit);
		audit_init_with(m->audit, m->site->data, &m->site->log->log, m->site->arena,
		                m->problems);
		m->audit->names = (struct words){m->site->config, "en"};
		m->audit->preview = !m->site->options.strict;
		m->audited = &m->site->workers.audited[slot];
	}
	return m;
}

/* Audits a file as it was written, before it is published. */
static void audit_written(struct maker *m, const struct page *p, struct str bytes)
{
	struct str out = str_of(p->out);
	if (!m->audit || (!str_ends(out, ".html") && !str_ends(out, ".xml")))
		return;
	audit_page(m->audit, p->out, bytes);
	*m->audited = audit_total(m->audit->counted);
}

/*
 * After a page: reports errors of this worker's reads of the repository, since none may pass for
 * "not there", and closes records.
 */
static void end_page(struct maker *m)
{
	struct err e = ERR_NONE;
	if (!git_sound(m->site->repo.git, &e) || !launches_sound(m->site->data, &e))
		problems_add(m->problems, &e);
	launches_rest(m->site->data);
}

static void load_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct page *p = m->site->workers.todo.all[i];
	struct err e = ERR_NONE;
	const struct problem *before = m->problems->first;
	m->page = p;
	if (!p->kind->load(m, p, &e))
		problems_add(m->problems, &e);
	else if (p->loaded)
		figure_page_cut(m, p);
	end_page(m);
	p->source.has_problems = m->problems->first != before;
	arena_reset(&m->scratch);
}

/* Reads the bodies that the page's file shows. Feeds and search ask for those of other pages. */
static bool complete(struct maker *m, struct page *p, struct err *e)
{
	struct page *subject = p->kind->flags & PAGE_OF_SUBJECT ? (struct page *)p->subject : NULL;
	return source_complete(m, p, e) && (!subject || source_complete(m, subject, e));
}

static bool render(struct maker *m, struct page *p, struct err *e)
{
	sb_clear(&m->html);
	if (!complete(m, p, e))
		return false;
	if (!p->kind->template)
		return p->kind->bytes(m, p, &m->html, e);
	vars_define(m);
	return script_render(m->script, p->kind->template, vars_page, m, &m->html, e);
}

static bool make(struct maker *m, struct page *p, struct err *e)
{
	if (!render(m, p, e))
		return false;
	if (p->kind->template)
		links_note(m, p, sb_view(&m->html));
	return true;
}

/* Has the published file the bytes that were noted? Audits them like new ones. */
static bool is_as_noted(struct maker *m, const struct page *p)
{
	struct str bytes;
	bool is = noted_bytes(m->site, p, &m->scratch, &bytes);
	if (is)
		audit_written(m, p, bytes);
	return is;
}

/* Does the published file stay? A preview trusts its times; a build reads what is not proved. */
static bool stays(struct maker *m, struct page *p)
{
	bool audited = p->output.audited || !m->audit;
	if (!p->output.reused || m->site->options.sources || (p->output.proved && audited))
		return p->output.reused;
	p->output.proved = is_as_noted(m, p);
	p->output.audited = p->output.proved && (p->output.audited || m->audit);
	return p->output.proved;
}

/* Were the same bytes audited before, with the same records, log and program? */
static bool was_audited(const struct site *s, const struct page *p, const char *before)
{
	const struct page_output *o = &p->output;
	return o->audited && !o->file.changed && strcmp(o->file.sha256, before) == 0 &&
	       s->reuse.noted && s->reuse.noted->around &&
	       strcmp(s->reuse.noted->around, s->reuse.around) == 0;
}

/* Makes the page's file, and leaves it unpublished. */
static bool write_new(struct maker *m, struct page *p, struct err *e)
{
	char before[HASH_SHA256_HEX + 1];
	memcpy(before, p->output.file.sha256, sizeof before);
	if (!make(m, p, e) ||
	    !publish_put(m->site->publish, p->out, sb_view(&m->html), &p->output.file, e))
		return false;
	if (!was_audited(m->site, p, before))
		audit_written(m, p, sb_view(&m->html));
	p->output.audited = m->audit || was_audited(m->site, p, before);
	return true;
}

static void write_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct page *p = m->site->workers.todo.all[i];
	struct err e = ERR_NONE;
	const struct problem *before = m->problems->first;
	if (atomic_load(m->site->workers.stopped))
		return;
	m->page = p;
	p->output.reused = stays(m, p);
	if (p->output.reused) {
		end_page(m);
		if (m->problems->first != before)
			*p->output.depends = 0;
		arena_reset(&m->scratch);
		return;
	}
	if (!write_new(m, p, &e))
		problems_add(m->problems, &e);
	end_page(m);
	if (script_exhausted(m->script)) /* other pages would fail, too; report it once */
		atomic_store(m->site->workers.stopped, true);
	if (m->problems->first != before)
		*p->output.depends = 0; /* so that the next build reports it again */
	arena_reset(&m->scratch);
}

static void died(void *ctx, size_t i, const char *why)
{
	struct site *s = ctx;
	const struct page *p = s->workers.todo.all[i];
	problems_say(jobs_problems(s), (struct loc){.path = p->path ? p->path : p->url}, "%s", why);
}

/* Job i is that of todo.all[i]. */
static bool run_all(struct site *s, struct page_list todo, void *(*start)(void *ctx, int slot),
                    void (*job)(void *worker, size_t i), struct err *e)
{
	struct worker_work w = {
	        .njobs = todo.n, .enter = start, .job = job, .died = died, .ctx = s};
	s->workers.todo = todo;
	return todo.n == 0 || worker_run(s->workers.pool, &w, e);
}

bool jobs_load(struct site *s, struct err *e)
{
	struct page_list todo = {.all = ARENA_ARRAY(s->arena, struct page *, s->pages.n + 1)};
	for (size_t i = 0; i < s->pages.n; i++)
		if (s->pages.all[i]->kind->load && !s->pages.all[i]->loaded)
			todo.all[todo.n++] = s->pages.all[i];
	return run_all(s, todo, enter, load_page, e);
}

static void complete_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct err e = ERR_NONE;
	if (!source_complete(m, m->site->workers.todo.all[i], &e))
		problems_add(m->problems, &e);
	end_page(m);
}

bool jobs_complete(struct site *s, struct err *e)
{
	return run_all(s, s->pages, enter, complete_page, e);
}

bool jobs_write(struct site *s, struct err *e)
{
	return run_all(s, s->pages, enter_writing, write_page, e);
}

/* Leaves every problem to the build, which makes the page again. */
static void render_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct site *s = m->site;
	struct problems own = {.arena = &m->scratch};
	struct err e = ERR_NONE;
	m->page = s->workers.todo.all[i];
	m->problems = &own;
	if (render(m, s->workers.todo.all[i], &e) && !own.first)
		*s->workers.rendered = str_keep(m->shared, sb_view(&m->html));
	launches_rest(s->data);
}

static void forget(void *ctx, size_t i, const char *why)
{
	(void)ctx;
	(void)i;
	(void)why;
}

bool jobs_render(struct site *s, struct page *p, struct str *html)
{
	struct worker_work w = {
	        .njobs = 1, .enter = enter_writing, .job = render_page, .died = forget, .ctx = s};
	struct err ignored = ERR_NONE;
	s->workers.todo = (struct page_list){.all = &p, .n = 1};
	s->workers.rendered = ARENA_NEW(s->shared, struct str);
	if (!worker_run(s->workers.pool, &w, &ignored))
		return false;
	*html = *s->workers.rendered;
	return html->n > 0;
}

bool jobs_failed(const struct site *s)
{
	for (int i = 0; i <= s->options.jobs; i++)
		if (problems_any(&s->workers.problems[i], s->options.werror))
			return true;
	return false;
}
