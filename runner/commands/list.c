/*
 * runner/commands/list.c - `runner list`: every family, variant and case, and whether it
 * can run here.
 */
#include <stdio.h>
#include <string.h>

#include "kernels/knob.h"
#include "lib/array.h"
#include "lib/units.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"
#include "runner/device/device.h"
#include "runner/machine/pretend.h"

static const char *role_name(enum kernel_role r)
{
	return r == KERNEL_OWN ? "kernel" : r == KERNEL_PEER ? "peer" : "ceiling";
}

static bool variant_wanted(const struct selector *sel, int nsel, const struct kernel_family *f,
                           const struct kernel_variant *v)
{
	for (int i = 0; i < nsel; i++)
		if (str_glob(sel[i].family, str_of(f->id)) &&
		    str_glob(sel[i].variant, str_of(v->id)))
			return true;
	return nsel == 0;
}

static bool case_wanted(const struct selector *sel, int nsel, const struct kernel_family *f,
                        const struct kernel_case *c)
{
	for (int i = 0; i < nsel; i++)
		for (size_t k = 0; k < f->nvariants * WAYS; k++)
			if (select_matches(&sel[i], f, &f->variants[k / WAYS], c,
			                   &way_all[k % WAYS]))
				return true;
	return nsel == 0;
}

static void print_variant(const struct kernel_variant *v, bool gpu)
{
	const char *here = !pretend_calls(v)                 ? "not built here"
	                   : v->where == KERNEL_CUDA && !gpu ? "no GPU"
	                                                     : "";
	printf("  %-14s %-5s %-8s %-15s %s\n", v->id, v->where == KERNEL_CPU ? "cpu" : "cuda",
	       role_name(v->role), here, v->title);
}

/* "    knob slots, slots: 2 3 4 5 [6] 7", with the chosen value in brackets. */
static void print_knob(const struct kernel_family *f, const struct kernel_variant *v)
{
	const struct kernel_knob *k = kernel_knob_of(f, v);
	if (!k)
		return;
	printf("    knob %s, %s:", k->name, k->unit);
	for (int i = 0; i < kernel_knob_values(k); i++) {
		char size[32];
		unit_size(k->value[i], size);
		printf(k->value[i] == k->chosen ? " [%s]" : " %s", size);
	}
	putchar('\n');
}

static void print_case(const struct kernel_case *c)
{
	printf("    ");
	for (int i = 0; i < c->nparams; i++) {
		char size[32];
		if (!c->param[i].word)
			unit_size(c->param[i].num, size);
		printf("%s=%s,", c->param[i].name, c->param[i].word ? c->param[i].word : size);
	}
	printf("dtype=%s ", kernel_dtype_name(c->dtype));
	static const struct {
		unsigned flag;
		const char *name;
	} uses[] = {{KERNEL_CHECK, "check"},
	            {KERNEL_MEASURE_CUDA, "cuda"},
	            {KERNEL_MEASURE_CPU, "cpu"},
	            {KERNEL_COLD, "cold"},
	            {KERNEL_HOT, "hot"},
	            {KERNEL_HOST, "host"},
	            {KERNEL_SUSTAINED, "sustained"},
	            {KERNEL_STEADY, "steady"},
	            {KERNEL_FULL, "full"}};
	for (size_t i = 0; i < ARRAY_LEN(uses); i++)
		if (c->use & uses[i].flag)
			printf(" %s", uses[i].name);
	putchar('\n');
}

static void print_family(const struct kernel_family *f, const struct selector *sel, int nsel,
                         bool gpu)
{
	bool head = false;
	for (size_t i = 0; i < f->nvariants; i++) {
		if (!variant_wanted(sel, nsel, f, &f->variants[i]))
			continue;
		if (!head)
			printf("%s: %s\n", f->id, f->title);
		head = true;
		print_variant(&f->variants[i], gpu);
		print_knob(f, &f->variants[i]);
	}
	for (size_t i = 0; head && i < f->ncases; i++)
		if (case_wanted(sel, nsel, f, &f->cases[i]))
			print_case(&f->cases[i]);
}

static void print_device(enum kernel_where where, int gpus, bool *usable)
{
	struct facts f;
	command_device_facts(where, gpus, &f);
	*usable = f.usable;
	if (f.usable)
		printf("%-5s %s (%s)\n", where == KERNEL_CUDA ? "cuda" : "cpu", f.name, f.slug);
	else
		printf("%-5s not here: %s\n", where == KERNEL_CUDA ? "cuda" : "cpu", f.why);
}

static const struct cmd_option options[] = {
        OPTION_GPUS,
        {"names", 0, CMD_FLAG, NULL, "print only the families that have cases for so many GPUs"},
        {0}};

/* Prints the families that have a case for exactly so many GPUs, one a line. */
static void print_names(int gpus)
{
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++) {
		bool any = false;
		for (size_t k = 0; k < f[i]->ncases; k++)
			any = any || kernel_gpus(&f[i]->cases[k]) == gpus;
		if (any)
			puts(f[i]->id);
	}
}

/* Several GPUs are of one kind, or an error says how they differ. */
static bool there_are(int gpus, struct err *e)
{
	enum kernel_where where;
	struct facts f;
	return gpus == 1 ||
	       (command_device("cuda", gpus, &where, &f, e) &&
	        (!f.unequal[0] || err_set(e, "the GPUs are not of one kind: %s", f.unequal)));
}

static int list(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct selector *sel;
	if (!command_selectors(args, &a, &sel, &e))
		return command_failed(&e);
	bool gpu, cpu;
	int gpus;
	bool names = cmd_option(&command_list, args, "names") != NULL;
	if (!command_gpus(&command_list, args, &gpus, &e) || (!names && !there_are(gpus, &e)))
		return command_failed(&e);
	if (names) {
		print_names(gpus);
		arena_free(&a);
		return 0;
	}
	print_device(KERNEL_CUDA, gpus, &gpu);
	print_device(KERNEL_CPU, 1, &cpu);
	printf("built from %s%s\n\n", stamp.commit ? stamp.commit : "no commit",
	       stamp.dirty ? ", with changes" : "");
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++)
		print_family(f[i], sel, args->nargs, gpu);
	arena_free(&a);
	return 0;
}

const struct cmd command_list = {
        .name = "list",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "list families, variants and cases, and what can run here",
        .more = "Variants come in reading order with their device, role and title; cases with\n"
                "what they are used for. The values of a knob are those that a sweep tries, as\n"
                "in 'runner run stream/ring:slots=*'; the chosen one is in brackets. "
                "RIDGEPOINT_PRETEND=132 (or 84) in the environment gives\n"
                "this and every other command a pretended GPU: docs/without-gpu.md.",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = list,
};
