#include "kernels/triton.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

/* kernels/triton.py, with a zero behind it. */
extern const char triton_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl triton_script\n"
        ".hidden triton_script\n"
        "triton_script:\n"
        ".incbin \"kernels/triton.py\"\n"
        ".byte 0\n"
        ".popsection\n");

/* Makes a module of the text at an address, once in a process. Triton reads
 * the source of what it compiles where Python looks for it: linecache. */
static const char loader[] =
    "def ridgepoint_module(name, file, address):\n"
    "    import ctypes, linecache, sys, types\n"
    "    if name in sys.modules:\n"
    "        return\n"
    "    text = ctypes.string_at(address).decode()\n"
    "    lines = text.splitlines(True)\n"
    "    linecache.cache[file] = len(text), None, lines, file\n"
    "    module = sys.modules[name] = types.ModuleType(name)\n"
    "    try:\n"
    "        exec(compile(text, file, 'exec'), module.__dict__)\n"
    "    except BaseException:\n"
    "        del sys.modules[name]\n"
    "        raise\n";

/* Prepares and releases a softmax of one element in PyTorch: that starts
 * Python, and reports what is missing. */
static const char *start_torch(const struct kernel_env *env, void *const *buf)
{
    static const struct kernel_case least = {
        {{"rows", 1, NULL}, {"cols", 1, NULL}}, 2, KERNEL_F32, 0};
    void *state;
    const char *why =
        torch_prepare("softmax", "eager", &least, env, buf, &state);

    if (!why)
        torch_release(state);
    return why;
}

static bool load_script(void)
{
    char statement[128];
    int (*run)(const char *statements);

    /* As in kernels/torch.c, which has made Python's symbols global. */
    *(void **)&run = dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
    snprintf(statement, sizeof statement,
             "ridgepoint_module('ridgepoint_triton', '<kernels/triton.py>', "
             "%llu)",
             (unsigned long long)(uintptr_t)triton_script);
    return run && run(loader) == 0 && run(statement) == 0;
}

const char *triton_prepare(const char *name, const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void **state)
{
    const char *why = start_torch(env, buf);

    if (why)
        return why;
    if (!load_script())
        return "Triton does not start";
    why = torch_prepare(name, "eager", c, env, buf, state);
    return why ? "this Triton cannot do it" : NULL;
}
