# runner/python/ridgepoint.py - the module `ridgepoint` of files that `runner python` reads.
#
# It needs Python 3.8 and nothing else; PyTorch is used where it is there. The runner has this text
# in itself. It runs it in three places: `list` describes a file, `serve` computes references, both
# in a process of their own, and entries() hands functions to a process that measures.
# docs/python.md is its manual.
import array
import ctypes
import json
import os
import struct
import sys
import sysconfig
import types

VARIANTS = []
FAMILIES = []
# element type: struct's letter, bytes, the array interface's name
TYPES = {
    "f32": ("f", 4, "<f4"),
    "bf16": ("H", 2, "<u2"),
    "i32": ("i", 4, "<i4"),
    "u8": ("B", 1, "|u1"),
    "i8": ("b", 1, "|i1"),
    "e4m3": ("B", 1, "|u1"),
}
USES = {"check", "cold", "hot"}


class Wrong(Exception):
    """What a file says wrongly: a place, and what was expected there."""

    def __init__(self, line, what):
        super().__init__("%d:1: %s" % (line, what))


class Case:
    """The parameters of a case as attributes, and `dtype`."""

    def __init__(self, params, dtype):
        self.__dict__.update(params)
        self.dtype = dtype


def In(dtype, count):
    return ["in", dtype, count]


def Out(dtype, count):
    return ["out", dtype, count]


def line_of(function):
    return function.__code__.co_firstlineno


def variant(family, name=None, title=None, idea=None, device=None):
    """Registers the function below: it gets a case and its buffers, and returns what is timed."""

    def register(function):
        line = line_of(function)
        told = name or function.__name__
        where = device or "cpu"
        text = (function.__doc__ or "").strip().split("\n\n")[0]
        if where not in ("cpu", "cuda"):
            raise Wrong(line, "device '%s', expected cpu or cuda" % where)
        VARIANTS.append(
            {
                "family": family if isinstance(family, str) else family.name,
                "name": told,
                "title": title or told,
                "idea": idea or " ".join(text.split()) or "A function in Python.",
                "device": where,
                "line": line,
                "function": function,
            }
        )
        return function

    return register


class Family:
    """A problem of one's own: a class below this one, with what docs/python.md lists."""

    name = None
    title = None
    metric = "bandwidth"
    unit = "fp32"
    formula = "each operand moved once"
    finite_only = None
    cases = ()
    tolerance = None
    why = None

    def __init_subclass__(own, **more):
        super().__init_subclass__(**more)
        own.line = line_of(own.reference)
        own.name = own.name or own.__name__.lower()
        own.title = own.title or own.__name__
        FAMILIES.append(own)

    def reference(case, i, *inputs):
        raise NotImplementedError("reference")

    def terms(case):
        return 1

    def flop(case):
        return 0


def split_case(own, row):
    params = dict(row)
    use = params.pop("use", "cold")
    dtype = params.pop("dtype", "f32")
    for key, value in params.items():
        if not isinstance(value, (int, str)):
            raise Wrong(own.line, "case %r: '%s' is neither a number nor a word" % (row, key))
    if not set(use.split()) <= USES or not use.split():
        raise Wrong(own.line, "case %r: use '%s', expected some of check, cold, hot" % (row, use))
    return Case(params, dtype), params, dtype, use.split()


def describe_buffers(own, case):
    buffers = []
    for name, (access, dtype, count) in own.buffers(case).items():
        if dtype not in TYPES:
            raise Wrong(own.line, "buffer '%s': type '%s', expected one of %s" % (name, dtype, ", ".join(TYPES)))
        if not isinstance(count, int) or count < 1:
            raise Wrong(own.line, "buffer '%s': %r elements, expected at least 1" % (name, count))
        buffers.append({"name": name, "access": access, "dtype": dtype, "count": count})
    outs = [b for b in buffers if b["access"] == "out"]
    if len(outs) != 1 or len(buffers) > 6:
        raise Wrong(own.line, "%d buffers, %d of them outputs; expected at most 6, and one output" % (len(buffers), len(outs)))
    return buffers


