/*
 * Loads the records: finds the run files in HEAD and in the work tree, and reads each, or its
 * digest in the cache. run.c parses a file, and judge.c judges its numbers.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "lib/record_file.h"
#include "lib/ways.h"
#include "site-gen/records/digest.h"
#include "site-gen/records/judge.h"
#include "site-gen/records/launches.h"
#include "site-gen/records/listing_digest.h"
#include "site-gen/records/need.h"
#include "site-gen/records/run.h"
#include "site-gen/records/spec.h"
#include "site-gen/records/stored.h"

#define SPECS_FOLDER "data/specs"
#define CACHE_FOLDER "records" /* in the folder of the cache */

/* --- one loading --- */

/* What its threads share. */
struct load_shared {
	struct kept_by kept; /* digests */
	atomic_size_t room;  /* bytes of launches that may still be left open */
};

struct load {
	struct data *d;
	struct arena *a;
	struct load_shared *shared;
	const char *folder;    /* the current folder: that of runs, or another */
	struct git_file *head; /* its run files in HEAD, sorted */
	size_t nhead;
	const char **paths; /* all of them, from HEAD and the work tree, sorted */
	size_t npaths, cap;
	size_t cap_foreign;
};

/* --- files --- */

/* Is it a file other than a record: a list, an explanation, or a hidden file of a runner's? */
static bool is_known(const char *path)
{
	static const char *const known[] = {"MANIFEST", "README.md"};
	const char *name = strrchr(path, '/') + 1;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	return *name == '.' && !str_ends(str_of(path), RECORD_FILE_PLAIN) &&
	       !str_ends(str_of(path), RECORD_FILE_ENDING);
}

static void add_path(struct load *l, const char *path)
{
	struct data *d = l->d;
	if (!record_file_is(str_of(path))) {
		for (size_t i = 0; i < d->nforeign; i++)
			if (strcmp(d->foreign[i], path) == 0)
				return;
		if (is_known(path))
			return;
		d->foreign = arena_grow(l->a, d->foreign, d->nforeign, &l->cap_foreign,
		                        sizeof *d->foreign);
		d->foreign[d->nforeign++] = path;
		return;
	}
	l->paths = arena_grow(l->a, l->paths, l->npaths, &l->cap, sizeof *l->paths);
	l->paths[l->npaths++] = path;
}

