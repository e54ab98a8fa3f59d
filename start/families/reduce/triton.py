# kernels/{name}/{name}.py - the same in Triton, for `runner python`.
import ridgepoint
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(out, x, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out, tl.sum(total, axis=0))


@ridgepoint.variant("{name}", name="triton", title="Triton", device="cuda")
def in_triton(case, out, x):
    """One program adds everything."""
    return lambda: kernel[(1,)](out, x, case.n, BLOCK=1024)
