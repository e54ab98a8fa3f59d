# kernels/torch_product.py - what PyTorch is asked to do with matrix products,
# as a peer of our kernels.
#
# kernels/torch_product.c runs this as a module beside kernels/torch.py. The
# operands are the runner's own buffers, and the results go there too.
#
# How to add a row: a function that gets a case and returns the call, a line in
# the table at the end, and one in the family's table of variants
# (kernels/torch_product.h).
import contextlib
import os
import re

import __main__ as torch_py
from ridgepoint_product import operands, row

import torch
import torch.nn.functional as F

# ---- max-autotune ----

COMPILE_THREADS = 8  # that compile candidates, while one is chosen

OPTIONS = {
    "max_autotune": True,
    "triton.enable_persistent_tma_matmul": True,
    # A product alone has no epilogue, so the fastest candidate is the choice.
    "benchmark_epilogue_fusion": False,
}
# Whoever chooses does it anew: a result on disk does not say what it is.
CHOOSING = {"fx_graph_cache": False, "autotune_local_cache": False}


class Memory:
    """
    Instead of the function by which compiled code gets memory. A compiled
    product returns a new tensor; a copy of it is a kernel of its own, which
    nobody asked for. So the first tensor it asks for that looks like the
    output gets the memory of the output.
    """

    def __init__(self):
        self.real = None
        self.output = None

    def __call__(self, size, stride, dtype):
        wanted = self.output
        if (
            wanted is not None
            and tuple(size) == tuple(wanted.shape)
            and tuple(stride) == wanted.stride()
            and dtype == wanted.dtype
        ):
            self.output = None
            return wanted
        return self.real(size, stride, dtype)

    @contextlib.contextmanager
    def installed(self):
        """Code that is loaded meanwhile asks this object from then on."""
        guards = torch._C._dynamo.guards
        self.real = guards._empty_strided_cuda
        guards._empty_strided_cuda = self
        try:
            yield
        finally:
            guards._empty_strided_cuda = self.real

    def call(self, compiled, operands, output):
        self.output = output
        result = compiled(*operands)
        if self.output is not None or result.data_ptr() != output.data_ptr():
            raise RuntimeError("the compiled code puts its result elsewhere")


memory = Memory()


def template_of(choice):
    """The name of a candidate without the number that it got by chance."""
    return re.sub(r"_\d+$", "", choice.name)


def pairs_of(choice):
    """How a candidate describes itself: BLOCK_M=128, ACC_TYPE='tl.float32'."""
    found = re.findall(r"(\w+)=('[^']*'|[^,\s]+)", choice.description or "")
    return {name: value.strip("'") for name, value in found}


def told(choice, choices):
    """The template, and what tells a candidate from others made of it."""
    own = pairs_of(choice)
    rivals = [
        pairs_of(c) for c in choices if template_of(c) == template_of(choice)
    ]
    differ = [
        "%s=%s" % item
        for item in own.items()
        if any(r.get(item[0]) != item[1] for r in rivals)
    ]
    return " ".join(["template=" + template_of(choice)] + differ)


def only(choice):
    """Options that leave torch.compile the one candidate of that name."""
    pairs = dict(pair.split("=", 1) for pair in choice.split(" "))
    template = pairs.pop("template")
    form = "(?=.*\\b%s='?%s'?(,|$))"
    every = [form % (name, re.escape(v)) for name, v in pairs.items()]
    return {
        "test_configs.autotune_choice_name_regex": "^%s(_\\d+)?$"
        % re.escape(template),
        "test_configs.autotune_choice_desc_regex": "^" + "".join(every),
    }


class Chosen:
    """While it lasts, `text` gets what torch.compile finds fastest."""

    text = None
    listens = False

    @classmethod
    def save(cls, timings, *ignored):
        fastest = min(timings, key=timings.get)
        cls.text = told(fastest, list(timings))

    @classmethod
    @contextlib.contextmanager
    def heard(cls):
        from torch._inductor import select_algorithm

        if not cls.listens:
            select_algorithm.add_feedback_saver(cls.save)
            cls.listens = True
        cls.text = None
        was = os.environ.get("TORCHINDUCTOR_COMPILE_THREADS", "1")
        threads = min(COMPILE_THREADS, os.cpu_count() or 1)
        os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = str(threads)
        try:
            yield
        finally:
            os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = was


tuned = {}  # (function, shapes, choice): what it was compiled to
chosen = {}  # (function, shapes): the choice


def compile_tuned(function, operands, output, options):
    # torch.compile keeps what it made of a function by its code: a copy of
    # the code for each set of options
    own = type(function)(function.__code__.replace(), function.__globals__)
    made = torch.compile(own, fullgraph=True, dynamic=False, options=options)
    with memory.installed():
        memory.call(made, operands, output)
    return made


