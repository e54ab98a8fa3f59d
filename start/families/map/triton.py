# kernels/{name}/{name}.py - the same in Triton, for `runner python`.
import ridgepoint
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(out, x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, 2 * tl.load(x + i, mask=i < n) + 1, mask=i < n)


@ridgepoint.variant("{name}", name="triton", title="Triton", device="cuda")
def in_triton(case, out, x):
    """A program for every 1024 elements."""
    grid = (triton.cdiv(case.n, 1024),)
    return lambda: kernel[grid](out, x, case.n, BLOCK=1024)
