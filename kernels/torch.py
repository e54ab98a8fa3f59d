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
import os
import traceback

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # no workers to wait for

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


class Elementwise:
    ops = {
        "bias_gelu": BiasGelu,
        "bias_gelu_tanh": BiasGeluTanh,
        "swiglu": Swiglu,
    }

    def bind(case):
        cols = case.num("cols")
        shape = (case.num("rows"), cols)
        second = shape if case.params["op"] == "swiglu" else (cols,)
        return (
            case.tensor(1, shape),
            case.tensor(2, second),
            case.tensor(0, shape),
        )


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


class Quantize:
    """What has a scale in common is a row of the tensors."""

    formats = {"e4m3": QuantizeFp8, "i8": QuantizeInt8}

    def bind(case):
        rows, cols = case.num("rows"), case.num("cols")
        n = rows * cols
        length = {"row": cols, "group128": 128, "tensor": n}
        length = length[case.params["scale"]]
        shape = (n // length, length)
        return (
            case.tensor(0, shape, "bf16"),
            case.tensor(1, shape, case.params["format"]),
            case.tensor(2, (n // length,), "f32"),
        )


def functions_of(family, case):
    """The class that has `eager` and `lazy` for a case."""
    if family is Elementwise:
        return Elementwise.ops[case.params["op"]]
    if family is Quantize:
        return Quantize.formats[case.params["format"]]
    return family


FAMILIES = {
    "softmax": Softmax,
    "reduce": Reduce,
    "scan": Scan,
    "histogram": Histogram,
    "elementwise": Elementwise,
    "quantize": Quantize,
}


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
        compiled[function] = torch.compile(
            function, dynamic=False, mode="max-autotune-no-cudagraphs"
        )
    return compiled[function]


def bind(asked):
    family = FAMILIES[asked.family.decode()]
    case = Case(asked.params.decode(), asked.dtype.decode(), asked.pointer)
    functions = functions_of(family, case)
    torch.cuda.set_stream(torch.cuda.ExternalStream(asked.stream))
    tensors = family.bind(case)
    if asked.way == b"compiled":
        function = compile_once(functions.lazy)
    else:
        function = functions.eager
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
