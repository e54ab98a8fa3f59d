# kernels/triton.py - what a good user of Triton writes, as a peer of our
# kernels.
#
# A program does a row: it is loaded once, a power of two of elements wide and
# masked at its end, and stays in registers until the result is stored. Or
# programs stay resident and take row after row, so that the compiler can load
# the next one meanwhile. Which of the two is better, and how many warps a
# program should have, is tried out by Triton's autotuner.
#
# kernels/triton.c runs this as a module beside kernels/torch.py, whose classes
# know which buffers are the operands of a case.
#
# How to add a kernel: a function with @triton.jit and @tuned, one that
# launches it on the tensors of a case, and a row in the table at the end.
import functools

import __main__ as torch_py

import torch
import triton
import triton.language as tl
import triton.testing

# ---- what is tried ----


def bench(call, quantiles):
    """As Triton does it, L2 flushed before each call, in a fourth of its time:
    a call takes a hundredth of that."""
    return triton.testing.do_bench(call, warmup=5, rep=25, quantiles=quantiles)


def tuned(configs, *key, prune=None):
    """The best of some configurations for each new `key`, kept on disk."""
    return triton.autotune(
        configs,
        list(key),
        prune_configs_by=prune,
        do_bench=bench,
        cache_results=True,
    )


# RESIDENT programs a multiprocessor, each with STAGES rows under way; 0: a
# program for each row.
ROW_CONFIGS = [
    triton.Config({"RESIDENT": 0, "STAGES": 1}, num_warps=warps)
    for warps in (1, 2, 4, 8, 16, 32)
] + [
    triton.Config({"RESIDENT": resident, "STAGES": stages}, num_warps=warps)
    for resident, warps in ((16, 2), (16, 4), (4, 8), (2, 16))
    for stages in (1, 2)
]


def of_fit_size(configs, operands, **meta):
    """Those whose threads have 4 to 64 elements of the row: more do not fit
    into registers, and are slow to compile."""
    size = meta["BLOCK"] // 32
    fit = [c for c in configs if 4 <= size / c.num_warps <= 64]
    return fit or configs[-1:]


FIT = {"early_config_prune": of_fit_size}


def programs(rows):
    """The grid, which depends on the configuration."""
    device = torch.cuda.current_device()
    sms = torch.cuda.get_device_properties(device).multi_processor_count

    def grid(meta):
        return (min(rows, meta["RESIDENT"] * sms) or rows,)

    return grid


# ---- softmax ----


# ANCHOR: softmax
@triton.jit
def softmax_row(x, y, row, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    first = row.to(tl.int64) * cols
    v = tl.load(x + first + at, mask=inside, other=-float("inf")).to(tl.float32)
    power = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + first + at, power / tl.sum(power, axis=0), mask=inside)


@tuned(ROW_CONFIGS, "rows", "cols", prune=FIT)
@triton.jit
def softmax(
    x,
    y,
    rows,
    cols,
    BLOCK: tl.constexpr,
    RESIDENT: tl.constexpr,
    STAGES: tl.constexpr,
):
    if RESIDENT == 0:
        softmax_row(x, y, tl.program_id(0), cols, BLOCK)
    else:
        step = tl.num_programs(0)
        for row in tl.range(tl.program_id(0), rows, step, num_stages=STAGES):
            softmax_row(x, y, row, cols, BLOCK)
# ANCHOR_END: softmax


def launch_softmax(kernel, x, y):
    rows, cols = x.shape
    block = triton.next_power_of_2(cols)
    kernel[programs(rows)](x, y, rows, cols, BLOCK=block)


# ---- RMSNorm ----