/* Lists the run files of the work tree below `folder`. */
static bool list_work_tree(struct load *l, const char *folder, struct err *e)
{
	const char *full = arena_printf(l->a, "%s/%s", l->d->root, folder);
	struct file_entry *entry;
	size_t n;
	if (!file_exists(full))
		return true;
	if (!file_list(full, l->a, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(l->a, "%s/%s", folder, entry[i].name);
		if (entry[i].is_dir && !list_work_tree(l, path, e))
			return false;
		if (!entry[i].is_dir)
			add_path(l, path);
	}
	return true;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool list_runs(struct load *l, struct err *e)
{
	l->head = NULL;
	l->paths = NULL;
	l->nhead = l->npaths = l->cap = 0;
	if (l->d->git && !git_files(l->d->git, l->folder, l->a, &l->head, &l->nhead, e))
		return false;
	for (size_t i = 0; i < l->nhead; i++)
		add_path(l, l->head[i].path);
	if (!list_work_tree(l, l->folder, e))
		return false;
	if (l->npaths > 0)
		qsort(l->paths, l->npaths, sizeof *l->paths, by_string);
	size_t n = 0;
	for (size_t i = 0; i < l->npaths; i++)
		if (n == 0 || strcmp(l->paths[n - 1], l->paths[i]) != 0)
			l->paths[n++] = l->paths[i];
	l->npaths = n;
	return true;
}

static const char *committed_blob(const struct load *l, const char *path)
{
	for (size_t i = 0; i < l->nhead; i++)
		if (strcmp(l->head[i].path, path) == 0)
			return l->head[i].blob;
	return NULL;
}

/* --- reading in parallel --- */

enum { MAX_THREADS = 64 };

/* Work shared by the threads: the thread that takes i reads run i. */
struct pool {
	const struct load *l;
	struct data_run *runs;
	struct err *errors;
	size_t n;
	atomic_size_t next;
	pthread_mutex_t git; /* libgit2's objects are for one thread */
};

struct reader {
	struct pool *pool;
	struct arena arena; /* the thread's own; the site's arena adopts it at the end */
	struct need_memo memo;
	pthread_t thread;
};

/* Reads the stored bytes of a run, and sets its blob. Only bytes of the work tree need no lock. */
static bool stored_bytes(struct reader *t, struct data_run *r, struct arena *a, struct str *out,
                         struct err *e)
{
	const struct data *d = t->pool->l->d;
	char *id = arena_alloc(&t->arena, HASH_GIT_HEX + 1);
	bool lock = !file_exists(arena_printf(a, "%s/%s", d->root, r->path));
	if (lock)
		pthread_mutex_lock(&t->pool->git);
	bool ok = stored_read(d->root, d->git, r->path, r->blob, a, out, id, e);
	if (lock)
		pthread_mutex_unlock(&t->pool->git);
	r->blob = id;
	return ok;
}

/*
 * Leaves the launches of `parsed` open, which lives in `whole`, if there is room for them. If they
 * are left open, the thread's arena adopts `whole`.
 */
static void keep_launches(struct reader *t, const struct data_run *r, struct run *parsed,
                          size_t bytes, struct arena *whole)
{
	atomic_size_t *room = &t->pool->l->shared->room;
	size_t left = atomic_load(room);
	while (left >= bytes && !atomic_compare_exchange_weak(room, &left, left - bytes))
		continue;
	if (left >= bytes && launches_keep(r, parsed))
		arena_adopt(&t->arena, whole);
}

/* Makes the digest from the record, and r from the digest, as if it came from the cache. */
static bool derive(struct reader *t, struct data_run *r, struct str stored, struct arena *whole,
                   struct err *e)
{
	const struct load_shared *s = t->pool->l->shared;
	struct data_run full = {.path = r->path};
	struct sb digest = {0};
	size_t inflated = 0;
	bool ok = run_lines(&full, stored, whole, &inflated, e) && run_derive(&full, whole, e);
	if (ok) {
		digest_put(&full, &digest);
		ok = digest_take(sb_view(&digest), NULL, &t->arena, r) ||
		     err_set(e, "%s: its digest cannot be read back", r->path);
	}
	if (ok) {
		digest_cache(&s->kept, r->blob, sb_view(&digest));
		keep_launches(t, r, &full.run, inflated, whole);
	}
	sb_free(&digest);
	return ok;
}

static bool read_run(struct reader *t, struct data_run *r, struct err *e)
{
	const struct load_shared *s = t->pool->l->shared;
	struct arena scratch = {0}, whole = {0};
	struct str stored;
	bool ok = stored_bytes(t, r, &scratch, &stored, e);
	const struct digest_need need = {&t->memo, t->pool->l->d->root};
	if (ok && !digest_cached(&s->kept, r->blob, t->memo.need ? &need : NULL, &t->arena, r))
		ok = derive(t, r, stored, &whole, e);
	arena_free(&scratch);
	arena_free(&whole);
	return ok;
}

static void *read_some(void *ctx)
{
	struct reader *t = ctx;
	struct pool *p = t->pool;
	for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n;)
		/* read_all reads the errors */
		unchecked(read_run(t, &p->runs[i], &p->errors[i]));
	return NULL;
}

/* Reads all runs. Of several errors it reports the first in the order of paths. */
static bool read_all(struct load *l, struct pool *p, struct err *e)
{
	struct reader reader[MAX_THREADS] = {0};
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t most = cores > 1 ? (size_t)cores : 1, n = 0;
	most = most > MAX_THREADS ? MAX_THREADS : most;
	most = most > p->n ? p->n : most;
	/* counters and traces are few, and are read whole */
	bool some = strcmp(l->folder, DATA_RUNS_FOLDER) == 0;
	for (size_t i = 0; i < MAX_THREADS; i++)
		reader[i] = (struct reader){.pool = p, .memo.need = some ? l->d->need : NULL};
	/* this thread reads, too, so it does not matter if a thread cannot start */
	for (n = 1; n < most; n++) {
		if (pthread_create(&reader[n].thread, NULL, read_some, &reader[n]) != 0)
			break;
	}
	read_some(&reader[0]);
	for (size_t i = 1; i < n; i++)
		pthread_join(reader[i].thread, NULL);
	for (size_t i = 0; i < n; i++)
		arena_adopt(l->a, &reader[i].arena);
	for (size_t i = 0; i < p->n; i++)
		if (p->errors[i].set)
			return err_set(e, "%s", p->errors[i].text);
	return true;
}

static int newest_first(const void *a, const void *b)
{
	const struct run_head *x = &((const struct data_run *)a)->run.head;
	const struct run_head *y = &((const struct data_run *)b)->run.head;
	int c = strcmp(y->start, x->start);
	return c ? c : strcmp(y->id, x->id);
}

static void list_devices(struct data *d)
{
	d->devices = ARENA_ARRAY(d->arena, const char *, d->nruns + 1);
	for (size_t i = 0; i < d->nruns; i++) {
		const char *slug = d->runs[i].run.head.device;
		size_t k = 0;
		while (k < d->ndevices && strcmp(d->devices[k], slug) != 0)
			k++;
		if (k == d->ndevices)
			d->devices[d->ndevices++] = slug;
	}
	if (d->ndevices > 0)
		qsort(d->devices, d->ndevices, sizeof *d->devices, by_string);
}

/* Returns the only device, or the only GPU beside CPUs; NULL if the site has several. */
static const char *only_device(const struct data *d)
{
	const char *gpu = NULL;
	size_t gpus = 0;
	for (size_t i = 0; i < d->ndevices; i++)
		if (!data_device_is_cpu(d->devices[i])) {
			gpu = d->devices[i];
			gpus++;
		}
	return d->ndevices == 0 ? "" : d->ndevices == 1 ? d->devices[0] : gpus == 1 ? gpu : NULL;
}

/* Never guesses: the newest run's device would change every page with the next record. */
static bool decide_device(struct data *d, struct err *e)
{
	struct sb all = {0};
	if (!d->default_device)
		d->default_device = only_device(d);
	if (d->default_device)
		return true;
	for (size_t i = 0; i < d->ndevices; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", d->devices[i]);
	err_set(e,
	        "content/site.lua: no default_device, and " DATA_RUNS_FOLDER
	        " has runs of several devices (%s); expected default_device = \"%s\", say",
	        all.p, d->devices[0]);
	sb_free(&all);
	return false;
}

/* A record has one file. Both forms of it are neighbours in the sorted list. */
static bool check_forms(const struct load *l, struct err *e)
{
	for (size_t i = 1; i < l->npaths; i++)
		if (record_file_same(l->paths[i - 1], l->paths[i]))
			return rule_err(e, RULE_WHOLE, (struct loc){.path = l->paths[i]},
			                "is there plain, too: expected one file, remove the other");
	return true;
}

/*
 * Sorting moves the runs, but records of processes point to cases by address.
 * Both have arrays of their own, so only the data_run itself moves.
 */
static bool load_folder(struct load *l, const char *folder, struct data_run **out, size_t *count,
                        struct err *e)
{
	l->folder = folder;
	if (!list_runs(l, e))
		return false;
	size_t n = l->npaths;
	if (!check_forms(l, e))
		return false;
	struct data_run *runs = ARENA_ARRAY(l->a, struct data_run, n + 1);
	struct pool p = {.l = l, .runs = runs, .n = n, .git = PTHREAD_MUTEX_INITIALIZER};
	p.errors = ARENA_ARRAY(l->a, struct err, n + 1);
	for (size_t i = 0; i < n; i++) {
		runs[i].path = l->paths[i];
		runs[i].blob = committed_blob(l, l->paths[i]);
		runs[i].committed = runs[i].blob;
		runs[i].launches = launches_new(l->d->store, l->a);
	}
	if (!read_all(l, &p, e))
		return false;
	if (n > 0)
		qsort(runs, n, sizeof *runs, newest_first);
	*out = runs;
	*count = n;
	return true;
}

/* Leaves out the cases of families that nobody asks for. */
static void leave_out(struct data *d)
{
	struct need_memo memo = {.need = d->need};
	for (size_t i = 0; i < d->nruns; i++) {
		struct data_run *r = &d->runs[i];
		const char *family = NULL;
		bool needed = false;
		size_t n = 0;
		if (need_whole(d->root, r->run.head.id))
			continue;
		for (size_t k = 0; k < r->run.ncases; k++) {
			if (!family || strcmp(family, r->run.cases[k].family) != 0)
				needed = need_memo_family(&memo, family = r->run.cases[k].family);
			if (!needed)
				continue;
			r->run.cases[n] = r->run.cases[k];
			r->cases[n] = r->cases[k];
			r->cases[n].c = &r->run.cases[n];
			n++;
		}
		r->run.ncases = n;
	}
}

/* Reads a file of listings. One that is not whole is an error: nothing of it can be shown. */
static bool sass_lines(struct load *l, struct str stored, const char *path, struct data_sass *out,
                       struct err *e)
{
	char *of_lines = arena_alloc(l->a, HASH_GIT_HEX + 1);
	struct str lines;
	struct err own = ERR_NONE;
	if (!record_file_lines(stored, path, l->a, &lines, &own) ||
	    !sass_read(lines, path, l->a, &out->sass, &own)) {
		*e = own;
		return rule_mark(e, RULE_WHOLE);
	}
	hash_git_blob(lines, of_lines);
	out->file.lines_blob = of_lines;
	return true;
}

static bool read_sass(struct load *l, const char *path, struct data_sass *out, struct err *e)
{
	struct data *d = l->d;
	const struct kept_by *kept = &l->shared->kept;
	struct str stored;
	char *id = arena_alloc(l->a, HASH_GIT_HEX + 1);
	const char *blob = committed_blob(l, path);
	if (!stored_read(d->root, d->git, path, blob, l->a, &stored, id, e))
		return false;
	bool later = d->need != NULL;
	if (!listing_digest_cached(kept, id, later, l->a, out)) {
		later = false;
		if (!sass_lines(l, stored, path, out, e))
			return false;
		listing_digest_cache(kept, id, out);
	}
	out->file = (struct data_run){.path = path,
	                              .blob = id,
	                              .lines_blob = out->file.lines_blob,
	                              .committed = blob,
	                              .run.head.id = out->sass.id};
	out->later = later ? ARENA_NEW(l->a, struct sass) : NULL;
	return true;
}

static int newest_sass_first(const void *a, const void *b)
{
	const struct data_sass *x = a, *y = b;
	int c = strcmp(y->sass.start, x->sass.start);
	return c ? c : strcmp(y->sass.id, x->sass.id);
}

static bool load_sass(struct load *l, struct err *e)
{
	struct data *d = l->d;
	l->folder = DATA_SASS_FOLDER;
	if (!list_runs(l, e) || !check_forms(l, e))
		return false;
	d->sass = ARENA_ARRAY(l->a, struct data_sass, l->npaths + 1);
	for (; d->nsass < l->npaths; d->nsass++)
		if (!read_sass(l, l->paths[d->nsass], &d->sass[d->nsass], e))
			return false;
	if (d->nsass > 0)
		qsort(d->sass, d->nsass, sizeof *d->sass, newest_sass_first);
	return true;
}

const struct sass *data_sass_code(const struct data *d, const struct data_sass *s)
{
	struct sass *whole = s->later;
	if (!whole)
		return &s->sass;
	if (!whole->function) {
		*whole = s->sass;
		/* without them, the caller finds no function */
		unchecked(d->kept && listing_digest_code(d->kept, s->file.blob, d->arena, whole));
	}
	return whole;
}

const struct data_sass *data_sass_called(const struct data *d, struct str id)
{
	for (size_t i = 0; i < d->nsass; i++)
		if (str_is(id, d->sass[i].sass.id))
			return &d->sass[i];
	return NULL;
}

/* The families of which a run has a case without the parameter `input`. */
struct usual {
	const char **family;
	size_t n, cap;
};

static bool is_usual(const struct usual *u, const char *family)
{
	for (size_t i = 0; i < u->n; i++)
		if (strcmp(u->family[i], family) == 0)
			return true;
	return false;
}

static struct usual usual_inputs(const struct data *d, struct arena *a)
{
	struct usual u = {0};
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].run.ncases; k++) {
			const struct run_case *c = &d->runs[i].run.cases[k];
			if (record_param(c, ways_keys[WAYS_INPUT].name) || is_usual(&u, c->family))
				continue;
			u.family = arena_grow(a, u.family, u.n, &u.cap, sizeof *u.family);
			u.family[u.n++] = c->family;
		}
	return u;
}

