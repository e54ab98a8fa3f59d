#include "site-gen/base/talk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "site-gen/base/tool_inner.h"

struct talk {
	struct tool tool;
	pid_t pid;
	int ask, answer, said; /* our ends of its streams */
};

/* One question under way. */
struct asking {
	struct talk *c;
	struct str rest; /* of the question */
	struct sb *answer, said;
	size_t begin, most; /* where the answer begins in *answer; how long it may be */
	const char *end;
	bool closed; /* the program closed stdout: it has ended */
};

/* --- starting and ending it --- */

/* Both ends, and none of them a standard stream of ours. */
static bool raise_above(int fd[2])
{
	bool ok = true;
	for (int i = 0; i < 2; i++) {
		int high = fcntl(fd[i], F_DUPFD_CLOEXEC, 3);
		close(fd[i]);
		fd[i] = high;
		ok = ok && high >= 0;
	}
	return ok;
}

/* A socket for questions, so that a program that has ended is an error and no signal. */
static bool open_pairs(int ask[2], int answer[2], int said[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ask) == 0 && raise_above(ask) &&
	       pipe2(answer, O_CLOEXEC) == 0 && raise_above(answer) &&
	       pipe2(said, O_CLOEXEC) == 0 && raise_above(said) &&
	       fcntl(answer[0], F_SETFL, O_NONBLOCK) == 0 &&
	       fcntl(said[0], F_SETFL, O_NONBLOCK) == 0;
}

struct talk *talk_start(const struct tool *t, struct arena *a, struct err *e)
{
	int ask[2], answer[2], said[2];
	struct talk *c = ARENA_NEW(a, struct talk);
	pid_t parent = getpid();
	*c = (struct talk){.tool = *t};
	c->tool.dir = c->tool.input = c->tool.output = NULL;
	c->tool.wall_seconds = TOOL_NO_ALARM;
	if (!open_pairs(ask, answer, said) || (c->pid = fork()) < 0) {
		err_sys(e, "cannot start %s", t->name);
		return NULL;
	}
	if (c->pid == 0)
		tool_become(&c->tool, parent, (const int[]){ask[1], answer[1], said[1]});
	close(ask[1]);
	close(answer[1]);
	close(said[1]);
	c->ask = ask[0];
	c->answer = answer[0];
	c->said = said[0];
	return c;
}

/* Ends it; its status. */
static int stop(struct talk *c)
{
	int status = 0;
	close(c->ask);
	close(c->answer);
	close(c->said);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

void talk_end(struct talk *c)
{
	if (!c || !c->pid)
		return;
	kill(c->pid, SIGKILL);
	stop(c);
}

/* --- asking --- */

static void take(int fd, struct sb *to, bool *closed)
{
	char part[1 << 14];
	ssize_t n;
	while ((n = read(fd, part, sizeof part)) > 0)
		sb_put(to, part, (size_t)n);
	if (n == 0)
		*closed = true;
}

static void send_more(struct asking *q)
{
	ssize_t n = send(q->c->ask, q->rest.p, q->rest.n, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n > 0)
		q->rest = str_sub(q->rest, (size_t)n, q->rest.n);
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		q->rest.n = 0; /* it has ended; what it said tells why */
}

static bool is_complete(const struct asking *q)
{
	struct str got = str_sub(sb_view(q->answer), q->begin, q->answer->n);
	size_t n = strlen(q->end);
	return got.n > n && got.p[got.n - 1] == '\n' &&
	       memcmp(got.p + got.n - 1 - n, q->end, n) == 0 &&
	       (got.n == n + 1 || got.p[got.n - n - 2] == '\n');
}

static int ms_until(const struct timespec *deadline)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	long long ms = (deadline->tv_sec - now.tv_sec) * 1000LL +
	               (deadline->tv_nsec - now.tv_nsec) / 1000000;
	return ms > 0 ? (int)ms : 0;
}

/* Until the answer is whole, the program has ended, or the time is up. */
static void converse(struct asking *q, int seconds)
{
	struct timespec deadline;
	bool none;
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += seconds;
	while (!q->closed && !is_complete(q) && q->answer->n - q->begin <= q->most &&
	       ms_until(&deadline) > 0) {
		struct pollfd p[] = {{q->c->answer, POLLIN, 0},
		                     {q->c->said, POLLIN, 0},
		                     {q->rest.n ? q->c->ask : -1, POLLOUT, 0}};
		poll(p, 3, ms_until(&deadline));
		if (p[2].revents)
			send_more(q);
		if (p[1].revents)
			take(q->c->said, &q->said, &none);
		if (p[0].revents)
			take(q->c->answer, q->answer, &q->closed);
	}
	take(q->c->said, &q->said, &none); /* it complains before it answers */
}

/* It ended, or is ended here. */
static bool is_over(struct asking *q, int seconds, struct str said, struct err *e)
{
	const char *name = q->c->tool.name;
	bool late = !q->closed, much = q->answer->n - q->begin > q->most;
	if (late)
		kill(q->c->pid, SIGKILL);
	int status = stop(q->c);
	if (much)
		return err_set(e, "%s drew more than %zu MiB", name, q->most >> 20);
	if (late)
		return err_set(e, "%s was stopped after %d s: its input makes it wait", name,
		               seconds);
	if (WIFEXITED(status) && WEXITSTATUS(status) == TOOL_NOT_CONFINED)
		return tool_refuse(name, said, e);
	if (WIFSIGNALED(status))
		return err_set(e, "%s ended by signal %d: its input is too expensive", name,
		               WTERMSIG(status));
	return err_set(e, "%s ended before it had answered (exit status %d)%s" STR_FMT, name,
	               WEXITSTATUS(status), said.n ? ": " : "", STR_ARG(said));
}

bool talk_ask(struct talk *c, struct str question, const char *end, int seconds, size_t most,
              struct arena *a, struct sb *answer, struct str *said, struct err *e)
{
	struct asking q = {.c = c,
	                   .rest = question,
	                   .answer = answer,
	                   .begin = answer->n,
	                   .most = most,
	                   .end = end};
	bool ok = true;
	converse(&q, seconds);
	struct str text = str_trim(sb_view(&q.said));
	*said = (struct str){arena_strndup(a, text.p ? text.p : "", text.n), text.n};
	sb_free(&q.said);
	if (!is_complete(&q))
		ok = is_over(&q, seconds, *said, e);
	else if (said->n > 0)
		ok = err_set(e, "%s: " STR_FMT, c->tool.name, STR_ARG(*said));
	else
		answer->n -= strlen(end) + 1;
	return ok;
}