def describe_family(own):
    if not own.cases or own.tolerance is None or not own.why or not (own.__doc__ or "").strip():
        raise Wrong(own.line, "family '%s' lacks one of cases, tolerance, why and a text that says the problem" % own.name)
    rows = []
    for row in own.cases:
        case, params, dtype, use = split_case(own, row)
        buffers = describe_buffers(own, case)
        moved = {"in": 0, "out": 0}
        for b in buffers:
            moved[b["access"]] += b["count"] * TYPES[b["dtype"]][1]
        rows.append(
            {
                "params": params,
                "dtype": dtype,
                "use": use,
                "buffers": buffers,
                "flop": own.flop(case),
                "bytes_read": moved["in"],
                "bytes_written": moved["out"],
                "terms": own.terms(case),
            }
        )
    told = {"finite_only": own.finite_only} if own.finite_only else {}
    return {
        **told,
        "name": own.name,
        "title": own.title,
        "problem": " ".join(own.__doc__.split()),
        "metric": own.metric,
        "unit": own.unit,
        "formula": own.formula,
        "tolerance": float(own.tolerance),
        "why": own.why,
        "line": own.line,
        "cases": rows,
    }


# --- a file is read -----------------------------------------------------------


def place(path, error):
    """One line for an error: where in the file it arose, and what it is."""
    if isinstance(error, Wrong):
        return "%s:%s" % (path, error)
    if isinstance(error, SyntaxError) and error.filename == path:
        return "%s:%d:%d: %s" % (path, error.lineno or 1, error.offset or 1, error.msg)
    line, at = 1, error.__traceback__
    while at:
        if at.tb_frame.f_code.co_filename == path:
            line = at.tb_lineno
        at = at.tb_next
    return "%s:%d:1: %s: %s" % (path, line, type(error).__name__, error)


def load(path):
    """Runs a file, as the program that it is but for its __name__."""
    module = types.ModuleType("ridgepoint_file")
    module.__file__ = path
    sys.modules["ridgepoint_file"] = module
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    exec(compile(text, path, "exec"), module.__dict__)


def versions():
    told = ["Python %d.%d.%d" % sys.version_info[:3]]
    for name, called in (("numpy", "NumPy"), ("torch", "PyTorch"), ("triton", "Triton"), ("cupy", "CuPy")):
        if name in sys.modules:
            told.append("%s %s" % (called, getattr(sys.modules[name], "__version__", "?")))
    return ", ".join(told)


def describe(path):
    load(path)
    found = sysconfig.get_config_vars()
    return {
        "program": sys.executable,
        "so": "%s/%s" % (found["LIBDIR"], found["INSTSONAME"]),
        "library": versions(),
        "families": [describe_family(f) for f in FAMILIES],
        "variants": [{k: v for k, v in one.items() if k != "function"} for one in VARIANTS],
    }


# --- references ---------------------------------------------------------------

BLOCK = 4096


class Input:
    """An input as a reference sees it: x[i] is a float, whatever the type."""

    def __init__(self, server, number, count):
        self.server, self.number, self.count, self.blocks = server, number, count, {}

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(self.count))]
        if not 0 <= i < self.count:
            raise IndexError("element %d of %d" % (i, self.count))
        block = i // BLOCK
        if block not in self.blocks:
            if len(self.blocks) >= 4096:
                self.blocks.clear()
            first = block * BLOCK
            self.blocks[block] = self.server.ask(self.number, first, min(BLOCK, self.count - first))
        return self.blocks[block][i - block * BLOCK]


class Server:
    """Answers the runner: it sends indices, and input elements when asked for them."""

    def __init__(self, path, come, go):
        self.path, self.come, self.go = path, come, go

    def read(self, n):
        text = self.come.read(n)
        if len(text) < n:
            sys.exit(0)
        return text

    def ask(self, number, first, count):
        self.go.write(struct.pack("<4sIQQ", b"in  ", number, first, count))
        self.go.flush()
        values = array.array("d")
        values.frombytes(self.read(8 * count))
        return values

    def answer(self, own, row, indices):
        case, _, _, _ = split_case(own, own.cases[row])
        inputs = []
        for number, (access, _, count) in enumerate(own.buffers(case).values()):
            if access == "in":
                inputs.append(Input(self, number, count))
        both = array.array("d")
        for i in indices:
            value = own.reference(case, i, *inputs)
            value, magnitude = value if isinstance(value, tuple) else (value, abs(value))
            both.extend((value, magnitude))
        return both

    def serve(self):
        while True:
            family, row, n = struct.unpack("<IIQ", self.read(16))
            indices = array.array("Q")
            indices.frombytes(self.read(8 * n))
            try:
                both = self.answer(FAMILIES[family], row, indices)
                self.go.write(struct.pack("<4sIQQ", b"done", 0, 0, 0) + both.tobytes())
            except Exception as error:
                told = place(self.path, error).encode()[:400]
                self.go.write(struct.pack("<4sIQQ", b"fail", 0, 0, len(told)) + told)
            self.go.flush()


