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
import functools
import importlib
import mmap
import os
import sys
import traceback

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # no workers to wait for
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's: threads end at a fork
os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # does not start CUDA

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
    """
    The parameters of a case, and its buffers as tensors. `choice` is what was
    chosen for it before, or None; `chosen` is for `bind` to say what it uses:
    pairs with blanks between them, from which the same can be found again.
    """

    def __init__(self, params, dtype, pointer, choice=None):
        self.params = dict(p.split("=") for p in params.split())
        self.dtype = dtype
        self.pointer = pointer
        self.choice = choice
        self.chosen = ""

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

# What the first calls import, Triton's part of it, and functions without
# arguments whose result is kept: what the keys of the caches on disk are made
# of (a hash of all sources and of Triton's library), and the tables of the
# tracer. Each is a step by itself: one that starts CUDA or a thread is left
# out, and so is one that this version does not have; it is then done later.
# The number of a step is its bit in kernel_preload.leave.
STEPS = (
    ("triton", None),
    ("triton.language", None),
    ("triton.compiler.compiler", None),
    ("triton.runtime.autotuner", None),
    ("triton.testing", None),
    ("triton.backends.nvidia.compiler", None),
    ("triton.backends.nvidia.driver", None),
    ("triton.runtime.cache", "triton_key"),
    ("torch._dynamo", None),
    ("torch._dynamo.backends.inductor", None),
    ("torch._dynamo.trace_rules", "get_torch_obj_rule_map"),
    ("torch._functorch._aot_autograd.autograd_cache", None),
    ("torch._inductor.codecache", None),
    ("torch._inductor.codecache", "torch_key"),
    ("torch._inductor.async_compile", None),
    ("torch._inductor.runtime.triton_heuristics", None),
    ("torch._inductor.codegen.wrapper", None),
    ("torch._inductor.codegen.triton", None),
    ("torch._inductor.codegen.cuda_combined_scheduling", None),
    ("torch._inductor.fx_passes.pre_grad", None),
    ("torch._inductor.fx_passes.joint_graph", None),
    ("torch._inductor.fx_passes.post_grad", None),
    ("torch._inductor.compile_fx", None),
)

# Functions of torch._C by which PyTorch starts CUDA. Meanwhile they refuse.
STARTERS = ("_cuda_init", "_cuda_getDeviceCount")
NOT_INITIALIZED = 3  # CUDA_ERROR_NOT_INITIALIZED of the driver
PARENT_DEATH, KILL = 1, 9  # prctl(PR_SET_PDEATHSIG, SIGKILL)


class Refusing:
    """While it lasts nobody starts CUDA by PyTorch; `asked` has who tried."""

    def __enter__(self):
        self.asked = []
        self.was = {}
        for name in STARTERS:
            if hasattr(torch._C, name):
                self.was[name] = getattr(torch._C, name)
                setattr(torch._C, name, self.instead_of(name))
        return self

    def instead_of(self, name):
        def refuse(*ignored):
            frames = reversed(traceback.extract_stack()[:-1])
            own = [f for f in frames if not f.filename.startswith("<")]
            at = ["%s:%d %s" % (f.filename, f.lineno, f.name) for f in own]
            self.asked.append("%s by %s" % (name, ", by ".join(at[:4])))
            raise RuntimeError("CUDA is not to be started here")

        return refuse

    def __exit__(self, *ignored):
        for name, function in self.was.items():
            setattr(torch._C, name, function)


def driver_runs():
    try:
        mode = os.RTLD_NOLOAD | os.RTLD_LAZY
        driver = ctypes.CDLL("libcuda.so.1", mode=mode)
    except OSError:
        return False
    count = ctypes.c_int()
    return driver.cuDeviceGetCount(ctypes.byref(count)) != NOT_INITIALIZED


def spoilt():
    """Would a process forked from here be refused CUDA?"""
    child = os.fork()
    if child == 0:
        os._exit(bool(torch.cuda._is_in_bad_fork()))
    return os.waitpid(child, 0)[1] != 0


def threads():
    tasks = "/proc/self/task/"
    names = []
    for task in os.listdir(tasks):
        try:
            with open(tasks + task + "/comm") as comm:
                names.append(comm.read().strip())
        except OSError:  # it has ended
            pass
    return names