@triton.jit
def rmsnorm_row(x, w, y, row, cols, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    first = row.to(tl.int64) * cols
    v = tl.load(x + first + at, mask=inside, other=0.0).to(tl.float32)
    factor = tl.rsqrt(tl.sum(v * v, axis=0) / cols + eps)
    tl.store(y + first + at, v * factor * w, mask=inside)


@tuned(ROW_CONFIGS, "rows", "cols", prune=FIT)
@triton.jit
def rmsnorm(
    x,
    w,
    y,
    rows,
    cols,
    eps,
    BLOCK: tl.constexpr,
    RESIDENT: tl.constexpr,
    STAGES: tl.constexpr,
):
    at = tl.arange(0, BLOCK)
    weight = tl.load(w + at, mask=at < cols, other=0.0).to(tl.float32)
    if RESIDENT == 0:
        rmsnorm_row(x, weight, y, tl.program_id(0), cols, eps, BLOCK)
    else:
        step = tl.num_programs(0)
        for row in tl.range(tl.program_id(0), rows, step, num_stages=STAGES):
            rmsnorm_row(x, weight, y, row, cols, eps, BLOCK)


def launch_rmsnorm(kernel, x, w, y):
    rows, cols = x.shape
    block = triton.next_power_of_2(cols)
    kernel[programs(rows)](x, w, y, rows, cols, torch_py.NORM_EPS, BLOCK=block)


# ---- FP8 with a scale for each row ----


@triton.jit
def quantize_row(x, q, scales, row, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    first = row.to(tl.int64) * cols
    v = tl.load(x + first + at, mask=inside, other=0.0).to(tl.float32)
    largest = tl.max(tl.abs(v), axis=0)
    scale = tl.where(largest > 0, tl.div_rn(largest, 448.0), 1.0)
    tl.store(scales + row, scale)
    scaled = v * tl.div_rn(1.0, scale)
    tl.store(q + first + at, scaled.to(tl.float8e4nv), mask=inside)


@tuned(ROW_CONFIGS, "rows", "cols", prune=FIT)
@triton.jit
def quantize(
    x,
    q,
    scales,
    rows,
    cols,
    BLOCK: tl.constexpr,
    RESIDENT: tl.constexpr,
    STAGES: tl.constexpr,
):
    if RESIDENT == 0:
        quantize_row(x, q, scales, tl.program_id(0), cols, BLOCK)
    else:
        step = tl.num_programs(0)
        for row in tl.range(tl.program_id(0), rows, step, num_stages=STAGES):
            quantize_row(x, q, scales, row, cols, BLOCK)


def launch_quantize(kernel, x, q, scales):
    rows, cols = x.shape
    block = triton.next_power_of_2(cols)
    kernel[programs(rows)](x, q, scales, rows, cols, BLOCK=block)


# ---- SwiGLU ----

TILE_CONFIGS = [
    triton.Config({"BLOCK": 1024}, num_warps=4),
    triton.Config({"BLOCK": 2048}, num_warps=4),
    triton.Config({"BLOCK": 2048}, num_warps=8),
    triton.Config({"BLOCK": 4096}, num_warps=8),
]


@tuned(TILE_CONFIGS, "n")
@triton.jit
def swiglu(gate, up, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    g = tl.load(gate + at, mask=inside).to(tl.float32)
    u = tl.load(up + at, mask=inside).to(tl.float32)
    tl.store(y + at, g * tl.sigmoid(g) * u, mask=inside)


def launch_swiglu(kernel, gate, up, y):
    n = y.numel()
    kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](gate, up, y, n)


# ---- the table ----


def in_pairs(config):
    """What the record says of a configuration that was chosen."""
    told = ["warps=%d" % config.num_warps]
    return " ".join(told + ["%s=%s" % item for item in config.kwargs.items()])


class Fixed:
    """A tuned kernel with what was chosen before, as the autotuner calls it."""

    def __init__(self, tuned, choice):
        fit = [c for c in tuned.configs if in_pairs(c) == choice]
        if not fit:
            raise ValueError("no configuration is '%s'" % choice)
        self.kernel = tuned.fn
        self.best_config = fit[0]

    def __getitem__(self, grid):
        config = self.best_config.all_kwargs()
        return functools.partial(self.kernel[grid], **config)


def beside(known, launch, tuned):
    """A class as kernels/torch.py has them, for the operands of `known`."""

    class Kernel:
        eager = launch

        def bind(case):
            operands = known.bind(case)
            kernel = Fixed(tuned, case.choice) if case.choice else tuned
            launch(kernel, *operands)  # is compiled; configurations are tried
            case.chosen = in_pairs(kernel.best_config)
            return kernel, *operands

    return Kernel


torch_py.FAMILIES.update(
    {
        "triton softmax": beside(torch_py.Softmax, launch_softmax, softmax),
        "triton norm": beside(torch_py.RmsNorm, launch_rmsnorm, rmsnorm),
        "triton quantize": beside(
            torch_py.QuantizeFp8, launch_quantize, quantize
        ),
        "triton elementwise": beside(torch_py.Swiglu, launch_swiglu, swiglu),
    }
)
