# kernels/triton_product.py - the matrix product that a good user of Triton
# writes for Hopper, as a peer of our kernels.
#
# A program for each SM takes tile after tile. The TMA brings panels of A and B
# and writes those of C, by descriptors made on the host. Tiles that run at the
# same time lie in a field GROUP tiles high, so that they share rows and
# columns in the L2. Triton's compiler makes the pipeline of loads and wgmma.
#
# kernels/triton_product.c runs this as a module beside kernels/torch.py.
#
# How to add a row: a line in the table at the end.
import random
import sys
import time

import __main__ as torch_py
from ridgepoint_product import operands, row

import torch
import triton
import triton.language as tl
import triton.testing
from triton.tools.tensor_descriptor import TensorDescriptor


# ANCHOR: product
@triton.jit(do_not_specialize=["m", "n", "k"])
def product(
    a,
    b,
    c,
    scales,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    HALVES: tl.constexpr,
    BF16: tl.constexpr,
    SCALED: tl.constexpr,
    PRECISION: tl.constexpr,
    FLAT: tl.constexpr,
):
    dtype = tl.bfloat16 if BF16 else tl.float32
    high = tl.cdiv(m, BLOCK_M)
    wide = tl.cdiv(n, BLOCK_N)
    steps = tl.cdiv(k, BLOCK_K)
    field = GROUP * wide
    first = tl.program_id(0)
    for tile in tl.range(first, high * wide, tl.num_programs(0), flatten=FLAT):
        top = tile // field * GROUP
        rows = min(high - top, GROUP)
        i = (top + tile % field % rows) * BLOCK_M
        j = tile % field // rows * BLOCK_N
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for step in range(steps):
            x = a.load([i, step * BLOCK_K])
            y = b.load([j, step * BLOCK_K])
            total = tl.dot(x, y.T, total, input_precision=PRECISION)
        if SCALED:
            total *= tl.load(scales) * tl.load(scales + 1)
        if HALVES:
            # half of the shared memory for outputs
            parts = tl.reshape(total, (BLOCK_M, 2, BLOCK_N // 2))
            left, right = tl.split(tl.permute(parts, (0, 2, 1)))
            c.store([i, j], left.to(dtype))
            c.store([i, j + BLOCK_N // 2], right.to(dtype))
        else:
            c.store([i, j], total.to(dtype))
# ANCHOR_END: product


# ---- what is tried ----

PANEL = 128  # bytes of k in a step: a row of a swizzled panel
REST_S = 0.1  # before a trial: the clock falls under load

GROUP = 8


class Config:
    """A tile, how many steps of k are on the way, and warps."""

    def __init__(self, block_m, block_n, stages, warps, halves=0):
        self.block_m = block_m
        self.block_n = block_n
        self.stages = stages
        self.warps = warps
        self.halves = halves

    def pairs(self):
        """What the record says of it."""
        return "tile=%dx%d stages=%d warps=%d HALVES=%d" % (
            self.block_m,
            self.block_n,
            self.stages,
            self.warps,
            self.halves,
        )


TENSOR_CORES = [
    Config(128, 256, 3, 8),
    Config(128, 256, 4, 8, halves=1),
    Config(256, 128, 3, 8),
    Config(128, 128, 4, 8),
    Config(128, 128, 4, 4),
]
TENSOR_CORES_F32 = [
    Config(128, 256, 3, 8, halves=1),
    Config(256, 128, 3, 8, halves=1),
    Config(128, 128, 4, 8),
    Config(128, 128, 4, 4),
]
CUDA_CORES = [
    Config(128, 128, 3, 8),
    Config(128, 64, 3, 4),
    Config(64, 128, 3, 4),
    Config(64, 64, 4, 4),
]


def launcher(config, a, b, c, scales, precision):
    """The call for a configuration; descriptors hold addresses, not data."""
    m, n, k = a.shape[0], b.shape[0], a.shape[1]
    block_k = PANEL // a.element_size()
    out_n = config.block_n // 2 if config.halves else config.block_n
    a_map = TensorDescriptor.from_tensor(a, [config.block_m, block_k])
    b_map = TensorDescriptor.from_tensor(b, [config.block_n, block_k])
    c_map = TensorDescriptor.from_tensor(c, [config.block_m, out_n])
    tiles = triton.cdiv(m, config.block_m) * triton.cdiv(n, config.block_n)
    device = torch.cuda.current_device()
    sms = torch.cuda.get_device_properties(device).multi_processor_count

    def call():
        product[(min(sms, tiles),)](
            a_map,
            b_map,
            c_map,
            scales,
            m,
            n,
            k,
            BLOCK_M=config.block_m,
            BLOCK_N=config.block_n,
            BLOCK_K=block_k,
            GROUP=GROUP,
            HALVES=config.halves,
            BF16=c.dtype == torch.bfloat16,
            SCALED=scales is not None,
            PRECISION=precision,
            FLAT=precision != "ieee",
            num_stages=config.stages,
            num_warps=config.warps,
        )

    return call


def fastest(configs, launch):
    """The best of those that compile and fit; a random order is fair."""
    best, least, failed = None, float("inf"), None
    for config in random.sample(configs, len(configs)):
        try:
            call = launch(config)
            call()  # is compiled
            time.sleep(REST_S)
            took = triton.testing.do_bench(
                call, warmup=5, rep=20, return_mode="median"
            )
        except Exception as e:
            failed = e
            lines = str(e).splitlines() or [""]
            told = (config.pairs(), type(e).__name__, lines[0])
            sys.stderr.write("Triton: without %s: %s: %s\n" % told)
            continue
        if took < least:
            best, least = config, took
    if best is None:
        raise failed
    return best


known = {}  # (row, m, n, k): the configuration chosen in this process


def find(case, name, configs, launch):
    if case.choice:
        fit = [c for c in configs if c.pairs() == case.choice]
        if not fit:
            raise ValueError("no configuration is '%s'" % case.choice)
        return fit[0]
    key = (name,) + tuple(case.num(p) for p in ("m", "n", "k"))
    if key not in known:
        known[key] = fastest(configs, launch)
    return known[key]


def tuned(name, configs, result=None, scaled=False, precision="tf32"):
    """A row. `result` is the type of C, if it is not that of A."""

    def make(case):
        a, b, c = operands(case, result)
        scales = None
        if scaled:  # of A and B as a whole; their product is 1
            scales = torch.tensor([2.0, 0.5], device="cuda")

        def launch(config):
            return launcher(config, a, b, c, scales, precision)

        config = find(case, name, configs, launch)
        case.chosen = config.pairs()
        return launch(config)

    return row(make)


# ---- the table ----

torch_py.FAMILIES.update(
    {
        "triton gemm16": tuned("gemm16", TENSOR_CORES),
        "triton gemm8": tuned("gemm8", TENSOR_CORES, "bf16", scaled=True),
        "triton gemm32": tuned("gemm32", CUDA_CORES, precision="ieee"),
        "triton gemmtf32": tuned("gemmtf32", TENSOR_CORES_F32),
    }
)
