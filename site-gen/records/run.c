/*
 * Parses one run file and derives its cases. It needs no repository, so that
 * files can be read in parallel.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/record_file.h"
#include "lib/record_foreign.h"
#include "lib/record_words.h"
#include "site-gen/records/run.h"

/* The processes of one case, gathered in one pass over the file. */
struct tally {
	struct data_launches good;
	size_t wrong;
	bool measured;
	const char *timer;
	const char *odd_word, *odd_key; /* as in struct data_case, like the two above */
	int64_t busy_us;                /* of the device: warm-up and samples of all */
	int64_t spent_us;               /* of the host: all parts of all */
};

/*
 * Recomputes rule `correct` instead of trusting the record's verdict. A record
 * stores an error that is not finite as -1. Both -1 and NaN fail.
 */
static bool held(const struct run_check *k, double tolerance)
{
	return k->passed && k->looked_at > 0 && k->error >= 0 && k->error <= tolerance;
}

static bool was_wrong(const struct run_launch *l)
{
	if (strcmp(l->status, "wrong") == 0)
		return true;
	return strcmp(l->status, "ok") == 0 && !l->of->foreign &&
	       !(held(&l->before, l->of->tolerance) && held(&l->after, l->of->tolerance));
}

/* Later minor versions may have words for timers, and for reasons to stop, that we do not know. */
static void look_for_odd(struct tally *t, const struct run_launch *l)
{
	if (t->odd_word)
		return;
	if (l->timer && !record_words_has(RECORD_TIMERS, l->timer)) {
		t->odd_key = "timer";
		t->odd_word = l->timer;
	} else if (l->stop && !record_words_has(RECORD_STOPS, l->stop)) {
		t->odd_key = "stop";
		t->odd_word = l->stop;
	}
}

static void count_launch(struct tally *t, const struct run_launch *l)
{
	struct data_launches *g = &t->good;
	g->all++;
	t->busy_us += l->spent_us[RUN_WARM_UP] + l->spent_us[RUN_SAMPLES];
	for (int i = 0; i < RUN_PARTS; i++)
		t->spent_us += l->spent_us[i];
	if (record_launch_ok(l)) {
		t->measured = true;
		t->timer = t->timer ? t->timer : l->timer;
	}
	look_for_odd(t, l);
	if (was_wrong(l)) {
		t->wrong++;
	} else if (record_launch_ok(l)) {
		g->launch[g->n++] = l;
	} else {
		g->failed++;
		g->status = l->status;
	}
}

static struct tally *tally_launches(const struct run *r, struct arena *a)
{
	struct tally *t = ARENA_ARRAY(a, struct tally, r->ncases + 1);
	size_t *all = ARENA_ARRAY(a, size_t, r->ncases + 1);
	for (size_t i = 0; i < r->nlaunches; i++)
		all[r->launches[i].of - r->cases]++;
	for (size_t i = 0; i < r->ncases; i++)
		t[i].good.launch = ARENA_ARRAY(a, const struct run_launch *, all[i] + 1);
	for (size_t i = 0; i < r->nlaunches; i++)
		count_launch(&t[r->launches[i].of - r->cases], &r->launches[i]);
	return t;
}

/*
 * The first variant of the family with the same machine code; maybe c itself. Two variants share
 * machine code if, for example, the compiler removed what one of them adds because it is unused.
 */
static const struct run_case *first_of_code(const struct run *r, const struct run_case *c)
{
	const struct run_case *first = c;
	for (size_t i = 0; c->build.code_sha256 && i < r->ncases; i++) {
		const struct run_case *o = &r->cases[i];
		if (o->rank < first->rank && o->build.code_sha256 && o->nsource && c->nsource &&
		    strcmp(o->family, c->family) == 0 &&
		    strcmp(o->source[0].path, c->source[0].path) != 0 &&
		    strcmp(o->build.code_sha256, c->build.code_sha256) == 0)
			first = o;
	}
	return first;
}

/* Why nothing can be said about the case's time, if so, from its processes. */
static struct reason no_good_process(const struct tally *t, struct arena *a)
{
	if (t->good.all == 0)
		return (struct reason){.word = "why_no_processes"};
	if (t->good.n == 0)
		return (struct reason){.word = "why_none_good",
		                       .with = {reason_number(t->good.all, a), t->good.status}};
	return (struct reason){0};
}

/* Cuts `*s` behind `head` and before the next `tail`; goes on behind that. */
static const char *cut_out(const char **s, const char *head, const char *tail, struct arena *a)
{
	size_t n = strlen(head);
	const char *end = strncmp(*s, head, n) == 0 ? strstr(*s + n, tail) : NULL;
	const char *out = end ? arena_strndup(a, *s + n, (size_t)(end - *s) - n) : NULL;
	*s = end ? end + strlen(tail) : *s;
	return out;
}

