/*
 * runner/measure/session.h - a measurement, from the survey to the closed run file. `run`,
 * `reproduce`, `compare` and `selftest` share it. A session measures a plan's items in
 * one process after the other and writes all their launches into one run file.
 */
#ifndef RUNNER_MEASURE_SESSION_H
#define RUNNER_MEASURE_SESSION_H

#include "lib/err.h"
#include "runner/base/progress.h"
#include "runner/measure/survey.h"
#include "runner/records/head.h"
#include "runner/records/journal.h"

struct session {
	struct plan plan;
	struct signals sig;
	struct progress progress;
	struct journal journal;
	struct calibration cal;
	struct arena arena, launch_arena;
	struct err *e;
	int64_t start_ns;
	size_t failed;  /* launch records whose status is not ok */
	size_t largest; /* bytes of the largest launch so far */
};

/* Members of the run's head that do not follow from the plan. */
struct session_about {
	const char *out;                 /* folder for run files */
	const char *reason, *replicates; /* may be NULL */
	const char *order;               /* how processes order their cases; NULL: at random */
	const struct invocation *inv;
	const char *plan_sha256; /* for a shard of a plan, else both NULL */
	struct run_shard *shard;
};

/* A new session on the heap, freed with session_free(); errors of its calls go to *e. */
MUST_CHECK struct session *session_new(struct err *e);
void session_free(struct session *s);

/*
 * Watches signals, surveys the plan, calibrates the stopwatch, and adds `nulls` null
 * controls. False after an error or a signal; s->e says which.
 */
bool session_survey(struct session *s, size_t nulls);

/* The same without preloading and calibration, for a plan that is only shown. */
bool session_look(struct session *s, size_t nulls);

/* Continues in the file of an interrupted run, which the caller has reopened in s->journal. */
bool session_continue(struct session *s, size_t launches, int64_t t_ms);

/* Number of items that can run. */
size_t session_available(const struct session *s);

/* Opens the run file and writes head and case records; `launches` processes will follow. */
bool session_begin(struct session *s, const struct session_about *about, size_t launches);

/*
 * Launch number i: one process measures the items with in[item] (all if `in` is NULL) in a
 * random order. False if it was interrupted, or if s->e is set.
 */
bool session_launch(struct session *s, int64_t i, const bool *in);

/*
 * Closes the file, even after a failure, so that measured launches are kept. `complete`:
 * everything was measured.
 */
bool session_end(struct session *s, bool complete);

/* The same after `done` of n launches; fewer than n is an error. False if there is no file. */
bool session_end_after(struct session *s, int64_t done, int64_t n);

/* Reads back the measurements so far, as a run in the session's arena. */
bool session_read(struct session *s, struct run *out);

#endif
