// SYNTHETIC source of stream/memcpy
__global__ void kernel(float *out, const float *in)
{
	// ANCHOR: inner
	out[threadIdx.x] = in[6];
	// ANCHOR_END: inner
}
