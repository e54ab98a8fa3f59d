// SYNTHETIC source of transpose/ring
__global__ void kernel(float *out, const float *in)
{
	// ANCHOR: inner
	out[threadIdx.x] = in[4];
	// ANCHOR_END: inner
}
