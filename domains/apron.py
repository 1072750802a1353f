"""APRON's boxes and octagons behind `NumericDomain`, through apronpy; optional, never needed.

Everything here works around something: apronpy finds its libraries only with a patched search, cuts big integers to 64
bits, calls `change_environment` with one argument too many, and lets a wrong variable or a manager shared by threads
crash the process. So: rational (MPQ) managers, one per thread; numbers passed as text through GMP; environments made
once per n and never changed, with names that sort like the indices; variables checked before they reach C; constraints
divided by their gcd, because APRON does not round to integers; bounds read through `bound_linexpr`; and the mode in
which the process rounds is put back, as a manager sets it to upwards, which rationals have no use for.

Values are immutable from outside and hash by their bounds; they neither pickle nor move between threads.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module, metadata
from math import inf
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from domains.lattice import BOTTOM, Bottom
from domains.linear import FALSE, TRUE, between, constant, octagonal_terms, tighten
from domains.numeric import Bound, Constraint, LinExpr
from domains.values.interval import add, negate

Kind: TypeAlias = Literal["interval", "octagon"]

# After so many widenings with thresholds in one chain, plain ones follow: meeting a threshold closes the octagon,
# and closing between widenings may keep a chain from ending (Mine 2006, section 3.7.2).
MAX_THRESHOLD_WIDENINGS: Final = 40
# Python refuses to read more than 4300 digits; bounds beyond this are taken as infinite.
MAX_DIGITS: Final = 4000
# APRON expressions take some 100 us to build from Python.
CACHED_EXPRESSIONS: Final = 4096


class ApronUnavailable(Exception):
    """APRON or apronpy cannot be loaded; the text says why."""


class ApronLibrary:
    """apronpy's classes, and the C functions that it lacks or declares wrongly."""

    def __init__(self) -> None:
        self.version: str | None = None
        oct_module, box_module = import_module("apronpy.oct"), import_module("apronpy.box")
        self.managers: dict[Kind, Any] = {
            "octagon": _never_freed(oct_module.PyOctMPQManager),
            "interval": _never_freed(box_module.PyBoxMPQManager),
        }
        abstract1 = import_module("apronpy.abstract1")
        self.value, raw = abstract1.PyAbstract1, abstract1.Abstract1
        environment = import_module("apronpy.environment")
        self.environment, self.variable = environment.PyEnvironment, import_module("apronpy.var").PyVar
        self.expression = import_module("apronpy.linexpr1").PyLinexpr1
        constraints = import_module("apronpy.lincons1")
        self.constraint, self.array = constraints.PyLincons1, constraints.PyLincons1Array
        self.relations = import_module("apronpy.lincons0").ConsTyp
        self.coefficient = import_module("apronpy.coeff").PyMPQScalarCoeff
        self.rational = import_module("apronpy.mpq").PyMPQ
        scalars = import_module("apronpy.scalar")
        self.scalar, self.discriminant = scalars.PyMPQScalar, scalars.ScalarDiscr
        libraries = import_module("apronpy.cdll")
        manager = import_module("apronpy.manager").PyManager
        # A handle of its own, so that these prototypes do not replace those of apronpy.
        own = ctypes.CDLL(libraries.libapron._name)
        self.change_environment = own.ap_abstract1_change_environment
        self.change_environment.argtypes = [manager, ctypes.c_bool, self.value, self.environment, ctypes.c_bool]
        self.change_environment.restype = raw
        names = ctypes.POINTER(ctypes.c_char_p)
        self.rename = own.ap_abstract1_rename_array
        self.rename.argtypes = [manager, ctypes.c_bool, self.value, names, names, ctypes.c_size_t]
        self.rename.restype = raw
        self.widen_thresholds = own.ap_abstract1_widening_threshold
        self.widen_thresholds.argtypes = [manager, self.value, self.value, self.array]
        self.widen_thresholds.restype = raw
        self.set_text = ctypes.CDLL(libraries.libgmp._name).__getattr__("__gmpq_set_str")
        self.set_text.argtypes = [self.rational, ctypes.c_char_p, ctypes.c_int]
        self.c = ctypes.CDLL(ctypes.util.find_library("m"))
        self.version = _installed_version()

    def number(self, value: int) -> Any:
        """An APRON coefficient of any size."""
        rational = self.rational()
        if self.set_text(rational, b"%x" % value, 16) != 0:
            raise AssertionError("GMP refuses a number")
        return self.coefficient(self.scalar(rational))

    def bound(self, scalar: Any, rounded: Callable[[int, int], int], unbounded: Bound) -> Bound:
        """The integer bound in an APRON scalar, rounded as told; infinity is coded as a rational with denominator 0."""
        if scalar.discr != self.discriminant.AP_SCALAR_MPQ:
            return unbounded  # doubles code infinity here, and nothing else in a value that is not bottom
        numerator, _, denominator = str(scalar.val.mpq_ptr.contents).partition("/")
        if denominator == "0" or len(numerator) > MAX_DIGITS:
            return unbounded
        return rounded(int(numerator), int(denominator or "1"))


