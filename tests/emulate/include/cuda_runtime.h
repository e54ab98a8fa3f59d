/*
 * tests/emulate/include/cuda_runtime.h - the part of CUDA that kernels use, for
 * tests/emulate/machine.h.
 */
#ifndef TESTS_EMULATE_CUDA_RUNTIME_H
#define TESTS_EMULATE_CUDA_RUNTIME_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "tests/emulate/machine.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

/* Static shared variables of a file lie in a section of its own (translate). */
#define __shared__ static __attribute__((section(EMULATE_SECTION)))

#define threadIdx (emu::now->index)
#define blockIdx (emu::now->block->index)
[[maybe_unused]] static dim3 &blockDim = emu::block_size, &gridDim = emu::grid_size;

struct alignas(8) uint2 {
	uint32_t x, y;
};
struct alignas(16) uint4 {
	uint32_t x, y, z, w;
};
struct alignas(8) float2 {
	float x, y;
};
struct alignas(16) float4 {
	float x, y, z, w;
};

static inline uint2 make_uint2(uint32_t x, uint32_t y)
{
	return {x, y};
}
static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
	return {x, y, z, w};
}
static inline void __stcs(uint4 *to, uint4 what)
{
	*to = what;
}
static inline float2 make_float2(float x, float y)
{
	return {x, y};
}
static inline float4 make_float4(float x, float y, float z, float w)
{
	return {x, y, z, w};
}
static inline uint32_t __float_as_uint(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}
static inline float __uint_as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static inline int min(int a, int b)
{
	return a < b ? a : b;
}
static inline int max(int a, int b)
{
	return a > b ? a : b;
}

/* The instruction tanh.approx.f32, which is off by 2^-11 of its result at most: here by half of
 * that, either way. */
static inline float emulate_tanh(float x)
{
	const float off = (__float_as_uint(x) & 1 ? 1 : -1) * 0x1p-12f;

	return std::tanh(x) * (1 + off);
}
#define __tanhf(x) emulate_tanh(x) /* the C library has a function of this name */

/* The instruction is off by 2^-23 of its result at most: here by that, either way. */
static inline float emulate_rsqrt(float x)
{
	const float off = (__float_as_uint(x) & 1 ? 1 : -1) * 0x1p-23f;

	return (float)(1 / std::sqrt((double)x)) * (1 + off);
}
#define rsqrtf(x) emulate_rsqrt(x)

static inline void __syncthreads()
{
	emu::barrier(0, 0);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
	const char nothing = 0;

	emu::exchange(&nothing, 1, mask);
}

/* What the lane `from` shows. */
template <typename T> static T emulate_lane(T v, unsigned mask, int from)
{
	const auto all = emu::exchange(&v, sizeof v, mask);

	if (from >= 0 && from < emu::WARP_LANES)
		memcpy(&v, all[from], sizeof v);
	return v;
}
template <typename T> static T __shfl_sync(unsigned mask, T v, int from)
{
	return emulate_lane(v, mask, from);
}
template <typename T> static T __shfl_xor_sync(unsigned mask, T v, int with)
{
	return emulate_lane(v, mask, emu::now->lane ^ with);
}
template <typename T> static T __shfl_up_sync(unsigned mask, T v, int by)
{
	return emulate_lane(v, mask, emu::now->lane - by);
}
template <typename T> static T __shfl_down_sync(unsigned mask, T v, int by)
{
	return emulate_lane(v, mask, emu::now->lane + by);
}

/* Whether one of the lanes of the mask says so. */
static inline int __any_sync(unsigned mask, int says)
{
	const char mine = says != 0;
	const auto all = emu::exchange(&mine, 1, mask);
	int any = 0;

	for (int lane = 0; lane < emu::WARP_LANES; lane++)
		any |= mask >> lane & 1 && all[lane][0];
	return any;
}

/* Bit i: does lane i say so? */
static inline unsigned __ballot_sync(unsigned mask, bool yes)
{
	const auto all = emu::exchange(&yes, sizeof yes, mask);
	unsigned bits = 0;

	for (int i = 0; i < emu::WARP_LANES; i++)
		bits |= (unsigned)(mask >> i & 1 && all[i][0]) << i;
	return bits;
}
static inline int __popc(unsigned bits)
{
	return __builtin_popcount(bits);
}

/* One thread runs at a time, so this is atomic. */
template <typename T, typename U> static T atomicAdd(T *p, U v)
{
	const T old = *p;

	*p += (T)v;
	return old;
}

/* --- the host's side --- */

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize,
	cudaFuncAttributePreferredSharedMemoryCarveout,
};
enum { cudaSharedmemCarveoutMaxShared = 100 };
enum { cudaEnableDefault };
typedef int cudaDriverEntryPointQueryResult;
enum { cudaDriverEntryPointSuccess };
typedef void *cudaStream_t;

