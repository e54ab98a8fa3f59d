/*
 * decode/bytes - keys and values in FP8, which become f16 on their way to the
 * tensor cores.
 *
 * o = softmax(scale q K') V for each head of each sequence; K and V are e4m3.
 *
 * Half as many bytes should take half as long. But a key comes twice as often
 * now, and each of its elements must be converted. Hopper has an instruction
 * that makes two f16 of two e4m3, exactly, and products of f16 are as fast as
 * those of bf16. So this is decode/swap with queries and weights in f16.
 *
 * No byte is moved for it. ldmatrix gives a lane four neighbouring bytes of a
 * key; a sum over elements may be taken in any order, so these are elements 2
 * t, 2 t + 1, 2 t + 8 and 2 t + 9 of a product, if queries are read in the same
 * order. Values are turned in pairs of bytes: a lane gets two neighbouring
 * elements of two keys, and one prmt makes two elements of it with two keys
 * each. These are rows g and g + 8 of a product, so outputs change places.
 *
 * A tile has 128 keys, 32 KB as before, and a warp has 32 of them: two products
 * that do not wait for each other.
 *
 * Predicts: memory stays the limit, if barely: a warp issues some 420
 * instructions for its 32 keys, in 1800 clocks. 3.5 to 4.2 TB/s with 32
 * sequences of 8192 keys, 1.6 to 1.9 times as fast as decode/waves.
 */
#define DECODE_BYTES

#include "kernels/decode/swapped.cuh"

/* The greatest weight is 2 to this power, so that f16, which ends at 2^16, has
 * room for small ones: it knows no number below 2^-24. */
enum { LIFT = 15 };

/* A lane's words of the queries, in f16 and in the order of its bytes. */
template <int ROWS>
static __device__ __forceinline__ void
begin(swapped<ROWS> &x, const attention &a, const struct row &r)
{
    const int head = threadIdx.x % WARP / 4, col = threadIdx.x % 4 * 4;
    const uint16_t *const from =
        a.q + (size_t)(query_of(a, r, 0) + head) * DEEP + col;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++) {
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++) {
            const uint2 v = head + 8 * n < r.heads
                                ? *(const uint2 *)(from + 8 * n * DEEP + e * 16)
                                : make_uint2(0, 0);

            x.q[e][n][0] = ptx_f16_pair(bf16_first(v.x), bf16_second(v.x));
            x.q[e][n][1] = ptx_f16_pair(bf16_first(v.y), bf16_second(v.y));
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] = 0;
        }
        x.all[n][0] = x.all[n][1] = {-INFINITY, 0};
    }
}

// ANCHOR: keys
/* Scores of 16 keys, by 16 elements in turns of two. b[] has the same four
 * bytes of upper and lower keys, for this piece of 16 elements and the next. */
template <int ROWS, class K>
static __device__ __forceinline__ void
score(float (&s)[ROWS / 8][4], const swapped<ROWS> &x, int first, K k)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int e = 0; e < DEEP / 16; e += 2) {
        uint32_t b[4];

        ptx_ldmatrix(b, k(first + lane % 16, (e + lane / 16) * 16));
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t upper = b[2 * i], lower = b[2 * i + 1];
            const uint32_t keys[4] = {
                ptx_f16_of_e4m3(upper), ptx_f16_of_e4m3(lower),
                ptx_f16_of_e4m3(upper >> 16), ptx_f16_of_e4m3(lower >> 16)};

#pragma unroll
            for (int n = 0; n < ROWS / 8; n++)
                ptx_mma_f16(s[n], keys, x.q[e + i][n][0], x.q[e + i][n][1]);
        }
    }
}
// ANCHOR_END: keys

// ANCHOR: values
/* Adds weights times 16 values, of which `left` are there. */
template <int ROWS, class V>
static __device__ __forceinline__ void add(swapped<ROWS> &x,
                                           const uint32_t (&p)[ROWS / 8][2],
                                           int first, int left, V v)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int e = 0; e < DEEP / 16; e += 2) {
        uint32_t b[4];

        ptx_ldmatrix_turned(b, v(first + lane % 16, (e + lane / 16) * 16));
        if (left < AT_ONCE)
            hide_values(b, left);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t upper = ptx_swap_middle(b[2 * i]);
            const uint32_t lower = ptx_swap_middle(b[2 * i + 1]);
            const uint32_t values[4] = {
                ptx_f16_of_e4m3(upper), ptx_f16_of_e4m3(upper >> 16),
                ptx_f16_of_e4m3(lower), ptx_f16_of_e4m3(lower >> 16)};

#pragma unroll
            for (int n = 0; n < ROWS / 8; n++)
                ptx_mma_f16(x.o[e + i][n], values, p[n][0], p[n][1]);
        }
    }
}
// ANCHOR_END: values

/* As multiply() of kernels/decode/tensor.cuh, for 32 keys. */
template <int ROWS, class K, class V>
static __device__ __forceinline__ void multiply(swapped<ROWS> &x, float scale,
                                                int left, K k, V v)
{
    const int N = ROWS / 8, TURNS = MINE / AT_ONCE;
    float s[TURNS][N][4] = {};
    uint32_t p[TURNS][N][2];

#pragma unroll
    for (int i = 0; i < TURNS; i++)
        score<ROWS>(s[i], x, i * AT_ONCE, k);
#pragma unroll
    for (int n = 0; n < N; n++) {
        float back[2];

        weigh<LIFT>(s, n, scale, left, x.all[n], back);
#pragma unroll
        for (int i = 0; i < TURNS; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                p[i][n][j] =
                    ptx_turn(ptx_f16_pair(s[i][n][2 * j], s[i][n][2 * j + 1]));
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                x.o[e][n][j] *= back[j % 2];
    }
#pragma unroll
    for (int i = 0; i < TURNS; i++)
        add<ROWS>(x, p[i], i * AT_ONCE, left - i * AT_ONCE, v);
}

/* A warp: its sums to shared memory. */
template <int ROWS>
static __device__ __forceinline__ void show(warp_parts<ROWS> &to,
                                            const swapped<ROWS> &x)
{
    const int row = threadIdx.x % WARP / 4;

    show_swapped(to, x, [&](int e, int i) { return e * 16 + 2 * row + i / 2; });
}

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    bytes(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];
    const room<slots_beside<ROWS>, ROWS> now(raw);
    const struct share s = share_of<ROWS>(a);

    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (fetches())
            fetch_row(a, now, m, p, n, count);
        else
            multiply_row<swapped<ROWS>>(a, now, s, to, p, n, count);
    });
}

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared = room<slots_beside<ROWS>, ROWS>::SHARED;
    const int error = with_room(bytes<ROWS>, shared);

    if (error)
        return error;
    bytes<ROWS><<<env->sms, THREADS, shared, (cudaStream_t)env->stream>>>(
        a, m, left_at<ROWS>(env->sms, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_bytes_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return left_scratch(c, env);
}

extern "C" const char *decode_bytes_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_bytes(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const maps &m = *(const maps *)state;
    void *const scratch = buf[DECODE_SCRATCH];

    return few_heads(a) ? start<8>(a, m, env, scratch)
                        : start<16>(a, m, env, scratch);
}
