#include "site-gen/build/build.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/site/assets.h"
#include "site-gen/audit/audit.h"
#include "site-gen/audit/log.h"
#include "site-gen/site/content.h"
#include "site-gen/build/follow.h"
#include "site-gen/build/index.h"
#include "site-gen/site/links.h"
#include "site-gen/output/manifest.h"
#include "site-gen/site/log_check.h"
#include "site-gen/numbers/number.h"
#include "site-gen/build/page_kinds.h"
#include "site-gen/markdown/reasoning.h"
#include "site-gen/build/stamp.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/numbers/statements.h"
#include "site-gen/site/strict.h"
#include "site-gen/base/tool.h"
#include "site-gen/look/vars.h"
#include "site-gen/base/worker.h"
#include "site-gen/site/words_check.h"

enum { MAX_TEMPLATE_BYTES = 1 << 20 };

/* --- what is read before anything is made -------------------------------------------------- */

static bool scan_inputs(struct site *s, struct err *e)
{
	static const char *const folders[] = {"content", "templates", "static", "themes", "data"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!inputs_add(&s->inputs, folders[i], s->arena, e))
			return false;
	inputs_sort(&s->inputs);
	return true;
}

static const char *head_of(const struct git *g)
{
	return g && git_head(g) ? git_head(g) : "";
}

static bool open_git(struct site *s, struct err *e)
{
	if (!s->git && !git_open(".", &s->git, e))
		return false;
	s->head = head_of(s->git);
	return true;
}

static bool load_data(struct site *s, struct err *e)
{
	s->plot_cache = arena_printf(s->arena, "%s/plots", s->options.cache);
	if (!file_mkdirs(s->plot_cache, e))
		return false;
	if (s->data.arena) /* from a base */
		return true;
	if (!data_load(".", s->git, s->config.default_device, s->arena, &s->data, e) ||
	    !statements_load(&s->data, e) ||
	    !reasoning_render(&s->data, s->config.base, s->plot_cache, e))
		return false;
	s->families = data_families(&s->data, s->arena, &s->nfamilies);
	return true;
}

bool build_load_data(struct site *s, struct err *e)
{
	return open_git(s, e) && config_load(s->arena, &s->config, e) && load_data(s, e);
}

static struct problems *own(struct site *s)
{
	return &s->problems[s->options.jobs];
}

static bool load_template(struct site *s, const char *path, const char *name, struct script *all,
                          struct err *e)
{
	struct template *t = &s->templates[s->ntemplates++];
	struct str src;
	if (!file_read(path, MAX_TEMPLATE_BYTES, s->arena, &src, e) ||
	    !template_translate(src, name, path, s->arena, t, e))
		return false;
	traced_template(s->lint, src, path, own(s));
	return template_add(all, t, e);
}

/*
 * Translates templates/NAME.html and NAME.svg; every one that is wrong is a problem. They are
 * compiled together, as each worker will, so that their memory suffices there.
 */
static bool load_templates(struct site *s)
{
	size_t from, to;
	bool ok = true;
	struct script *all = script_new();
	const char *folder = arena_printf(s->arena, "%stemplates/", s->config.look);
	inputs_under(&s->inputs, folder, &from, &to);
	s->templates = ARENA_ARRAY(s->arena, struct template, to - from);
	for (size_t i = from; i < to && !script_exhausted(all); i++) {
		struct err e = ERR_NONE;
		const char *path = s->inputs.file[i].path;
		if (!str_ends(str_of(path), ".html") && !str_ends(str_of(path), ".svg"))
			continue;
		if (!load_template(s, path, path + strlen(folder), all, &e))
			ok = false;
		problems_add(own(s), &e);
	}
	script_free(all);
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
	if (!m->script) { /* they compiled before, so the machine's memory is out */
		problems_add(m->problems, &e);
		_exit(1);
	}
	if (m->site->options.audit) {
		m->audit = ARENA_NEW(m->site->arena, struct audit);
		audit_init(m->audit, &m->site->data, m->site->arena, m->problems);
		m->audit->preview = !m->site->options.strict;
		m->audited = &m->site->audited[slot];
	}
	return m;
}

/* What was written, read back: before it is published. */
static void audit_written(struct maker *m, const struct page *p)
{
	struct str out = str_of(p->out);
	if (!m->audit || (!str_ends(out, ".html") && !str_ends(out, ".xml")))
		return;
	audit_page(m->audit, p->out, sb_view(&m->html));
	*m->audited = audit_total(m->audit->counted);
}

