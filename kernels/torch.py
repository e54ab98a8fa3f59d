# kernels/torch.py - what PyTorch is asked to do, as a peer of our kernels.
#
# kernels/torch.c runs this once in a process that measures. The operands are
# the runner's own buffers, and the results go there too, so that nobody has
# to copy anything.
#
# How to add a family: a class with `bind`, which names the tensors of a case,
# `eager`, the way a program without a compiler says it, with `out=` where
# PyTorch has it, and `lazy`, what torch.compile is given; either may be
# missing. Then a row in FAMILIES. Functions are static: torch.compile keeps
# what it made of one by its code.
import ctypes
import importlib
import os
import traceback

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # no workers to wait for
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's: threads end at a fork

import torch
import torch.nn.functional as F

# dtype of a buffer: how the array interface names it, what it is a view as
TYPES = {
    "f32": ("<f4", torch.float32),
    "bf16": ("<i2", torch.bfloat16),
    "i32": ("<i4", torch.int32),
    "u8": ("|u1", torch.uint8),
    "i8": ("|i1", torch.int8),
    "e4m3": ("|u1", torch.float8_e4m3fn),
}
MOST_FUNCTIONS = 64  # shapes of one function that are kept compiled


class Memory:
    """Device memory at an address, as an array of one dimension."""

    def __init__(self, address, count, code):
        self.__cuda_array_interface__ = {
            "data": (address, False),
            "shape": (count,),
            "typestr": code,
            "version": 3,
        }


class Case:
    """The parameters of a case, and its buffers as tensors."""

    def __init__(self, params, dtype, pointer):
        self.params = dict(p.split("=") for p in params.split())
        self.dtype = dtype
        self.pointer = pointer

    def num(self, name):
        return int(self.params[name])

    def tensor(self, buffer, shape, dtype=None):
        code, kind = TYPES[dtype or self.dtype]
        count = 1
        for n in shape:
            count *= n
        memory = Memory(self.pointer[buffer], count, code)
        return torch.as_tensor(memory, device="cuda").view(kind).view(shape)


class Softmax:
    def bind(case):
        shape = (case.num("rows"), case.num("cols"))
        return case.tensor(0, shape), case.tensor(1, shape)

    def eager(x, y):
        torch.softmax(x, -1, out=y)

    def lazy(x, y):
        y.copy_(torch.softmax(x, -1))


NORM_EPS = 1e-5  # as kernels/norm/norm.h has it


class LayerNorm:
    def bind(case):
        shape = (case.num("rows"), case.num("cols"))
        sums = [torch.empty(shape[0], 1, device="cuda") for _ in range(2)]
        operands = [case.tensor(k, shape[1:]) for k in (1, 2)]
        return case.tensor(0, shape), *operands, case.tensor(3, shape), *sums

    def eager(x, w, b, y, mean, deviation):
        torch.ops.aten.native_layer_norm.out(
            x, x.shape[1:], w, b, NORM_EPS, out0=y, out1=mean, out2=deviation
        )

    def lazy(x, w, b, y, mean, deviation):
        y.copy_(F.layer_norm(x, x.shape[1:], w, b, NORM_EPS))


class RmsNorm:
    """Without `eager`: it would have to copy the result to where it goes."""

    def bind(case):
        shape = (case.num("rows"), case.num("cols"))
        w = case.tensor(1, shape[1:])
        return case.tensor(0, shape), w, case.tensor(2, shape)

    def lazy(x, w, y):
        y.copy_(F.rms_norm(x, x.shape[1:], w, NORM_EPS))


class RmsNormResidual:
    def bind(case):
        shape = (case.num("rows"), case.num("cols"))
        x, r, h, y = [case.tensor(k, shape) for k in (0, 2, 3, 4)]
        return x, case.tensor(1, shape[1:]), r, h, y

    def lazy(x, w, r, h, y):
        total = x + r
        h.copy_(total)
        y.copy_(F.rms_norm(total, x.shape[1:], w, NORM_EPS))


class RmsNormFp8:
    def bind(case):
        shape = (case.num("rows"), case.num("cols"))
        x, r, h = [case.tensor(k, shape) for k in (0, 2, 3)]
        w = case.tensor(1, shape[1:])
        scale = case.tensor(5, shape[:1], "f32")
        return x, w, r, h, case.tensor(4, shape, "e4m3"), scale

    def lazy(x, w, r, h, q, scale):
        total = x + r
        h.copy_(total)
        wide = total.float()
        wide = wide * torch.rsqrt(wide.square().mean(-1, True) + NORM_EPS)
        wide = wide * w.float()
        largest = wide.abs().amax(-1)
        scale.copy_(largest / 448)
        q.copy_(wide * (448 / largest).unsqueeze(-1))


