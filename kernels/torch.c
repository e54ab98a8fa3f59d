#include "kernels/torch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { FAILED = 999 }; /* cudaErrorUnknown */

/* kernels/torch.py, which runs once in a process, with a zero behind it. */
extern const char torch_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl torch_script\n"
        ".hidden torch_script\n"
        "torch_script:\n"
        ".incbin \"kernels/torch.py\"\n"
        ".byte 0\n"
        ".popsection\n");

/* A case as kernels/torch.py gets it; it knows this layout (class Asked). */
struct asked {
    const char *family, *way, *params, *dtype;
    const uint64_t *pointer; /* of the buffers, in their order */
    uint64_t stream;
    const char *choice; /* kernel_env.choice */
    char *chosen;       /* KERNEL_CHOICE bytes for what is chosen */
};

/* What the script fills in: plain functions, for the rest of the process. */
struct entries {
    int (*prepare)(const struct asked *); /* a number to call, or negative */
    int (*call)(int number);
    void (*release)(int number);
    const char *library;
};

struct prepared {
    struct entries entries;
    int number;
    char chosen[KERNEL_CHOICE]; /* empty: nothing */
};

/* --- Python, by four of its functions, the same in every version --- */

struct python {
    int (*is_up)(void);                 /* Py_IsInitialized */
    void (*name)(const wchar_t *);      /* Py_SetProgramName */
    void (*up)(int signals);            /* Py_InitializeEx */
    int (*run)(const char *statements); /* PyRun_SimpleString */
};

/* `so` NULL: the libraries that are loaded already. */
static bool python_find(void *so, struct python *p)
{
    void *from = so ? so : RTLD_DEFAULT;

    /* ISO C has no cast from an object to a function; POSIX says it works. */
    *(void **)&p->is_up = dlsym(from, "Py_IsInitialized");
    *(void **)&p->name = dlsym(from, "Py_SetProgramName");
    *(void **)&p->up = dlsym(from, "Py_InitializeEx");
    *(void **)&p->run = dlsym(from, "PyRun_SimpleString");
    return p->is_up && p->name && p->up && p->run;
}

/* What the interpreter says of itself. */
struct answer {
    char program[512]; /* where it is */
    char library[512]; /* where its library is, if it has one */
    char torch[8];     /* "True": PyTorch is there */
};

static bool get_line(FILE *from, char *to, size_t size)
{
    if (!fgets(to, (int)size, from))
        return false;
    to[strcspn(to, "\n")] = 0;
    return true;
}

static bool python_ask(struct answer *a)
{
    static const char question[] =
        " -c 'import importlib.util as u, sys, sysconfig as s;"
        " v = s.get_config_vars(); print(sys.executable);"
        " print(v[\"LIBDIR\"] + \"/\" + v[\"INSTSONAME\"]);"
        " print(u.find_spec(\"torch\") is not None)' 2>/dev/null";
    const char *python = getenv("RIDGEPOINT_PYTHON");
    char command[1024];
    FILE *f;
    bool ok;

    snprintf(command, sizeof command, "%s%s", python ? python : "python3",
             question);
    f = popen(command, "r");
    if (!f)
        return false;
    ok = get_line(f, a->program, sizeof a->program) &&
         get_line(f, a->library, sizeof a->library) &&
         get_line(f, a->torch, sizeof a->torch);
    pclose(f);
    return ok;
}

/* Starts Python and runs the script, unless this process has already. */
static const char *python_start(struct python *p)
{
    wchar_t program[512];
    struct answer a;
    void *so;

    if (python_find(NULL, p) && p->is_up())
        return NULL;
    if (!python_ask(&a))
        return "python3 is not installed";
    if (strcmp(a.torch, "True") != 0)
        return "PyTorch is not installed";
    /* Extension modules look for Python's symbols among the global ones. */
    so = dlopen(a.library, RTLD_NOW | RTLD_GLOBAL);
    if (!so || !python_find(so, p) ||
        mbstowcs(program, a.program, sizeof program / sizeof *program) ==
            (size_t)-1)
        return "the library of python3 is not installed";
    p->name(program); /* up() makes a copy */
    p->up(0);
    return p->run(torch_script) == 0 ? NULL : "PyTorch does not start";
}