/* Sets run_case.only_input. Cases of a family stand together, so most follow the one before. */
static void mark_inputs(struct data *d, struct arena *a)
{
	const struct usual u = usual_inputs(d, a);
	for (size_t i = 0; i < d->nruns; i++) {
		struct run *r = &d->runs[i].run;
		for (size_t k = 0; k < r->ncases; k++) {
			struct run_case *c = &r->cases[k];
			bool same = k > 0 && strcmp(c->family, c[-1].family) == 0;
			c->only_input = same ? c[-1].only_input
			                     : record_param(c, ways_keys[WAYS_INPUT].name) &&
			                                !is_usual(&u, c->family);
		}
	}
}

static bool load_runs(struct load *l, struct err *e)
{
	struct data *d = l->d;
	if (!load_sass(l, e))
		return false;
	if (!load_folder(l, DATA_PROFILES_FOLDER, &d->profiles, &d->nprofiles, e) ||
	    !load_folder(l, DATA_TRACES_FOLDER, &d->traces, &d->ntraces, e) ||
	    !load_folder(l, DATA_RUNS_FOLDER, &d->runs, &d->nruns, e))
		return false;
	if (d->need)
		leave_out(d);
	mark_inputs(d, l->a);
	data_index_runs(d->runs, d->nruns, l->a);
	data_index_runs(d->profiles, d->nprofiles, l->a);
	data_index_runs(d->traces, d->ntraces, l->a);
	if (!judge_history(d, e))
		return false;
	if (!judge_cases(d, &l->shared->kept, e) || !judge_withdrawn(d, e))
		return false;
	data_number_runs(d);
	list_devices(d);
	return decide_device(d, e) && !e->set;
}

