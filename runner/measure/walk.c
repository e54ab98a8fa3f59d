#include "runner/measure/walk.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "runner/base/child.h"
#include "runner/base/clock.h"
#include "runner/base/patience.h"
#include "runner/base/rng.h"

enum {
	FINISH_MS = 3000,      /* time for an interrupted item to finish */
	KEPT_BYTES = 32 << 20, /* most memory to keep in the heap; glibc's maximum */
};

/* --- the child --- */

enum report_kind { REPORT_BEGIN, REPORT_ALIVE, REPORT_DONE, REPORT_FATAL };

/* A message of a child: this struct, then `line_n` bytes. */
struct report {
	enum report_kind kind;
	size_t at, line_n;
	struct outcome out;
};

static void tell(int fd, struct report r, struct str line)
{
	struct err e = ERR_NONE;
	r.line_n = line.n;
	if (!file_put_all(fd, (struct str){(const char *)&r, sizeof r}, "pipe", &e) ||
	    !file_put_all(fd, line, "pipe", &e))
		_exit(1); /* the parent has died */
}

static void tell_alive(void *fd)
{
	tell(*(int *)fd, (struct report){.kind = REPORT_ALIVE}, (struct str){0});
}

static int64_t since_ms(int64_t start_ns)
{
	return (clock_ns() - start_ns) / 1000000;
}

/* Measures one item and writes its launch record. */
static void child_launch(const struct walk *w, struct bench *b, size_t at, struct outcome *o,
                         struct sb *line)
{
	const struct item *it = &w->plan->item[w->order[at]];
	const struct run_case of = {.number = it->number};
	struct run_launch l = {
	        .of = &of,
	        .i = w->launch,
	        .at = (int64_t)at,
	        .pid = getpid(),
	        .t_ms = since_ms(w->start_ns),
	        .seed = (int64_t)b->expected[it->expected].seed[0],
	        .node = w->plan->node,
	        .batch = it->batch,
	};
	measure_launch(b, it, o, &l);
	l.status = o->status;
	sb_clear(line);
	record_put_launch(line, &l);
}

static void child_item(const struct walk *w, struct bench *b, int fd, size_t at)
{
	const struct item *it = &w->plan->item[w->order[at]];
	struct report r = {.kind = REPORT_BEGIN, .at = at};
	struct sb line = {0};
	tell(fd, r, (struct str){0});
	r.kind = REPORT_DONE;
	if (w->mode == WALK_SURVEY)
		measure_survey(b, it, &r.out);
	else if (w->mode == WALK_CHECK)
		measure_check(b, it, &r.out);
	else
		child_launch(w, b, at, &r.out, &line);
	tell(fd, r, sb_view(&line));
	sb_free(&line);
	if (r.out.lost)
		_exit(0); /* the parent starts another process for the rest */
}

static _Noreturn void child_main(const struct walk *w, int fd, size_t from)
{
	struct err e = ERR_NONE;
	const struct backend *be = backend_of(w->plan->where);
	/* checks allocate and free megabytes for each item: keep that memory in the heap */
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	struct bench *b = calloc(1, sizeof *b);
	if (!b || !(b->kept = calloc(w->plan->n + 1, sizeof *b->kept)))
		arena_die("out of memory");
	b->plan = w->plan;
	b->expected = w->expected;
	b->alive = tell_alive;
	b->alive_ctx = &fd;
	b->counted_ns = clock_ns();
	b->dev.seed = rng_derive(w->plan->set.seed, 9, (uint64_t)w->launch);
	b->dev.gpus = w->plan->gpus;
	b->spent_ns[RUN_EXPECT] = from == 0 ? w->expect_ns : 0;
	if (!be->open(&b->dev, &w->plan->facts, w->plan->memory, &e)) {
		struct report r = {.kind = REPORT_FATAL};
		snprintf(r.out.why, sizeof r.out.why, "%.239s", e.text);
		tell(fd, r, (struct str){0});
		_exit(1);
	}
	const char *why;
	if (w->mode == WALK_MEASURE && w->plan->facts.pci[0])
		b->nvml = nvml_open(&w->plan->facts, w->plan->gpus, &why);
	bench_count(b, RUN_OPEN);
	for (size_t at = from; at < w->n; at++)
		child_item(w, b, fd, at);
	_exit(0);
}

/* --- the parent --- */

/* A child, as its parent sees it. */
struct listen {
	const struct walk *w;
	pid_t pid;
	int fd;
	size_t at; /* position of the item under way, or of the next one */
	bool busy; /* an item is under way */
	struct patience patience;
	bool timed_out, interrupted;
	char fatal[240];
};

/* Waits for the rest of a message. A child that stops halfway is killed like a silent one. */
static bool wait_for_more(struct listen *l)
{
	struct pollfd p = {.fd = l->fd, .events = POLLIN};
	int ms;
	do {
		ms = patience_poll_ms(&l->patience);
		int more = poll(&p, 1, ms);
		if (more > 0 || (more < 0 && errno != EINTR))
			return true;
	} while (ms > 0);
	l->timed_out = !l->interrupted;
	kill(l->pid, SIGKILL);
	return false;
}