/* What this worker read of the repository, it read: nothing was taken for "not there". */
static void check_git(struct maker *m)
{
	struct err e = ERR_NONE;
	if (!git_sound(m->site->git, &e))
		problems_add(m->problems, &e);
}

static void load_page(void *worker, size_t i)
{
	struct maker *m = worker;
	struct page *p = m->site->pages[i];
	struct err e = ERR_NONE;
	const struct problem *before = m->problems->first;
	m->page = p;
	if (p->kind->load && !p->loaded && !p->kind->load(m, p, &e))
		problems_add(m->problems, &e);
	check_git(m);
	p->told = m->problems->first != before;
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
	const struct problem *before = m->problems->first;
	if (p->reused || atomic_load(m->site->stopped))
		return;
	m->page = p;
	if (!make(m, p, &e) ||
	    !publish_put(&m->site->publish, p->out, sb_view(&m->html), &p->file, &e))
		problems_add(m->problems, &e);
	else
		audit_written(m, p);
	check_git(m);
	if (script_exhausted(m->script)) /* on other pages, too: it is said once */
		atomic_store(m->site->stopped, true);
	if (m->problems->first != before)
		*p->depends = 0; /* to be told again */
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
		if (problems_any(&s->problems[i], s->options.werror))
			return true;
	return false;
}

/* --- processes ----------------------------------------------------------------------------- */

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
	s->audited = ARENA_ARRAY(s->shared, size_t, (size_t)n + 1);
	s->stopped = ARENA_NEW(s->shared, atomic_bool);
	for (int i = 0; i <= n; i++)
		s->problems[i].arena = worker_arena(s->pool, i);
	return true;
}

/* --- a base for several builds --------------------------------------------------------------- */

static void base_drop(struct build_base *b)
{
	git_close(b->git);
	worker_pool_free(b->pool);
	arena_free(&b->arena);
	*b = (struct build_base){0};
}

/* Both files of words, as one text. */
static bool read_words(const char *path, struct arena *a, struct str *words)
{
	struct err ignored = ERR_NONE;
	struct str more;
	if (!file_exists(path))
		return true;
	if (!file_read(path, MAX_TEMPLATE_BYTES, a, &more, &ignored))
		return false;
	*words = str_of(arena_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(*words), STR_ARG(more)));
	return true;
}

/* The texts of the settings and of the words. */
static bool read_settings(struct arena *a, struct str *settings, struct str *words)
{
	struct config c;
	struct err ignored = ERR_NONE;
	*words = str_of("");
	if (!config_load(a, &c, &ignored) ||
	    !file_read("content/site.lua", MAX_TEMPLATE_BYTES, a, settings, &ignored))
		return false;
	return read_words(config_words_path(&c, a), a, words) &&
	       read_words(CONFIG_KERNEL_WORDS, a, words);
}

/* Of the records, of the programs of plots, of HEAD, of the settings and the words. */
static bool base_digest(const char *head, char hex[HASH_SHA256_HEX + 1])
{
	struct arena a = {0};
	struct inputs in = {0};
	struct err ignored = ERR_NONE;
	struct str settings, words;
	bool settled,
	        ok = inputs_add(&in, "data", &a, &ignored) && read_settings(&a, &settings, &words);
	if (ok) {
		inputs_sort(&in);
		inputs_digest(&in,
		              str_of(arena_printf(&a, "%s\n" STR_FMT "\n" STR_FMT, head,
		                                  STR_ARG(settings), STR_ARG(words))),
		              hex, &settled);
	}
	arena_free(&a);
	return ok && settled;
}

/* Loads the pages of sources; those in which something was found are left to each build. */
static bool base_texts(struct build_base *b, struct site *s)
{
	struct err ignored = ERR_NONE;
	struct reuse_base *t = &b->texts;
	struct site texts = *s;
	texts.made = b->pages;
	texts.nmade = b->npages;
	texts.pages = NULL;
	texts.npages = texts.page_cap = 0;
	texts.lint = lint_new(&b->arena);
	if (!scan_inputs(&texts, &ignored) || !assets_load(&texts, &ignored))
		return false;
	index_add_fixed(&texts);
	content_pages(&texts);
	if (!run_all(&texts, enter, load_page, &ignored))
		return false;
	*t = (struct reuse_base){.digest = b->digest, .inputs = texts.inputs, .pages = texts.pages};
	for (size_t i = 0; i < texts.npages; i++)
		if (texts.pages[i]->loaded && !texts.pages[i]->told && texts.pages[i]->path)
			t->pages[t->npages++] = texts.pages[i];
	return true;
}