/* --- before processes are forked --- */

/* One of Python's own functions around a fork, if it runs. */
static void around_fork(const char *name)
{
    void (*function)(void);

    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    if (function)
        function();
}

static void before_fork(void)
{
    around_fork("PyOS_BeforeFork");
}

static void after_fork_in_parent(void)
{
    around_fork("PyOS_AfterFork_Parent");
}

static void after_fork_in_child(void)
{
    around_fork("PyOS_AfterFork_Child");
}

const char *torch_preload(struct kernel_preload *preload)
{
    struct python p;
    const char *why;
    char statement[80];

    if (python_find(NULL, &p) && p.is_up())
        return NULL;
    why = python_start(&p);
    if (why)
        return why;
    snprintf(statement, sizeof statement, "ridgepoint_preload(%llu, %s)",
             (unsigned long long)(uintptr_t)&preload->leave,
             preload->trial ? "True" : "False");
    if (!python_find(NULL, &p) || p.run(statement) != 0)
        return "PyTorch does not load without CUDA";
    /* From here on forks are announced to Python as its own os.fork() does. */
    return pthread_atfork(before_fork, after_fork_in_parent,
                          after_fork_in_child) == 0
               ? NULL
               : "a fork cannot be announced to Python";
}

/* --- a case --- */

/* "rows=2 op=copy": parameters as words. False: they do not fit. */
static bool put_params(const struct kernel_case *c, char *to, size_t size)
{
    size_t n = 0;

    to[0] = 0;
    for (int i = 0; i < c->nparams && n < size; i++) {
        const struct kernel_param *p = &c->param[i];

        n += (size_t)(p->word ? snprintf(to + n, size - n, "%s=%s ", p->name,
                                         p->word)
                              : snprintf(to + n, size - n, "%s=%lld ", p->name,
                                         (long long)p->num));
    }
    return n < size;
}

/* The script's functions: it writes their addresses to where it is told. */
static bool ask_entries(const struct python *p, struct entries *e)
{
    char statement[64];

    memset(e, 0, sizeof *e);
    snprintf(statement, sizeof statement, "ridgepoint_entries(%llu)",
             (unsigned long long)(uintptr_t)e);
    return p->run(statement) == 0 && e->prepare;
}

const char *torch_prepare(const char *family, const char *way,
                          const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void **state)
{
    struct asked asked = {.family = family, .way = way};
    uint64_t pointer[KERNEL_MAX_BUFFERS];
    struct prepared *own;
    struct python p;
    char params[256];
    const char *why = python_start(&p);

    if (why)
        return why;
    own = calloc(1, sizeof *own);
    if (!own || !ask_entries(&p, &own->entries) ||
        !put_params(c, params, sizeof params)) {
        free(own);
        return "PyTorch does not start";
    }
    for (int i = 0; i < KERNEL_MAX_BUFFERS; i++)
        pointer[i] = (uintptr_t)buf[i];
    asked.params = params;
    asked.dtype = kernel_dtype_name(c->dtype);
    asked.pointer = pointer;
    asked.stream = (uintptr_t)env->stream;
    asked.choice = env->choice;
    asked.chosen = own->chosen;
    own->number = own->entries.prepare(&asked);
    if (own->number < 0) {
        free(own);
        return "this PyTorch cannot do it";
    }
    *state = own;
    return NULL;
}

int torch_launch(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf, void *state)
{
    const struct prepared *own = state;

    (void)c;
    (void)env;
    (void)buf;
    return own->entries.call(own->number) == 0 ? 0 : FAILED;
}

void torch_release(void *state)
{
    struct prepared *own = state;

    own->entries.release(own->number);
    free(own);
}

const char *torch_chosen(void *state)
{
    const struct prepared *own = state;

    return own->chosen;
}

const char *torch_library(void)
{
    struct python p;
    struct entries e;

    if (!python_find(NULL, &p) || !p.is_up() || !ask_entries(&p, &e))
        return "";
    return e.library;
}
