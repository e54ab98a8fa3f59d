#include "site-gen/data.h"

#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/expand.h"
#include "site-gen/spec.h"

#define RUNS_FOLDER "data/runs"
#define SPECS_FOLDER "data/specs"

/*
 * When a number is unsteady (rules R5 and R6: too few launches for a 95 %
 * order statistic, an interval too wide for prose, a clock slowed down).
 */
enum {
	STEADY_LAUNCHES = 6,
	/* NVML event reasons: hardware slowdown, sync boost is 0x10 and harmless,
	 * software thermal, hardware thermal, power brake */
	SLOWED_DOWN = 0x08 | 0x20 | 0x40 | 0x80,
};
static const double STEADY_HALFWIDTH = 0.02;

static const struct {
	const char *name, *title;
} states[DATA_STATE_COUNT] = {
        [DATA_OK] = {"ok", "Measured, committed, and the source has not changed since."},
        [DATA_UNSTEADY] = {"unsteady", "Measured with too few launches, a wide interval, or while "
                                       "the clock was slowed down."},
        [DATA_STALE] = {"stale", "The source has changed since this was measured."},
        [DATA_PREVIEW] = {"preview", "Measured, but its record is not committed yet."},
};

const char *data_state_name(enum data_state s)
{
	return states[s].name;
}

const char *data_state_title(enum data_state s)
{
	return states[s].title;
}

/* --- one loading --- */

/* Answers from git that many cases share. */
struct memo {
	const char *key,
	        *value; /* a path and its blob at HEAD, or a commit and why it is not clean */
};

struct load {
	struct data *d;
	struct arena *a;
	struct git_file *head; /* run files of HEAD, sorted */
	size_t nhead;
	const char **paths; /* all run files, of HEAD and the work tree, sorted */
	size_t npaths, cap;
	struct memo *blobs, *commits;
	size_t nblobs, ncommits, cap_blobs, cap_commits;
};

static void *grow(struct arena *a, void *p, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return p;
	*cap = *cap ? 2 * *cap : 32;
	void *more = arena_array(a, *cap, size);
	if (n > 0)
		memcpy(more, p, n * size);
	return more;
}

static const char *memo_get(const struct memo *m, size_t n, const char *key, bool *found)
{
	for (size_t i = 0; i < n; i++)
		if ((*found = strcmp(m[i].key, key) == 0))
			return m[i].value;
	*found = false;
	return NULL;
}

/* The blob of `path` at HEAD, or NULL. */
static const char *blob_at_head(struct load *l, const char *path)
{
	bool found;
	const char *v = memo_get(l->blobs, l->nblobs, path, &found);
	if (found)
		return v;
	v = git_blob_at(l->d->git, NULL, path, l->a);
	l->blobs = grow(l->a, l->blobs, l->nblobs, &l->cap_blobs, sizeof *l->blobs);
	l->blobs[l->nblobs++] = (struct memo){path, v};
	return v;
}

static const char *find_not_clean(struct load *l, const char *commit, struct err *e)
{
	bool known, ancestor = git_is_ancestor(l->d->git, commit, &known, e);
	if (!known)
		return arena_printf(
		        l->a,
		        "the measured commit %.12s is not in this clone (if it is shallow: "
		        "git fetch --unshallow)",
		        commit);
	if (!ancestor)
		return arena_printf(l->a, "the measured commit %.12s is not in the history of HEAD",
		                    commit);
	return NULL;
}

/* Rule `clean`: why the measured commit is none to show, or NULL. */
static const char *not_clean(struct load *l, const struct run_head *h, struct err *e)
{
	if (!h->commit)
		return "measured outside a git checkout";
	if (h->dirty)
		return "measured from sources that were not committed";
	bool found;
	const char *v = memo_get(l->commits, l->ncommits, h->commit, &found);
	if (found)
		return v;
	v = find_not_clean(l, h->commit, e);
	l->commits = grow(l->a, l->commits, l->ncommits, &l->cap_commits, sizeof *l->commits);
	l->commits[l->ncommits++] = (struct memo){h->commit, v};
	return v;
}

/* Rule `fresh`: the first source that is not that of HEAD, or NULL. */
static const char *changed_source(struct load *l, const struct run_case *c)
{
	for (size_t i = 0; i < c->nsource; i++) {
		const char *now = blob_at_head(l, c->source[i].path);
		if (!now)
			return arena_printf(l->a, "%s is not in HEAD any more", c->source[i].path);
		if (strcmp(now, c->source[i].blob) != 0)
			return arena_printf(l->a, "%s has changed since", c->source[i].path);
	}
	return NULL;
}

