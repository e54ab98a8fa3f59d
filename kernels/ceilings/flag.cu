/*
 * ceilings/flag - a word to and fro between two GPUs.
 *
 * One thread on each GPU sends, then waits, then sends again. Tickets go on
 * from call to call, so no flag has to be cleared between two calls, and a GPU
 * that begins a call early finds no old message that it could take for a new
 * one. It cannot end the call before the other has begun: the answers are
 * missing.
 */
#include "kernels/kernel.h"
#include "kernels/peer.cuh"

/* The scratch of a GPU. */
struct box {
    uint64_t flag;
    uint32_t last; /* ticket of the call before */
};

/*
 * GPU 0 has the word first. `out` is the flag that this GPU writes, `in` the
 * one that it waits at. Ticket 2r + 1 goes from GPU 0 to GPU 1, 2r + 2 back.
 */
static __global__ void ping_pong(int gpu, int rounds, struct box *own,
                                 uint64_t *out, const uint64_t *in, int *sum,
                                 const int *x)
{
    const uint32_t add = (uint32_t)*x + 1;
    uint32_t word = 0, ticket = own->last;

    for (int r = 0; r < rounds; r++, ticket += 2) {
        if (gpu == 1)
            word = peer_receive(in, ticket + 1);
        word += add;
        peer_send(out, ticket + 1 + gpu, word);
        if (gpu == 0)
            word = peer_receive(in, ticket + 2);
    }
    own->last = ticket;
    *sum = (int)word;
}

static int start(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf, bool there)
{
    int rc = 0;

    for (int g = 0; g < 2 && !rc; g++) {
        void *const *mine = kernel_of_gpu(buf, g);
        struct box *own = (struct box *)mine[2];
        struct box *other = (struct box *)kernel_of_gpu(buf, 1 - g)[2];

        rc = cudaSetDevice(g);
        if (rc)
            return rc;
        ping_pong<<<1, 1, 0, (cudaStream_t)env->streams[g]>>>(
            g, (int)kernel_num(c, "rounds"), own,
            there ? &other->flag : &own->flag,
            there ? &own->flag : &other->flag, (int *)mine[0],
            (const int *)mine[1]);
        rc = cudaGetLastError();
    }
    return rc;
}

extern "C" int ceiling_flag_there(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    return start(c, env, buf, true);
}

extern "C" int ceiling_flag_here(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    return start(c, env, buf, false);
}
