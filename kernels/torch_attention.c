#include "kernels/torch_attention.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FAILED = 999 }; /* cudaErrorUnknown */

/* kernels/torch_attention.py, with a zero behind it. */
extern const char torch_attention_script[]
    __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl torch_attention_script\n"
        ".hidden torch_attention_script\n"
        "torch_attention_script:\n"
        ".incbin \"kernels/torch_attention.py\"\n"
        ".byte 0\n"
        ".popsection\n");

/* What the script fills in; it knows this layout (class Entries). */
struct entries {
    int (*spoil)(int number);
    int (*collect)(int number);
    void (*forget)(int number);
    int number; /* of what was prepared last */
};

/* The state of a row: what kernels/torch.c calls, and where its result is. */
struct attention {
    struct kernel_result result;
    struct entries entries;
    void *torch;
};

static int spoil(void *state, const struct kernel_env *env)
{
    const struct attention *own = state;

    (void)env; /* the script has its stream */
    return own->entries.spoil(own->entries.number) == 0 ? 0 : FAILED;
}

static int collect(void *state, const struct kernel_env *env, void *const *buf)
{
    const struct attention *own = state;

    (void)env;
    (void)buf; /* the script has them from prepare() */
    return own->entries.collect(own->entries.number) == 0 ? 0 : FAILED;
}

/* Has a function of the module, which is loaded, write to an address. */
static bool ask(const char *function, void *to)
{
    int (*run_in_python)(const char *);
    char statement[160];

    snprintf(statement, sizeof statement,
             "import ridgepoint_torch_attention\n"
             "ridgepoint_torch_attention.%s(%llu)",
             function, (unsigned long long)(uintptr_t)to);
    /* As in kernels/torch.c, which has made Python's symbols global. */
    *(void **)&run_in_python = dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
    return run_in_python && run_in_python(statement) == 0;
}

const char *torch_attention_prepare(const char *name,
                                    const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void **state)
{
    const struct python_product module = {"ridgepoint_torch_attention",
                                          "<kernels/torch_attention.py>",
                                          torch_attention_script};
    struct attention *own = calloc(1, sizeof *own);
    const char *why = "out of memory";

    if (own)
        why = python_product_prepare(&module, name, c, env, buf, &own->torch);
    if (why) {
        free(own);
        return why;
    }
    if (!ask("write_entries", &own->entries)) {
        torch_release(own->torch);
        free(own);
        return "kernels/torch_attention.py does not start";
    }
    own->result.spoil = spoil;
    own->result.collect = collect;
    *state = own;
    return NULL;
}

int torch_attention_launch(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct attention *own = state;

    return torch_launch(c, env, buf, own->torch);
}

void torch_attention_release(void *state)
{
    struct attention *own = state;

    own->entries.forget(own->entries.number);
    torch_release(own->torch);
    free(own);
}

const char *torch_attention_cudnn(void)
{
    const char *versions = NULL;

    return ask("write_cudnn", &versions) && versions ? versions : "";
}