static bool slowed_down(const struct run_launch *l)
{
	return l->throttle_reasons != RECORD_NONE && (l->throttle_reasons & SLOWED_DOWN);
}

static const char *unsteady(const struct data_case *k, size_t slow, struct arena *a)
{
	if (k->time.launches < STEADY_LAUNCHES)
		return arena_printf(a, "%zu launches, at least %d are needed", k->time.launches,
		                    STEADY_LAUNCHES);
	double h = stats_halfwidth(&k->time);
	if (!(h <= STEADY_HALFWIDTH))
		return arena_printf(a, "the 95 %% interval is ±%.1f %%, at most ±2 %% is steady",
		                    100 * h);
	if (slow > 0)
		return arena_printf(a, "the clock was slowed down in %zu of %zu launches", slow,
		                    k->time.launches);
	return NULL;
}

/* --- cases --- */

/* Launches of one case, gathered in one pass over the file. */
struct tally {
	size_t all, ok, wrong, slow, at;
	const char *status; /* of the last one that is not ok */
	int64_t *launch;
	bool *slowed;
};

static void count_launch(struct tally *t, const struct run_launch *l)
{
	t->all++;
	if (record_launch_ok(l)) {
		t->ok++;
		t->slow += slowed_down(l);
		return;
	}
	t->status = l->status;
	t->wrong += strcmp(l->status, "wrong") == 0;
}

static struct tally *tally_launches(const struct run *r, struct arena *a)
{
	struct tally *t = ARENA_ARRAY(a, struct tally, r->ncases + 1);
	for (size_t i = 0; i < r->nlaunches; i++)
		count_launch(&t[r->launches[i].of - r->cases], &r->launches[i]);
	for (size_t i = 0; i < r->ncases; i++) {
		t[i].launch = ARENA_ARRAY(a, int64_t, t[i].ok + 1);
		t[i].slowed = ARENA_ARRAY(a, bool, t[i].ok + 1);
	}
	for (size_t i = 0; i < r->nlaunches; i++) {
		struct tally *of = &t[r->launches[i].of - r->cases];
		if (!record_launch_ok(&r->launches[i]))
			continue;
		of->slowed[of->at] = slowed_down(&r->launches[i]);
		of->launch[of->at++] = r->launches[i].i;
	}
	return t;
}

static const char *why_no_number(const struct data_run *r, const struct run_case *c,
                                 const struct tally *t, struct arena *a)
{
	if (c->unavailable)
		return arena_printf(a, "not measured: %s", c->unavailable);
	if (r->why_none)
		return r->why_none;
	if (t->wrong > 0)
		return arena_printf(a, "its results were wrong in %zu of %zu launches", t->wrong,
		                    t->all);
	if (t->ok == 0 && t->all == 0)
		return "it has no launches";
	if (t->ok == 0)
		return arena_printf(a, "none of its %zu launches succeeded (%s)", t->all,
		                    t->status);
	return NULL;
}

/* The worst thing to be said of a number, with its reason. */
static void judge(struct load *l, const struct data_run *r, struct data_case *k, size_t slow,
                  struct err *e)
{
	const char *why;
	if (!r->committed) {
		k->state = DATA_PREVIEW;
		k->why_state = l->d->git ? "its run file is not committed yet"
		                         : "there is no git repository to hold its run file";
	} else if ((why = changed_source(l, k->c)) || (why = not_clean(l, &r->run.head, e))) {
		k->state = DATA_STALE;
		k->why_state = why;
	} else if ((why = unsteady(k, slow, l->a))) {
		k->state = DATA_UNSTEADY;
		k->why_state = why;
	}
}

/* Anchors hold what an URL fragment takes as it is. */
static const char *anchor_of(const char *case_id, struct arena *a)
{
	char *s = arena_strdup(a, case_id);
	for (char *p = s; *p; p++) {
		bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		             (*p >= '0' && *p <= '9') || *p == '.' || *p == '_';
		if (!plain)
			*p = '-';
	}
	return s;
}

