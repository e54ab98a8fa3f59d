# kernels/torch_attention.py - what PyTorch is asked to do with attention, as a
# peer of our kernels: scaled_dot_product_attention (SDPA) with cuDNN or with
# FlashAttention-2, and FlexAttention compiled.
#
# kernels/torch_attention.c runs this as a module beside kernels/torch.py. The
# operands are the runner's own buffers. All three calls return a new tensor:
# it is held here until the next call, and the runner has it spoilt and
# collected outside of samples (struct kernel_result of kernels/kernel.h).
#
# How to add a family: a function that gets a case and returns its operands as
# views of shape [batch, heads, tokens, elements], whatever lies between their
# strides, and a line of the table at the end.
import ctypes
import importlib
import math
import warnings

import __main__ as torch_py
from ridgepoint_product import row

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel


class Operands:
    """
    Of O = softmax(scale Q K') V, where heads of K and V may serve several of
    Q. Causal: query i sees keys 0 to i, and there are as many of both.
    """

    def __init__(self, q, k, v, o, scale, causal):
        self.q, self.k, self.v, self.o = q, k, v, o
        self.scale, self.causal = scale, causal
        self.grouped = q.shape[1] != k.shape[1]


class Held:
    """
    A call, and the tensor that it returned last. That one is given back
    before the next call, which then finds the same memory again. During the
    capture of a graph, too: replays write to the address of the last call.
    """

    def __init__(self, attend, output):
        self.attend, self.output = attend, output
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
        self.output.copy_(self.result)


# ---- scaled_dot_product_attention ----


def refusal(backend, warned):
    """Why PyTorch does not use a backend, from what it warns of, or None."""
    texts = [str(w.message).split(" (Triggered internally")[0] for w in warned]
    heads = [t.endswith("kernel not used because:") for t in texts]
    for i, text in enumerate(texts[:-1]):
        if heads[i] and text.lower().startswith(backend) and not heads[i + 1]:
            return texts[i + 1]
    return None


def sdpa(name, backend):
    """`name` is that of the backend, `backend` what warnings call it."""

    def make(x):
        only = getattr(SDPBackend, name)

        def attend():
            with sdpa_kernel(only):
                return F.scaled_dot_product_attention(
                    x.q,
                    x.k,
                    x.v,
                    is_causal=x.causal,
                    scale=x.scale,
                    enable_gqa=x.grouped,
                )

        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                attend()
            except RuntimeError as e:
                why = refusal(backend, warned)
                if why is None:
                    raise
                raise RuntimeError(why) from e
        return attend

    return make


# ---- FlexAttention ----

MASK_BLOCK = 128  # what is masked as a whole, or not at all, is left out

masks = {}  # causal or not, queries, keys: their mask
compiled = {}  # shapes and the like: what torch.compile made for them


def is_seen(batch, head, query, key):
    return query >= key


def all_seen(batch, head, query, key):
    return key >= 0


def flex_module():
    return importlib.import_module("torch.nn.attention.flex_attention")


# torch.compile makes a number symbolic once it has seen two values of it in
# functions of one place (a name in a line of a file), even in two functions.
# So the scale is a constant, and each function has a place of its own.
FUNCTION = """
def attend(q, k, v, mask):
    return torch.nn.attention.flex_attention.flex_attention(
        q, k, v, block_mask=mask, scale=%r, enable_gqa=%r
    )
"""


def compile_flex(x):
    torch._dynamo.config.recompile_limit = torch_py.MOST_FUNCTIONS
    made = {}
    text = FUNCTION % (x.scale, x.grouped)
    place = "<flex_attention %d>" % len(compiled)
    exec(compile(text, place, "exec"), globals(), made)
    return torch.compile(made["attend"], fullgraph=True, dynamic=False)


def mask_of(x):
    """Without blocks, all keys of a short query would be one split's."""
    shape = (x.causal, x.q.shape[2], x.k.shape[2])
    if shape not in masks:
        masks[shape] = flex_module().create_block_mask(
            is_seen if x.causal else all_seen,
            None,
            None,
            *shape[1:],
            device="cuda",
            BLOCK_SIZE=MASK_BLOCK,
        )
    return masks[shape]


def flex(x):
    flex_module()
    mask = mask_of(x)
    key = [(tuple(t.shape), tuple(t.stride())) for t in (x.q, x.k, x.v)]
    key = (*key, x.causal, x.scale)
    if key not in compiled:
        compiled[key] = compile_flex(x)
    function = compiled[key]
    return lambda: function(x.q, x.k, x.v, mask)


# ---- families ----


def deep(case):
    """Elements of a head: 128 in a family that has no other."""
    return int(case.params.get("d", 128))


def scale_of(case):
    """As prefill_scale() and decode_scale() in the families' headers."""
    wide = 3 * case.num("sharp") / math.sqrt(deep(case))
    return ctypes.c_float(wide).value


def prefill(case):
    """Token by token, and head by head."""
    heads, kv, l, d = [case.num(name) for name in ("heads", "kv", "l", "d")]

    def tokens(buffer, heads):
        return case.tensor(buffer, (1, l, heads, d)).transpose(1, 2)

    q, k, v, o = [tokens(i, n) for i, n in enumerate((heads, kv, kv, heads))]
    causal = case.params["mask"] == "causal"
    return Operands(q, k, v, o, scale_of(case), causal)


def decode(layout):
    """
    One query for each head of each sequence. Keys and values of a sequence
    lie head by head ("bhld") or token by token ("blhd").
    """

    def operands(case):
        b, heads, kv = [case.num(name) for name in ("b", "heads", "kv")]
        l, d = case.num("l"), deep(case)

        def cache(buffer):
            if layout == "bhld":
                return case.tensor(buffer, (b, kv, l, d))
            return case.tensor(buffer, (b, l, kv, d)).transpose(1, 2)

        q, o = [case.tensor(i, (b, heads, 1, d)) for i in (0, 3)]
        return Operands(q, cache(1), cache(2), o, scale_of(case), False)

    return operands


WAYS = {
    "sdpa_cudnn": sdpa("CUDNN_ATTENTION", "cudnn"),
    "sdpa_fa2": sdpa("FLASH_ATTENTION", "flash"),
    "flex": flex,
}
FAMILIES = {
    "prefill": prefill,
    "decode bhld": decode("bhld"),
    "decode blhd": decode("blhd"),
}

# ---- what the C side calls ----

last = None  # that was prepared
kept = {}  # number: a Held that C knows


def make_row(operands, way):
    def make(case):
        global last
        x = operands(case)
        last = Held(way(x), x.o)
        return last

    return row(make)


for family, operands in FAMILIES.items():
    for way in WAYS:
        torch_py.FAMILIES[family + " " + way] = make_row(operands, WAYS[way])


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


def version_of_cudnn():
    """92000 is 9.20.0."""
    n = torch.backends.cudnn.version() or 0
    return "%d.%d.%d" % (n // 10000, n // 100 % 100, n % 100)


VERSIONS = torch.__version__, torch.version.cuda, version_of_cudnn()
CUDNN = ("PyTorch %s, CUDA %s, cuDNN %s" % VERSIONS).encode()


def write_cudnn(address):
    """Writes where CUDNN lies, which is kept, to the pointer at `address`."""
    ctypes.c_char_p.from_address(address).value = CUDNN


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
