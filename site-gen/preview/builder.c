#include "site-gen/preview/builder.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/build/build.h"

/* Header of the process's answer; n bytes follow. */
struct answer {
	int status;
	size_t n;
};

/* --- in the process ------------------------------------------------------------------------ */

static void read_to_end(int fd, struct sb *to)
{
	for (;;) {
		ssize_t n = read(fd, sb_room(to, 4096), 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		to->n += (size_t)n;
		to->p[to->n] = 0;
	}
}

/* Builds in a fork, whose stderr goes to `said`. Returns the wait status. */
static int build_apart(const struct site_options *o, const struct build_base *base, struct sb *said)
{
	int fd[2], status = -1;
	if (pipe(fd) != 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(fd[1], STDERR_FILENO);
		close(fd[0]);
		close(fd[1]);
		_exit(build_site(o, base));
	}
	close(fd[1]);
	if (pid > 0) {
		read_to_end(fd[0], said);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(fd[0]);
	return status;
}

static _Noreturn void serve_builds(const struct site_options *o, int fd)
{
	struct build_base base = {0};
	struct err ignored = ERR_NONE;
	char request;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(fd, &request, 1) == 1) {
		struct sb said = {0};
		build_base_refresh(&base, o);
		struct answer a = {.status = build_apart(o, &base, &said), .n = said.n};
		if (!file_put_all(fd, (struct str){(const char *)&a, sizeof a}, "socket",
		                  &ignored) ||
		    !file_put_all(fd, sb_view(&said), "socket", &ignored))
			break;
		sb_free(&said);
	}
	_exit(0);
}

/* --- in the preview -------------------------------------------------------------------------- */

bool builder_start(const struct site_options *options, struct builder *b, struct err *e)
{
	int fd[2];
	*b = (struct builder){.fd = -1};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return err_sys(e, "cannot start the builder");
	pid_t pid = fork();
	if (pid == 0) {
		close(fd[0]);
		serve_builds(options, fd[1]);
	}
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return err_sys(e, "cannot start the builder");
	}
	*b = (struct builder){.fd = fd[0], .pid = pid};
	return true;
}

static bool receive(int fd, void *to, size_t n)
{
	for (size_t got = 0; got < n;) {
		ssize_t r = read(fd, (char *)to + got, n - got);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return false;
		got += (size_t)r;
	}
	return true;
}

bool builder_build(struct builder *b, struct sb *said)
{
	struct answer a = {.status = -1};
	bool ok = write(b->fd, "b", 1) == 1 && receive(b->fd, &a, sizeof a) &&
	          receive(b->fd, sb_room(said, a.n), a.n);
	if (ok) {
		said->n += a.n;
		said->p[said->n] = 0;
	}
	if ((!ok || a.status != 0) && said->n == 0)
		sb_cstr(said, "site-gen: the build ended without a word\n");
	return ok && a.status == 0;
}

void builder_stop(struct builder *b)
{
	if (b->fd < 0)
		return;
	close(b->fd);
	kill(b->pid, SIGKILL);
	waitpid(b->pid, NULL, 0);
	b->fd = -1;
}