static bool read_all(struct listen *l, void *p, size_t n)
{
	for (char *q = p; n > 0;) {
		if (!wait_for_more(l))
			return false;
		ssize_t got = read(l->fd, q, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		q += got;
		n -= (size_t)got;
	}
	return true;
}

static void extend(struct listen *l)
{
	if (!l->interrupted)
		patience_begin(&l->patience, l->pid, l->w->plan->set.timeout_s * 1000000000ll);
}

static void finish_item(struct listen *l, const struct outcome *o, const char *line, size_t n)
{
	struct step s = {
	        .at = l->at,
	        .item = &l->w->plan->item[l->w->order[l->at]],
	        .pid = l->pid,
	        .t_ms = since_ms(l->w->start_ns),
	        .out = *o,
	        .line = line,
	        .line_n = n,
	};
	l->busy = false;
	l->w->done(l->w->ctx, l->w, &s);
	l->at++;
}

/* Takes one message; false once the pipe is closed. */
static bool hear(struct listen *l)
{
	struct report r;
	if (!read_all(l, &r, sizeof r))
		return false;
	char *line = malloc(r.line_n + 1);
	if (!line)
		arena_die("out of memory");
	bool whole = read_all(l, line, r.line_n);
	line[whole ? r.line_n : 0] = 0;
	extend(l);
	if (whole && r.kind == REPORT_BEGIN) {
		l->busy = true;
		if (l->w->begin)
			l->w->begin(l->w->ctx, l->w, l->at);
	} else if (whole && r.kind == REPORT_DONE) {
		finish_item(l, &r.out, r.line_n ? line : NULL, r.line_n);
	} else if (whole && r.kind == REPORT_FATAL) {
		memcpy(l->fatal, r.out.why, sizeof l->fatal);
	}
	free(line);
	return whole;
}

/* After a signal: gives the item under way a short time to finish; a second signal kills it. */
static void interrupt(struct listen *l)
{
	int64_t ms = l->w->signals->seen > 1 || !l->busy ? 0 : FINISH_MS;
	l->interrupted = true;
	patience_begin(&l->patience, l->pid, ms * 1000000ll);
}

static void listen_to(struct listen *l)
{
	struct signals *sig = l->w->signals;
	for (;;) {
		bool over = l->interrupted && !l->busy;
		int ms = over ? 0 : patience_poll_ms(&l->patience);
		struct pollfd p[2] = {{.fd = l->fd, .events = POLLIN},
		                      {.fd = sig->fd, .events = POLLIN}};
		int ready = over ? 0 : poll(p, 2, ms);
		if (ready < 0 && errno != EINTR)
			return;
		if (ready == 0 && ms == 0) { /* poll() is first: waiting messages count */
			l->timed_out = !l->interrupted;
			kill(l->pid, SIGKILL);
			return;
		}
		if (p[1].revents & POLLIN) {
			signals_take(sig);
			interrupt(l);
		}
		if ((p[0].revents & (POLLIN | POLLHUP)) && !hear(l))
			return;
	}
}

/* Reports the item under way when a child died. */
static void bury(struct listen *l, int status)
{
	struct outcome o = {.status = ""};
	if (l->timed_out)
		snprintf(o.status, sizeof o.status, "timeout");
	else if (WIFSIGNALED(status))
		snprintf(o.status, sizeof o.status, "signal:%d", WTERMSIG(status));
	else
		snprintf(o.status, sizeof o.status, "exit:%d", WEXITSTATUS(status));
	if (l->timed_out)
		snprintf(o.why, sizeof o.why, "no answer for %lld s",
		         (long long)l->w->plan->set.timeout_s);
	else
		snprintf(o.why, sizeof o.why, "the process ended: %s", o.status);
	finish_item(l, &o, NULL, 0);
}

/* Runs one child from item *from on, and sets *from to where the next must begin. */
static bool walk_child(const struct walk *w, size_t *from, struct err *e)
{
	int fd[2], status = 0;
	struct listen l = {.w = w, .at = *from};
	l.pid = child_start(fd, e);
	if (l.pid == 0)
		child_main(w, fd[1], *from);
	if (l.pid < 0)
		return false;
	l.fd = fd[0];
	extend(&l);
	listen_to(&l);
	while (waitpid(l.pid, &status, 0) < 0 && errno == EINTR)
		;
	while (!l.timed_out && hear(&l)) /* read its last messages before it died */
		;
	close(l.fd);
	if (l.fatal[0])
		return err_set(e, "%s", l.fatal);
	if (l.interrupted)
		return false;
	if (l.busy)
		bury(&l, status);
	else if (l.at == *from && l.at < w->n)
		return err_set(e, "%s: the process ended before its first item (%s %d)",
		               backend_of(w->plan->where)->name,
		               WIFSIGNALED(status) ? "signal" : "exit",
		               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	*from = l.at;
	return true;
}

bool walk_run(const struct walk *w, struct err *e)
{
	size_t from = 0;
	while (from < w->n)
		if (w->signals->seen || !walk_child(w, &from, e))
			return false;
	return true;
}
