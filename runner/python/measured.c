/* A process that measures: Python's library is loaded, and functions of the file are called. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "lib/array.h"
#include "runner/python/inner.h"

__asm__(".pushsection .rodata\n"
        ".globl python_module\n"
        ".hidden python_module\n"
        "python_module:\n"
        ".incbin \"runner/python/ridgepoint.py\"\n"
        ".byte 0\n"
        ".popsection\n");

enum { FAILED = 999 }; /* cudaErrorUnknown */

/* A case as the module gets it; it knows this layout (class Asked). */
struct python_asked {
	int variant, cuda;
	const char *params, *dtype;
	int n;
	const char *const *types;
	const uint64_t *count, *pointer;
	uint64_t stream;
};

/* What the module fills in: functions, for the rest of the process. */
struct entries {
	int (*prepare)(const struct python_asked *); /* a number to call, or negative */
	int (*call)(int number);
	void (*release)(int number);
};

struct prepared {
	struct entries entries;
	int number;
};

/* --- Python, by functions that are the same in every version --- */

/* Has the module load the file and tell where its functions are. */
static bool run_module(const struct python_file *f, int (*run)(const char *), struct entries *out)
{
	char statement[160];
	snprintf(statement, sizeof statement, "entries(%llu, %llu)",
	         (unsigned long long)(uintptr_t)out, (unsigned long long)(uintptr_t)f->path);
	return run(python_module) == 0 && run(statement) == 0 && out->prepare;
}

static const char *start(const struct python_file *f, struct entries *out)
{
	void (*name)(const wchar_t *), (*up)(int signals);
	int (*run)(const char *statements);
	wchar_t program[512];
	/* Extension modules look for Python's symbols among the global ones. */
	void *so = dlopen(f->so, RTLD_NOW | RTLD_GLOBAL);
	if (!so)
		return "the library of this Python is not installed (libpython3, as a shared "
		       "library)";
	/* ISO C has no cast from an object to a function; POSIX says it works. */
	*(void **)&name = dlsym(so, "Py_SetProgramName");
	*(void **)&up = dlsym(so, "Py_InitializeEx");
	*(void **)&run = dlsym(so, "PyRun_SimpleString");
	if (!name || !up || !run || mbstowcs(program, f->program, ARRAY_LEN(program)) == (size_t)-1)
		return "the library of this Python lacks what the runner calls";
	name(program); /* up() makes a copy */
	up(0);
	return run_module(f, run, out) ? NULL : "the file fails when it is loaded; see above";
}

/* The entries of this process, which are kept in a place that lasts as long as it does. */
static const char *entries_of(const struct python_file *f, const struct kernel_env *env,
                              struct entries *out)
{
	if (env->kept && *env->kept) {
		*out = *(const struct entries *)*env->kept;
		return NULL;
	}
	struct entries *own = calloc(1, sizeof *own);
	const char *why = own ? start(f, own) : "out of memory";
	if (!why)
		*out = *own;
	if (!why && env->kept)
		*env->kept = own;
	else
		free(own);
	return why;
}

/* --- a case --- */

/* "rows=2 op=copy" in the arena. */
static const char *params_of(const struct kernel_case *c, struct arena *a)
{
	const char *text = "";
	for (int i = 0; i < c->nparams; i++) {
		const struct kernel_param *p = &c->param[i];
		text = p->word ? arena_printf(a, "%s%s=%s ", text, p->name, p->word)
		               : arena_printf(a, "%s%s=%lld ", text, p->name, (long long)p->num);
	}
	return text;
}

static int ask(const struct entries *to, int number, const struct kernel_case *c,
               const struct kernel_env *env, void *const *buf)
{
	const struct python_family *f = python_of(c);
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	const char *types[KERNEL_MAX_BUFFERS];
	uint64_t count[KERNEL_MAX_BUFFERS], pointer[KERNEL_MAX_BUFFERS];
	struct arena a = {0};
	size_t n = (f->origin ? f->origin : &f->row)->buffers(c, b);
	for (size_t i = 0; i < n; i++) {
		types[i] = kernel_dtype_name(b[i].dtype);
		count[i] = b[i].count;
		pointer[i] = (uintptr_t)buf[i];
	}
	const struct python_asked asked = {.variant = number,
	                                   .cuda = env->sms > 0,
	                                   .params = params_of(c, &a),
	                                   .dtype = kernel_dtype_name(c->dtype),
	                                   .n = (int)n,
	                                   .types = types,
	                                   .count = count,
	                                   .pointer = pointer,
	                                   .stream = (uintptr_t)env->stream};
	int got = to->prepare(&asked);
	arena_free(&a);
	return got;
}

static const char *prepare(int number, const struct kernel_case *c, const struct kernel_env *env,
                           void *const *buf, void **state)
{
	struct prepared *own = calloc(1, sizeof *own);
	const char *why =
	        own ? entries_of(python_of(c)->file, env, &own->entries) : "out of memory";
	if (!why && (own->number = ask(&own->entries, number, c, env, buf)) < 0)
		why = "its function fails; see above";
	if (why)
		free(own);
	else
		*state = own;
	return why;
}

/* A row has no place for its number, so each number has a function. */
#define PREPARE(number)                                                                     \
	static const char *prepare_##number(const struct kernel_case *c,                    \
	                                    const struct kernel_env *env, void *const *buf, \
	                                    void **state)                                   \
	{                                                                                   \
		return prepare(number, c, env, buf, state);                                 \
	}
PREPARE(0)
PREPARE(1)
PREPARE(2)
PREPARE(3)
PREPARE(4)
PREPARE(5)
PREPARE(6)
PREPARE(7)
PREPARE(8)
PREPARE(9)
PREPARE(10)
PREPARE(11)
PREPARE(12)
PREPARE(13)
PREPARE(14)
PREPARE(15)

python_prepare *const python_prepares[PYTHON_MOST_VARIANTS] = {
        prepare_0,  prepare_1,  prepare_2,  prepare_3,  prepare_4,  prepare_5,
        prepare_6,  prepare_7,  prepare_8,  prepare_9,  prepare_10, prepare_11,
        prepare_12, prepare_13, prepare_14, prepare_15,
};

int python_launch(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                  void *state)
{
	const struct prepared *own = state;
	(void)c;
	(void)env;
	(void)buf;
	return own->entries.call(own->number) == 0 ? 0 : FAILED;
}

void python_release(void *state)
{
	struct prepared *own = state;
	own->entries.release(own->number);
	free(own);
}