/* Takes apart the reason that the runner writes most often; any other is shown as recorded. */
static struct reason why_unmeasured(const char *recorded, struct arena *a)
{
	static const char burst[] = " ms, too long for a burst: ";
	static const char head[] = "the power limit lowers the clock after ";
	const char *rest = recorded, *after = NULL;
	const char *call = cut_out(&rest, "a call takes ", burst, a);
	if (call)
		after = cut_out(&rest, head, " ms of load; measure load=steady", a);
	if (after && !*rest)
		return (struct reason){.word = "why_heavy", .with = {call, after}};
	return (struct reason){.word = "why_not_measured", .with = {recorded}};
}

static struct reason why_no_number(const struct data_run *r, const struct run_case *c,
                                   const struct tally *t, enum rule *rule, struct arena *a)
{
	*rule = RULE_COUNT;
	if (c->unavailable)
		return why_unmeasured(c->unavailable, a);
	*rule = RULE_WHOLE;
	if (r->none.word)
		return r->none;
	*rule = RULE_CORRECT;
	if (t->wrong > 0)
		return (struct reason){
		        .word = "why_wrong",
		        .with = {reason_number(t->wrong, a), reason_number(t->good.all, a)}};
	const struct run_case *first = first_of_code(&r->run, c);
	if (first != c)
		return (struct reason){
		        .word = "why_code_of",
		        .with = {arena_printf(a, "%s/%s", first->family, first->variant)}};
	return no_good_process(t, a);
}

/* Replaces characters that a URL fragment would have to escape. */
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

static void keep_launches(struct data_case *k, const struct data_launches *g, struct arena *a)
{
	int64_t *launch = ARENA_ARRAY(a, int64_t, g->n + 1);
	bool *slow = ARENA_ARRAY(a, bool, g->n + 1);
	struct run_reading *reading = ARENA_ARRAY(a, struct run_reading, g->n + 1);
	for (size_t i = 0; i < g->n; i++) {
		reading[i] = record_launch_reading(g->launch[i]);
		launch[i] = g->launch[i]->i;
		slow[i] = run_slowed_down(g->launch[i]);
	}
	size_t *node = ARENA_ARRAY(a, size_t, g->n + 1);
	record_nodes(g->launch, g->n, node);
	k->node = node;
	k->launch = launch;
	k->reading = reading;
	k->slow = slow;
}

/* Says who measured it. Nobody judges whether a measurement of another harness was steady. */
static struct reason of_harness(const struct run_foreign *f)
{
	return f->checked ? (struct reason){.word = "why_foreign_checked",
	                                    .with = {f->harness, f->checked}}
	                  : (struct reason){.word = "why_foreign", .with = {f->harness}};
}

/* Says what was checked of a program that the runner started. */
static struct reason of_program(const struct run_foreign *f)
{
	return f->checked ? (struct reason){.word = "why_program_checked", .with = {f->checked}}
	                  : (struct reason){.word = "why_program"};
}

static bool derive_case(struct data_run *r, struct data_case *k, const struct tally *t,
                        struct arena *a, struct err *e)
{
	double *m;
	k->anchor = anchor_of(k->c->id, a);
	k->url = arena_printf(a, "/numbers/%s/%s/", r->run.head.device, k->anchor);
	k->failed = t->wrong > 0;
	k->measured = t->measured;
	k->timer = t->timer;
	k->busy_s = (double)t->busy_us * 1e-6;
	k->spent_s = (double)t->spent_us * 1e-6;
	k->odd_word = t->odd_word;
	k->odd_key = t->odd_key;
	k->none = why_no_number(r, k->c, t, &k->none_rule, a);
	if (k->none.word) {
		k->why_none = reason_text(NULL, &k->none, a);
		return true;
	}
	if (!record_summary(&r->run, k->c, a, &k->time, &m))
		return err_set(e, "%s: case %s has no summary", r->path, k->c->id);
	k->medians = m;
	keep_launches(k, &t->good, a);
	if (record_foreign_is_exec(&r->run.head))
		data_case_add(k, DATA_PROGRAM, of_program(r->run.head.foreign), a);
	else if (r->run.head.foreign)
		data_case_add(k, DATA_FOREIGN, of_harness(r->run.head.foreign), a);
	if (!r->run.head.foreign || record_foreign_is_exec(&r->run.head))
		run_judge_steady(k, &r->run, &t->good, a);
	return true;
}