static bool derive_cases(struct load *l, struct data_run *r, struct err *e)
{
	struct tally *t = tally_launches(&r->run, l->a);
	r->cases = ARENA_ARRAY(l->a, struct data_case, r->run.ncases + 1);
	for (size_t i = 0; i < r->run.ncases; i++) {
		struct data_case *k = &r->cases[i];
		k->c = &r->run.cases[i];
		k->anchor = anchor_of(k->c->id, l->a);
		k->failed = t[i].wrong > 0;
		k->why_none = why_no_number(r, k->c, &t[i], l->a);
		if (k->why_none)
			continue;
		double *m;
		if (!record_summary(&r->run, k->c, l->a, &k->time, &m))
			return err_set(e, "%s: case %s has no summary", r->path, k->c->id);
		k->medians = m;
		k->launch = t[i].launch;
		k->slow = t[i].slowed;
		judge(l, r, k, t[i].slow, e);
	}
	return !e->set;
}

/* --- files --- */

static bool is_run_file(const char *path)
{
	const char *name = strrchr(path, '/');
	return str_ends(str_of(path), ".jsonl") && name && name[1] != '.';
}

static void add_path(struct load *l, const char *path)
{
	l->paths = grow(l->a, l->paths, l->npaths, &l->cap, sizeof *l->paths);
	l->paths[l->npaths++] = path;
}

/* Run files of the work tree below `folder`. */
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
		if (!entry[i].is_dir && is_run_file(path))
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
	if (l->d->git && !git_files(l->d->git, RUNS_FOLDER, l->a, &l->head, &l->nhead, e))
		return false;
	for (size_t i = 0; i < l->nhead; i++)
		if (is_run_file(l->head[i].path))
			add_path(l, l->head[i].path);
	if (!list_work_tree(l, RUNS_FOLDER, e))
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

/*
 * The bytes of a run: HEAD's blob if it is committed. The work tree's copy
 * saves reading the object when its bytes have that very id; other bytes
 * mean somebody edited a record.
 */
static bool run_bytes(struct load *l, struct data_run *r, struct str *out, struct err *e)
{
	const char *full = arena_printf(l->a, "%s/%s", l->d->root, r->path);
	const char *blob = committed_blob(l, r->path);
	char *id = arena_alloc(l->a, HASH_GIT_HEX + 1);
	r->committed = blob != NULL;
	r->blob = blob ? blob : id;
	if (file_exists(full)) {
		if (!file_read(full, RECORD_MAX_BYTES, l->a, out, e))
			return false;
		hash_git_blob(*out, id);
		return !blob || strcmp(id, blob) == 0 ||
		       err_set(e,
		               "%s: differs from the record in HEAD; a run file is never edited: "
		               "restore it with 'git checkout HEAD -- %s'",
		               r->path, r->path);
	}
	bool found;
	if (!git_bytes(l->d->git, blob, l->a, out, &found, e))
		return false;
	return found || err_set(e, "%s: its blob %s is not in this clone", r->path, blob);
}

/* Folder and name must say what the record says. */
static bool check_place(const struct data_run *r, struct arena *a, struct err *e)
{
	const struct run_head *h = &r->run.head;
	const char *want = arena_printf(a, RUNS_FOLDER "/%s/%s.jsonl", h->device, h->id);
	return strcmp(r->path, want) == 0 ||
	       err_at(e, (struct loc){r->path, 1, 0},
	              "a run of device '%s' with id '%s' belongs in %s", h->device, h->id, want);
}

