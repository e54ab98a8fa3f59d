#include "site-gen/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"

enum { SAID_MAX_BYTES = 1 << 16 };
static const char *const said_file = "said";

/* --- finding it, and a place for it --- */

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

/* --- in the child: what it may touch --- */

#define MAY_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* what of that makes sense for a file that is no folder */
#define MAY_READ_FILE LANDLOCK_ACCESS_FS_READ_FILE
#define MAY_WRITE                                                      \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE)
#define MAY_RUN LANDLOCK_ACCESS_FS_EXECUTE
#define ALL (MAY_READ | MAY_WRITE | MAY_RUN | LANDLOCK_ACCESS_FS_MAKE_DIR)

static void allow(int ruleset, const char *path, unsigned long long what)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = what};
	rule.parent_fd = path ? open(path, O_PATH | O_CLOEXEC) : -1;
	if (rule.parent_fd < 0)
		return; /* what is not there need not be allowed */
	syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
}

/* Kernels without Landlock leave the other limits. */
static void confine(const struct tool *t)
{
	static const char *const libraries[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64"};
	static const char *const shared[] = {"/usr/share", "/etc/fonts", "/etc/ld.so.cache",
	                                     "/var/cache/fontconfig", "/usr/local/share/fonts"};
	struct landlock_ruleset_attr all = {.handled_access_fs = ALL};
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
	if (ruleset < 0)
		return;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		allow(ruleset, libraries[i], MAY_READ | MAY_RUN);
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		allow(ruleset, shared[i], MAY_READ);
		allow(ruleset, shared[i], MAY_READ_FILE); /* a file refuses the rule above */
	}
	allow(ruleset, t->path, MAY_READ_FILE | MAY_RUN);
	allow(ruleset, t->reads, MAY_READ);
	allow(ruleset, t->reads, MAY_READ_FILE);
	allow(ruleset, t->dir, MAY_READ | MAY_WRITE);
	allow(ruleset, "/dev/null", MAY_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
}

static void limit(int what, rlim_t most)
{
	struct rlimit r = {most, most};
	setrlimit(what, &r);
}

/* Never returns. */
static void become(const struct tool *t)
{
	enum { MAX_ARGS = 16 };
	char *argv[MAX_ARGS + 2] = {(char *)t->name};
	static char *const no_env[] = {NULL};
	char *const *envp = t->env ? (char *const *)t->env : no_env;
	for (int i = 0; i < MAX_ARGS && t->args[i]; i++)
		argv[i + 1] = (char *)t->args[i];
	if (chdir(t->dir) != 0)
		_exit(126);
	int in = open(t->input ? t->input : "/dev/null", O_RDONLY);
	int said = open(said_file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	int out = t->output ? open(t->output, O_WRONLY | O_CREAT | O_EXCL, 0600) : said;
	if (in < 0 || said < 0 || out < 0)
		_exit(126);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(said, 2) < 0)
		_exit(126); /* it would read and write what is site-gen's */
	limit(RLIMIT_CPU, (rlim_t)t->cpu_seconds);
	limit(RLIMIT_AS, t->memory_bytes);
	limit(RLIMIT_FSIZE, t->file_bytes);
	limit(RLIMIT_CORE, 0);
	confine(t);
	execve(t->path, argv, envp);
	_exit(127);
}

/* --- running it --- */

static bool judge(const struct tool *t, int status, struct str said, struct err *e)
{
	enum { SHOWN = 400 };
	if (WIFSIGNALED(status))
		return err_set(e, "%s ended by signal %d: what it was given is too expensive",
		               t->name, WTERMSIG(status));
	if (WEXITSTATUS(status) != 0 || said.n > 0)
		return err_set(e, "%s failed (exit status %d): " STR_FMT, t->name,
		               WEXITSTATUS(status), (int)(said.n < SHOWN ? said.n : SHOWN), said.p);
	return true;
}

bool tool_run(const struct tool *t, struct arena *a, struct str *said, struct err *e)
{
	int status;
	*said = STR("");
	pid_t pid = fork();
	if (pid < 0)
		return err_sys(e, "cannot start %s", t->name);
	if (pid == 0)
		become(t);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_sys(e, "waiting for %s", t->name);
	const char *log = arena_printf(a, "%s/%s", t->dir, said_file);
	if (file_exists(log) && !file_read(log, SAID_MAX_BYTES, a, said, e))
		return false;
	*said = str_trim(*said);
	return judge(t, status, *said, e);
}
