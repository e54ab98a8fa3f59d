# kernels/python_product.py - what kernels/torch_product.py and
# kernels/triton_product.py share: the operands of a product, and how a row
# that cannot be had says why.
#
# kernels/python_product.c runs this as the module ridgepoint_product, beside
# kernels/torch.py, which is __main__.
import ctypes

import __main__ as torch_py

import torch

MOST_REASON = 180  # bytes that the runner shows of a reason

NO_ROW = "the script has no row of that name"

reasons = []  # that C was told: it reads them where they lie
last = NO_ROW


def remember(exception):
    """The kind of an exception and the first line of its text, in ASCII."""
    global last
    lines = str(exception).strip().splitlines() or [""]
    text = "%s: %s" % (type(exception).__name__, lines[0])
    last = text.encode("ascii", "replace").decode()[:MOST_REASON]


def load(name, file, address):
    """A module from its text at `address`, once in a process."""
    global last
    last = NO_ROW
    try:
        torch_py.ridgepoint_module(name, file, address)
    except BaseException as e:
        remember(e)
        raise


def write_reason(address):
    """Writes where the last reason lies to the pointer at `address`."""
    reasons.append(last.encode())
    ctypes.c_char_p.from_address(address).value = reasons[-1]


def operands(case, result=None):
    """A (m x k), B (n x k) and C (m x n), row-major: C = A B^T."""
    m, n, k = [case.num(name) for name in ("m", "n", "k")]
    a, b = case.tensor(0, (m, k)), case.tensor(1, (n, k))
    return a, b, case.tensor(2, (m, n), result)


def row(make):
    """
    A class as kernels/torch.py has them. `make` gets a case and returns a
    function of no arguments, which does the case. It is called once at the
    end of prepare(): then all is compiled, and what is missing is missed
    there, and not in a launch.
    """

    class Row:
        def bind(case):
            try:
                with torch.no_grad():  # as launches are: compilers ask
                    call = make(case)
                    call()
            except Exception as e:
                remember(e)
                raise
            return (call,)

        def eager(call):
            call()

    return Row
