#include "runner/base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "runner/base/clock.h"

enum { FIRST_LINE = 400 };

/* An open file without a name; -1 after an error. */
static int nameless(struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	int fd = open(tmp ? tmp : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *other = fd < 0 ? tmpfile() : NULL; /* a file system may lack O_TMPFILE */
	if (other) {
		fd = fcntl(fileno(other), F_DUPFD_CLOEXEC, 3);
		fclose(other);
	}
	if (fd < 0)
		err_sys(e, "%s: cannot make a temporary file", tmp ? tmp : "/tmp");
	return fd;
}

/* Becomes the program. If that fails, the parent reads errno from `told`. */
static _Noreturn void become(const char *const *argv, const int fd[3], int told, pid_t parent)
{
	sigset_t none;
	sigemptyset(&none);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bool ok = setpgid(0, 0) == 0;
	for (int i = 0; i < 3; i++)
		ok = ok && dup2(fd[i], i) >= 0;
	/* the runner ignores SIGPIPE and blocks the signals it watches */
	ok = ok && signal(SIGPIPE, SIG_DFL) != SIG_ERR &&
	     sigprocmask(SIG_SETMASK, &none, NULL) == 0;
	if (ok && getppid() == parent)
		/* execvp() does not write to its arguments, but takes them without const */
		execvp(argv[0], (char *const *)(uintptr_t)argv);
	int why = errno;
	_exit(write(told, &why, sizeof why) < 0 ? 126 : 127);
}

/* Waits until the program has ended, its deadline has passed, or stop_fd can be read. */
static bool watch(struct program_end *p, int64_t deadline_ns, int stop_fd, struct err *e)
{
	int fd = pidfd_open(p->pid, 0);
	struct pollfd of[2] = {{.fd = fd, .events = POLLIN}, {.fd = stop_fd, .events = POLLIN}};
	bool ok = fd >= 0 || err_sys(e, "cannot watch a process");
	while (ok && !of[0].revents && !p->interrupted && !p->timed_out) {
		int64_t left = (deadline_ns - clock_ns() + 999999) / 1000000;
		int ready = poll(of, 2, left <= 0 ? 0 : left < 60000 ? (int)left : 60000);
		ok = ready >= 0 || errno == EINTR || err_sys(e, "cannot wait for a process");
		p->interrupted = ready > 0 && !of[0].revents && of[1].revents;
		p->timed_out = ready == 0 && left <= 0;
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Waits for the end of the program, its deadline or an interruption. */
static bool wait_for(struct program_end *p, int64_t deadline_ns, int stop_fd, struct err *e)
{
	pid_t ended;
	bool ok = watch(p, deadline_ns, stop_fd, e);
	if (!ok || p->interrupted || p->timed_out)
		kill(-p->pid, SIGKILL);
	while ((ended = waitpid(p->pid, &p->status, 0)) < 0 && errno == EINTR)
		;
	/* without a status a program that failed would seem to have succeeded */
	return ended == p->pid ? ok : err_sys(e, "cannot wait for a process");
}

/* The beginning of a file, in the arena. */
static bool beginning(int fd, size_t most, struct arena *a, struct str *out, bool *cut,
                      struct err *e)
{
	off_t size = lseek(fd, 0, SEEK_END);
	if (size < 0)
		return err_sys(e, "temporary file: cannot find its end");
	*cut = size > (off_t)most;
	size_t n = *cut ? most : (size_t)size, got = 0;
	char *text = arena_alloc(a, n + 1);
	while (got < n) {
		ssize_t k = pread(fd, text + got, n - got, (off_t)got);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_sys(e, "temporary file: cannot read");
		if (k == 0)
			break;
		got += (size_t)k;
	}
	*out = (struct str){text, got};
	return true;
}

/* errno of a program that could not be started; 0 if it runs. */
static int why_not(const int told[2])
{
	int why = 0;
	ssize_t got;
	if (close(told[1]) != 0)
		return errno; /* while that end is open here, the other never ends */
	while ((got = read(told[0], &why, sizeof why)) < 0 && errno == EINTR)
		;
	return got < 0 ? errno : why; /* the pipe closes when the program begins */
}

static bool start(const char *const *argv, const int fd[3], struct program_end *p, struct err *e)
{
	int told[2];
	if (pipe2(told, O_CLOEXEC) != 0)
		return err_sys(e, "cannot make a pipe");
	fflush(NULL);
	pid_t parent = getpid();
	p->ns = clock_ns();
	p->pid = fork();
	if (p->pid == 0)
		become(argv, fd, told[1], parent);
	bool forked = p->pid > 0 || err_sys(e, "cannot fork");
	int why = why_not(told);
	close(told[0]);
	if (!forked || why == 0)
		return forked;
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
		;
	errno = why;
	return err_sys(e, "%s: cannot be started", argv[0]);
}

bool program_run(const char *const *argv, struct str in, int timeout_s, int stop_fd, size_t most,
                 struct arena *a, struct program_end *p, struct err *e)
{
	bool cut;
	struct str err, rest;
	*p = (struct program_end){.first = ""};
	int fd[3] = {nameless(e), nameless(e), nameless(e)};
	bool ok = fd[0] >= 0 && fd[1] >= 0 && fd[2] >= 0 &&
	          file_put_all(fd[0], in, "temporary file", e) &&
	          (lseek(fd[0], 0, SEEK_SET) == 0 || err_sys(e, "temporary file: cannot rewind")) &&
	          start(argv, fd, p, e) &&
	          wait_for(p, p->ns + timeout_s * 1000000000ll, stop_fd, e);
	if (ok) {
		p->ns = clock_ns() - p->ns;
		ok = beginning(fd[2], FIRST_LINE, a, &err, &cut, e) &&
		     beginning(fd[1], most, a, &p->out, &p->cut, e);
	}
	if (ok) {
		str_cut(str_trim(err), '\n', &err, &rest);
		p->first = str_dup(a, err);
	}
	for (int i = 0; i < 3; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	return ok;
}

const char *program_status(const struct program_end *p, struct arena *a)
{
	if (p->timed_out)
		return "timeout";
	if (WIFSIGNALED(p->status))
		return arena_printf(a, "signal:%d", WTERMSIG(p->status));
	return WEXITSTATUS(p->status) == 0 ? "ok"
	                                   : arena_printf(a, "exit:%d", WEXITSTATUS(p->status));
}
