/*
 * launch/stream - a kernel for each step, in a stream.
 *
 * The order of a stream is all the synchronisation there is: a kernel starts
 * when the one before has ended and its writes are visible. For each of them
 * the host writes a command into the queue, and the device fetches it, hands
 * out blocks, waits until they drain, flushes. Nothing of that overlaps with
 * the step before.
 *
 * Predicted before any run: 2-2.5 microseconds a step on the device, and on the
 * host about as much, so either of them may be the slower one.
 */
#include "kernels/launch/launch.cuh"
#include "kernels/trace.cuh"

// ANCHOR: inner
extern "C" int launch_stream(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct launch_chain k = launch_chain(c, buf);
    cudaStream_t stream = (cudaStream_t)env->stream;

    for (int r = 0; r < k.nodes; r++)
        launch_step<false><<<k.blocks, LAUNCH_THREADS, 0, stream>>>(
            launch_to(k, r), launch_from(k, r), k.x + r, k.n, k.shift);
    return cudaGetLastError();
}
// ANCHOR_END: inner
