// SYNTHETIC source of transpose/tile
__global__ void kernel(float *out, const float *in)
{
	// ANCHOR: inner
	out[threadIdx.x] = in[4];
	// ANCHOR_END: inner
}
