# kernels/torch_step.py - what PyTorch is asked to do as a peer of our decode
# step (kernels/step/step.h says what that is): as it is, and with layers
# compiled by torch.compile and the whole step as one CUDA graph.
#
# kernels/torch_step.c runs this as a module beside kernels/torch.py. Operands
# are the runner's own buffers. A step returns what each stage left, in memory
# of PyTorch; the runner has it spoilt and collected outside of samples (struct
# kernel_result of kernels/kernel.h).
#
# Inputs must not change, so the new key is not in the cache. Attention goes
# over the cache with a function that also returns the logarithm of the sum of
# weights, and the new key joins by it. A step that appends to the cache writes
# it in place of that.
import ctypes
import math

import __main__ as torch_py
from ridgepoint_product import row

import torch
import torch.nn.functional as F

DEEP = 128  # elements of a head
EPS = 1e-5
BASE = 500000.0  # of RoPE
CALLS = 20  # that are timed to choose between functions
SLEEP = 1 << 24  # clocks, some 9 ms
SCALE = 1 / math.sqrt(DEEP)
SCRATCH = 5  # its number among the buffers, where logits are not shown


class Shape:
    """As struct step_shape of kernels/step/step.h."""

    def __init__(self, case):
        names = "b", "l", "layers", "hidden", "vocab"
        self.b, self.l, self.layers, self.hidden, self.vocab = [
            case.num(name) for name in names
        ]
        self.heads = self.hidden // DEEP
        self.kv = max(1, self.heads // 4)
        self.qkv = (self.heads + 2 * self.kv) * DEEP
        self.ffn = self.hidden // 2 * 7
        self.shrink = 1.0
        while self.shrink**2 * self.hidden > 4:
            self.shrink /= 2


class Pieces:
    """Cuts a flat tensor into views, from its beginning on."""

    def __init__(self, flat):
        self.flat, self.at = flat, 0

    def take(self, *shape):
        count = math.prod(shape)
        self.at += count
        return self.flat[self.at - count : self.at].view(shape)


# ---- a layer ----


def turn(x, table):
    """RoPE: neighbours 2i and 2i + 1 of each head are a complex number."""
    pairs = torch.view_as_complex(x.float().unflatten(-1, (DEEP // 2, 2)))
    return torch.view_as_real(pairs * table).flatten(-2).to(x.dtype)


def turn_lazily(x, table):
    """The same: torch.compile makes nothing of complex numbers."""
    cosine, sine = table.unbind(-1)
    a, b = x.float().unflatten(-1, (DEEP // 2, 2)).unbind(-1)
    turned = torch.stack((a * cosine - b * sine, a * sine + b * cosine), -1)
    return turned.flatten(-2).to(x.dtype)


def cudnn(q, k, v):
    return torch.ops.aten._scaled_dot_product_cudnn_attention(
        q, k, v, None, True, 0.0, False, False, scale=SCALE
    )[:2]


def flash(q, k, v):
    return torch.ops.aten._scaled_dot_product_flash_attention(
        q, k, v, 0.0, False, False, scale=SCALE
    )[:2]


def grouped(x, kv):
    """Heads in groups that share a key."""
    return x.view(x.shape[0], kv, -1, DEEP)


def score(q, k):
    return grouped(q, k.shape[1]) @ k.unsqueeze(-1)


def score_lazily(q, k):
    """The same without a product of cuBLAS, so that it joins what follows."""
    q = grouped(q, k.shape[1])
    return (q.float() * k.float().unsqueeze(2)).sum(-1, True)


def add(x, a, w):
    return torch.addmm(x, a, w.t())


def add_lazily(x, a, w):
    """The same; compiled torch.addmm would copy x into its result first."""
    return (x.float() + F.linear(a, w).float()).to(x.dtype)


def join(score, v, past, logarithm):
    """
    Attention over the cache, and one key more. The share of the cache is
    1 / (1 + exp(score - logarithm)), and needs more bits than bf16 has.
    """
    past = grouped(past, v.shape[1])
    share = torch.sub(
        logarithm.reshape(score.shape), score, alpha=SCALE
    )
    joined = torch.lerp(v.unsqueeze(2).float(), past.float(), share.sigmoid())
    return joined.to(v.dtype).view(v.shape[0], -1)


AS_WRITTEN = turn, score, add
TO_COMPILE = turn_lazily, score_lazily, add_lazily


def layer_of(attend, ways):
    """
    A layer: from x and h = norm(x) to those of the next one, so that the end
    of a layer and the norm of the next can become one kernel.
    """
    turn, score, add = ways

    def layer(x, h, w_qkv, w_o, w_up, w_down, gain, next_gain, k, v, table):
        b, kv = x.shape[0], k.shape[1]
        heads = x.shape[1] // DEEP
        qkv = F.linear(h, w_qkv).view(b, -1, DEEP)
        q, new_k = turn(qkv[:, : heads + kv], table).split((heads, kv), 1)
        new_v = qkv[:, heads + kv :]
        q, new_k = q.contiguous(), new_k.contiguous()
        past, logarithm = attend(q.unsqueeze(2), k, v)
        a = join(score(q, new_k), new_v, past.contiguous(), logarithm)
        y = add(x, a, w_o)
        h = F.rms_norm(y, y.shape[1:], gain, EPS)
        gate, up = F.linear(h, w_up).chunk(2, -1)
        act = F.silu(gate) * up
        x = add(y, act, w_down)
        h = F.rms_norm(x, x.shape[1:], next_gain, EPS)
        return h, (q, new_k, new_v, a, y, act, x)

    return layer


# ---- a step ----


class Step:
    """
    The step of a case, with a function that does a layer. `real`: its table
    of angles has pairs of real numbers in place of complex ones.
    """

    def __init__(self, case, layer, real):
        s = self.shape = Shape(case)
        n = s.hidden
        weights = n * (s.qkv + n + 3 * s.ffn)
        flat = (2 * s.layers + 1) * n + s.layers * weights + s.vocab * n
        w = Pieces(case.tensor(1, (flat,)))
        self.layer = layer
        self.gains = w.take(2 * s.layers + 1, n)
        self.weights = [
            (
                w.take(s.qkv, n),
                w.take(n, n),
                w.take(2 * s.ffn, n),
                w.take(n, s.ffn),
            )
            for _ in range(s.layers)
        ]
        self.vocab = w.take(s.vocab, n)
        self.x = case.tensor(2, (s.b, n))
        cache = s.layers, s.b, s.kv, s.l - 1, DEEP
        self.k, self.v = case.tensor(3, cache), case.tensor(4, cache)
        left = s.layers * s.b * (s.qkv + 3 * n + s.ffn) + s.b * s.vocab
        self.trace = Pieces(case.tensor(SCRATCH, (left,)))
        e = torch.arange(DEEP // 2, dtype=torch.float64, device="cuda")
        angle = (s.l - 1) * BASE ** (-2 * e / DEEP)
        table = torch.stack((angle.cos(), angle.sin()), -1).float()
        self.table = table if real else torch.view_as_complex(table)

    def __call__(self):
        gains = self.gains * self.shape.shrink  # exact: a power of two
        x, left = self.x, []
        h = F.rms_norm(x, x.shape[1:], gains[0], EPS)
        for i, w in enumerate(self.weights):
            h, stages = self.layer(
                x,
                h,
                *w,
                gains[2 * i + 1],
                gains[2 * i + 2],
                self.k[i],
                self.v[i],
                self.table,
            )
            x = stages[-1]
            left += stages
        return left + [F.linear(h, self.vocab)]


class Held:
    """
    A step, and the tensors that it returned last. They are given back before
    the next call, which then finds the same memory again.
    """

    def __init__(self, step):
        self.step, self.trace = step, step.trace
        self.result = None

    def __call__(self):
        self.result = None
        with exact_sums():
            self.result = self.step()

    def spoil(self):
        # the next call may get the memory of the spare ones
        spare = [torch.empty_like(t) for t in self.result]
        for memory in self.result + spare:
            memory.fill_(math.nan)

    def collect(self):
        self.trace.at = 0
        for t in self.result:
            self.trace.take(*t.shape).copy_(t)


class Graph(Held):
    """The step as a CUDA graph, which leaves its result in the same tensors."""

    def __init__(self, step):
        super().__init__(step)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):  # compiles, and finds its memory
                super().__call__()
        torch.cuda.current_stream().wait_stream(stream)
        self.result = None
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with exact_sums(), torch.cuda.graph(self.graph):
            self.result = self.step()

    def __call__(self):
        self.graph.replay()

    def spoil(self):
        for memory in self.result:
            memory.fill_(math.nan)


class exact_sums:
    """Parts of a sum are added in f32, as ours are, and not in bf16."""

    matmul = torch.backends.cuda.matmul

    def __enter__(self):
        self.was = self.matmul.allow_bf16_reduced_precision_reduction
        self.matmul.allow_bf16_reduced_precision_reduction = False

    def __exit__(self, *raised):
        self.matmul.allow_bf16_reduced_precision_reduction = self.was


def time_of(attend, q, keys, values):
    """
    Milliseconds of some calls on the device, each with another layer's cache,
    and after as many that warm it up. The device sleeps until the host has
    enqueued them.
    """
    begin, end = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    layers = [i % len(keys) for i in range(CALLS)]
    caches = [(keys[i], values[i]) for i in layers]
    for k, v in caches:
        attend(q, k, v)
    torch.cuda._sleep(SLEEP)
    begin.record()
    for k, v in caches:
        attend(q, k, v)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


def attention_of(case):
    """
    The faster one of cuDNN's attention and FlashAttention-2; the latter if
    cuDNN does not take these shapes.
    """
    s = Shape(case)
    cache = s.layers, s.b, s.kv, s.l - 1, DEEP
    k, v = case.tensor(3, cache), case.tensor(4, cache)
    q = torch.zeros(s.b, s.heads, 1, DEEP, dtype=k.dtype, device="cuda")
    try:
        past, logarithm = cudnn(q, k[0], v[0])
        taken = logarithm.numel() == s.b * s.heads and past.shape == q.shape
    except RuntimeError:
        taken = False
    of_flash = time_of(flash, q, k, v)
    if taken and time_of(cudnn, q, k, v) <= of_flash:
        return cudnn
    return flash


def eager(case):
    return Held(Step(case, layer_of(attention_of(case), AS_WRITTEN), False))


layers = {}  # attention, is one: a layer as torch.compile made it


def graph(case):
    attend = attention_of(case)
    one = case.num("b") == 1
    key = attend, one
    if key not in layers:
        torch._dynamo.config.recompile_limit = torch_py.MOST_FUNCTIONS
        # makes kernels of products with one vector, too, and tunes them
        options = {"coordinate_descent_tuning": True} if one else None
        layers[key] = torch.compile(
            layer_of(attend, TO_COMPILE),
            fullgraph=True,
            dynamic=False,
            options=options,
        )
    return Graph(Step(case, layers[key], True))


WAYS = {"step eager": eager, "step graph": graph}

# ---- what the C side calls ----

last = None  # that was prepared
kept = {}  # number: a Held that C knows


def make_row(way):
    def make(case):
        global last
        last = way(case)
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