def trouble():
    """Why a process forked from here would not be one from before, or None."""
    names = threads()
    if len(names) > 1:
        return "there are %d threads: %s" % (len(names), ", ".join(names))
    if torch.cuda.is_initialized():
        return "PyTorch has started CUDA"
    if driver_runs():
        return "the CUDA driver has been started"
    return "a fork of it is refused CUDA" if spoilt() else None


def take(step, refusing):
    """Does a step. What is wrong after it, or None."""
    name, function = STEPS[step]
    why = None
    try:
        module = importlib.import_module(name)
        if function:
            getattr(module, function)()
    except (ImportError, AttributeError):
        why = ""  # another version
    except Exception as e:
        why = "%s: %s" % (type(e).__name__, e)
    if refusing.asked:
        why = "it asks for CUDA: " + refusing.asked[0]
    return trouble() if why is None else why


def name_of(step):
    name, function = STEPS[step]
    return name + "." + function if function else name


def try_steps(refusing):
    """
    Which steps have to be left out, as bits. Each is done in a process forked
    for it. The one in which all is well goes on with the next step; else the
    one before does, in which nothing of it has happened.
    """
    leave = mmap.mmap(-1, len(STEPS))  # shared by all of them
    first, step = os.getpid(), 0
    while step < len(STEPS):
        parent, child = os.getpid(), os.fork()
        if child == 0:
            ctypes.CDLL(None).prctl(PARENT_DEATH, KILL)
            why = "its parent has ended"
            if os.getppid() == parent:
                why = take(step, refusing)
            if why:
                told = "before processes are forked, without %s: %s\n"
                sys.stderr.write(told % (name_of(step), why))
                sys.stderr.flush()
            if why is not None:
                os._exit(1)
        elif os.waitpid(child, 0)[1] == 0:
            break  # the child has tried the rest
        else:
            leave[step] = 1
        step += 1
    if os.getpid() != first:
        os._exit(0)
    return sum(1 << step for step in range(len(STEPS)) if leave[step])


def ridgepoint_preload(address, trial):
    """`address` is that of kernel_preload.leave."""
    leave = ctypes.c_uint64.from_address(address)
    why = trouble()
    if why:
        raise RuntimeError("importing PyTorch: " + why)
    with Refusing() as refusing:
        if trial:
            leave.value = try_steps(refusing)
            return
        for step in range(len(STEPS)):
            why = None if leave.value >> step & 1 else take(step, refusing)
            if why:
                raise RuntimeError("%s: %s" % (name_of(step), why))


# ---- what the C side calls ----


class Asked(ctypes.Structure):
    _fields_ = [
        ("family", ctypes.c_char_p),
        ("way", ctypes.c_char_p),
        ("params", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("pointer", ctypes.POINTER(ctypes.c_uint64)),
        ("stream", ctypes.c_uint64),
        ("choice", ctypes.c_char_p),
        ("chosen", ctypes.c_void_p),
    ]


MOST_CHOSEN = 512  # KERNEL_CHOICE of kernels/kernel.h
prepared = {}  # number: a function of no arguments
compiled = {}  # function: what torch.compile made of it


def compile_once(function):
    if function not in compiled:
        torch._dynamo.config.recompile_limit = MOST_FUNCTIONS
        compiled[function] = torch.compile(function, dynamic=False)
    return compiled[function]


def bind(asked):
    choice = asked.choice.decode() if asked.choice else None
    case = Case(
        asked.params.decode(), asked.dtype.decode(), asked.pointer, choice
    )
    kind = class_of(asked.family.decode(), case)
    torch.cuda.set_stream(torch.cuda.ExternalStream(asked.stream))
    tensors = kind.bind(case)
    told = case.chosen.encode() + b"\0"
    if len(told) > MOST_CHOSEN:
        raise ValueError("what was chosen is too long: " + case.chosen)
    ctypes.memmove(asked.chosen, told, len(told))
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


@functools.cache  # and so kept: C reads it where it lies
def library():
    return versions().encode()


def ridgepoint_entries(address):
    """Writes where the functions above are to the struct at `address`."""
    entries = Entries.from_address(address)
    entries.prepare = ctypes.cast(prepare, ctypes.c_void_p)
    entries.call = ctypes.cast(call, ctypes.c_void_p)
    entries.release = ctypes.cast(release, ctypes.c_void_p)
    entries.library = library()