class Reduce:
    def bind(case):
        return case.tensor(1, (case.num("n"),)), case.tensor(0, ())

    def eager(x, total):
        torch.sum(x, 0, out=total)

    def lazy(x, total):
        total.copy_(torch.sum(x))


class Scan:
    """An exclusive sum is an inclusive one, moved by one element."""

    def bind(case):
        n = case.num("n")
        y = case.tensor(0, (n,))
        return case.tensor(1, (n,))[: n - 1], y[:1], y[1:]

    def eager(x, first, rest):
        first.zero_()
        torch.cumsum(x, 0, dtype=rest.dtype, out=rest)


class Histogram:
    def bind(case):
        bins = case.num("bins")
        counts = case.tensor(0, (bins,), "i32")
        return case.tensor(1, (case.num("n"),)), counts

    def eager(keys, counts):
        bins = counts.numel()
        torch.histc(keys, bins, 0, bins, out=counts)


class BiasGelu:
    def eager(x, bias, y):
        torch.ops.aten.gelu.out(x + bias, approximate="none", out=y)

    def lazy(x, bias, y):
        y.copy_(F.gelu(x + bias))


class BiasGeluTanh:
    def eager(x, bias, y):
        torch.ops.aten.gelu.out(x + bias, approximate="tanh", out=y)

    def lazy(x, bias, y):
        y.copy_(F.gelu(x + bias, approximate="tanh"))


class Swiglu:
    def eager(gate, up, y):
        torch.mul(F.silu(gate), up, out=y)

    def lazy(gate, up, y):
        y.copy_(F.silu(gate) * up)


def bind_elementwise(case):
    cols = case.num("cols")
    shape = (case.num("rows"), cols)
    second = shape if case.params["op"] == "swiglu" else (cols,)
    return case.tensor(1, shape), case.tensor(2, second), case.tensor(0, shape)


for kind in (BiasGelu, BiasGeluTanh, Swiglu):
    kind.bind = bind_elementwise


class QuantizeFp8:
    def eager(x, q, scale):
        wide = x.float()
        torch.div(wide.abs().amax(-1), 448, out=scale)
        q.copy_(wide / scale.unsqueeze(-1))

    def lazy(x, q, scale):
        wide = x.float()
        largest = wide.abs().amax(-1)
        scale.copy_(largest / 448)
        q.copy_(wide * (448 / largest).unsqueeze(-1))


class QuantizeInt8:
    def eager(x, q, scale):
        wide = x.float()
        torch.div(wide.abs().amax(-1), 127, out=scale)
        q.copy_((wide / scale.unsqueeze(-1)).round_())

    def lazy(x, q, scale):
        wide = x.float()
        largest = wide.abs().amax(-1)
        scale.copy_(largest / 127)
        q.copy_((wide * (127 / largest).unsqueeze(-1)).round())


