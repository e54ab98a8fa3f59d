# kernels/{name}/{name}.py - the same in Triton, for `runner python`.
import ridgepoint
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(a, b, c, m, n, depth, SIDE: tl.constexpr):
    i = tl.program_id(0) * SIDE + tl.arange(0, SIDE)[:, None]
    j = tl.program_id(1) * SIDE + tl.arange(0, SIDE)[None, :]
    total = tl.zeros((SIDE, SIDE), tl.float32)
    for first in range(0, depth, SIDE):
        ka = first + tl.arange(0, SIDE)[None, :]
        kb = first + tl.arange(0, SIDE)[:, None]
        x = tl.load(a + i * depth + ka, mask=(i < m) & (ka < depth), other=0.0)
        y = tl.load(b + kb * n + j, mask=(kb < depth) & (j < n), other=0.0)
        total += tl.dot(x, y, input_precision="ieee")
    tl.store(c + i * n + j, total, mask=(i < m) & (j < n))


@ridgepoint.variant("{name}", name="triton", title="Triton", device="cuda")
def in_triton(case, a, b, c):
    """A program for every 64 x 64 elements of C."""
    grid = (triton.cdiv(case.m, 64), triton.cdiv(case.n, 64))
    return lambda: kernel[grid](a, b, c, case.m, case.n, case.k, SIDE=64)