enum cudaMemcpyKind { cudaMemcpyHostToDevice };
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                          cudaStream_t)
{
	memcpy(to, from, bytes);
	return cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t)
{
	memset(to, byte, bytes);
	return cudaSuccess;
}

/* A graph: the launches of cudaLaunchKernelEx() while a stream is recorded. There is one stream. */
typedef std::vector<std::function<void()>> *cudaGraph_t;
typedef cudaGraph_t cudaGraphExec_t;
enum { cudaStreamNonBlocking };
enum { cudaStreamCaptureModeThreadLocal };
inline cudaGraph_t emulate_recorded = nullptr;

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, int)
{
	*stream = emu::another_stream();
	return cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
	return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t)
{
	return cudaSuccess;
}
static inline cudaError_t cudaStreamBeginCapture(cudaStream_t, int)
{
	emulate_recorded = new std::vector<std::function<void()>>;
	return cudaSuccess;
}
static inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph)
{
	*graph = emulate_recorded;
	emulate_recorded = nullptr;
	return cudaSuccess;
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, int)
{
	*exec = new std::vector<std::function<void()>>(*graph);
	return cudaSuccess;
}
/* Another graph of as many nodes. */
struct cudaGraphExecUpdateResultInfo {
};
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphExecUpdateResultInfo *)
{
	if (exec->size() != graph->size())
		return cudaErrorInvalidValue;
	*exec = *graph;
	return cudaSuccess;
}
static inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
	return cudaSuccess;
}
static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t)
{
	for (const auto &launch : *exec)
		launch();
	return cudaSuccess;
}
static inline cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	delete graph;
	return cudaSuccess;
}
static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	delete exec;
	return cudaSuccess;
}

/* How often an event was recorded, and how often streams came there. */
typedef struct emulate_event {
	int asked, come;
} * cudaEvent_t;
enum { cudaEventDisableTiming = 2 };

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
	*event = new emulate_event{};
	return cudaSuccess;
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	delete event;
	return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	event->asked++;
	emu::enqueue(stream, [=] { event->come++; });
	return cudaSuccess;
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
	const int last = event->asked;

	emu::enqueue_wait(stream, [=] { return event->come >= last; });
	return cudaSuccess;
}

static inline cudaError_t cudaSetDevice(int device)
{
	emu::select_gpu(device);
	return cudaSuccess;
}
static inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                              cudaStream_t stream)
{
	emu::enqueue(stream, [=] { memcpy(to, from, bytes); });
	return cudaSuccess;
}
static inline cudaError_t cudaGetLastError()
{
	return cudaSuccess;
}
enum cudaLaunchAttributeID {
	cudaLaunchAttributeClusterDimension,
	cudaLaunchAttributeCooperative,
	cudaLaunchAttributeProgrammaticStreamSerialization,
};
struct cudaLaunchAttribute {
	cudaLaunchAttributeID id;
	struct {
		struct {
			unsigned x, y, z;
		} clusterDim;
		int programmaticStreamSerializationAllowed;
		int cooperative;
	} val;
};
struct cudaLaunchConfig_t {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned numAttrs;
};
template <typename F>
static cudaError_t cudaOccupancyMaxActiveClusters(int *fit, F *, const cudaLaunchConfig_t *config)
{
	*fit = emu::SMS / (int)config->attrs->val.clusterDim.x;
	return cudaSuccess;
}
#ifdef EMULATE_SECTION /* of the file that launches, which has the kernel too */
template <typename... PARAMETERS, typename... ARGUMENTS>
static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                      void (*kernel)(PARAMETERS...), const ARGUMENTS &...args)
{
	int cluster = 1;

	for (unsigned i = 0; i < config->numAttrs; i++)
		if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
			cluster = (int)config->attrs[i].val.clusterDim.x;
	const dim3 grid = config->gridDim, block = config->blockDim;
	const size_t dynamic = config->dynamicSmemBytes;
	const auto launch = [=] {
		emu::launch(
		        "a kernel", cluster, {emulate_begin, emulate_end}, [=] { kernel(args...); },
		        grid, block, dynamic);
	};
	if (emulate_recorded)
		emulate_recorded->push_back(launch);
	else
		launch();
	return cudaSuccess;
}
#endif
template <typename F> static cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int bytes)
{
	return bytes <= emu::SHARED_MOST ? cudaSuccess : cudaErrorInvalidValue;
}
struct cudaFuncAttributes {
	int maxThreadsPerBlock;
};
template <typename F> static cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *to, F *)
{
	to->maxThreadsPerBlock = 1024;
	return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **fn, unsigned, int,
                                             cudaDriverEntryPointQueryResult *found);

#endif
