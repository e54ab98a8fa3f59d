#include "runner/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "runner/patience.h"
#include "runner/rng.h"

enum {
	FINISH_MS = 3000,      /* how long an interrupted item may still take */
	KEPT_BYTES = 32 << 20, /* of the heap, at most; what glibc allows */
};

/* --- signals --- */

bool signals_open(struct signals *s, struct err *e)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP); /* a dropped connection: what is measured stays */
	s->seen = 0;
	/* who reads our messages may end first, a `tee` by the same Ctrl-C: the run goes on */
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 ||
	    (s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) < 0)
		return err_sys(e, "cannot watch signals");
	return true;
}

void signals_close(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void signals_take(struct signals *s)
{
	struct signalfd_siginfo info;
	while (s->fd >= 0 && read(s->fd, &info, sizeof info) == sizeof info)
		s->seen++;
}

/* --- the child --- */

enum report_kind { REPORT_BEGIN, REPORT_ALIVE, REPORT_DONE, REPORT_FATAL };

/* One message of a child: this, then `line_n` bytes. */
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
		_exit(1); /* the parent is gone */
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
	struct run_launch l = {
	        .case_id = it->id,
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
	/* Checks take and free megabytes for each item: keep them instead of asking anew. */
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
	b->spent_ns[RUN_EXPECT] = from == 0 ? w->expect_ns : 0;
	if (!be->open(&b->dev, &w->plan->facts, w->plan->memory, &e)) {
		struct report r = {.kind = REPORT_FATAL};
		snprintf(r.out.why, sizeof r.out.why, "%.239s", e.text);
		tell(fd, r, (struct str){0});
		_exit(1);
	}
	const char *why;
	if (w->mode == WALK_MEASURE && w->plan->facts.pci[0])
		b->nvml = nvml_open(w->plan->facts.pci, &why);
	measure_count(b, RUN_OPEN);
	for (size_t at = from; at < w->n; at++)
		child_item(w, b, fd, at);
	_exit(0);
}

/* Starts a child that dies with its parent. Returns its pid, or -1. */
static pid_t start_child(int fd[2], struct err *e)
{
	if (pipe2(fd, O_CLOEXEC) != 0) {
		err_sys(e, "cannot make a pipe");
		return -1;
	}
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid < 0) {
		err_sys(e, "cannot fork");
		close(fd[0]);
		close(fd[1]);
	} else if (pid == 0) {
		close(fd[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
	} else {
		close(fd[1]);
	}
	return pid;
}

/* --- the parent --- */

/* One child as the parent sees it. */
struct listen {
	const struct walk *w;
	pid_t pid;
	int fd;
	size_t at; /* item under way or next */
	bool busy; /* an item is under way */
	struct patience patience;
	bool timed_out, interrupted;
	char fatal[240];
};

/* Whatever stops in the midst of a message is killed as one that is silent. */
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

/* Takes one message. False: the pipe is closed. */
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

/* A signal: the item under way may finish, briefly; a second one ends it now. */
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
		if (ready == 0 && ms == 0) { /* what is there to be heard is heard first */
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

/* The item under way when a child died. */
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

/* One child from item `from` on. Returns where the next must begin. */
static bool walk_child(const struct walk *w, size_t *from, struct err *e)
{
	int fd[2], status = 0;
	struct listen l = {.w = w, .at = *from};
	l.pid = start_child(fd, e);
	if (l.pid == 0)
		child_main(w, fd[1], *from);
	if (l.pid < 0)
		return false;
	l.fd = fd[0];
	extend(&l);
	listen_to(&l);
	while (waitpid(l.pid, &status, 0) < 0 && errno == EINTR)
		;
	while (!l.timed_out && hear(&l)) /* what it said before it died */
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

bool walk_ask(void (*what)(void *out, const void *ctx), const void *ctx, void *out, size_t n,
              int timeout_s, struct err *e)
{
	void *shared = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd[2], status = -1;
	if (shared == MAP_FAILED)
		return err_sys(e, "cannot map %zu bytes", n);
	pid_t pid = start_child(fd, e);
	if (pid == 0) {
		what(shared, ctx);
		_exit(0);
	}
	if (pid > 0) {
		/* The pipe closes when the child ends, however it ends. */
		struct pollfd p = {.fd = fd[0], .events = POLLIN};
		struct patience patience;
		int ms, ready;
		patience_begin(&patience, pid, timeout_s * 1000000000ll);
		do {
			ms = patience_poll_ms(&patience);
			ready = poll(&p, 1, ms);
		} while ((ready == 0 && ms > 0) || (ready < 0 && errno == EINTR));
		if (ready == 0)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		close(fd[0]);
	}
	memcpy(out, shared, n);
	munmap(shared, n);
	if (pid > 0 && status != 0)
		return err_set(e, "a helper process ended with status %d", status);
	return pid > 0;
}