def bind_quantize(case):
    """What has a scale in common is a row of the tensors."""
    rows, cols = case.num("rows"), case.num("cols")
    n = rows * cols
    length = {"row": cols, "group128": 128, "tensor": n}[case.params["scale"]]
    shape = (n // length, length)
    return (
        case.tensor(0, shape, "bf16"),
        case.tensor(1, shape, case.params["format"]),
        case.tensor(2, (n // length,), "f32"),
    )


for kind in (QuantizeFp8, QuantizeInt8):
    kind.bind = bind_quantize


# A family is a class, or has one for each word of a parameter.
FAMILIES = {
    "softmax": Softmax,
    "reduce": Reduce,
    "scan": Scan,
    "histogram": Histogram,
    "norm": (
        "op",
        {
            "layernorm": LayerNorm,
            "rmsnorm": RmsNorm,
            "rmsnorm_residual": RmsNormResidual,
            "rmsnorm_fp8": RmsNormFp8,
        },
    ),
    "elementwise": (
        "op",
        {
            "bias_gelu": BiasGelu,
            "bias_gelu_tanh": BiasGeluTanh,
            "swiglu": Swiglu,
        },
    ),
    "quantize": ("format", {"e4m3": QuantizeFp8, "i8": QuantizeInt8}),
}


def class_of(family, case):
    if isinstance(FAMILIES[family], tuple):
        parameter, classes = FAMILIES[family]
        return classes[case.params[parameter]]
    return FAMILIES[family]


# ---- what needs no GPU, before processes are forked ----

# What the first call of a compiled function imports, and Triton's part of it.
# A version of PyTorch that lacks one of them imports what it has instead, later.
LATER = (
    "torch._dynamo",
    "torch._dynamo.backends.inductor",
    "torch._functorch._aot_autograd.autograd_cache",
    "torch._inductor.async_compile",
    "torch._inductor.codecache",
    "torch._inductor.codegen.cuda_combined_scheduling",
    "torch._inductor.codegen.triton",
    "torch._inductor.codegen.wrapper",
    "torch._inductor.compile_fx",
    "torch._inductor.fx_passes.joint_graph",
    "torch._inductor.fx_passes.post_grad",
    "torch._inductor.fx_passes.pre_grad",
    "torch._inductor.runtime.triton_heuristics",
    "triton.backends.nvidia.compiler",
    "triton.backends.nvidia.driver",
    "triton.compiler.compiler",
    "triton.language",
    "triton.runtime.autotuner",
    "triton.testing",
)

# Functions without arguments whose result is kept: what the keys of the caches
# on disk are made of (a hash of all sources and of Triton's library), and the
# tables of the tracer.
KEPT = (
    ("torch._inductor.codecache", "torch_key"),
    ("triton.runtime.cache", "triton_key"),
    ("torch._dynamo.trace_rules", "get_torch_obj_rule_map"),
)


def spoilt():
    """Would a process forked from here be refused CUDA?"""
    child = os.fork()
    if child == 0:
        os._exit(bool(torch.cuda._is_in_bad_fork()))
    return os.waitpid(child, 0)[1] != 0


def ridgepoint_preload():
    for name in LATER:
        try:
            importlib.import_module(name)
        except Exception:
            pass
    for name, function in KEPT:
        try:
            getattr(importlib.import_module(name), function)()
        except Exception:
            pass
    if torch.cuda.is_initialized() or spoilt():
        raise RuntimeError("importing PyTorch has started CUDA")


# ---- what the C side calls ----


class Asked(ctypes.Structure):
    _fields_ = [
        ("family", ctypes.c_char_p),
        ("way", ctypes.c_char_p),
        ("params", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("pointer", ctypes.POINTER(ctypes.c_uint64)),
        ("stream", ctypes.c_uint64),
    ]


prepared = {}  # number: a function of no arguments
compiled = {}  # function: what torch.compile made of it


def compile_once(function):
    if function not in compiled:
        torch._dynamo.config.recompile_limit = MOST_FUNCTIONS
        compiled[function] = torch.compile(function, dynamic=False)
    return compiled[function]


def bind(asked):
    case = Case(asked.params.decode(), asked.dtype.decode(), asked.pointer)
    kind = class_of(asked.family.decode(), case)
    torch.cuda.set_stream(torch.cuda.ExternalStream(asked.stream))
    tensors = kind.bind(case)
    if asked.way == b"compiled":
        function = compile_once(kind.lazy)
    else:
        function = kind.eager
    return lambda: function(*tensors)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Asked))
def prepare(asked):
    try:
        number = max(prepared, default=-1) + 1
        prepared[number] = bind(asked.contents)
        return number
    except Exception:
        traceback.print_exc()
        return -1


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
def call(number):
    try:
        with torch.no_grad():
            prepared[number]()
        return 0
    except Exception:
        traceback.print_exc()
        return -1


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def release(number):
    del prepared[number]


def versions():
    import triton

    return "PyTorch %s, CUDA %s, Triton %s" % (
        torch.__version__,
        torch.version.cuda,
        triton.__version__,
    )


class Entries(ctypes.Structure):
    _fields_ = [
        ("prepare", ctypes.c_void_p),
        ("call", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("library", ctypes.c_char_p),
    ]


library = versions().encode()


def ridgepoint_entries(address):
    """Writes where the functions above are to the struct at `address`."""
    entries = Entries.from_address(address)
    entries.prepare = ctypes.cast(prepare, ctypes.c_void_p)
    entries.call = ctypes.cast(call, ctypes.c_void_p)
    entries.release = ctypes.cast(release, ctypes.c_void_p)
    entries.library = library
