#include "runner/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/str.h"
#include "runner/base/clock.h"
#include "runner/base/patience.h"

pid_t child_start(int fd[2], struct err *e)
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

bool child_ask(void (*what)(void *out, const void *ctx), const void *ctx, void *out, size_t n,
               int timeout_s, struct err *e)
{
	void *shared = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd[2], status = -1;
	if (shared == MAP_FAILED)
		return err_sys(e, "cannot map %zu bytes", n);
	pid_t pid = child_start(fd, e);
	if (pid == 0) {
		what(shared, ctx);
		_exit(0);
	}
	if (pid > 0) {
		/* The pipe closes when the child ends, whether it exits or crashes. */
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

/* --- other programs --- */

/* Becomes the program argv in the child: input from /dev/null, output to the descriptor `out`. */
static _Noreturn void become(const char *const *argv, int out)
{
	int in = open("/dev/null", O_RDONLY);
	if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(127);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL); /* the runner blocks the signals it watches */
	setpgid(0, 0);
	/* execv() does not write to its arguments, but takes them without const */
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/* Reads until the end (true), or the deadline or stop_fd (false). Drops what does not fit. */
static bool listen(int fd, int stop_fd, int64_t deadline_ns, char *text, size_t size)
{
	size_t n = 0;
	char drop[256];
	for (;;) {
		/* rounded up, so that ending before the deadline always means an interruption */
		int64_t left = (deadline_ns - clock_ns() + 999999) / 1000000;
		struct pollfd p[2] = {{.fd = fd, .events = POLLIN},
		                      {.fd = stop_fd, .events = POLLIN}};
		int ready = left > 0 ? poll(p, 2, (int)(left < 1000 ? left : 1000)) : 0;
		if (left <= 0 || (ready > 0 && p[1].revents))
			return false;
		if (ready <= 0)
			continue;
		bool full = n + 1 >= size;
		ssize_t got = read(fd, full ? drop : text + n, full ? sizeof drop : size - 1 - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		n += full ? 0 : (size_t)got;
		text[n] = 0;
	}
}

const char *child_find(const char *name, struct arena *a)
{
	const char *path = getenv("PATH");
	struct str rest = str_of(path ? path : ""), dir;
	for (bool more = true; more && rest.n;) {
		more = str_cut(rest, ':', &dir, &rest);
		const char *try = arena_printf(a, STR_FMT "/%s", STR_ARG(dir), name);
		if (dir.n && access(try, X_OK) == 0)
			return try;
	}
	return NULL;
}

const char *child_run(const char *const *argv, int timeout_s, int stop_fd, char *text, size_t size,
                      struct arena *a)
{
	int fd[2], status = 0;
	text[0] = 0;
	if (pipe2(fd, O_CLOEXEC) != 0)
		return "cannot make a pipe";
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		become(argv, fd[1]);
	close(fd[1]);
	int64_t deadline_ns = clock_ns() + timeout_s * 1000000000ll;
	bool ended = pid > 0 && listen(fd[0], stop_fd, deadline_ns, text, size);
	close(fd[0]);
	if (pid < 0)
		return "cannot fork";
	if (!ended && kill(-pid, SIGKILL) != 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ended)
		return clock_ns() < deadline_ns ? "interrupted"
		                                : arena_printf(a, "no answer for %d s", timeout_s);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	struct str first = str_trim(str_of(text)), rest;
	str_cut(first, '\n', &first, &rest);
	return arena_printf(a, "%s ended with status %d%s%.*s", argv[0],
	                    WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
	                    first.n ? ": " : "", (int)(first.n < 120 ? first.n : 120), first.p);
}

const char *child_temporary(const char *what, struct arena *a, struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	char *path = arena_printf(a, "%s/ridgepoint-%s-XXXXXX", tmp ? tmp : "/tmp", what);
	int fd = mkstemp(path);
	if (fd < 0) {
		err_sys(e, "%s: cannot create", path);
		return NULL;
	}
	close(fd);
	return path;
}
