# kernels/torch_mla.py - what PyTorch is asked to do with latent attention, as
# a peer of our kernels: two batched products with a softmax between them, as
# they are and compiled, scaled_dot_product_attention (SDPA), FlexAttention.
#
# kernels/torch_mla.c runs this as a module beside kernels/torch.py. Operands
# are the runner's own buffers: one row of 576 elements for each key, whose
# first 512 are its value. All heads of a sequence share the keys, so they are
# given as if they were queries of one head. Nothing is copied.
#
# Each call returns a new tensor. It is held here until the next call, and the
# runner has it spoilt and collected outside of samples (struct kernel_result
# of kernels/kernel.h).
import ctypes
import importlib
import itertools
import math
import warnings

import __main__ as torch_py
from ridgepoint_product import row

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

DEEP = 576  # elements of a key, and of a query
VALUE = 512  # those that are the key's value


class Operands:
    """Of o = softmax(scale q K') V for each sequence and head."""

    def __init__(self, case):
        self.b, self.heads, self.l = [case.num(n) for n in ("b", "heads", "l")]
        self.q = case.tensor(0, (self.b, self.heads, DEEP))
        self.keys = case.tensor(1, (self.b, self.l, DEEP))
        self.values = self.keys.narrow(2, 0, VALUE)
        self.o = case.tensor(2, (self.b, self.heads, VALUE))
        self.scale = case.num("sharp") / 8  # mla_scale() of kernels/mla/mla.h

    def keys_of(self, heads):
        """Keys as if each of so many heads had its own; values are in them."""
        one = self.keys.view((self.b, 1, self.l, DEEP))
        return one.expand(self.b, heads, self.l, DEEP)


class Held:
    """
    A call, and the tensor that it returned last. That one is given back before
    the next call, which then finds the same memory again. In a graph it is
    what the last captured call returned: each replay writes there.
    """

    def __init__(self, attend, o):
        self.attend, self.o = attend, o
        self.result = None

    def __call__(self):
        self.result = None
        self.result = self.attend()

    def spoil(self):
        # the next call may get the memory of the spare one
        spare = torch.empty_like(self.result)
        bits = {2: torch.int16, 4: torch.int32}[spare.element_size()]
        for memory in (self.result, spare):
            memory.view(bits).fill_(-1)  # kernel_dtype_poison()

    def collect(self):
        self.o.view(tuple(self.result.shape)).copy_(self.result)


class exact_sums:
    """Parts of a sum are added in f32, as ours are, and not in bf16."""

    matmul = torch.backends.cuda.matmul

    def __enter__(self):
        self.was = self.matmul.allow_bf16_reduced_precision_reduction
        self.matmul.allow_bf16_reduced_precision_reduction = False

    def __exit__(self, *raised):
        self.matmul.allow_bf16_reduced_precision_reduction = self.was


# ---- what torch.compile is given ----

# It makes a number symbolic once it has seen two values of it in functions of
# one place (a name in a line of a file). So numbers are constants of a text,
# and each text has a place of its own.
places = itertools.count()
compiled = {}  # way, shapes and scale: what was made for them


def compile_text(text, numbers):
    torch._dynamo.config.recompile_limit = torch_py.MOST_FUNCTIONS
    made = {}
    place = "<latent attention %d>" % next(places)
    exec(compile(text % numbers, place, "exec"), globals(), made)
    return torch.compile(made["attend"], fullgraph=True, dynamic=False)


def compiled_once(x, way, make):
    key = way, x.b, x.heads, x.l, x.scale
    if key not in compiled:
        compiled[key] = make()
    return compiled[key]


# ---- two products and a softmax ----

# DeepSeek-V3's published code has these lines with scores in bf16. These reach
# 50, where bf16 rounds to a quarter: weights would be off by an eighth. So
# scores are f32, and that costs a pass over more bytes. Its products of latent
# and of position are one here, since both are in one row.


def einsum(x):
    if math.frexp(x.scale)[0] != 0.5:
        raise ValueError("queries are scaled in bf16, by powers of two only")

    def attend():
        with exact_sums():
            scores = torch.bmm(
                x.q * x.scale,
                x.keys.transpose(1, 2),
                out_dtype=torch.float32,
            )
            weights = torch.softmax(scores, -1).to(x.q.dtype)
            del scores  # its memory is there for what follows
            return torch.einsum("bht,btc->bhc", weights, x.values)

    return attend


PRODUCTS = """
def attend(q, keys, values):
    scores = torch.bmm(q, keys.transpose(1, 2), out_dtype=torch.float32)
    weights = torch.softmax(scores * %r, -1).to(q.dtype)
    return torch.bmm(weights, values)
"""


