/*
 * runner/session.h - a measurement from survey to closed file: what `run`,
 * `reproduce`, `compare` and `selftest` share. A session measures launches of
 * a plan's items, one after the other, into one run file.
 */
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "runner/commands.h"
#include "runner/journal.h"
#include "runner/progress.h"
#include "runner/survey.h"

struct session {
	struct plan plan;
	struct signals sig;
	struct progress progress;
	struct journal journal;
	struct calibration cal;
	struct arena arena, launch_arena;
	struct err *e;
	int64_t start_ns;
	size_t failed;  /* launches of a case that were not ok */
	size_t largest; /* bytes of the largest launch so far */
};

/* What the run's head says beside the plan. */
struct session_about {
	const char *out;                 /* folder of run files */
	const char *reason, *replicates; /* may be NULL */
	const char *order;               /* how launches order their cases; NULL: at random */
	const struct invocation *inv;
	const char *plan_sha256; /* both NULL, or the plan that this is a shard of */
	struct run_shard *shard;
};

/* A session on the heap; errors of its calls go to *e. */
struct session *session_new(struct err *e);
void session_free(struct session *s);

/*
 * Watches signals, surveys and calibrates, and adds `nulls` null controls to
 * the plan. False: s->e says why, also if a signal came.
 */
bool session_survey(struct session *s, size_t nulls);

/* The survey alone, for a plan that is only shown. */
bool session_look(struct session *s, size_t nulls);

/* Measuring goes on in a file that an interrupted run left, reopened in s->journal. */
bool session_continue(struct session *s, size_t launches, int64_t t_ms);

/* Cases that can run. */
size_t session_available(const struct session *s);

/* Opens the run file and writes head and cases; `launches` processes will follow. */
bool session_begin(struct session *s, const struct session_about *about, size_t launches);

/*
 * Launch number i: one process over the items for which in[item] is true (in
 * NULL: all), in a random order. False: interrupted, or s->e is set.
 */
bool session_launch(struct session *s, int64_t i, const bool *in);

/*
 * Closes the file, even after a failure: what was measured is kept. `complete`
 * says whether all was.
 */
bool session_end(struct session *s, bool complete);

/* The same after `done` of n launches, of which fewer are an error. False: there is no file. */
bool session_end_after(struct session *s, int64_t done, int64_t n);

/* Reads back what the session measured so far, as a run in the session's arena. */
bool session_read(struct session *s, struct run *out);

#endif
