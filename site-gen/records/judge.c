/*
 * Judges each number against the repository: rules `clean`, `fresh` and
 * `possible`, and withdrawals. Cases of one variant share their sources, so most
 * checks run once per variant and run.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/record_words.h"
#include "site-gen/records/builds.h"
#include "site-gen/records/flags.h"
#include "site-gen/records/judge.h"
#include "site-gen/records/run.h"

/* Results for a measured commit. */
struct commit {
	const char *id;
	bool known;
	struct reason why;                 /* why its numbers are not shown, if at all */
	struct reason flags_c, flags_cuda; /* how the flags differ from HEAD's, if at all */
};

/* Results for a list of sources. */
struct unit {
	const struct run_case *c;
	const char *changed; /* path of the first changed source, or NULL */
	/* each without a word if it does not hold */
	struct reason missing; /* a source that its commit lacks */
	struct reason source;  /* that source has changed */
	struct reason flags;   /* the flags have changed */
	struct reason same;    /* why the changed source does not matter */
};

struct judge {
	struct data *d;
	struct arena *a;
	struct builds builds;
	struct commit *commit;
	size_t ncommit, cap_commit;
	struct unit *unit; /* units of the current run */
	size_t nunit, cap_unit;
};

static const char *blob_at(struct judge *j, const char *commit, const char *path)
{
	return git_blob_at(j->d->git, commit, path, j->a);
}

static const char *blob_at_head(void *judge, const char *path)
{
	return blob_at(judge, NULL, path);
}

/* --- the measured commit --- */

static const char *flags_at(struct judge *j, const char *commit, const char *variable,
                            struct err *e)
{
	struct str text;
	bool found;
	struct err why = ERR_NONE;
	const char *blob = blob_at(j, commit, "Makefile"), *flags = NULL;
	if (!blob || !git_bytes(j->d->git, blob, j->a, &text, &found, &why) || !found)
		return "";
	if (!flags_of(text, variable, j->a, &flags, &why))
		err_set(e, "Makefile at %.12s: %s", commit ? commit : "HEAD", why.text);
	return flags ? flags : "";
}

/* How the flags of `variable` differ from HEAD's, if so. Equal Makefiles have equal flags. */
static struct reason other_flags(struct judge *j, const char *commit, const char *variable,
                                 struct err *e)
{
	const char *x = blob_at(j, commit, "Makefile"), *y = blob_at(j, NULL, "Makefile");
	if ((!x && !y) || (x && y && strcmp(x, y) == 0))
		return (struct reason){0};
	const char *then = flags_at(j, commit, variable, e);
	const char *now = flags_at(j, NULL, variable, e);
	return strcmp(then, now) == 0 ? (struct reason){0} : flags_difference(then, now, j->a);
}

/* The first 12 digits of a commit or a blob, as readers see them. */
static const char *brief(const char *id, struct arena *a)
{
	return arena_printf(a, "%.12s", id);
}

static struct reason not_in_history(struct judge *j, struct commit *c, struct err *e)
{
	bool ancestor = git_is_ancestor(j->d->git, c->id, &c->known, e);
	if (c->known && ancestor)
		return (struct reason){0};
	return (struct reason){.word = c->known ? "why_aside" : "why_no_commit",
	                       .with = {brief(c->id, j->a)}};
}

static struct commit *commit_of(struct judge *j, const char *id, struct err *e)
{
	for (size_t i = 0; i < j->ncommit; i++)
		if (strcmp(j->commit[i].id, id) == 0)
			return &j->commit[i];
	j->commit = arena_grow(j->a, j->commit, j->ncommit, &j->cap_commit, sizeof *j->commit);
	struct commit *c = &j->commit[j->ncommit++];
	*c = (struct commit){.id = id};
	c->why = not_in_history(j, c, e);
	if (c->known) {
		c->flags_c = other_flags(j, c->id, FLAGS_C, e);
		c->flags_cuda = other_flags(j, c->id, FLAGS_CUDA, e);
	}
	return c;
}

/* --- the sources --- */

static bool same_list(const struct run_case *x, const struct run_case *y)
{
	for (size_t i = 0; i < x->nsource && x->nsource == y->nsource; i++)
		if (strcmp(x->source[i].path, y->source[i].path) != 0 ||
		    strcmp(x->source[i].blob, y->source[i].blob) != 0)
			return false;
	return x->nsource == y->nsource && strcmp(x->build.flags, y->build.flags) == 0;
}

/*
 * Rule `clean`: a record names its sources, and its commit must have their blobs. Returns the
 * error, if there is one.
 */