static bool load_run(struct load *l, const char *path, struct data_run *r, struct err *e)
{
	struct str bytes;
	r->path = path;
	if (!run_bytes(l, r, &bytes, e) || !record_read(bytes, path, l->a, &r->run, e) ||
	    !check_place(r, l->a, e))
		return false;
	r->url = arena_printf(l->a, "/runs/%s/", r->run.head.id);
	if (!r->run.whole)
		r->why_none =
		        arena_printf(l->a, "its run file is not whole: %s", r->run.why_not_whole);
	else if (strcmp(r->run.status, "complete") != 0)
		r->why_none = arena_printf(l->a, "its run ended early (%s)", r->run.status);
	return derive_cases(l, r, e);
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

/*
 * Sorting moves the runs, and launches point to cases by address: both live
 * in arrays of their own, so only data_run itself moves.
 */
static bool load_runs(struct load *l, struct err *e)
{
	struct data *d = l->d;
	d->runs = ARENA_ARRAY(l->a, struct data_run, l->npaths + 1);
	for (; d->nruns < l->npaths; d->nruns++)
		if (!load_run(l, l->paths[d->nruns], &d->runs[d->nruns], e))
			return false;
	if (d->nruns > 0)
		qsort(d->runs, d->nruns, sizeof *d->runs, newest_first);
	list_devices(d);
	return true;
}

bool data_load(const char *root, struct git *git, const char *default_device, struct arena *a,
               struct data *out, struct err *e)
{
	*out = (struct data){.root = arena_strdup(a, root),
	                     .git = git,
	                     .default_device = default_device,
	                     .arena = a};
	struct load l = {.d = out, .a = a};
	return list_runs(&l, e) && load_runs(&l, e) &&
	       spec_load(root, SPECS_FOLDER, a, &out->specs, &out->nspecs, e);
}

/* --- questions --- */

bool data_check_history(const struct data *d, struct err *e)
{
	for (size_t i = 0; i < d->nruns; i++) {
		size_t n;
		if (!d->git || !d->runs[i].committed)
			continue;
		if (!git_versions(d->git, d->runs[i].path, &n, e))
			return false;
		if (n != 1)
			return err_set(e,
			               "%s: had %zu different contents in the history; a run file "
			               "is never edited",
			               d->runs[i].path, n);
	}
	return true;
}

const struct data_spec *data_spec_find(const struct data *d, struct str device, struct str key)
{
	for (size_t i = 0; i < d->nspecs; i++)
		if (str_is(device, d->specs[i].device) && str_is(key, d->specs[i].key))
			return &d->specs[i];
	return NULL;
}

const struct data_case *data_case_of(const struct data_run *r, const struct run_case *c)
{
	return &r->cases[c - r->run.cases];
}

enum data_state data_state_of(const struct data *d, const struct data_run *r,
                              const struct run_case *c)
{
	(void)d;
	return data_case_of(r, c)->state;
}

/* Uses point at the run inside a data_run; its cases array tells them apart. */
const struct data_run *data_run_of(const struct data *d, const struct run *r)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (&d->runs[i].run == r)
			return &d->runs[i];
	return NULL;
}

enum data_state data_worst(const struct data *d, const struct expand_use *uses)
{
	enum data_state worst = DATA_OK;
	for (const struct expand_use *u = uses; u; u = u->next) {
		const struct data_run *r = data_run_of(d, u->run);
		enum data_state s = r ? data_state_of(d, r, u->c) : DATA_OK;
		if (s > worst)
			worst = s;
	}
	return worst;
}

const char *data_case_url(const struct data *d, const struct run *r, const struct run_case *c,
                          struct arena *a)
{
	const struct data_run *of = data_run_of(d, r);
	return arena_printf(a, "%s#%s", of->url, data_case_of(of, c)->anchor);
}

static const struct data_run *newest_of(const struct data *d, const char *family, bool any_device)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (r->why_none ||
		    (!any_device && strcmp(r->run.head.device, d->default_device) != 0))
			continue;
		for (size_t k = 0; k < r->run.ncases; k++)
			if (strcmp(r->run.cases[k].family, family) == 0 && !r->cases[k].why_none)
				return r;
	}
	return NULL;
}

static const struct run_case *case_of_family(const struct data_run *r, const char *family)
{
	for (size_t i = 0; i < r->run.ncases; i++)
		if (strcmp(r->run.cases[i].family, family) == 0)
			return &r->run.cases[i];
	return NULL;
}

static int by_family(const void *a, const void *b)
{
	return strcmp(((const struct data_family *)a)->id, ((const struct data_family *)b)->id);
}

static bool has_family(const struct data_family *f, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i].id, id) == 0)
			return true;
	return false;
}

struct data_family *data_families(const struct data *d, struct arena *a, size_t *n)
{
	struct data_family *f = NULL;
	size_t cap = 0;
	*n = 0;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct run *r = &d->runs[i].run;
		for (size_t k = 0; k < r->ncases; k++) {
			const char *id = r->cases[k].family;
			if (has_family(f, *n, id))
				continue;
			const struct data_run *newest = newest_of(d, id, false);
			if (!newest)
				newest = newest_of(d, id, true);
			if (!newest)
				continue; /* nothing of it may be published */
			const struct run_case *c = case_of_family(newest, id);
			f = grow(a, f, *n, &cap, sizeof *f);
			f[(*n)++] = (struct data_family){
			        .id = id,
			        .title = c->family_title,
			        .problem = c->problem,
			        .metric = c->metric,
			        .newest = newest,
			        .url = arena_printf(a, "/kernels/%s/", id),
			};
		}
	}
	if (*n > 0)
		qsort(f, *n, sizeof *f, by_family);
	return f;
}
