/*
 * verify/together - all tokens in one pass, on CUDA cores.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * verify/loop reads each key once for each token. Here a warp reads a key once
 * and multiplies it by the queries of all tokens, 16 at most: a block has four
 * tokens of a group of four heads. Lanes have four elements of a key each, and
 * of all queries and sums. Two to four keys and their values are under way.
 * Pieces of 512 keys have a block each, and a second kernel joins them.
 *
 * The bytes are those of one token now, but not the work. For each query and
 * key a lane multiplies eight times and adds up over the warp in five shuffles.
 * An SM does 32 lanes of a shuffle in a cycle, so 16 queries take 80 cycles of
 * it for each key, which memory brings in 25. With all other instructions of a
 * warp it is 100 cycles at best, and eight warps are too few for the best.
 *
 * Predicts: latency is the limit, by shuffles. With eight sequences of 4096
 * keys four tokens take 4 to 9 times as long as with verify/mma, and eight
 * tokens twice as long as four.
 */
#include "kernels/decode/joiner.cuh"
#include "kernels/decode/scalar.cuh"
#include "kernels/verify/draft.cuh"

enum { QUERIES = 16 /* of a block */, EACH = DEEP / WARP };

/* Keys of a warp under way: registers beside 16 queries are few. */
template <int G> constexpr int ahead = G == QUERIES ? 2 : 4;

// ANCHOR: take
/* Takes AHEAD keys in, for each query those that it sees. The first is key
 * number `key` from the first new token's on. */
template <int G, int AHEAD>
static __device__ __forceinline__ void
take_seen(held<G, EACH> &x, const uint32_t (&sees)[G / 4], float scale, int key,
          const piece<EACH> (&k)[AHEAD], const piece<EACH> (&v)[AHEAD])
{
#pragma unroll
    for (int g = 0; g < G; g++) {
        struct weight &all = x.all[g];
        float s[AHEAD], most = all.top;

#pragma unroll
        for (int n = 0; n < AHEAD; n++) {
            float product = 0;

#pragma unroll
            for (int i = 0; i < EACH; i++)
                product += x.q[g][i] * k[n].at(i);
            product = over_key<EACH>(product);
            s[n] = is_seen(sees[g / 4] >> g % 4 * 8, key + n) ? product * scale
                                                              : -INFINITY;
            most = fmaxf(most, s[n]);
        }
        const float back = ptx_exp2(all.top - base_of(most));
        float sum = 0;

#pragma unroll
        for (int i = 0; i < EACH; i++)
            x.o[g][i] *= back;
#pragma unroll
        for (int n = 0; n < AHEAD; n++) {
            const float w = ptx_exp2(s[n] - base_of(most));

            sum += w;
#pragma unroll
            for (int i = 0; i < EACH; i++)
                x.o[g][i] += w * v[n].at(i);
        }
        all = {most, all.sum * back + sum};
    }
}
// ANCHOR_END: take

template <int G>
static __global__ void __launch_bounds__(THREADS)
    together(struct draft d, void *scratch)
{
    extern __shared__ __align__(16) char raw[];
    lane_parts<G> &sums = *(lane_parts<G> *)raw;
    const attention &a = d.a;
    const int AHEAD = ahead<G>;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const struct row r = row_of(a, blockIdx.y, G);
    const int first = blockIdx.x * SPAN, keys = a.where[r.sequence];
    const int end = min(first + SPAN, keys), most = splits_of(a.l);
    const size_t from = keys_of(a, r) + lane * EACH;
    uint32_t seen[G / 4] = {}; /* eight bits for each query */
    held<G, EACH> x;

    if (first >= end)
        return;
    begin(x, a, r, lane);
#pragma unroll
    for (int g = 0; g < G; g++)
        seen[g / 4] |= sees(d, r, g) << g % 4 * 8;
    // ANCHOR: inner
    for (int j = first + warp * AHEAD; j < end; j += WARPS * AHEAD) {
        piece<EACH> k[AHEAD], v[AHEAD];

#pragma unroll
        for (int n = 0; n < AHEAD; n++) {
            const size_t at = from + (size_t)min(j + n, keys - 1) * DEEP;

            k[n] = read<EACH>(a.k + at);
            v[n] = read<EACH>(a.v + at);
        }
        take_seen(x, seen, a.scale, j - keys + d.tokens, k, v);
    }
    // ANCHOR_END: inner
    show(sums, x);
    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join(
            sums, h, WARPS, [](int i) { return i; }, all);

        leave(places(a, scratch), query_of(a, r, h) * most + blockIdx.x, 0, o,
              all);
    }
}

template <int G>
static int start(const attention &a, const draft &d, void *scratch,
                 cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, G));
    const int room = sizeof(lane_parts<G>);
    const int error = cudaFuncSetAttribute(
        together<G>, cudaFuncAttributeMaxDynamicSharedMemorySize, room);

    if (error)
        return error;
    together<G><<<grid, THREADS, room, to>>>(d, scratch);
    join_splits<<<joiners_of(a), JOINERS * WARP, 0, to>>>(a, scratch);
    return cudaGetLastError();
}

extern "C" size_t verify_together_scratch(const struct kernel_case *c,
                                          const struct kernel_env *)
{
    const attention a = draft_sizes(c).a;

    return parts_bytes(a.b * a.heads * splits_of(a.l), 1);
}

extern "C" int verify_together(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    const draft d = draft_of(c, buf);
    const int queries = d.a.heads / d.a.kv;
    void *const scratch = buf[VERIFY_SCRATCH];
    const cudaStream_t to = (cudaStream_t)env->stream;

    return queries <= 4   ? start<4>(d.a, d, scratch, to)
           : queries <= 8 ? start<8>(d.a, d, scratch, to)
                          : start<QUERIES>(d.a, d, scratch, to);
}