static struct reason missing_blob(struct judge *j, const struct run_case *c, const char *commit)
{
	if (c->nsource == 0)
		return (struct reason){.word = "why_no_source"};
	for (size_t i = 0; i < c->nsource; i++) {
		const struct run_source *s = &c->source[i];
		const char *then = blob_at(j, commit, s->path);
		if (!then || strcmp(then, s->blob) != 0)
			return (struct reason){
			        .word = then ? "why_blob_other" : "why_blob_absent",
			        .with = {s->path, brief(s->blob, j->a), brief(commit, j->a)}};
	}
	return (struct reason){0};
}

/* Rule `fresh`: finds the first source that differs from HEAD's. */
static void compare_sources(struct judge *j, struct unit *u)
{
	for (size_t i = 0; i < u->c->nsource; i++) {
		const struct run_source *s = &u->c->source[i];
		const char *now = blob_at(j, NULL, s->path);
		if (now && strcmp(now, s->blob) == 0)
			continue;
		u->changed = s->path;
		u->source = (struct reason){.word = now ? "why_changed" : "why_gone",
		                            .with = {s->path}};
		return;
	}
}

static struct reason show_same_code(struct judge *j, const struct run_head *h, const struct unit *u)
{
	const struct build_unit *now;
	if (!builds_same_code(&j->builds, h, u->c, blob_at_head, j, &now))
		return (struct reason){0};
	bool gone = strcmp(u->source.word, "why_gone") == 0;
	return (struct reason){.word = gone ? "why_gone_same" : "why_changed_same",
	                       .with = {u->changed, now->path}};
}

static const struct unit *unit_of(struct judge *j, const struct run_head *h,
                                  const struct run_case *c, const struct commit *commit)
{
	for (size_t i = 0; i < j->nunit; i++)
		if (same_list(j->unit[i].c, c))
			return &j->unit[i];
	j->unit = arena_grow(j->a, j->unit, j->nunit, &j->cap_unit, sizeof *j->unit);
	struct unit *u = &j->unit[j->nunit++];
	*u = (struct unit){.c = c};
	bool cuda = c->nsource && str_ends(str_of(c->source[0].path), ".cu");
	if (commit)
		u->flags = cuda ? commit->flags_cuda : commit->flags_c;
	if (commit && commit->known && !h->dirty)
		u->missing = missing_blob(j, c, commit->id);
	compare_sources(j, u);
	if (u->changed && !u->flags.word)
		u->same = show_same_code(j, h, u);
	return u;
}

/* --- `possible` --- */

/*
 * A number above the datasheet's peak shows wrong bytes or a wrong clock, not a
 * fast kernel. 2 % are allowed for clocks above the nominal one.
 */
static struct reason impossible(struct judge *j, const struct data_run *r,
                                const struct data_case *k, enum metric m, const char *key)
{
	static const double ALLOWED = 1.02;
	double v, lo, hi;
	const struct data_spec *peak =
	        key ? data_spec_find(j->d, str_of(r->run.head.device), str_of(key)) : NULL;
	if (!peak || strcmp(peak->si, metric_info(m)->si) != 0 ||
	    !metric_of(m, k->c, &k->time, &v, &lo, &hi) || v <= ALLOWED * peak->value)
		return (struct reason){0};
	return (struct reason){.word = "why_over_peak",
	                       .with = {metric_info(m)->name,
	                                arena_printf(j->a, "%.0f", 100 * v / peak->value),
	                                peak->title}};
}

/* An unknown word that decides the roof of a case; later minor versions may have new words. */
static const char *unknown_word(const struct data_case *k, const char **key)
{
	const struct run_case *c = k->c;
	const struct {
		const char *key, *word;
		enum record_words list;
	} said[] = {
	        {"level", c->model.level, RECORD_LEVELS}, {"unit", c->model.unit, RECORD_UNITS},
	        {"cache", c->cache, RECORD_CACHES},       {"metric", c->metric, RECORD_METRICS},
	        {"role", c->role, RECORD_ROLES},          {"device", c->device, RECORD_DEVICES},
	};
	for (size_t i = 0; i < ARRAY_LEN(said); i++) {
		*key = said[i].key;
		if (said[i].word && !record_words_has(said[i].list, said[i].word))
			return said[i].word;
	}
	*key = k->odd_key;
	return k->odd_word;
}

static struct reason why_impossible(struct judge *j, const struct data_run *r,
                                    const struct data_case *k)
{
	const struct run_model *m = &k->c->model;
	bool cold = strcmp(k->c->cache, "cold") == 0; /* hot data does not come from memory */
	bool link = strcmp(m->level, "nvlink") == 0;  /* what crosses it does so, hot or cold */
	const char *key, *word = r->run.head.newer ? unknown_word(k, &key) : NULL;
	struct reason why = {0};
	if (word)
		return (struct reason){.word = "why_unknown", .with = {key, word}};
	if (cold && !link && strcmp(m->level, "hbm") != 0)
		return (struct reason){.word = "why_cold", .with = {m->level}};
	if (cold || link)
		why = impossible(j, r, k, METRIC_BANDWIDTH, m->level);
	if (!why.word)
		why = impossible(j, r, k, METRIC_THROUGHPUT, m->unit);
	return why.word ? why : impossible(j, r, k, METRIC_RATE, m->unit);
}