# --- a process that measures --------------------------------------------------


class Asked(ctypes.Structure):
    """struct python_asked of runner/python/measured.c"""

    _fields_ = [
        ("variant", ctypes.c_int),
        ("cuda", ctypes.c_int),
        ("params", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("n", ctypes.c_int),
        ("types", ctypes.POINTER(ctypes.c_char_p)),
        ("count", ctypes.POINTER(ctypes.c_uint64)),
        ("pointer", ctypes.POINTER(ctypes.c_uint64)),
        ("stream", ctypes.c_uint64),
    ]


class Memory:
    """Device memory, as an array of one dimension for whoever knows the array interface."""

    def __init__(self, address, count, dtype):
        self.dtype = dtype
        self.__cuda_array_interface__ = {
            "data": (address, False),
            "shape": (count,),
            "typestr": TYPES[dtype][2],
            "version": 3,
        }


def device_buffer(address, count, dtype):
    memory = Memory(address, count, dtype)
    torch = sys.modules.get("torch")
    if not torch:
        return memory
    kinds = {"bf16": "bfloat16", "e4m3": "float8_e4m3fn", "f32": "float32", "i32": "int32", "u8": "uint8", "i8": "int8"}
    if dtype == "bf16":  # PyTorch takes no unsigned numbers of two bytes
        memory.__cuda_array_interface__["typestr"] = "<i2"
    return torch.as_tensor(memory, device="cuda").view(getattr(torch, kinds[dtype]))


def host_buffer(address, count, dtype):
    letter, size, _ = TYPES[dtype]
    raw = (ctypes.c_char * (count * size)).from_address(address)
    return memoryview(raw).cast("B").cast(letter)


prepared = {}


def bind(asked):
    params = {}
    for word in asked.params.decode().split():
        key, value = word.split("=", 1)
        params[key] = int(value) if value.lstrip("-").isdigit() else value
    if asked.cuda and "torch" in sys.modules:
        torch = sys.modules["torch"]
        torch.cuda.set_stream(torch.cuda.ExternalStream(asked.stream))
    make = device_buffer if asked.cuda else host_buffer
    buffers = [make(asked.pointer[i], asked.count[i], asked.types[i].decode()) for i in range(asked.n)]
    case = Case(params, asked.dtype.decode())
    case.stream = asked.stream
    one = VARIANTS[asked.variant]
    call = one["function"](case, *buffers)
    if not callable(call):
        raise Wrong(one["line"], "'%s' returned %r, expected the function that is timed" % (one["name"], call))
    return call


said = set()


def say(error):
    """Prints an error, once in a process."""
    text = place(sys.modules["ridgepoint_file"].__file__, error)
    if text not in said:
        said.add(text)
        print(text, file=sys.stderr, flush=True)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Asked))
def prepare(asked):
    try:
        number = max(prepared, default=-1) + 1
        prepared[number] = bind(asked.contents)
        return number
    except Exception as error:
        say(error)
        return -1


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
def call(number):
    try:
        prepared[number]()
        return 0
    except Exception as error:
        say(error)
        return -1


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def release(number):
    del prepared[number]


def entries(address, path):
    """Loads the file at this path (an address) and writes where three functions are."""
    path = ctypes.string_at(path).decode()
    try:
        load(path)
    except Exception as error:
        print(place(path, error), file=sys.stderr, flush=True)
        raise SystemExit(1)
    told = (ctypes.c_void_p * 3).from_address(address)
    for i, function in enumerate((prepare, call, release)):
        told[i] = ctypes.cast(function, ctypes.c_void_p).value


# This text runs in __main__, or in a process of the runner: it is the module either way.
sys.modules["ridgepoint"] = types.ModuleType("ridgepoint")
for name in ("Family", "In", "Out", "variant", "Case"):
    setattr(sys.modules["ridgepoint"], name, globals()[name])


def main(do, path):
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the file prints is no answer
    try:
        if do == "list":
            out.write(json.dumps(describe(path)).encode())
            out.flush()
        else:
            load(path)
            Server(path, sys.stdin.buffer, out).serve()
    except Exception as error:
        print(place(path, error), file=sys.stderr)
        sys.exit(1)


if len(getattr(sys, "argv", ())) == 3 and sys.argv[1] in ("list", "serve"):
    main(sys.argv[1], sys.argv[2])