/* Loads the pages of families and runs; one that fails is left to the build, which says why. */
static void base_pages(struct build_base *b, const struct site_options *o, struct config config)
{
	struct site s = {.options = *o,
	                 .kinds = pages_table(),
	                 .arena = &b->arena,
	                 .config = config,
	                 .head = b->head,
	                 .git = b->git,
	                 .data = b->data,
	                 .families = b->families,
	                 .nfamilies = b->nfamilies,
	                 .is_base = true};
	struct err ignored = ERR_NONE;
	if (!load_data(&s, &ignored) || !make_pool(&s, &ignored))
		return;
	b->pool = s.pool;
	index_add_generated(&s);
	if (!run_all(&s, enter, load_page, &ignored))
		return;
	b->pages = s.pages;
	for (size_t i = 0; i < s.npages; i++)
		if (s.pages[i]->loaded)
			b->pages[b->npages++] = s.pages[i];
	s.is_base = false;
	if (!base_texts(b, &s))
		b->texts = (struct reuse_base){0};
}

static bool base_load(struct build_base *b, const struct site_options *o, struct git *g,
                      const char *digest)
{
	struct err ignored = ERR_NONE;
	struct config config;
	b->git = g;
	b->head = head_of(g);
	memcpy(b->digest, digest, sizeof b->digest);
	b->loaded = config_load(&b->arena, &config, &ignored) &&
	            data_load(".", g, config.default_device, &b->arena, &b->data, &ignored) &&
	            statements_load(&b->data, &ignored) &&
	            reasoning_render(&b->data, config.base,
	                             arena_printf(&b->arena, "%s/plots", o->cache), &ignored) &&
	            git_sound(g, &ignored);
	if (b->loaded) {
		b->families = data_families(&b->data, &b->arena, &b->nfamilies);
		base_pages(b, o, config);
	} else {
		base_drop(b);
	}
	return b->loaded;
}

bool build_base_refresh(struct build_base *b, const struct site_options *options)
{
	struct git *g = NULL;
	struct err ignored = ERR_NONE;
	char digest[HASH_SHA256_HEX + 1];
	bool ok = git_open(".", &g, &ignored) && base_digest(head_of(g), digest);
	if (ok && b->loaded && strcmp(digest, b->digest) == 0 && git_sound(b->git, &ignored)) {
		git_close(g);
		return true;
	}
	base_drop(b);
	if (ok)
		return base_load(b, options, g, digest);
	git_close(g);
	return false;
}

/* --- the steps of a build ------------------------------------------------------------------ */

static bool load_pages(struct site *s, struct err *e)
{
	struct maker *m;
	index_add_fixed(s);
	content_pages(s);
	reuse_pages(s);
	if (!run_all(s, enter, load_page, e))
		return false;
	m = enter(s, s->options.jobs);
	index_build(m);
	arena_free(&m->scratch);
	reuse_outputs(s);
	return !has_problems(s);
}

static bool write_pages(struct site *s, struct err *e)
{
	noted_check(s, own(s));
	if (s->noted->log.exists && (s->options.strict || !s->options.write))
		audit_log(&s->data, &s->noted->log, s->arena,
		          own(s)); /* a preview need not wait for it */
	strict_waivers(s, own(s));
	if (s->options.strict)
		strict_check(s, own(s));
	if (!run_all(s, enter_writing, write_page, e))
		return false;
	links_check(s, own(s));
	return !has_problems(s);
}

static void say_audited(const struct site *s)
{
	size_t n = 0;
	for (int i = 0; i < s->options.jobs; i++)
		n += s->audited[i];
	if (s->options.audit)
		printf("site-gen: audit: %zu numbers re-derived\n", n);
}

static void say_left_out(const struct site *s)
{
	struct sb text = {0};
	follow_left_out(s, &text);
	follow_say_left_out(sb_view(&text), (struct str){NULL, 0}, stdout);
	sb_free(&text);
}

static void say_done(const struct site *s, const struct output_file *f, size_t n, bool published)
{
	size_t changed = 0;
	for (size_t i = 0; i < n; i++)
		changed += f[i].changed;
	if (s->options.quiet)
		return;
	say_audited(s);
	if (!s->options.write)
		say_left_out(s);
	if (!s->options.write)
		printf("site-gen: %zu files, no problems\n", n);
	else if (!published)
		printf("site-gen: %s: %zu files, none changed\n", s->options.out, n);
	else
		printf("site-gen: %s: %zu files, %zu new or changed\n", s->options.out, n, changed);
}

