#include "runner/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