/* Without a folder, or without a hash of the program, there is no cache. */
static void open_cache(const struct data_cache *cache, struct kept_by *out, struct arena *a)
{
	struct err ignored = ERR_NONE;
	if (!cache || !cache->folder)
		return;
	const char *folder = arena_printf(a, "%s/" CACHE_FOLDER, cache->folder);
	if (file_mkdirs(folder, &ignored))
		*out = (struct kept_by){folder, kept_program(a), cache->renew};
}

bool data_load(const char *root, struct git *git, const struct data_cache *cache,
               const char *default_device, struct arena *a, struct data *out, struct err *e)
{
	*out = (struct data){.root = arena_strdup(a, root),
	                     .git = git,
	                     .default_device = default_device,
	                     .need = cache && cache->need && !cache->need->all ? cache->need : NULL,
	                     .arena = a};
	out->store = launches_store(out->root, git, a);
	/* who trusts the cache needs few launches, or none */
	struct load_shared shared = {.room = cache && !cache->renew ? 0 : LAUNCHES_KEPT};
	struct load l = {.d = out, .a = a, .shared = &shared};
	open_cache(cache, &shared.kept, a);
	if (out->need) {
		struct kept_by *own = ARENA_NEW(a, struct kept_by);
		*own = shared.kept;
		out->kept = own;
	}
	if (git)
		git_keep(git, &shared.kept);
	if (!spec_load(root, SPECS_FOLDER, a, &out->specs, &out->nspecs, e) || !load_runs(&l, e))
		return false;
	out->families = data_families(out, a);
	return true;
}
