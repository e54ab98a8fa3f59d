#include "site-gen/preview/builder.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/build/build.h"
#include "site-gen/build/first.h"
#include "site-gen/site/site.h"

/* What is asked of the process: the edited source, n bytes, follows. */
struct request {
	size_t n;
};

/* Header of its last answer; n bytes follow. DONE and this come after the build's own bytes. */
struct answer {
	int status;
	size_t n;
};

enum { DONE = 'd', MAX_REQUEST_BYTES = 1 << 16 };

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

/* Receives n bytes, and ends them with a NUL. */
static bool receive_text(int fd, size_t n, struct sb *to)
{
	if (!receive(fd, sb_room(to, n + 1), n))
		return false;
	to->n += n;
	to->p[to->n] = 0;
	return true;
}

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

/* Builds once, and answers; false: nobody listens any more. */
static bool serve_one(const struct site_options *o, struct build_base *base, struct str edited,
                      const char *to, int fd)
{
	static const char done = DONE;
	struct sb said = {0};
	struct err ignored = ERR_NONE;
	struct first first = {.source = edited.p, .to = to, .fd = fd};
	struct site_options own = *o;
	own.first = edited.n ? &first : NULL;
	build_base_refresh(base, o);
	struct answer a = {.status = build_apart(&own, base, &said), .n = said.n};
	bool ok = file_put_all(fd, (struct str){&done, 1}, "socket", &ignored) &&
	          file_put_all(fd, (struct str){(const char *)&a, sizeof a}, "socket", &ignored) &&
	          file_put_all(fd, sb_view(&said), "socket", &ignored);
	sb_free(&said);
	return ok;
}

static _Noreturn void serve_builds(const struct site_options *o, const char *to, int fd)
{
	struct build_base base = {0};
	struct request r;
	struct sb edited = {0};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	do
		sb_clear(&edited);
	while (receive(fd, &r, sizeof r) && r.n <= MAX_REQUEST_BYTES &&
	       receive_text(fd, r.n, &edited) && serve_one(o, &base, sb_view(&edited), to, fd));
	_exit(0);
}

/* --- in the preview -------------------------------------------------------------------------- */

bool builder_start(const struct site_options *options, const char *first, struct builder *b,
                   struct err *e)
{
	int fd[2];
	*b = (struct builder){.fd = -1};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return err_sys(e, "cannot start the builder");
	pid_t pid = fork();
	if (pid == 0) {
		close(fd[0]);
		serve_builds(options, first, fd[1]);
	}
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return err_sys(e, "cannot start the builder");
	}
	*b = (struct builder){.fd = fd[0], .pid = pid};
	return true;
}

/* Reads what the build says of its first page, up to its end. */
static bool hear(int fd, struct builder_first *first)
{
	char what;
	bool ok;
	while ((ok = receive(fd, &what, 1)) && what != DONE) {
		if (what == FIRST_SHOWN)
			first->shown(first->ctx);
		first->kept = what == FIRST_KEPT;
	}
	return ok;
}

bool builder_build(struct builder *b, struct str edited, struct builder_first *first,
                   struct sb *said)
{
	struct answer a = {.status = -1};
	struct err ignored = ERR_NONE;
	const struct request r = {.n = edited.n};
	first->kept = false;
	bool ok =
	        file_put_all(b->fd, (struct str){(const char *)&r, sizeof r}, "socket", &ignored) &&
	        file_put_all(b->fd, edited, "socket", &ignored) && hear(b->fd, first) &&
	        receive(b->fd, &a, sizeof a) && receive_text(b->fd, a.n, said);
	if ((!ok || a.status != 0) && said->n == 0)
		sb_cstr(said, "site-gen: the build ended without a word\n");
	first->kept = first->kept && ok && a.status == 0;
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