/* Of all other files; the last of them. */
static bool put_manifest(struct site *s, struct output_file *f, size_t n, struct err *e)
{
	const struct manifest_origin of = {"site-gen " SITE_VERSION, NUMBER_FORMAT, s->head};
	struct sb text = {0};
	manifest_put(&text, &of, f, n);
	bool ok = publish_put(&s->publish, MANIFEST_FILE, sb_view(&text), &f[n], e);
	sb_free(&text);
	return ok;
}

/*
 * What saves the next build work. The new site is live by now, so a stamp that cannot be
 * written is no failure of this one.
 */
static void leave_stamp(const struct site *s, const struct stamp *stamp,
                        const struct output_file *f, size_t n)
{
	struct err why = ERR_NONE;
	if (!stamp_write(s, stamp, f, n, &why))
		fprintf(stderr,
		        "site-gen: warning: %s is published; the next build will do all of it "
		        "again: %s\n",
		        s->options.out, why.text);
}

static bool commit(struct site *s, struct output_file *f, struct err *e)
{
	bool published;
	for (size_t i = 0; i < s->npages; i++)
		f[i] = s->pages[i]->file;
	if (!put_manifest(s, f, s->npages, e) ||
	    !publish_commit(&s->publish, f, s->npages + 1, s->options.sync, &published, e))
		return false;
	say_done(s, f, s->npages + 1, published);
	return true;
}

/* Records that are passed over are told. */
static bool check_records(struct site *s)
{
	strict_records(s, own(s));
	return true;
}

/* Texts that are on every page. */
static bool check_settings(struct site *s)
{
	s->lint = lint_new(s->arena);
	traced_settings(s, own(s));
	return true;
}

static bool check_words(struct site *s)
{
	words_check(s, own(s));
	return true;
}

static bool make_all(struct site *s, struct err *e)
{
	return tool_ready(e) && config_load(s->arena, &s->config, e) && check_settings(s) &&
	       assets_load(s, e) && load_data(s, e) && check_records(s) && check_words(s) &&
	       noted_load(s, e) && load_templates(s) && load_pages(s, e) && write_pages(s, e);
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
	if (!make_all(s, e) || !git_sound(s->git, e))
		return false;
	struct output_file *files = ARENA_ARRAY(s->arena, struct output_file, s->npages + 1);
	if (!commit(s, files, e) ||
	    (s->options.sources && (!follow_write(s, s->options.sources, e) || !reuse_note(s, e))))
		return false;
	if (s->options.sync) /* a preview is built again anyway */
		leave_stamp(s, &stamp, files, s->npages + 1);
	return true;
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

static int finish(struct site *s, const struct build_base *base, bool ok, const struct err *e)
{
	bool excerpts = s->options.excerpts || isatty(STDERR_FILENO);
	if (e->set)
		problems_print_one(e->text, excerpts, stderr);
	const struct problems *lists[WORKER_MAX + 1];
	size_t n = s->problems ? (size_t)s->options.jobs + 1 : 0;
	for (size_t i = 0; i < n; i++)
		lists[i] = &s->problems[i];
	problems_print(lists, n, excerpts, stderr);
	if (!base)
		git_close(s->git);
	worker_pool_free(s->pool);
	arena_free(s->arena);
	return ok ? 0 : 1;
}

int build_site(const struct site_options *options, const struct build_base *base)
{
	struct arena arena = {0};
	struct site s = {.options = *options, .kinds = pages_table(), .arena = &arena, .head = ""};
	struct err e = ERR_NONE;
	if (base && !base->loaded)
		base = NULL;
	if (base) {
		s.git = base->git;
		s.data = base->data;
		s.families = base->families;
		s.nfamilies = base->nfamilies;
		s.made = base->pages;
		s.nmade = base->npages;
		s.reuse = base->texts.digest ? &base->texts : NULL;
	}
	umask(022);
	bool ok = build(&s, &e);
	return finish(&s, base, ok, &e);
}

static bool load_and(struct site *s, bool (*then)(struct site *s, void *ctx, struct err *e),
                     void *ctx, struct err *e)
{
	return make_pool(s, e) && scan_inputs(s, e) && open_git(s, e) &&
	       config_load(s->arena, &s->config, e) && load_data(s, e) && load_pages(s, e) &&
	       git_sound(s->git, e) && then(s, ctx, e) && git_sound(s->git, e);
}

int build_loaded(const struct site_options *options, struct git *g,
                 bool (*then)(struct site *s, void *ctx, struct err *e), void *ctx)
{
	struct arena arena = {0};
	struct site s = {
	        .options = *options, .kinds = pages_table(), .arena = &arena, .head = "", .git = g};
	struct err e = ERR_NONE;
	umask(022);
	bool ok = load_and(&s, then, ctx, &e);
	return finish(&s, NULL, ok, &e);
}