def load() -> ApronLibrary:
    """The library, ready for use. *Raises*: `ApronUnavailable`."""
    find = ctypes.util.find_library

    def found(name: str) -> str | None:
        # Some versions of apronpy ask for file names, which the search does not understand.
        return name if name.startswith("lib") and ".so" in name else find(name)

    try:
        ctypes.util.find_library = found
        return ApronLibrary()
    except (ImportError, OSError, AttributeError) as error:
        raise ApronUnavailable(f"APRON cannot be loaded: {error}") from error
    finally:
        ctypes.util.find_library = find


def _never_freed(manager: Any) -> Any:
    """The manager class without its finalizer.

    The garbage collector may finalize a manager before values that still need it for their own finalizers.
    """
    return type("Manager", (manager,), {"__del__": lambda _: None})


def _installed_version() -> str | None:
    """The release of APRON as its header tells (the library does not), or of apronpy, or None."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8")
        for path in sorted(set(re.findall(r"/\S*/libapron\.so\S*", maps))):
            header = Path(path).parent.parent / "include" / "ap_version.h"
            release = re.search(r'AP_VERSION\s+"([^"]+)"', header.read_text(encoding="utf-8"))
            if release:
                return release[1]
    except OSError:
        pass
    try:
        return f"(apronpy {metadata.version('apronpy')})"
    except metadata.PackageNotFoundError:
        return None


class _Session(threading.local):
    """What one thread needs: its manager, environments and built expressions."""

    def __init__(self, library: ApronLibrary, kind: Kind) -> None:
        self.library = library
        mode = library.c.fegetround()
        self.manager = library.managers[kind]()
        library.c.fesetround(mode)
        self.environment = lru_cache(maxsize=None)(self._environment)
        self.expression = lru_cache(maxsize=CACHED_EXPRESSIONS)(self._expression)
        self.array = lru_cache(maxsize=CACHED_EXPRESSIONS)(self._array)

    def variable(self, v: int) -> Any:
        return self.library.variable(_name(v))

    def _environment(self, n: int) -> Any:
        return self.library.environment([self.variable(v) for v in range(n)])

    def _expression(self, n: int, lin: LinExpr) -> Any:
        result = self.library.expression(self.environment(n))
        for v, k in lin[0]:
            assert 0 <= v < n, "an unknown variable would crash APRON"
            result.set_coeff(self.variable(v), self.library.number(k))
        result.set_cst(self.library.number(lin[1]))
        return result

    def _array(self, n: int, constraints: tuple[Constraint, ...]) -> Any:
        relations = {">=": self.library.relations.AP_CONS_SUPEQ, "==": self.library.relations.AP_CONS_EQ}
        made = [self.library.constraint(relations[relation], self.expression(n, lin)) for lin, relation in constraints]
        return self.library.array(made, self.environment(n))


def _name(v: int) -> str:
    """A name that sorts like the index: APRON orders the variables of an environment as text."""
    return f"v{v:08d}"


class ApronValue:
    """A non-empty APRON value over n variables, bound to the thread that made it."""

    __slots__ = ("_abstract", "_hash", "n", "session", "widenings")

    def __init__(self, session: _Session, n: int, abstract: Any, widenings: int = 0) -> None:
        self.session = session
        self.n = n
        self._abstract = abstract
        self.widenings = widenings
        self._hash: int | None = None

    @property
    def abstract(self) -> Any:
        """The apronpy object. *Raises*: `RuntimeError` in any other thread, where using it could crash the process."""
        if self._abstract.manager is not self.session.manager:
            raise RuntimeError("an APRON value was used outside of the thread that made it")
        return self._abstract

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ApronValue) and self.n == other.n and bool(self.abstract == other.abstract)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple([_bounds(self, (((v, 1),), 0)) for v in range(self.n)]))
        return self._hash

    def __repr__(self) -> str:
        return f"ApronValue({self.abstract!r})"


def _bounds(a: ApronValue, lin: LinExpr) -> tuple[Bound, Bound]:
    library = a.session.library
    # The wrapper frees the interval when it goes, so it has a name until both bounds are read.
    wrapper = a.abstract.bound_linexpr(a.session.expression(a.n, lin))
    interval = wrapper.interval.contents
    lo = library.bound(interval.inf.contents, lambda p, q: -(-p // q), -inf)
    hi = library.bound(interval.sup.contents, lambda p, q: p // q, inf)
    del wrapper
    return lo, hi


AnyValue: TypeAlias = ApronValue | Bottom


class ApronDomain:
    """A `NumericDomain` computed by APRON."""

    def __init__(self, library: ApronLibrary, kind: Kind) -> None:
        self.name: str = kind
        self._library = library
        self._session = _Session(library, kind)

    def _wrap(self, n: int, raw: Any, widenings: int = 0) -> AnyValue:
        abstract = raw if isinstance(raw, self._library.value) else self._library.value(self._session.manager, raw)
        return BOTTOM if abstract.is_bottom() else ApronValue(self._session, n, abstract, widenings)

    def top(self, n: int) -> AnyValue:
        return self._wrap(n, self._library.value(self._session.manager, self._session.environment(n)))

    def bottom(self, n: int) -> AnyValue:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: AnyValue) -> bool:
        """Whether APRON sees that the value is empty (it does not round to integers)."""
        return a is BOTTOM

    def leq(self, a: AnyValue, b: AnyValue) -> bool:
        if a is BOTTOM or a is b:
            return True
        if b is BOTTOM:
            return False
        assert a.n == b.n
        return bool(a.abstract <= b.abstract)

    def join(self, a: AnyValue, b: AnyValue) -> AnyValue:
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        assert a.n == b.n
        return self._wrap(a.n, a.abstract.join(b.abstract))

    def meet(self, a: AnyValue, b: AnyValue) -> AnyValue:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        assert a.n == b.n
        return self._wrap(a.n, a.abstract.meet(b.abstract))

    def widen(self, a: AnyValue, b: AnyValue, thresholds: tuple[int, ...] = ()) -> AnyValue:
        if a is BOTTOM:
            return b
        if b is BOTTOM or self.leq(b, a):
            return a
        assert a.n == b.n
        if not thresholds or a.widenings >= MAX_THRESHOLD_WIDENINGS:
            return self._wrap(a.n, a.abstract.widening(b.abstract), a.widenings + 1)
        limits: list[Constraint] = [
            (lin, ">=") for v in range(a.n) for t in thresholds for lin in ((((v, 1),), -t), (((v, -1),), t))
        ]
        array = self._session.array(a.n, tuple(limits))
        raw = self._library.widen_thresholds(self._session.manager, a.abstract, b.abstract, array)
        return self._wrap(a.n, raw, a.widenings + 1)

    def narrow(self, a: AnyValue, b: AnyValue) -> AnyValue:
        """The value a with the finite bounds of b where a has none."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        added: list[Constraint] = []
        for terms in self._directions(a.n):
            (a_lo, a_hi), (lo, hi) = _bounds(a, (terms, 0)), _bounds(b, (terms, 0))
            added += between(terms, lo if a_lo == -inf else -inf, hi if a_hi == inf else inf)
        return self._meet_all(a, added) if added else a

    def _directions(self, n: int) -> Iterable[tuple[tuple[int, int], ...]]:
        return [terms for terms in octagonal_terms(n) if len(terms) == 1 or self.name == "octagon"]

    def _meet_all(self, a: ApronValue, constraints: Iterable[Constraint]) -> AnyValue:
        array = self._session.array(a.n, tuple(constraints))
        return self._wrap(a.n, a.abstract.meet(array), a.widenings)

    def assign(self, a: AnyValue, v: int, lin: LinExpr) -> AnyValue:
        if a is BOTTOM:
            return a
        assert 0 <= v < a.n
        return self._wrap(a.n, a.abstract.assign(self._session.variable(v), self._session.expression(a.n, lin)))

    def assign_interval(self, a: AnyValue, v: int, lo: Bound, hi: Bound) -> AnyValue:
        if a is BOTTOM or lo > hi:
            return BOTTOM
        if isinstance(lo, int) and lo == hi:
            return self.assign(a, v, constant(lo))
        return self.meet_constraints(self.forget(a, (v,)), between(((v, 1),), lo, hi))

    def forget(self, a: AnyValue, variables: tuple[int, ...]) -> AnyValue:
        if a is BOTTOM or not variables:
            return a
        assert all(0 <= v < a.n for v in variables)
        return self._wrap(a.n, a.abstract.forget([self._session.variable(v) for v in variables]))

    def meet_constraints(self, a: AnyValue, constraints: tuple[Constraint, ...]) -> AnyValue:
        if a is BOTTOM:
            return a
        tightened = [tighten(constraint) for constraint in constraints]
        if FALSE in tightened:
            return BOTTOM
        remaining = [constraint for constraint in tightened if constraint != TRUE]
        return self._meet_all(a, remaining) if remaining else a

    def bound(self, a: AnyValue, v: int) -> tuple[Bound, Bound]:
        assert a is not BOTTOM
        return _bounds(a, (((v, 1),), 0))

    def bound_linear(self, a: AnyValue, lin: LinExpr) -> tuple[Bound, Bound]:
        assert a is not BOTTOM
        return _bounds(a, lin)

    def change_variables(self, a: AnyValue, mapping: tuple[int | None, ...], n: int) -> AnyValue:
        """The value over renamed variables. *Requires*: no two variables map to the same one."""
        if a is BOTTOM:
            return a
        assert len(mapping) == a.n
        size = len(mapping)
        names = ctypes.c_char_p * size
        old = names(*[_name(v).encode() for v in range(size)])
        # Dropped variables get names that clash with nothing until the new environment removes them.
        new = names(*[(f"d{v}" if t is None else _name(t)).encode() for v, t in enumerate(mapping)])
        manager = self._session.manager
        renamed = self._library.value(manager, self._library.rename(manager, False, a.abstract, old, new, size))
        environment = self._session.environment(n)
        return self._wrap(n, self._library.change_environment(manager, False, renamed, environment, False))

    def constraints(self, a: AnyValue) -> tuple[Constraint, ...]:
        """The finite bounds of single variables and, for octagons, of pairs where they say more."""
        if a is BOTTOM:
            return (FALSE,)
        result: list[Constraint] = []
        single: list[tuple[Bound, Bound]] = [self.bound(a, v) for v in range(a.n)]
        for terms in self._directions(a.n):
            lo, hi = _bounds(a, (terms, 0))
            if len(terms) == 2:
                (v, _), (w, sign) = terms
                other = single[w] if sign > 0 else negate(single[w])
                known_lo, known_hi = add(single[v], other)
                lo, hi = (lo if lo > known_lo else -inf), (hi if hi < known_hi else inf)
            result += between(terms, lo, hi)
        return tuple(result)
