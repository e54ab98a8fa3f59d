#include "site-gen/build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/assets.h"
#include "site-gen/content.h"
#include "site-gen/index.h"
#include "site-gen/links.h"
#include "site-gen/pages.h"
#include "site-gen/stamp.h"
#include "site-gen/vars.h"
#include "site-gen/worker.h"

enum { MAX_TEMPLATE_BYTES = 1 << 20 };

/* --- what is read before anything is made -------------------------------------------------- */

static bool scan_inputs(struct site *s, struct err *e)
{
	static const char *const folders[] = {"content", "templates", "static", "data"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!inputs_add(&s->inputs, folders[i], s->arena, e))
			return false;
	inputs_sort(&s->inputs);
	return true;
}

static bool open_git(struct site *s, struct err *e)
{
	if (!git_open(".", &s->git, e))
		return false;
	s->head = s->git && git_head(s->git) ? git_head(s->git) : "";
	return true;
}

static bool load_data(struct site *s, struct err *e)
{
	if (!data_load(".", s->git, s->config.default_device, s->arena, &s->data, e))
		return false;
	s->families = data_families(&s->data, s->arena, &s->nfamilies);
	s->plot_cache = arena_printf(s->arena, "%s/plots", s->options.cache);
	return file_mkdirs(s->plot_cache, e);
}

bool build_load_data(struct site *s, struct err *e)
{
	return open_git(s, e) && config_load(s->arena, &s->config, e) && load_data(s, e);
}

static struct problems *own(struct site *s)
{
	return &s->problems[s->options.jobs];
}

/* Translates templates/NAME.html; every one that is wrong is a problem. */
static bool load_templates(struct site *s)
{
	size_t from, to;
	bool ok = true;
	inputs_under(&s->inputs, "templates/", &from, &to);
	s->templates = ARENA_ARRAY(s->arena, struct template, to - from);
	for (size_t i = from; i < to; i++) {
		struct err e = ERR_NONE;
		const char *path = s->inputs.file[i].path;
		struct template *t = &s->templates[s->ntemplates];
		struct str src;
		if (!str_ends(str_of(path), ".html"))
			continue;
		bool good =
		        file_read(path, MAX_TEMPLATE_BYTES, s->arena, &src, &e) &&
		        template_translate(src, path + strlen("templates/"), path, s->arena, t, &e);
		struct script *script = good ? template_compile(t, 1, &e) : NULL;
		script_free(script);
		problems_add(own(s), &e);
		s->ntemplates++;
		ok = ok && script;
	}
	return ok;
}

/* --- loading and writing, in workers --------------------------------------------------------- */

static void *enter(void *ctx, int slot)
{
	struct site *s = ctx;
	struct maker *m = ARENA_NEW(s->arena, struct maker);
	m->site = s;
	m->shared = worker_arena(s->pool, slot);
	m->bulk = worker_bulk(s->pool, slot);
	m->problems = &s->problems[slot];
	return m;
}

static void *enter_writing(void *ctx, int slot)
{
	struct maker *m = enter(ctx, slot);
	struct err e = ERR_NONE;
	m->script = template_compile(m->site->templates, m->site->ntemplates, &e);
	if (!m->script)
		_exit(1); /* each compiled before, so memory is out */
	return m;
}

static void load_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct page *p = m->site->pages[i];
	struct err e = ERR_NONE;
	m->page = p;
	if (p->kind->load && !p->kind->load(m, p, &e))
		problems_add(m->problems, &e);
	arena_reset(&m->scratch);
}

static bool make(struct maker *m, struct page *p, struct err *e)
{
	sb_clear(&m->html);
	if (!p->kind->template)
		return p->kind->bytes(m, p, &m->html, e);
	vars_define(m);
	if (!script_render(m->script, p->kind->template, vars_page, m, &m->html, e))
		return false;
	links_note(m, p, sb_view(&m->html));
	return true;
}

static void write_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct page *p = m->site->pages[i];
	struct err e = ERR_NONE;
	m->page = p;
	if (!make(m, p, &e) ||
	    !publish_put(&m->site->publish, p->out, sb_view(&m->html), &p->file, &e))
		problems_add(m->problems, &e);
	arena_reset(&m->scratch);
}

static void died(void *ctx, size_t i, const char *why)
{
	struct site *s = ctx;
	const struct page *p = s->pages[i];
	problems_say(own(s), (struct loc){.path = p->path ? p->path : p->url}, "%s", why);
}

static bool run_all(struct site *s, void *(*start)(void *ctx, int slot),
                    void (*job)(void *worker, size_t i), struct err *e)
{
	struct worker_work w = {
	        .njobs = s->npages, .enter = start, .job = job, .died = died, .ctx = s};
	return worker_run(s->pool, &w, e);
}

static bool has_problems(const struct site *s)
{
	for (int i = 0; i <= s->options.jobs; i++)
		if (s->problems[i].first)
			return true;
	return false;
}