/* Counters and traces have folders of their own. */
static const char *folder_of(const struct data_run *r)
{
	static const char *const other[] = {DATA_PROFILES_FOLDER, DATA_TRACES_FOLDER};
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		if (str_starts(str_of(r->path), other[i]) && r->path[strlen(other[i])] == '/')
			return other[i];
	return DATA_RUNS_FOLDER;
}

/* Folder and file name must agree with the record. */
static bool check_place(const struct data_run *r, struct arena *a, struct err *e)
{
	const struct run_head *h = &r->run.head;
	const char *want =
	        arena_printf(a, "%s/%s/%s" RECORD_FILE_ENDING, folder_of(r), h->device, h->id);
	return record_file_same(r->path, want) ||
	       err_at(e, (struct loc){r->path, 1, 0},
	              "a run of device '%s' with id '%s' belongs in %s", h->device, h->id, want);
}

/*
 * An interrupted run publishes its complete processes if they are the larger part. Otherwise it
 * publishes nothing, but its record stays: whoever measured has seen the results, so no later
 * prediction can precede them. A collected run needs its whole plan, because somebody could choose
 * its shards by their results.
 */
static struct reason interrupted(struct data_run *r, struct arena *a)
{
	size_t planned = (size_t)r->run.head.launches;
	bool *whole;
	size_t n = record_whole_launches(&r->run, a, &whole);
	if (r->run.head.nshards)
		return (struct reason){.word = "why_shards"};
	if (n < DATA_LAUNCHES_LEAST || 2 * n < planned)
		return (struct reason){.word = "why_interrupted",
		                       .with = {reason_number(planned, a), reason_number(n, a),
		                                reason_number(DATA_LAUNCHES_LEAST, a)}};
	record_keep_launches(&r->run, whole);
	r->kept = n;
	return (struct reason){0};
}

/* Inflates and reads the record; its lines are kept no longer than that. */
static bool read_lines(struct data_run *r, struct str stored, struct arena *a, size_t *inflated,
                       struct err *e)
{
	struct arena scratch = {0};
	struct str lines;
	char blob[HASH_GIT_HEX + 1];
	bool ok = record_file_lines(stored, r->path, &scratch, &lines, e);
	if (ok) {
		*inflated = lines.n;
		hash_git_blob(lines, blob);
		r->lines_blob = arena_strdup(a, blob);
		ok = record_read(lines, r->path, a, &r->run, e);
	}
	arena_free(&scratch);
	return ok;
}

/* Why the run publishes nothing, if so. May keep only the launches that count. */
static struct reason why_run_has_none(struct data_run *r, struct arena *a)
{
	const struct run_head *h = &r->run.head;
	bool timed = strcmp(folder_of(r), DATA_RUNS_FOLDER) == 0;
	const char *why;
	if (!r->run.whole)
		return (struct reason){.word = "why_file_broken", .with = {r->run.why_not_whole}};
	if (h->replicates)
		return (struct reason){.word = "why_replication", .with = {h->replicates}};
	if (record_is_shard(h))
		return (struct reason){.word = "why_shard"};
	if ((why = run_contradiction(&r->run, a)))
		return (struct reason){.word = "why_contradiction", .with = {why}};
	if (timed && strcmp(r->run.status, "complete") != 0)
		return interrupted(r, a);
	return (struct reason){0};
}

bool run_lines(struct data_run *r, struct str stored, struct arena *a, size_t *inflated,
               struct err *e)
{
	if (!read_lines(r, stored, a, inflated, e) || !check_place(r, a, e))
		return rule_mark(e, RULE_WHOLE); /* the runner never writes such a file */
	if (record_is_pretended(&r->run.head))
		return rule_err(e, RULE_WHOLE, (struct loc){.path = r->path},
		                "is of a pretended device (RIDGEPOINT_PRETEND): made up, and no "
		                "site shows it; remove it");
	r->none = why_run_has_none(r, a);
	return true;
}

bool run_derive(struct data_run *r, struct arena *a, struct err *e)
{
	r->url = arena_printf(a, "/runs/%s/", r->run.head.id);
	r->why_none = r->none.word ? reason_text(NULL, &r->none, a) : NULL;
	data_conditions_make(r, a);
	struct tally *t = tally_launches(&r->run, a);
	r->cases = ARENA_ARRAY(a, struct data_case, r->run.ncases + 1);
	for (size_t i = 0; i < r->run.ncases; i++) {
		r->cases[i].c = &r->run.cases[i];
		if (!derive_case(r, &r->cases[i], &t[i], a, e))
			return false;
	}
	return true;
}
