#include "site-gen/build/build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/site/assets.h"
#include "site-gen/audit/log.h"
#include "site-gen/site/content.h"
#include "site-gen/build/first.h"
#include "site-gen/build/follow.h"
#include "site-gen/build/index.h"
#include "site-gen/build/inner.h"
#include "site-gen/build/jobs.h"
#include "site-gen/build/kept_pages.h"
#include "site-gen/build/load.h"
#include "site-gen/build/noted.h"
#include "site-gen/site/links.h"
#include "site-gen/output/manifest.h"
#include "site-gen/output/owned.h"
#include "site-gen/site/log_check.h"
#include "site-gen/numbers/number.h"
#include "site-gen/build/page_kinds.h"
#include "site-gen/plot/plot.h"
#include "site-gen/markdown/reasoning.h"
#include "site-gen/build/stamp.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/numbers/statements.h"
#include "site-gen/site/strict.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/tool.h"
#include "site-gen/base/worker.h"
#include "site-gen/files/source_bundle.h"
#include "site-gen/site/words_check.h"
#include "site-gen/site/maker.h"
#include "site-gen/output/publish.h"
#include "site-gen/site/site.h"
#include "site-gen/site/traced.h"
#include "site-gen/records/launches.h"

enum { MAX_SETTINGS_BYTES = 1 << 20 };

bool build_load_data(struct site *s, struct err *e)
{
	return load_git(s, e) && load_settings(s, e) && load_records(s, e);
}

/* --- a base for several builds --------------------------------------------------------------- */

static void base_drop(struct build_base *b)
{
	git_close(b->git);
	launches_close(&b->data);
	worker_pool_free(b->pool);
	arena_free(&b->arena);
	*b = (struct build_base){0};
}

/* Reads both files of words as one text. */
static bool read_words(const char *path, struct arena *a, struct str *words)
{
	struct err ignored = ERR_NONE;
	struct str more;
	if (!file_exists(path))
		return true;
	if (!file_read(path, MAX_SETTINGS_BYTES, a, &more, &ignored))
		return false;
	*words = str_of(arena_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(*words), STR_ARG(more)));
	return true;
}

/* Reads the texts of the settings and of the words; `b`: who may have read the settings before. */
static bool read_settings(const struct build_base *b, struct arena *a, struct str *settings,
                          struct str *words)
{
	struct config own;
	struct err ignored = ERR_NONE;
	*words = str_of("");
	if (!file_read("content/site.lua", MAX_SETTINGS_BYTES, a, settings, &ignored))
		return false;
	bool known = b && b->loaded && str_eq(*settings, b->settings);
	if (!known && !config_load(a, &own, &ignored))
		return false;
	return read_words(config_words_path(known ? &b->config : &own, a), a, words) &&
	       read_words(CONFIG_KERNEL_WORDS, a, words);
}

/* Digests the records, the plot programs, HEAD, the settings and the words. `b`: NULL, or a base.
 */
