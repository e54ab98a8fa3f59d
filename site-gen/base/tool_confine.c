#include "site-gen/base/tool_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/array.h"

/* --- files, ports, signals: Landlock ------------------------------------------ */

/* Constants that Debian 12's kernel headers lack. */
enum {
	FS_TRUNCATE = 1 << 14,
	FS_IOCTL_DEV = 1 << 15,
	NET_TCP = 3,       /* bind, connect */
	SCOPE_OUTSIDE = 3, /* abstract sockets and signals of other processes */
};

/* struct landlock_ruleset_attr since version 6 of the interface. */
struct ruleset {
	uint64_t fs, net, scoped;
};

#define ALL_OF_1 (LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1)
#define MAY_READ_FILE LANDLOCK_ACCESS_FS_READ_FILE
#define MAY_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define MAY_WRITE                                                      \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | FS_TRUNCATE)
#define MAY_RUN LANDLOCK_ACCESS_FS_EXECUTE

/* Everything that a kernel with this version of the interface can forbid. */
static struct ruleset all_of(int version, size_t *size)
{
	struct ruleset all = {.fs = ALL_OF_1};
	*size = sizeof all.fs;
	if (version >= 2)
		all.fs |= LANDLOCK_ACCESS_FS_REFER;
	if (version >= 3)
		all.fs |= FS_TRUNCATE;
	if (version >= 4) {
		all.net = NET_TCP;
		*size = offsetof(struct ruleset, scoped);
	}
	if (version >= 5)
		all.fs |= FS_IOCTL_DEV;
	if (version >= 6) {
		all.scoped = SCOPE_OUTSIDE;
		*size = sizeof all;
	}
	return all;
}

/* Allows access to a path. If the rule cannot be made, the path stays forbidden. */
static void allow(int rules, const struct ruleset *all, const char *path, uint64_t what)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = what & all->fs};
	rule.parent_fd = path ? open(path, O_PATH | O_CLOEXEC) : -1;
	if (rule.parent_fd < 0)
		return;
	syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
}

/* Landlock refuses the right to list for a plain file, so files get a rule of their own. */
static void allow_reading(int rules, const struct ruleset *all, const char *path)
{
	allow(rules, all, path, MAY_READ);
	allow(rules, all, path, MAY_READ_FILE);
}

static void allow_all(int rules, const struct ruleset *all, const struct tool_may *may)
{
	static const char *const libraries[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64"};
	static const char *const shared[] = {"/usr/share", "/etc/fonts", "/etc/ld.so.cache",
	                                     "/var/cache/fontconfig", "/usr/local/share/fonts"};
	for (size_t i = 0; i < ARRAY_LEN(libraries); i++)
		allow(rules, all, libraries[i], MAY_READ | MAY_RUN);
	for (size_t i = 0; i < ARRAY_LEN(shared); i++)
		allow_reading(rules, all, shared[i]);
	allow(rules, all, may->run, MAY_READ_FILE | MAY_RUN);
	allow_reading(rules, all, may->read);
	allow(rules, all, may->write, MAY_READ | MAY_WRITE);
	allow(rules, all, "/dev/null", MAY_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
}

static int confine_files(const struct tool_may *may)
{
	size_t size;
	int version =
	        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 1)
		return version < 0 ? errno : ENOSYS;
	struct ruleset all = all_of(version, &size);
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
	if (rules < 0)
		return errno;
	allow_all(rules, &all, may);
	int error = syscall(SYS_landlock_restrict_self, rules, 0) == 0 ? 0 : errno;
	close(rules);
	return error;
}

/* --- sockets and other processes: seccomp ------------------------------------- */

#if defined __x86_64__
#define OWN_ARCH AUDIT_ARCH_X86_64
#define FOREIGN_CALLS 0x40000000 /* first system call number of x32 */
#elif defined __aarch64__
#define OWN_ARCH AUDIT_ARCH_AARCH64
#define FOREIGN_CALLS 0x40000000 /* this architecture has none */
#endif

#ifdef OWN_ARCH
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define END(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(call) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), END(SECCOMP_RET_ERRNO | EACCES)

static int confine_calls(void)
{
	static const struct sock_filter filter[] = {
	        LOAD(arch),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0),
	        END(SECCOMP_RET_KILL_PROCESS),
	        LOAD(nr),
	        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALLS, 0, 1),
	        END(SECCOMP_RET_KILL_PROCESS),
	        REFUSE(SYS_socket),
	        REFUSE(SYS_io_uring_setup), /* io_uring can create sockets, too */
	        REFUSE(SYS_ptrace),
	        REFUSE(SYS_process_vm_readv),
	        REFUSE(SYS_process_vm_writev),
	        END(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {ARRAY_LEN(filter), (struct sock_filter *)filter};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}
#else
static int confine_calls(void)
{
	return ENOSYS;
}
#endif

int tool_confine(const struct tool_may *may)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return errno;
	int files = confine_files(may), calls = confine_calls();
	return files ? files : calls;
}