def compile_best(case, function, operands, output):
    """What torch.compile makes of a function at its most thorough."""
    key = (function, tuple(t.shape for t in operands))
    choice = case.choice or chosen.get(key)
    if not choice:
        with Chosen.heard():
            options = dict(OPTIONS, **CHOOSING)
            made = compile_tuned(function, operands, output, options)
            choice = Chosen.text
        if not choice:
            raise RuntimeError("torch.compile does not say what it has chosen")
        chosen[key] = choice
        tuned[key + (choice,)] = made
    if key + (choice,) not in tuned:
        options = dict(OPTIONS, **only(choice))
        tuned[key + (choice,)] = compile_tuned(
            function, operands, output, options
        )
    case.chosen = choice
    return tuned[key + (choice,)]


def product(a, b):
    return torch.mm(a, b)


def gemm16_tuned(case):
    a, b, c = operands(case)
    compiled = compile_best(case, product, (a, b.t()), c)
    return lambda: memory.call(compiled, (a, b.t()), c)


# ---- FP8 ----


def scales(case):
    """Of A (m x k) and of B^T (k x n), as kernels/gemm8/family.c lays them."""
    m, n, k = [case.num(name) for name in ("m", "n", "k")]
    if case.params["scales"] == "tensor":  # their product is 1
        return [torch.full((), s, device="cuda") for s in (2.0, 0.5)]
    if case.params["scales"] == "row":
        return case.tensor(3, (m, 1), "f32"), case.tensor(4, (1, n), "f32")
    deep, wide = -(-k // 128), -(-n // 128)
    pitch = -(-deep // 4) * 4
    of_a = case.tensor(3, (deep, m), "f32").t()
    of_b = case.tensor(4, (wide, pitch), "f32")[:, :deep].t()
    return of_a, of_b


def scaled(fast):
    """
    Fast: sums stay in the tensor cores all along k. With scales of blocks
    there is no choice.
    """

    def make(case):
        a, b, c = operands(case, "bf16")
        of_a, of_b = scales(case)
        stay = fast and case.params["scales"] != "block"

        def call():
            torch._scaled_mm(
                a,
                b.t(),
                scale_a=of_a,
                scale_b=of_b,
                out_dtype=c.dtype,
                use_fast_accum=stay,
                out=c,
            )

        return call

    return make


# ---- with bias and activation ----

BIAS = 3  # its buffer in kernels/epilogue/family.c


def epilogue_library(case):
    """cuBLASLt's own epilogue, where PyTorch uses it."""
    a, b, c = operands(case)
    bias = case.tensor(BIAS, (case.num("n"),))

    def call():
        torch.ops.aten._addmm_activation.out(
            bias, a, b.t(), use_gelu=True, out=c
        )

    return call


def linear_gelu_tanh(a, b, bias, c):
    c.copy_(F.gelu(F.linear(a, b, bias), approximate="tanh"))


def linear_gelu_erf(a, b, bias, c):
    c.copy_(F.gelu(F.linear(a, b, bias)))


def linear_swiglu(a, b, bias, c):
    """Eight columns of gates and eight of ups take turns."""
    both = F.linear(a, b, bias).unflatten(1, (-1, 2, 8))
    c.copy_((F.silu(both[:, :, 0]) * both[:, :, 1]).flatten(1))


LAYERS = {
    "gelu_tanh": linear_gelu_tanh,
    "gelu_erf": linear_gelu_erf,
    "swiglu": linear_swiglu,
}


def epilogue_compiled(case):
    m, n, k = [case.num(name) for name in ("m", "n", "k")]
    act = case.params["act"]
    cols = n // 2 if act == "swiglu" else n
    tensors = [
        case.tensor(0, (m, k)),
        case.tensor(1, (n, k)),
        case.tensor(BIAS, (n,)),
        case.tensor(2, (m, cols)),
    ]
    compiled = torch_py.compile_once(LAYERS[act])
    return lambda: compiled(*tensors)


# ---- many products of one size ----


def grouped(case):
    """
    Rows of A are sorted by expert, and each expert has a B of its own. Buffers:
    A (rows x k), B (experts x n x k), C (rows x n), and in i32 the first row of
    each expert and, behind them, the number of rows. The call has no out=, so
    its time holds a copy of C.
    """
    experts, n, k = case.num("e"), case.num("n"), case.num("k")
    rows = case.num("t") * min(8, experts)  # as kernels/grouped/routing.c
    a, c = case.tensor(0, (rows, k)), case.tensor(2, (rows, n))
    b = case.tensor(1, (experts, n, k)).transpose(1, 2)
    ends = case.tensor(3, (experts + 1,), "i32")[1:]

    def call():
        c.copy_(torch._grouped_mm(a, b, offs=ends))

    return call


# ---- the table ----

torch_py.FAMILIES.update(
    {
        "gemm16 tuned": row(gemm16_tuned),
        "gemm8 scaled_mm": row(scaled(fast=True)),
        "gemm8 scaled_mm promoted": row(scaled(fast=False)),
        "epilogue library": row(epilogue_library),
        "epilogue compiled": row(epilogue_compiled),
        "grouped": row(grouped),
    }
)