/* --- a case, a run --- */

static void refuse(struct data_case *k, enum rule rule, struct reason why, struct arena *a)
{
	if (!k->why_none && why.word) {
		k->none = why;
		k->why_none = reason_text(NULL, &why, a);
		k->none_rule = rule;
	}
}

static void judge_case(struct judge *j, const struct data_run *r, struct data_case *k,
                       const struct commit *commit, struct reason unclean)
{
	const struct unit *u =
	        j->d->git && !k->c->foreign ? unit_of(j, &r->run.head, k->c, commit) : NULL;
	if (!k->why_none && !k->c->foreign)
		refuse(k, RULE_POSSIBLE, why_impossible(j, r, k), j->a);
	if (u)
		refuse(k, RULE_CLEAN, u->missing, j->a);
	k->changed = u ? u->changed : NULL;
	if (k->why_none)
		return;
	if (!r->committed)
		data_case_add(k, DATA_PREVIEW,
		              (struct reason){.word = j->d->git ? "why_uncommitted"
		                                                : "why_no_repository"},
		              j->a);
	if (u && u->same.word)
		data_case_add(k, DATA_SAME_CODE, u->same, j->a);
	else if (u && u->source.word)
		data_case_add(k, DATA_STALE, u->source, j->a);
	if (u && u->flags.word)
		data_case_add(k, DATA_STALE, u->flags, j->a);
	if (unclean.word) {
		data_case_add(k, DATA_STALE, unclean, j->a);
		k->unclean = true; /* remembered even if it is stale, too: no waiver applies */
	}
}

/*
 * Why a run's start time is impossible, if so: it is after the commit that
 * recorded the run, or before the commit that the run measured. A day and an hour
 * are allowed for wrong clocks. Without this check, a clock in the future would make
 * a run, or its counters, the newest for ever, and one in the past would hide it.
 */
static struct reason at_no_time(const struct judge *j, const struct data_run *r,
                                const struct git_change *recorded)
{
	enum { HOUR = 60 * 60, DAY = 24 * HOUR };
	const struct run_head *h = &r->run.head;
	bool built_here = j->d->git && h->commit && !h->foreign;
	int64_t start, built = built_here ? git_time_of(j->d->git, h->commit) : 0;
	if (!run_seconds_of(h->start, &start))
		return (struct reason){0}; /* run_contradiction() reports it */
	if (recorded && start > recorded->time + DAY)
		return (struct reason){.word = "why_late",
		                       .with = {arena_printf(j->a, "%.10s", h->start),
		                                brief(recorded->commit, j->a)}};
	if (start < built - HOUR)
		return (struct reason){.word = "why_early",
		                       .with = {h->start, brief(h->commit, j->a)}};
	return (struct reason){0};
}

static void refuse_time(struct judge *j, struct data_run *r)
{
	const struct git_change *recorded = judge_recorded(j->d, r->path);
	struct reason why = at_no_time(j, r, r->committed ? recorded : NULL);
	r->recorded = recorded ? recorded->commit : NULL;
	if (why.word && !r->why_none) {
		r->none = why;
		r->why_none = reason_text(NULL, &why, j->a);
	}
	for (size_t i = 0; i < r->run.ncases && why.word; i++)
		refuse(&r->cases[i], RULE_WHOLE, why, j->a);
}

static bool judge_run(struct judge *j, struct data_run *r, struct err *e)
{
	const struct run_head *h = &r->run.head;
	const struct commit *c = j->d->git && h->commit ? commit_of(j, h->commit, e) : NULL;
	struct reason unclean = {0};
	if (j->d->git && !h->foreign)
		unclean = !h->commit ? (struct reason){.word = "why_no_git"}
		          : h->dirty ? (struct reason){.word = "why_dirty"}
		                     : c->why;
	refuse_time(j, r);
	j->nunit = 0;
	for (size_t i = 0; i < r->run.ncases; i++)
		judge_case(j, r, &r->cases[i], c, unclean);
	return !e->set;
}

bool judge_cases(struct data *d, const struct kept_by *kept, struct err *e)
{
	struct judge j = {.d = d, .a = d->arena};
	if (d->git && !builds_load(d->git, kept, d->arena, &j.builds, e))
		return false;
	for (size_t i = 0; i < d->nruns; i++)
		if (!judge_run(&j, &d->runs[i], e))
			return false;
	for (size_t i = 0; i < d->nprofiles; i++)
		refuse_time(&j, &d->profiles[i]);
	for (size_t i = 0; i < d->ntraces; i++)
		refuse_time(&j, &d->traces[i]);
	return true;
}
