/*
 * ceilings/peer - bytes from GPU to GPU, by loads, by stores or by the copy
 * engine.
 *
 * A pointer into another GPU's memory is like any other: the load or the store
 * passes NVLink. What differs is who waits. A store is sent and forgotten. A
 * load comes back after a microsecond or two, so a receiver that reads needs
 * many loads under way: at 450 GB/s and 1.5 us that is 675 KB.
 *
 * All blocks visit all pieces, each block beginning with another one, so that
 * the pieces for different GPUs are under way together.
 */
#include "kernels/ceilings/peer.h"
#include "kernels/ptx.cuh"

enum { THREADS = 1024, LOADS = 8, VECTOR = 4 };

/* What the kernel on one GPU moves: pieces of `n` floats. */
struct moves {
    const float *from[KERNEL_MAX_GPUS];
    float *to[KERNEL_MAX_GPUS];
    size_t n[KERNEL_MAX_GPUS];
    int count;
};

// ANCHOR: inner
/* Moves a piece, 16 bytes at a time; up to three floats are left over. */
static __device__ void move_piece(const float *from, float *to, size_t n)
{
    const float4 *source = (const float4 *)from;
    float4 *target = (float4 *)to;
    const unsigned vectors = (unsigned)(n / VECTOR), step = gridDim.x * THREADS;
    const unsigned first = blockIdx.x * THREADS + threadIdx.x;
    const size_t rest = (size_t)vectors * VECTOR + first;

    for (unsigned i = first; i < vectors; i += LOADS * step) {
        float4 x[LOADS];
        for (int k = 0; k < LOADS; k++)
            if (i + k * step < vectors)
                x[k] = __ldcs(source + i + k * step);
        for (int k = 0; k < LOADS; k++)
            if (i + k * step < vectors)
                __stcs(target + i + k * step, x[k]);
    }
    if (rest < n)
        to[rest] = from[rest];
}
// ANCHOR_END: inner

static __global__ void __launch_bounds__(THREADS) move(struct moves m)
{
    for (int k = 0; k < m.count; k++) {
        const int i = (int)((blockIdx.x + k) % m.count);

        move_piece(m.from[i], m.to[i], m.n[i]);
    }
}

/* Piece i of the sender, on its way. */
static void add_piece(const struct kernel_case *c, void *const *buf, int sender,
                      int i, struct moves *m)
{
    const int p = peer_pieces(c), at = (sender + 1 + i) % kernel_gpus(c);
    const size_t n = (size_t)kernel_num(c, "n");
    const size_t begin = peer_begins(n, i, p);

    m->from[m->count] =
        (const float *)kernel_of_gpu(buf, sender)[PEER_FROM] + begin;
    m->to[m->count] = (float *)kernel_of_gpu(buf, at)[PEER_TO] + begin;
    m->n[m->count++] = peer_begins(n, i + 1, p) - begin;
}

/* One block for each multiprocessor that takes part; fewer if fewer have
   anything to do. */
static unsigned blocks_for(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t each = THREADS * VECTOR;
    const size_t need = ((size_t)kernel_num(c, "n") + each - 1) / each;
    size_t most = (size_t)env->sms;

    for (int i = 0; i < c->nparams; i++)
        if (strcmp(c->param[i].name, "sms") == 0 &&
            (size_t)c->param[i].num < most)
            most = (size_t)c->param[i].num;
    return (unsigned)(need < most ? need : most);
}

static int start(const struct kernel_case *c, const struct kernel_env *env,
                 int gpu, const struct moves *m)
{
    const int rc = cudaSetDevice(gpu);

    if (rc || m->count == 0)
        return rc;
    move<<<blocks_for(c, env), THREADS, 0, (cudaStream_t)env->streams[gpu]>>>(
        *m);
    return cudaGetLastError();
}

/* The receivers read: GPU h gets piece i from GPU (h - 1 - i) mod gpus. */
extern "C" int ceiling_peer_read(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    int rc = 0;

    for (int h = 0; h < env->gpus && !rc; h++) {
        struct moves m = {};
        for (int i = 0; i < peer_pieces(c); i++) {
            const int sender = (h + 2 * env->gpus - 1 - i) % env->gpus;
            if (sender < peer_senders(c))
                add_piece(c, buf, sender, i, &m);
        }
        rc = start(c, env, h, &m);
    }
    return rc;
}

/* The senders write. */
extern "C" int ceiling_peer_write(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    int rc = 0;

    for (int g = 0; g < peer_senders(c) && !rc; g++) {
        struct moves m = {};
        for (int i = 0; i < peer_pieces(c); i++)
            add_piece(c, buf, g, i, &m);
        rc = start(c, env, g, &m);
    }
    return rc;
}

/* The senders' engines copy, a copy for each piece. */
extern "C" int ceiling_peer_engine(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *)
{
    int rc = 0;

    for (int g = 0; g < peer_senders(c) && !rc; g++) {
        struct moves m = {};
        rc = cudaSetDevice(g);
        for (int i = 0; i < peer_pieces(c) && !rc; i++) {
            add_piece(c, buf, g, i, &m);
            rc = cudaMemcpyPeerAsync(m.to[i], (g + 1 + i) % env->gpus,
                                     m.from[i], g, m.n[i] * sizeof(float),
                                     (cudaStream_t)env->streams[g]);
        }
    }
    return rc;
}
