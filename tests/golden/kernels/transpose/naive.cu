// SYNTHETIC source of transpose/naive
__global__ void kernel(float *out, const float *in)
{
	// ANCHOR: inner
	out[threadIdx.x] = in[5];
	// ANCHOR_END: inner
}
