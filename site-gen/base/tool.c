#include "site-gen/base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/base/tool_confine.h"
#include "site-gen/base/tool_inner.h"

enum {
	SAID_MAX_BYTES = 1 << 16,
	WAIT_SECONDS = 20,        /* wall time that a program may take beyond its CPU time */
	LITTER_SECONDS = 60 * 60, /* a folder this old is no longer in use */
};
static const char *const unconfined_name = "RIDGEPOINT_NO_SANDBOX";
static const char *const said_file = "said";

/* --- programs and their folders --- */

const char *tool_find(const char *name, struct arena *a)
{
	const char *path = getenv("PATH"), *usual = arena_printf(a, "/usr/bin/%s", name);
	struct str rest = str_of(path ? path : ""), dir;
	bool more = rest.n > 0;
	while (more) {
		more = str_cut(rest, ':', &dir, &rest);
		const char *file = arena_printf(a, STR_FMT "/%s", STR_ARG(dir), name);
		if (dir.n > 0 && dir.p[0] == '/' && access(file, X_OK) == 0)
			return file;
	}
	return access(usual, X_OK) == 0 ? usual : NULL;
}

bool tool_version(const char *path, struct sb *to, struct err *e)
{
	struct stat st;
	if (stat(path, &st) != 0)
		return err_sys(e, "%s", path);
	sb_printf(to, "%lld %lld\n", (long long)st.st_size, (long long)st.st_mtime);
	return true;
}