def einsum_compiled(x):
    function = compiled_once(
        x, "products", lambda: compile_text(PRODUCTS, (x.scale,))
    )

    def attend():
        with exact_sums():
            return function(x.q, x.keys, x.values)

    return attend


# ---- scaled_dot_product_attention ----


def refusal(warned):
    """Why PyTorch does not use the backend, from what it warns of, or None."""
    texts = [str(w.message).split(" (Triggered internally")[0] for w in warned]
    heads = [t.endswith("kernel not used because:") for t in texts]
    for i, text in enumerate(texts[:-1]):
        if heads[i] and text.startswith("Memory") and not heads[i + 1]:
            return texts[i + 1]
    return None


def sdpa(x):
    """The only backend that takes keys of more than 256 elements."""
    q = x.q.view((x.b, 1, x.heads, DEEP))
    k = x.keys_of(1)
    v = k.narrow(3, 0, VALUE)

    def attend():
        with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
            return F.scaled_dot_product_attention(q, k, v, scale=x.scale)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            attend()
        except RuntimeError as e:
            why = refusal(warned)
            if why is None:
                raise
            raise RuntimeError(why) from e
    return attend


# ---- FlexAttention ----

# Queries of a program, as a head of their own. With fewer than 128 of them
# PyTorch takes its kernel that splits keys.
ROWS = 64

# Their sums are 128 KB of registers, and queries, padded to 1024
# elements, 128 KB of shared memory. So a tile has few keys, and there is no
# second one. What PyTorch takes by itself, 64 keys and two warps, has no room.
TILES = 32, 16  # keys

MASK_BLOCK = 128  # keys that are seen as a whole, or not at all
masks = {}  # rows and keys: their mask

FLEX = """
def attend(q, k, v, mask):
    return torch.nn.attention.flex_attention.flex_attention(
        q, k, v, block_mask=mask, scale=%r, kernel_options=%r
    )
"""


def is_seen(batch, head, query, key):
    return key >= 0


def compile_flex(x, operands):
    """With the largest tile that fits."""
    for keys in TILES:
        options = {"BLOCK_N": keys, "num_warps": 8, "num_stages": 1}
        function = compile_text(FLEX, (x.scale, options))
        try:
            function(*operands)
            return function
        except Exception as e:
            why = e
    raise why


def mask_of(rows, keys):
    """
    All keys are seen. Without a mask the kernel believes that they are all in
    the first of its splits.
    """
    if (rows, keys) not in masks:
        module = importlib.import_module("torch.nn.attention.flex_attention")
        masks[rows, keys] = module.create_block_mask(
            is_seen,
            None,
            None,
            rows,
            keys,
            device="cuda",
            BLOCK_SIZE=(rows, MASK_BLOCK),
        )
    return masks[rows, keys]


def flex(x):
    rows = math.gcd(x.heads, ROWS)
    heads = x.heads // rows
    q = x.q.view((x.b, heads, rows, DEEP))
    k = x.keys_of(heads)
    operands = q, k, k.narrow(3, 0, VALUE), mask_of(rows, x.l)
    function = compiled_once(x, "flex", lambda: compile_flex(x, operands))
    return lambda: function(*operands)


WAYS = {
    "mla einsum": einsum,
    "mla compiled": einsum_compiled,
    "mla sdpa": sdpa,
    "mla flex": flex,
}

# ---- what the C side calls ----

last = None  # that was prepared
kept = {}  # number: a Held that C knows


def make_row(way):
    def make(case):
        global last
        x = Operands(case)
        last = Held(way(x), x.o)
        return last

    return row(make)


for name, way in WAYS.items():
    torch_py.FAMILIES[name] = make_row(way)


def done(step):
    try:
        with torch.no_grad():
            step()
        return 0
    except Exception:
        torch_py.traceback.print_exc()
        return -1


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
def spoil(number):
    return done(kept[number].spoil)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
def collect(number):
    return done(kept[number].collect)


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def forget(number):
    del kept[number]


class Entries(ctypes.Structure):
    _fields_ = [
        ("spoil", ctypes.c_void_p),
        ("collect", ctypes.c_void_p),
        ("forget", ctypes.c_void_p),
        ("number", ctypes.c_int),
    ]


def write_entries(address):
    """The functions above, and the number of what was prepared last."""
    global last
    entries = Entries.from_address(address)
    entries.spoil = ctypes.cast(spoil, ctypes.c_void_p)
    entries.collect = ctypes.cast(collect, ctypes.c_void_p)
    entries.forget = ctypes.cast(forget, ctypes.c_void_p)
    entries.number = max(kept, default=-1) + 1
    kept[entries.number] = last
    last = None
