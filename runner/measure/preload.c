#include "runner/measure/preload.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runner/base/child.h"

enum {
	MAX_PRELOADS = 8,
	TIMEOUT_S = 120,
	CUDA_ERROR_NOT_INITIALIZED = 3, /* from the driver API: enum cudaError_enum in cuda.h */
};

struct preloads {
	const char *(*call[MAX_PRELOADS])(struct kernel_preload *p);
	size_t n;
	int said; /* file for the trial's stderr */
};

/* The result of a trial. */
struct tried {
	bool ok;
	uint64_t leave[MAX_PRELOADS];
	char why[200];
};

static void collect(const struct plan *p, struct preloads *all)
{
	for (size_t i = 0; i < p->n && all->n < MAX_PRELOADS; i++) {
		const char *(*call)(struct kernel_preload *) = p->item[i].variant->preload;
		bool known = !call || p->item[i].unavailable;
		for (size_t k = 0; k < all->n; k++)
			known = known || all->call[k] == call;
		if (!known)
			all->call[all->n++] = call;
	}
}

static int threads_now(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = 0;
	for (struct dirent *f; d && (f = readdir(d));)
		n += f->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

/* True if this process has started CUDA. Asks the driver, if that is loaded. */
static bool cuda_started(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	int (*count)(int *) = NULL, n;
	if (driver)
		*(void **)&count = dlsym(driver, "cuDeviceGetCount");
	return count && count(&n) != CUDA_ERROR_NOT_INITIALIZED;
}

/* Why processes can no longer be forked safely from this one; NULL if they can. */
static const char *changed(void)
{
	return cuda_started()      ? "it starts CUDA"
	       : threads_now() > 1 ? "it leaves threads behind"
	                           : NULL;
}

static void try_all(void *out, const void *ctx)
{
	const struct preloads *all = ctx;
	struct tried *t = out;
	const char *why = NULL;
	dup2(all->said, STDERR_FILENO);
	for (size_t i = 0; i < all->n && !why; i++) {
		struct kernel_preload k = {.trial = true};
		why = all->call[i](&k);
		t->leave[i] = k.leave;
	}
	why = why ? why : changed();
	t->ok = !why;
	snprintf(t->why, sizeof t->why, "%s", why ? why : "");
}

/*
 * Sums up in one line the steps that a trial left out. The trial prints a line for each:
 * "before processes are forked, without NAME: WHY" (kernels/torch.py).
 */
static void tell_what_was_left_out(int said)
{
	static const char left[] = "before processes are forked, without ";
	char text[16384] = "", first[160] = "";
	ssize_t n = pread(said, text, sizeof text - 1, 0);
	struct str rest = {text, n > 0 ? (size_t)n : 0}, line;
	size_t steps = 0;
	for (bool more = rest.n > 0; more;) {
		more = str_cut(rest, '\n', &line, &rest);
		if (!str_starts(line, left))
			continue;
		line = str_sub(line, sizeof left - 1, line.n);
		if (steps++ == 0)
			snprintf(first, sizeof first, STR_FMT, STR_ARG(line));
	}
	if (steps > 0)
		fprintf(stderr,
		        "before processes are forked, without %zu step%s of loading peers' "
		        "libraries, which every process does for itself: %s%s\n",
		        steps, steps > 1 ? "s" : "", first, steps > 1 ? "; and so on" : "");
}

static bool load_all(const struct preloads *all, struct err *e)
{
	struct tried t = {0};
	struct err trial = ERR_NONE;
	if (!child_ask(try_all, all, &t, sizeof t, TIMEOUT_S, &trial))
		snprintf(t.why, sizeof t.why, "%.190s", trial.text);
	if (!t.ok) {
		fprintf(stderr, "not loaded before processes are forked: %s\n", t.why);
		return true;
	}
	tell_what_was_left_out(all->said);
	for (size_t i = 0; i < all->n; i++) {
		const char *left = all->call[i](&(struct kernel_preload){.leave = t.leave[i]});
		if (left)
			fprintf(stderr, "not loaded before processes are forked: %s\n", left);
	}
	const char *why = changed();
	return !why || err_set(e, "loading a peer's library before processes are forked: %s", why);
}

bool preload(const struct plan *p, struct err *e)
{
	struct preloads all = {.said = -1};
	const char *wanted = getenv("RIDGEPOINT_PRELOAD");
	collect(p, &all);
	if (p->facts.pretended || all.n == 0 || changed() || (wanted && strcmp(wanted, "0") == 0))
		return true;
	all.said = memfd_create("preload", MFD_CLOEXEC);
	if (all.said < 0)
		return err_sys(e, "cannot keep what a trial says");
	bool ok = load_all(&all, e);
	close(all.said);
	return ok;
}