/* --- the steps ----------------------------------------------------------------------------------
 */

static bool make_pool(struct site *s, struct err *e)
{
	if (s->options.jobs < 1)
		s->options.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
	s->pool = worker_pool_new(s->options.jobs, e);
	if (!s->pool)
		return false;
	int n = s->options.jobs = worker_count(s->pool);
	s->shared = worker_arena(s->pool, n);
	s->problems = ARENA_ARRAY(s->shared, struct problems, (size_t)n + 1);
	for (int i = 0; i <= n; i++)
		s->problems[i].arena = worker_arena(s->pool, i);
	return true;
}

static bool load_pages(struct site *s, struct err *e)
{
	struct maker *m;
	index_add_fixed(s);
	content_pages(s);
	if (!run_all(s, enter, load_page, e))
		return false;
	m = enter(s, s->options.jobs);
	index_build(m);
	arena_free(&m->scratch);
	return !has_problems(s);
}

/* --strict: what a page shows must be committed, fresh and steady, and no record ever edited. */
static void check_strict(struct site *s)
{
	struct err e = ERR_NONE;
	if (!data_check_history(&s->data, &e))
		problems_say(own(s), (struct loc){0}, "%s", e.text);
	for (size_t i = 0; i < s->npages; i++) {
		const struct page *p = s->pages[i];
		bool run = p->kind == page_kind("run"); /* an old run may be stale */
		if (p->state == DATA_OK || (run && p->state != DATA_PREVIEW))
			continue;
		problems_say(own(s), (struct loc){.path = p->path ? p->path : p->url},
		             "shows %s numbers: %s", data_state_name(p->state),
		             data_state_title(p->state));
	}
}

static bool write_pages(struct site *s, struct err *e)
{
	if (!run_all(s, enter_writing, write_page, e))
		return false;
	links_check(s, own(s));
	if (s->options.strict)
		check_strict(s);
	return !has_problems(s);
}

static void say_done(const struct site *s, size_t changed, bool published)
{
	if (s->options.quiet)
		return;
	if (!s->options.write)
		printf("site-gen: %zu files, no problems\n", s->npages);
	else if (!published)
		printf("site-gen: %s: %zu files, none changed\n", s->options.out, s->npages);
	else
		printf("site-gen: %s: %zu files, %zu new or changed\n", s->options.out, s->npages,
		       changed);
}

static bool commit(struct site *s, struct publish_file *f, struct err *e)
{
	size_t changed = 0;
	bool published;
	for (size_t i = 0; i < s->npages; i++) {
		f[i] = s->pages[i]->file;
		changed += f[i].changed;
	}
	if (!publish_commit(&s->publish, f, s->npages, s->options.sync, &published, e))
		return false;
	say_done(s, changed, published);
	return true;
}

static bool make_all(struct site *s, struct err *e)
{
	return config_load(s->arena, &s->config, e) && assets_load(s, e) && load_data(s, e) &&
	       load_templates(s) && load_pages(s, e) && write_pages(s, e);
}

/* Everything after the inputs are known; the lock is held. */
static bool build_locked(struct site *s, struct err *e)
{
	struct stamp stamp;
	stamp_take(s, &stamp);
	if (s->options.write && stamp_holds(s, &stamp)) {
		if (!s->options.quiet)
			printf("site-gen: %s: nothing changed\n", s->options.out);
		return true;
	}
	if (!make_all(s, e))
		return false;
	struct publish_file *files = ARENA_ARRAY(s->arena, struct publish_file, s->npages);
	if (!commit(s, files, e))
		return false;
	/* a preview is built again anyway */
	return !s->options.sync || stamp_write(s, &stamp, files, s->npages, e);
}

static bool build(struct site *s, struct err *e)
{
	if (!make_pool(s, e) || !scan_inputs(s, e) || !open_git(s, e) ||
	    !publish_open(s->options.out, s->options.write, s->arena, &s->publish, e))
		return false;
	bool ok = build_locked(s, e);
	publish_close(&s->publish);
	return ok;
}

static int finish(struct site *s, bool ok, const struct err *e)
{
	if (e->set)
		fprintf(stderr, "site-gen: %s\n", e->text);
	const struct problems *lists[WORKER_MAX + 1];
	size_t n = s->problems ? (size_t)s->options.jobs + 1 : 0;
	for (size_t i = 0; i < n; i++)
		lists[i] = &s->problems[i];
	problems_print(lists, n, stderr);
	git_close(s->git);
	worker_pool_free(s->pool);
	arena_free(s->arena);
	return ok ? 0 : 1;
}

int build_site(const struct site_options *options)
{
	struct arena arena = {0};
	struct site s = {.options = *options, .arena = &arena, .head = ""};
	struct err e = ERR_NONE;
	umask(022);
	bool ok = build(&s, &e);
	return finish(&s, ok, &e);
}