const char *tool_folder(struct arena *a, struct err *e)
{
	char *dir = arena_strdup(a, "/tmp/ridgepoint-XXXXXX");
	if (mkdtemp(dir))
		return dir;
	err_sys(e, "%s", dir);
	return NULL;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

void tool_folder_remove(const char *dir)
{
	enum { DESCRIPTORS = 8 };
	nftw(dir, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool tool_put(const char *path, struct str bytes, struct arena *a, struct err *e)
{
	const char *temp = arena_printf(a, "%s.%ld", path, (long)getpid());
	FILE *f = fopen(temp, "wxe");
	bool ok = f && fwrite(bytes.p, 1, bytes.n, f) == bytes.n;
	if (f && fclose(f) != 0)
		ok = false;
	if (ok && rename(temp, path) == 0)
		return true;
	return err_sys(e, "%s", path);
}

/* --- in the child --- */

/* Sets a limit, or keeps a lower one. If that fails, the program does not start. */
static void limit(int what, rlim_t most)
{
	struct rlimit r = {most, most}, was;
	if (getrlimit(what, &was) == 0 && was.rlim_max < most)
		r = (struct rlimit){was.rlim_max, was.rlim_max};
	if (setrlimit(what, &r) == 0)
		return;
	dprintf(2, "a limit cannot be set: %s", strerror(errno));
	_exit(126);
}

static bool may_be_unconfined(void)
{
	const char *value = getenv(unconfined_name);
	return value && strcmp(value, "1") == 0;
}

/* Confines this process, or prints why it cannot and ends it. */
static void confine(const struct tool *t)
{
	const struct tool_may may = {.run = t->path, .read = t->reads, .write = t->dir};
	int error = tool_confine(&may);
	if (error == 0 || may_be_unconfined())
		return;
	dprintf(2, "%s", strerror(error));
	_exit(TOOL_NOT_CONFINED);
}

static int wall_seconds(const struct tool *t)
{
	return t->wall_seconds ? t->wall_seconds : t->cpu_seconds + WAIT_SECONDS;
}

/* Ends the program when its time is up, or when the process that waits for it dies. */
static void set_limits(const struct tool *t, pid_t parent)
{
	sigset_t none;
	sigemptyset(&none);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(126); /* the parent has already died */
	setpgid(0, 0);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (t->wall_seconds != TOOL_NO_ALARM)
		alarm((unsigned)wall_seconds(t));
	limit(RLIMIT_CPU, (rlim_t)t->cpu_seconds);
	limit(RLIMIT_AS, t->memory_bytes);
	limit(RLIMIT_FSIZE, t->file_bytes);
	limit(RLIMIT_CORE, 0);
}

/* Opens a file with a descriptor above the three that the program gets. */
static int open_above(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);
	return fd > 2 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

/* Opens the standard streams of a program that is run to its end. */
static void open_streams(const struct tool *t, int stream[3])
{
	stream[0] = open_above(t->input ? t->input : "/dev/null", O_RDONLY);
	stream[2] = open_above(said_file, O_WRONLY | O_CREAT | O_EXCL);
	stream[1] = t->output ? open_above(t->output, O_WRONLY | O_CREAT | O_EXCL) : stream[2];
}

_Noreturn void tool_become(const struct tool *t, pid_t parent, const int *streams)
{
	enum { MAX_ARGS = 16 };
	char *argv[MAX_ARGS + 2] = {(char *)t->name};
	static char *const no_env[] = {NULL};
	char *const *envp = t->env ? (char *const *)t->env : no_env;
	int own[3];
	for (int i = 0; i < MAX_ARGS && t->args[i]; i++)
		argv[i + 1] = (char *)t->args[i];
	if (chdir(t->dir ? t->dir : "/") != 0)
		_exit(126);
	if (!streams)
		open_streams(t, own);
	for (int i = 0; i < 3; i++)
		if (dup2(streams ? streams[i] : own[i], i) < 0)
			_exit(126); /* else it would use site-gen's own input and output */
	syscall(SYS_close_range, 3, ~0U, 0);
	set_limits(t, parent);
	confine(t);
	execve(t->path, argv, envp);
	_exit(127);
}

/* --- running it --- */

/* Refuses one program, or a whole build before it starts any. */
bool tool_refuse(const char *name, struct str why, struct err *e)
{
	return err_set(e,
	               "%s is not started: the kernel cannot confine it (Landlock, "
	               "seccomp: " STR_FMT "); Linux 5.13 can. %s=1 in the environment starts it "
	               "unconfined: it may then do whatever you may",
	               name, STR_ARG(why), unconfined_name);
}

static bool judge(const struct tool *t, int status, struct str said, struct err *e)
{
	enum { SHOWN = 400 };
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return err_set(e, "%s was stopped after %d s: its input makes it wait", t->name,
		               wall_seconds(t));
	if (WIFSIGNALED(status))
		return err_set(e, "%s ended by signal %d: its input is too expensive", t->name,
		               WTERMSIG(status));
	if (WEXITSTATUS(status) == TOOL_NOT_CONFINED)
		return tool_refuse(t->name, said, e);
	if (WEXITSTATUS(status) != 0 || said.n > 0)
		return err_set(e, "%s failed (exit status %d): " STR_FMT, t->name,
		               WEXITSTATUS(status), (int)(said.n < SHOWN ? said.n : SHOWN), said.p);
	return true;
}

/* Waits for the child's end and returns its status. */
static bool wait_for(pid_t pid, const char *name, int *status, struct err *e)
{
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return err_sys(e, "waiting for %s", name);
	return true;
}

bool tool_run(const struct tool *t, struct arena *a, struct str *said, struct err *e)
{
	int status;
	*said = STR("");
	pid_t parent = getpid(), pid = fork();
	if (pid < 0)
		return err_sys(e, "cannot start %s", t->name);
	if (pid == 0)
		tool_become(t, parent, NULL);
	if (!wait_for(pid, t->name, &status, e))
		return false;
	kill(-pid, SIGKILL); /* its children, on a kernel that let it start some */
	const char *log = arena_printf(a, "%s/%s", t->dir, said_file);
	if (file_exists(log) && !file_read(log, SAID_MAX_BYTES, a, said, e))
		return false;
	*said = str_trim(*said);
	return judge(t, status, *said, e);
}

/* --- before the first program --- */

static void remove_litter(void)
{
	glob_t found;
	struct stat st;
	if (glob("/tmp/ridgepoint-??????", GLOB_NOSORT, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (lstat(found.gl_pathv[i], &st) == 0 && S_ISDIR(st.st_mode) &&
			    st.st_uid == geteuid() && time(NULL) - st.st_mtime > LITTER_SECONDS)
				tool_folder_remove(found.gl_pathv[i]);
	globfree(&found);
}

bool tool_ready(struct err *e)
{
	const struct tool_may nothing = {0};
	int status;
	remove_litter();
	if (may_be_unconfined())
		return true;
	pid_t pid = fork();
	if (pid < 0)
		return err_sys(e, "cannot start a process");
	if (pid == 0)
		_exit(tool_confine(&nothing)); /* errno values fit an exit status */
	if (!wait_for(pid, "a process", &status, e))
		return false;
	return status == 0 ||
	       tool_refuse("a program such as gnuplot",
	                   str_of(WIFEXITED(status) ? strerror(WEXITSTATUS(status)) : "killed"), e);
}
