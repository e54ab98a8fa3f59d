#include "runner/compare/other_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/cmd.h"
#include "lib/file.h"
#include "lib/record_file.h"

/* In the child: becomes the program; stdout goes to the pipe, stderr to the log. */
static _Noreturn void become(const char *program, char *const *argv, int out, const char *log)
{
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	prctl(PR_SET_PDEATHSIG, SIGINT); /* on SIGINT it also ends its own processes */
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (fd >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0)
		execv(program, argv);
	_exit(127);
}

/* Starts the program; *out is the read end of the pipe. */
static pid_t start(const char *program, char *const *argv, const char *log, int *out, struct err *e)
{
	int fd[2];
	if (pipe2(fd, O_CLOEXEC) != 0) {
		err_sys(e, "cannot make a pipe");
		return -1;
	}
	pid_t pid = fork();
	if (pid == 0)
		become(program, argv, fd[1], log);
	close(fd[1]);
	*out = fd[0];
	if (pid < 0) {
		close(fd[0]);
		err_sys(e, "cannot fork");
	}
	return pid;
}

static struct str last_line(struct str text)
{
	while (text.n && text.p[text.n - 1] == '\n')
		text.n--;
	size_t from = text.n;
	while (from && text.p[from - 1] != '\n')
		from--;
	return str_sub(text, from, text.n);
}

/* Reads everything that the program prints; returns its exit status. */
static int hear(pid_t pid, int fd, struct sb *said)
{
	char part[4096];
	int status = 0;
	for (ssize_t n; (n = read(fd, part, sizeof part)) != 0;) {
		if (n > 0)
			sb_put(said, part, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static bool explain(const char *program, const char *log, struct arena *a, struct err *e)
{
	struct str text = STR("");
	struct err ignored = ERR_NONE;
	if (!file_read(log, 1 << 20, a, &text, &ignored) || !text.n)
		return err_set(e, "%s: cannot run it", program);
	struct str line = last_line(text);
	return err_set(e, "%s: " STR_FMT, program, STR_ARG(line));
}

bool other_runner_launch(const char *program, const char *out, const char *device, uint64_t seed,
                         const char *const *selector, int nselector, struct arena *a,
                         struct run *result, struct err *e)
{
	const char *fixed[] = {program,    "run", "--launches", "1",
	                       "--out",    out,   "--seed",     arena_printf(a, "%" PRIu64, seed),
	                       "--device", device};
	enum { FIXED = ARRAY_LEN(fixed) };
	const char **argv = ARENA_ARRAY(a, const char *, FIXED + (size_t)nselector + 1);
	const char *log = arena_printf(a, "%s/log", out);
	struct sb said = {0};
	int fd;
	memcpy(argv, fixed, sizeof fixed);
	for (int i = 0; i < nselector; i++)
		argv[FIXED + i] = selector[i];
	pid_t pid = start(program, (char *const *)(void *)argv, log, &fd, e);
	if (pid < 0)
		return false;
	hear(pid, fd, &said);
	struct str line = last_line(sb_view(&said));
	const char *path = str_dup(a, line);
	sb_free(&said);
	/* the file records failed launches; if there is no file, the program itself failed */
	if (!file_exists(path))
		return explain(program, log, a, e);
	return record_file_load(path, a, result, e);
}
