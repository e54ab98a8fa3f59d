/*
 * kernels/knob_each.cuh - includes a variant's file once for each value of its
 * knob (kernels/knob.cuh), and defines the functions of the sweep.
 *
 * Who includes this file has defined KNOB_FILE, the values KNOB_0, KNOB_1 and
 * so on, two at least, and each function f of the variant's file with C linkage
 * as KNOB_OWN(f). The headers of the variant's file come before, so that they
 * are outside of the namespaces. After it, a line for each function f makes
 * f_swept, which calls the one with the case's value:
 *
 *     KNOB_LAUNCHER(f, "distance")
 *     KNOB_PREPARE(f, "distance")
 *     KNOB_SCRATCH(f, "distance")
 */
#include "kernels/knob.cuh"

#define KNOB_AT 0
#define KNOB_NOW KNOB_0
namespace knob_0
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_0(f, args) \
    case KNOB_0:             \
        return knob_0::f args;

#define KNOB_AT 1
#define KNOB_NOW KNOB_1
namespace knob_1
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_1(f, args) \
    case KNOB_1:             \
        return knob_1::f args;

#ifdef KNOB_2
#define KNOB_AT 2
#define KNOB_NOW KNOB_2
namespace knob_2
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_2(f, args) \
    case KNOB_2:             \
        return knob_2::f args;
#else
#define KNOB_CASE_2(f, args)
#endif

#ifdef KNOB_3
#define KNOB_AT 3
#define KNOB_NOW KNOB_3
namespace knob_3
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_3(f, args) \
    case KNOB_3:             \
        return knob_3::f args;
#else
#define KNOB_CASE_3(f, args)
#endif

#ifdef KNOB_4
#define KNOB_AT 4
#define KNOB_NOW KNOB_4
namespace knob_4
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_4(f, args) \
    case KNOB_4:             \
        return knob_4::f args;
#else
#define KNOB_CASE_4(f, args)
#endif

#ifdef KNOB_5
#define KNOB_AT 5
#define KNOB_NOW KNOB_5
namespace knob_5
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_5(f, args) \
    case KNOB_5:             \
        return knob_5::f args;
#else
#define KNOB_CASE_5(f, args)
#endif

#ifdef KNOB_6
#define KNOB_AT 6
#define KNOB_NOW KNOB_6
namespace knob_6
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_6(f, args) \
    case KNOB_6:             \
        return knob_6::f args;
#else
#define KNOB_CASE_6(f, args)
#endif

#ifdef KNOB_7
#define KNOB_AT 7
#define KNOB_NOW KNOB_7
namespace knob_7
{
#include KNOB_FILE
}
#undef KNOB_AT
#undef KNOB_NOW
#define KNOB_CASE_7(f, args) \
    case KNOB_7:             \
        return knob_7::f args;
#else
#define KNOB_CASE_7(f, args)
#endif

#define KNOB_SWITCH(value, args, f0, f1, f2, f3, f4, f5, f6, f7) \
    switch (value) {                                             \
        KNOB_CASE_0(f0, args)                                    \
        KNOB_CASE_1(f1, args)                                    \
        KNOB_CASE_2(f2, args)                                    \
        KNOB_CASE_3(f3, args)                                    \
        KNOB_CASE_4(f4, args)                                    \
        KNOB_CASE_5(f5, args)                                    \
        KNOB_CASE_6(f6, args)                                    \
        KNOB_CASE_7(f7, args)                                    \
    }

#define KNOB_LAUNCHER(f, name)                                               \
    extern "C" int f##_swept(const struct kernel_case *c,                    \
                             const struct kernel_env *env, void *const *buf, \
                             void *state)                                    \
    {                                                                        \
        KNOB_SWITCH(kernel_num(c, name), (c, env, buf, state), f##_0, f##_1, \
                    f##_2, f##_3, f##_4, f##_5, f##_6, f##_7)                \
        return cudaErrorInvalidValue;                                        \
    }

#define KNOB_PREPARE(f, name)                                                \
    extern "C" const char *f##_swept(const struct kernel_case *c,            \
                                     const struct kernel_env *env,           \
                                     void *const *buf, void **state)         \
    {                                                                        \
        KNOB_SWITCH(kernel_num(c, name), (c, env, buf, state), f##_0, f##_1, \
                    f##_2, f##_3, f##_4, f##_5, f##_6, f##_7)                \
        return "the sweep has no such value";                                \
    }

#define KNOB_SCRATCH(f, name)                                                  \
    extern "C" size_t f##_swept(const struct kernel_case *c,                   \
                                const struct kernel_env *env)                  \
    {                                                                          \
        KNOB_SWITCH(kernel_num(c, name), (c, env), f##_0, f##_1, f##_2, f##_3, \
                    f##_4, f##_5, f##_6, f##_7)                                \
        return 0;                                                              \
    }