static bool base_digest(const struct build_base *b, const char *head, char hex[HASH_SHA256_HEX + 1])
{
	struct arena a = {0};
	struct inputs in = {0};
	struct err ignored = ERR_NONE;
	struct str settings, words;
	bool settled, ok = inputs_add(&in, "data", &a, &ignored) &&
	                   inputs_add(&in, "content/kernels", &a, &ignored) &&
	                   read_settings(b, &a, &settings, &words);
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

/* Loads the pages of sources. Pages with problems are left to each build, which reports them. */
static bool base_texts(struct build_base *b, struct site *s)
{
	struct err ignored = ERR_NONE;
	struct reuse_base *t = &b->texts;
	struct site texts = *s;
	texts.reuse.generated = b->pages;
	texts.pages = (struct page_list){0};
	texts.lint = lint_new(&b->arena);
	b->traced = traced_records(&texts, &b->arena, &b->ntraced);
	if (!load_inputs(&texts, &ignored) || !assets_load(&texts, &ignored))
		return false;
	index_add_fixed(&texts);
	content_pages(&texts);
	if (!jobs_load(&texts, &ignored))
		return false;
	*t = (struct reuse_base){
	        .digest = b->digest, .inputs = texts.repo.files, .pages = {.all = texts.pages.all}};
	for (size_t i = 0; i < texts.pages.n; i++) {
		struct page *p = texts.pages.all[i];
		if (p->loaded && !p->source.has_problems && p->path)
			t->pages.all[t->pages.n++] = p;
	}
	return true;
}

/* Loads the pages of families and runs. A page that fails is left to the build, which says why. */
static void base_pages(struct build_base *b, const struct site_options *o)
{
	struct site s = {.options = *o,
	                 .kinds = page_kinds_table(),
	                 .arena = &b->arena,
	                 .config = &b->config,
	                 .repo = {.git = b->git, .head = b->head},
	                 .data = &b->data,
	                 .reuse.is_base = true};
	struct err ignored = ERR_NONE;
	if (!load_records(&s, &ignored) || !jobs_start(&s, &ignored))
		return;
	b->headlines = s.headlines;
	reuse_judged(&b->data, b->judged);
	b->has_log = log_check_load(&s, &ignored);
	if (b->has_log)
		b->log = s.log->log;
	b->pool = s.workers.pool;
	index_add_generated(&s);
	b->code = s.code;
	b->pairs = s.reuse.pairs;
	b->npairs = s.reuse.npairs;
	if (!jobs_load(&s, &ignored))
		return;
	b->pages.all = s.pages.all;
	for (size_t i = 0; i < s.pages.n; i++)
		if (s.pages.all[i]->loaded)
			b->pages.all[b->pages.n++] = s.pages.all[i];
	s.reuse.is_base = false;
	if (!base_texts(b, &s))
		b->texts = (struct reuse_base){0};
}

static bool base_load(struct build_base *b, const struct site_options *o, struct git *g,
                      const char *digest)
{
	struct err ignored = ERR_NONE;
	char now[HASH_SHA256_HEX + 1];
	const struct config *c = &b->config;
	b->git = g;
	b->head = load_head(g);
	memcpy(b->digest, digest, sizeof b->digest);
	const struct data_cache kept = {.folder = o->cache};
	bool configured = file_read("content/site.lua", MAX_SETTINGS_BYTES, &b->arena, &b->settings,
	                            &ignored) &&
	                  config_load(&b->arena, &b->config, &ignored);
	struct plotter *plots =
	        plotter_new(load_plots_root(c, &b->arena),
	                    arena_printf(&b->arena, "%s/plots", o->cache), &b->arena);
	b->loaded = configured &&
	            data_load(".", g, &kept, c->default_device, &b->arena, &b->data, &ignored) &&
	            statements_load(&b->data, &ignored) &&
	            reasoning_render(&b->data, c->base, plots, o->cache, &ignored) &&
	            git_sound(g, &ignored) && launches_sound(&b->data, &ignored);
	plotter_rest(plots);
	if (b->loaded)
		base_pages(b, o);
	/* what was read must be what was digested: nobody may have saved in between */
	if (!b->loaded || !base_digest(NULL, b->head, now) || strcmp(now, digest) != 0)
		base_drop(b);
	return b->loaded;
}

bool build_base_refresh(struct build_base *b, const struct site_options *options)
{
	struct git *g = NULL;
	struct err ignored = ERR_NONE;
	char digest[HASH_SHA256_HEX + 1];
	bool ok = git_open(".", &g, &ignored) && base_digest(b, load_head(g), digest);
	if (ok && b->loaded && strcmp(digest, b->digest) == 0 && git_sound(b->git, &ignored) &&
	    launches_sound(&b->data, &ignored)) {
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
	kept_pages_take(s);
	if (!source_bundle_pack(s, e) || !jobs_load(s, e))
		return false;
	m = jobs_parent(s);
	index_build(m);
	first_show(s);
	index_files(m);
	arena_free(&m->scratch);
	reuse_outputs(s);
	return !jobs_failed(s) && kept_pages_complete(s, e) && !jobs_failed(s);
}

static bool write_pages(struct site *s, struct err *e)
{
	log_check(s, jobs_problems(s));
	if (s->log->log.exists && (s->options.strict || !s->options.write))
		audit_log(s->data, &s->log->log, s->arena,
		          jobs_problems(s)); /* a preview need not wait for it */
	strict_waivers(s, jobs_problems(s));
	if (s->options.strict)
		strict_check(s, jobs_problems(s));
	if (!jobs_write(s, e))
		return false;
	links_check(s, jobs_problems(s));
	return !jobs_failed(s);
}

static void say_audited(const struct site *s)
{
	size_t n = 0;
	for (int i = 0; i < s->options.jobs; i++)
		n += s->workers.audited[i];
	if (s->options.audit)
		printf("site-gen: audit: %zu numbers re-derived%s\n", n,
		       n == 0 && !s->options.whole ? ", files that stay were audited before" : "");
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

/* Adds the manifest, which is written last and lists all other files. */
static bool put_manifest(struct site *s, struct output_file *f, size_t n, struct err *e)
{
	const struct manifest_origin of = {"site-gen " SITE_VERSION, NUMBER_FORMAT, s->repo.head};
	struct sb text = {0};
	manifest_put(&text, &of, f, n);
	bool ok = publish_put(s->publish, MANIFEST_FILE, sb_view(&text), &f[n], e);
	sb_free(&text);
	return ok;
}

/*
 * Leaves what saves the next build work. The new site is already live, so a stamp that cannot
 * be written does not fail this build.
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

/* More than a saved post changes appears at once, as a new folder. */
static bool is_small(const struct site *s, const struct output_file *f, size_t n)
{
	enum { SMALL = 64 };
	size_t changed = s->reuse.ngone;
	for (size_t i = 0; i < n; i++)
		changed += f[i].changed;
	return changed <= SMALL;
}

static bool commit(struct site *s, struct output_file *f, struct err *e)
{
	size_t n = s->pages.n + 1;
	bool published, ok;
	for (size_t i = 0; i < s->pages.n; i++) {
		f[i] = s->pages.all[i]->output.file;
		f[i].replaces = s->pages.all[i]->output.replaces;
	}
	if (!put_manifest(s, f, s->pages.n, e))
		return false;
	f[s->pages.n].replaces = true;
	s->reuse.in_place = s->reuse.in_place && (s->options.sources || is_small(s, f, n));
	if (s->reuse.in_place)
		ok = publish_update(s->publish, f, n, s->reuse.gone, s->reuse.ngone,
		                    s->options.sync, &published, e);
	else
		ok = publish_commit(s->publish, f, n, s->options.sync, &published, e);
	if (ok)
		say_done(s, f, n, published);
	return ok;
}

/* Reports records that are skipped. */
static bool check_records(struct site *s)
{
	strict_records(s, jobs_problems(s));
	return true;
}

/* Checks the texts that are on every page. */
bool build_check_settings(struct site *s)
{
	s->lint = lint_new(s->arena);
	traced_settings(s, jobs_problems(s));
	return true;
}

static bool check_words(struct site *s)
{
	words_check(s, jobs_problems(s));
	return true;
}

static bool make_all(struct site *s, struct err *e)
{
	return tool_ready(e) && load_settings(s, e) && build_check_settings(s) &&
	       assets_load(s, e) && load_records(s, e) && check_records(s) && check_words(s) &&
	       log_check_load(s, e) && load_templates(s) && load_pages(s, e) && write_pages(s, e);
}

/* Only a commit proves of what work tree the sources of kernels are, if there are records. */
static bool is_settled(const struct site *s)
{
	size_t from, to;
	inputs_under(&s->repo.files, "data/", &from, &to);
	return *s->repo.head || from == to;
}

/* A build that publishes keeps the files on which nothing that changed has an influence. */
static void may_keep(struct site *s)
{
	char *digest = arena_alloc(s->arena, HASH_SHA256_HEX + 1);
	if (!s->reuse.digest && s->options.write && is_settled(s) && kept_program(s->arena) &&
	    base_digest(NULL, s->repo.head, digest))
		s->reuse.digest = digest;
}

/* The build after its inputs are known; the caller holds the lock. */
static bool build_locked(struct site *s, struct err *e)
{
	struct stamp stamp;
	stamp_take(s, &stamp);
	if (s->options.write && !s->options.whole && stamp_holds(s, &stamp)) {
		if (!s->options.quiet)
			printf("site-gen: %s: nothing changed\n", s->options.out);
		return true;
	}
	if (!s->data) /* a preview has them in memory */
		reuse_records(s);
	if (!make_all(s, e) || !git_sound(s->repo.git, e) || !launches_sound(s->data, e))
		return false;
	struct output_file *files = ARENA_ARRAY(s->arena, struct output_file, s->pages.n + 1);
	if (!commit(s, files, e) || (s->options.sources && !follow_write(s, s->options.sources, e)))
		return false;
	if (s->options.write) {
		publish_tidy(s->publish); /* it changes times that are noted */
		kept_pages_leave(s);
		noted_write(s);
		first_settle(s);
	}
	if (s->options.sync) /* a preview needs no sync, because it is built again anyway */
		leave_stamp(s, &stamp, files, s->pages.n + 1);
	return true;
}

/*
 * A folder that is as it was left can be changed in place. A preview does not look for other
 * people's files in its own.
 */
static bool open_output(struct site *s, struct err *e)
{
	const char *out = s->options.out;
	may_keep(s);
	if (s->options.write && !s->options.whole && noted_is_output(s)) {
		if (!publish_open_again(out, s->arena, s->publish, e))
			return false;
		/* keeps the lock: another build may have changed what the notes describe */
		s->reuse.in_place = s->options.sources || reuse_is_as_left(s);
		if (s->reuse.in_place || owned_site(out, s->arena, e))
			return true;
		publish_close(s->publish);
		return false;
	}
	return publish_open(out, s->options.write, s->arena, s->publish, e);
}

static bool build(struct site *s, struct err *e)
{
	s->publish = ARENA_NEW(s->arena, struct publish);
	if (!jobs_start(s, e) || !load_inputs(s, e) || !load_git(s, e) || !open_output(s, e))
		return false;
	bool ok = build_locked(s, e);
	publish_close(s->publish);
	return ok;
}

/* Prints the problems. */
static void report(const struct site *s, const struct err *e)
{
	bool excerpts = s->options.excerpts || isatty(STDERR_FILENO);
	if (e->set)
		problems_print_one(e->text, excerpts, stderr);
	const struct problems *lists[WORKER_MAX + 1];
	size_t n = s->workers.problems ? (size_t)s->options.jobs + 1 : 0;
	for (size_t i = 0; i < n; i++)
		lists[i] = &s->workers.problems[i];
	problems_print(lists, n, excerpts, stderr);
}

static void close_site(struct site *s, const struct build_base *base)
{
	if (!base)
		git_close(s->repo.git);
	if (s->data)
		launches_close(s->data);
	worker_pool_free(s->workers.pool);
	arena_free(s->arena);
}

void build_close(struct site *s)
{
	close_site(s, NULL);
}

int build_finish(struct site *s, bool ok, const struct err *e)
{
	report(s, e);
	close_site(s, NULL);
	return ok ? 0 : 1;
}

int build_site(const struct site_options *options, const struct build_base *base)
{
	struct arena arena = {0};
	struct site s = {
	        .options = *options, .kinds = page_kinds_table(), .arena = &arena, .repo.head = ""};
	struct err e = ERR_NONE;
	if (base && !base->loaded)
		base = NULL;
	if (base) {
		s.repo.git = base->git;
		s.data = &base->data;
		s.reuse.generated = base->pages;
		s.reuse.code = base->code;
		s.reuse.pairs = base->pairs;
		s.reuse.npairs = base->npairs;
		s.reuse.traced = base->traced;
		s.reuse.ntraced = base->ntraced;
		s.reuse.texts = base->texts.digest ? &base->texts : NULL;
		s.reuse.digest = base->texts.digest;
		s.reuse.judged = base->judged;
		s.reuse.config = &base->config;
		s.reuse.headlines = base->headlines;
		s.reuse.log = base->has_log ? &base->log : NULL;
	}
	umask(022);
	bool ok = build(&s, &e);
	report(&s, &e);
	close_site(&s, base);
	return ok ? 0 : 1;
}

static bool load_and(struct site *s, bool (*then)(struct site *s, void *ctx, struct err *e),
                     void *ctx, struct err *e)
{
	return jobs_start(s, e) && load_inputs(s, e) && load_git(s, e) && load_settings(s, e) &&
	       load_records(s, e) && load_pages(s, e) && git_sound(s->repo.git, e) &&
	       then(s, ctx, e) && git_sound(s->repo.git, e) && launches_sound(s->data, e);
}

int build_loaded(const struct site_options *options, struct git *g,
                 bool (*then)(struct site *s, void *ctx, struct err *e), void *ctx)
{
	struct arena arena = {0};
	struct site s = {.options = *options,
	                 .kinds = page_kinds_table(),
	                 .arena = &arena,
	                 .repo.head = "",
	                 .repo.git = g};
	struct err e = ERR_NONE;
	umask(022);
	bool ok = load_and(&s, then, ctx, &e);
	return build_finish(&s, ok, &e);
}
