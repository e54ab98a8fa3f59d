#include "runner/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/ways.h"
#include "runner/base/child.h"
#include "runner/base/stamp.h"
#include "runner/device/device.h"
#include "runner/machine/pretend.h"

enum { FACTS_TIMEOUT_S = 60 };

static const char without_nvcc[] = "built without nvcc; with it on PATH, make runner";

struct asked {
	const struct backend *b;
	int gpus;
};

static void read_facts(void *out, const void *ctx)
{
	const struct asked *k = ctx;
	k->b->facts(out, k->gpus);
}

bool command_gpus(const struct cmd *c, const struct cmd_args *args, int *gpus, struct err *e)
{
	long n = cmd_option_int(c, args, "gpus", 1);
	*gpus = (int)n;
	return (n >= 1 && n <= KERNEL_MAX_GPUS) ||
	       err_set(e, "--gpus: expected 1 to %d", KERNEL_MAX_GPUS);
}

void command_device_facts(enum kernel_where where, int gpus, struct facts *facts)
{
	const struct backend *b = backend_of(where);
	struct err e = ERR_NONE;
	*facts = (struct facts){.usable = false};
	if (!b)
		snprintf(facts->why, sizeof facts->why, "%s", without_nvcc);
	else if (!child_ask(read_facts, &(struct asked){b, gpus}, facts, sizeof *facts,
	                    FACTS_TIMEOUT_S, &e)) {
		facts->usable = false;
		snprintf(facts->why, sizeof facts->why, "%.190s", e.text);
	}
}

bool command_device_here(const char *name, enum kernel_where *where, struct facts *facts,
                         struct err *e)
{
	*where = name && strcmp(name, "cpu") == 0 ? KERNEL_CPU : KERNEL_CUDA;
	const struct backend *b = backend_of(*where);
	*facts = (struct facts){.usable = false};
	if (!b)
		return err_set(e, "%s", without_nvcc);
	b->facts(facts, 1);
	return facts->usable || err_set(e, "no %s device: %s", b->name, facts->why);
}

bool command_device(const char *want, int gpus, enum kernel_where *where, struct facts *facts,
                    struct err *e)
{
	if (want && strcmp(want, "cuda") != 0 && strcmp(want, "cpu") != 0)
		return err_set(e, "--device: expected cuda or cpu, not '%s'", want);
	*where = want && strcmp(want, "cpu") == 0 ? KERNEL_CPU : KERNEL_CUDA;
	command_device_facts(*where, gpus, facts);
	if (!facts->usable && !want && !pretend_wanted()) {
		*where = KERNEL_CPU;
		command_device_facts(*where, gpus, facts);
	}
	if (!facts->usable)
		return err_set(e, "no %s device: %s", *where == KERNEL_CUDA ? "cuda" : "cpu",
		               facts->why);
	return gpus == 1 || facts->gpus >= gpus ||
	       err_set(e, "--gpus %d: this machine has %d", gpus, facts->gpus);
}

bool command_selectors(const struct cmd_args *args, struct arena *a, struct selector **out,
                       struct err *e)
{
	*out = ARENA_ARRAY(a, struct selector, (size_t)args->nargs + 1);
	for (int i = 0; i < args->nargs; i++)
		if (!select_parse(args->arg[i], &(*out)[i], e))
			return false;
	return true;
}

void command_warn_uncommitted(void)
{
	if (stamp.dirty || !stamp.commit)
		fputs("runner: built from sources that no commit has: pages mark what it measures, "
		      "deploy refuses it; to publish it, commit, make runner, measure\n",
		      stderr);
}

int command_failed(const struct err *e)
{
	fprintf(stderr, "runner: %s\n", e->text);
	return 1;
}

void command_called(bool ok, const struct err *e)
{
	int status = ok ? 0 : command_failed(e);
	fflush(NULL);
	_exit(status);
}

bool command_keep_usual(struct plan *p, const char *what, struct err *e)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (!p->item[i].way.host && p->item[i].way.load == WAY_BURST)
			p->item[n++] = p->item[i];
	p->n = n;
	return n || err_set(e, "%s=%s and %s=%s have no %s of their own", ways_keys[WAYS_SIDE].name,
	                    ways_keys[WAYS_SIDE].word[true], ways_keys[WAYS_LOAD].name,
	                    ways_keys[WAYS_LOAD].word[true], what);
}

const char *command_own_path(struct arena *a, struct err *e)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0) {
		err_sys(e, "/proc/self/exe: cannot tell where this program is");
		return NULL;
	}
	return arena_strndup(a, self, (size_t)n);
}
