"""Functions that GNU compilers build in, as system headers use them, and the few of the C library behind its macros."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from duet.frontend.cells.access import read, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, fit, snapshot
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import Reads
from duet.frontend.ctypes.origins import EXTERNAL, UNKNOWN_POINTER, Content, Origins, Passed
from duet.frontend.ctypes.signatures import BUILTIN
from duet.frontend.ctypes.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    UINT,
    ULLONG,
    USHORT,
    VOID,
    VOID_POINTER,
    Choice,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    chosen,
    is_scalar,
    plain,
    words,
)
from duet.frontend.ctypes.values import Address, Number, Place, Temporary, Untracked, literal, of_term
from duet.frontend.expressions import expr
from duet.frontend.expressions.choice import mapped
from duet.frontend.expressions.known import known_type
from duet.frontend.form.selection import may_be_same
from duet.frontend.form.walk import has_effects, is_plain_constant
from duet.frontend.models.call import Call, Model, answer, done, either
from duet.frontend.models.record import LibraryFunction
from duet.plip.syntax import Havoc
from duet.plip.terms import add, compare, conjunction, constant, scale, variable


def first(ctx: Context, call: Call) -> list[Outcome]:
    """`__builtin_assume_aligned(e, ...)` gives its first argument back."""
    if len(call.arguments) > 1 and not any(has_effects(item) for item in call.arguments[1:]):
        return expr.outcomes(ctx, call.arguments[0])
    return answer(ctx, call.evaluate_all(ctx)[0])


def expected(ctx: Context, call: Call) -> list[Outcome]:
    """`__builtin_expect(e, ...)` and the like give their first argument back as a `long`."""
    return mapped(ctx, first(ctx, call), lambda value: convert(ctx, value, ctx.data.long, call.node))


def constant_p(ctx: Context, call: Call) -> list[Outcome]:
    """`__builtin_constant_p(e)`: 1 for a plain constant, else either (`e` is not evaluated)."""
    return answer(ctx, 1) if is_plain_constant(call.arguments[0]) else either(ctx, 0, 1)


def object_size(ctx: Context, _: Call) -> list[Outcome]:
    """`__builtin_object_size(e, n)`: any size; `e` is not evaluated."""
    return answer(ctx, ctx.havoc(ctx.data.size))


def types_compatible(ctx: Context, call: Call) -> list[Outcome]:
    """`__builtin_types_compatible_p(T, U)`; either where the types here say less than those of C."""
    left, right = (known_type(ctx, item.type) for item in call.arguments)
    if not may_be_same(left, right):
        return answer(ctx, 0)
    is_known = isinstance(left, StructType | FloatType | VoidType)
    return answer(ctx, 1) if is_known and left == right else either(ctx, 0, 1)


def bounded(of: CType | Choice, lo: int | None = None, hi: int | None = None) -> Model:
    """Any value of a type, or in a range of it."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        call.evaluate_all(ctx)
        kind = chosen(of, ctx.data) or VOID
        if lo is None or hi is None:
            return answer(ctx, ctx.havoc(kind) if is_scalar(kind) else Untracked(kind))
        ctx.builder.flush()
        name = ctx.temporary(kind)
        ctx.builder.emit(Havoc(name, lo, hi))
        return answer(ctx, of_term(variable(name), kind, lo, hi))

    return model


def counted(of: Choice, most: int, count: Callable[[int, int], int | None]) -> Model:
    """What counts bits of a number of a type: exact for a constant, else less than its width, or up to it."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        kind = of(ctx.data)
        assert isinstance(kind, IntType)
        width = kind.width
        given = call.arguments[0] if call.arguments else None
        value = expr.rvalue(ctx, given) if given is not None and not has_effects(given) else None
        known = value.constant if isinstance(value, Number) and not value.origins else None
        result = count(width, known % (1 << width)) if known is not None else None
        return bounded(INT, 0, width - 1 + most)(ctx, call) if result is None else answer(ctx, result)

    return model


def _first_bit(_: int, bits: int) -> int:
    """The number of the lowest bit that is set, from 1 on; 0 where there is none."""
    return (bits & -bits).bit_length()


def _leading(width: int, bits: int) -> int | None:
    """How many bits are above the highest one that is set; not defined where there is none."""
    return width - bits.bit_length() if bits else None


def _trailing(_: int, bits: int) -> int | None:
    """How many bits are below the lowest one that is set; not defined where there is none."""
    return (bits & -bits).bit_length() - 1 if bits else None


def _redundant(width: int, bits: int) -> int:
    """How many bits behind the sign are the same."""
    return width - (bits if not bits >> (width - 1) else ~bits % (1 << width)).bit_length() - 1


def _set_bits(_: int, bits: int) -> int:
    """How many bits are set."""
    return bits.bit_count()


def swapped(kind: IntType) -> Model:
    """`__builtin_bswapN`: exact for a constant."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        found = call.number(ctx, 0)
        if found.constant is None:
            return answer(ctx, ctx.havoc(kind))
        data = (found.constant % (1 << kind.width)).to_bytes(kind.size, "little")
        return answer(ctx, literal(int.from_bytes(data, "big"), kind))

    return model


def overflowing(operator: str, of: Choice | None = None) -> Model:
    """`__builtin_add_overflow(a, b, &r)`: `r` is the wrapped result, the value says whether that is not the exact one.

    `of` is the type of the operands where the name says it. *Approximates*: over for products of two unknowns.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        left, right = call.number(ctx, 0), call.number(ctx, 1)
        kind = of(ctx.data) if of is not None else None
        if isinstance(kind, IntType):
            left, right = fit(ctx, left, kind), fit(ctx, right, kind)
        target = call.target(ctx, 2)
        exact = _exact(operator, left, right)
        if exact is None or not isinstance(target.type, IntType):
            write(ctx, target, ctx.havoc(target.type), call.node)
            return either(ctx, 0, 1)
        kept = snapshot(ctx, exact)
        assert isinstance(kept, Number)
        kind_of_result = plain(target.type)
        lo, hi = kind_of_result.lo, kind_of_result.hi
        fits = conjunction((compare(kept.term, ">=", constant(lo)), compare(kept.term, "<=", constant(hi))))
        ctx.builder.flush()
        yes, no = ctx.builder.branch(fits)
        found: list[Outcome] = []
        low, high = max(lo, kept.lo), min(hi, kept.hi)
        inside = of_term(kept.term, kind_of_result, low, high) if low <= high else kept
        for way, value, flag in ((yes, inside, 0), (no, kept, 1)):
            ctx.builder.at(way)
            write(ctx, target, value, call.node, is_kept=True)
            ctx.builder.flush()
            found.append((ctx.builder.current, literal(flag)))
        return found

    return model


def _exact(operator: str, left: Number, right: Number) -> Number | None:
    """The mathematical result; None for a product of two numbers that are not known, or of addresses."""
    if left.origins or right.origins:
        return None
    if operator != "*":
        sign = 1 if operator == "+" else -1
        lo, hi = sorted((sign * right.lo, sign * right.hi))
        return of_term(add(left.term, right.term, sign), INT128, left.lo + lo, left.hi + hi)
    if left.constant is not None:
        left, right = right, left
    if right.constant is None:
        return None
    lo, hi = sorted((left.lo * right.constant, left.hi * right.constant))
    return of_term(scale(left.term, right.constant), INT128, lo, hi)


def start_arguments(ctx: Context, call: Call) -> list[Outcome]:
    """`va_start(list, last)`: memory outside, and what was passed to the function that is executed; no null pointer."""
    place = call.place(ctx, 0)
    if isinstance(place.type, PointerType):
        holder = Passed(ctx.thread.frame.function)
        passed: Origins = ctx.facts.pointers.held(holder) | {EXTERNAL, Content(holder)}
        _begin(ctx, place, passed, call)
    return done(ctx)


def copy_arguments(ctx: Context, call: Call) -> list[Outcome]:
    """`va_copy(list, other)`: what the other list leads to."""
    place, other = call.place(ctx, 0), call.place(ctx, 1)
    if isinstance(place.type, PointerType):
        value = read(ctx, other, call.node)
        passed = value.origins | {EXTERNAL} if isinstance(value, Number) else UNKNOWN_POINTER
        _begin(ctx, place, passed, call)
    return done(ctx)


def _begin(ctx: Context, place: Place, passed: Origins, call: Call) -> None:
    given = ctx.havoc(place.type, passed)
    ctx.builder.assume(compare(given.term, ">", constant(0)))
    write(ctx, place, given, call.node)


def nothing(ctx: Context, call: Call) -> list[Outcome]:
    """A function that has no effect on the program."""
    call.evaluate_all(ctx)
    return done(ctx)


def outside(ctx: Context, call: Call) -> list[Outcome]:
    """A pointer to memory that no object of the program is part of, such as a stack frame."""
    call.evaluate_all(ctx)
    return answer(ctx, ctx.havoc(VOID_POINTER, frozenset((EXTERNAL,))))


def error_number(ctx: Context, _: Call) -> list[Outcome]:
    """`__errno_location()`: where `errno` is, which holds anything at any time; so does `h_errno`, a thread's own."""
    ctx.builder.flush()
    return answer(ctx, Address(Temporary(INT), PointerType(INT)))


_INTEGERS = {"": words("int"), "l": words("long"), "ll": words("long long")}
_OPERANDS = {
    **{f"s{end}": words(f"{end.replace('l', 'long ')}int") for end in _INTEGERS},
    **{f"u{end}": words(f"unsigned {end.replace('l', 'long ')}int") for end in _INTEGERS},
}
_SIZE: Choice = attrgetter("size")
_FLOATS: dict[str, CType | Choice] = {"": DOUBLE, "f": FLOAT, "l": words("long double")}
_OPERATORS = (("add", "+"), ("sub", "-"), ("mul", "*"))


def _bits(name: str, most: int, count: Callable[[int, int], int | None]) -> tuple[LibraryFunction, ...]:
    """What counts some bits of a number: less than its width, or up to it with `most` of 1."""
    return tuple(LibraryFunction(f"{name}{end}", counted(kind, most, count)) for end, kind in _INTEGERS.items())


def _each(end: str, called: str) -> str:
    return " ".join(f"{BUILTIN}{name}{end}" for name in called.split())


BUILTINS: tuple[LibraryFunction, ...] = (
    LibraryFunction("__builtin_expect __builtin_expect_with_probability", expected),
    LibraryFunction("__builtin_assume_aligned", first),
    LibraryFunction("__builtin_constant_p", constant_p, result=INT),
    LibraryFunction("__builtin_types_compatible_p", types_compatible, result=INT),
    LibraryFunction("__builtin_ia32_rdtsc", bounded(words("unsigned long long")), result=words("unsigned long long")),
    LibraryFunction("__builtin_object_size __builtin_dynamic_object_size", object_size, result=_SIZE),
    *(LibraryFunction(f"{BUILTIN}bswap{kind.width}", swapped(kind)) for kind in (USHORT, UINT, ULLONG)),
    *_bits(f"{BUILTIN}clz", 0, _leading),
    *_bits(f"{BUILTIN}ctz", 0, _trailing),
    *_bits(f"{BUILTIN}clrsb", 0, _redundant),
    *_bits(f"{BUILTIN}popcount", 1, _set_bits),
    *_bits(f"{BUILTIN}ffs", 1, _first_bit),
    *_bits("ffs", 1, _first_bit),
    *(LibraryFunction(f"{BUILTIN}parity{end}", bounded(INT, 0, 1)) for end in _INTEGERS),
    *(LibraryFunction(f"{BUILTIN}{name}_overflow", overflowing(sign), result=BOOL) for name, sign in _OPERATORS),
    *(
        LibraryFunction(f"{BUILTIN}{prefix[0]}{name}{prefix[1:]}_overflow", overflowing(sign, kind), result=BOOL)
        for name, sign in _OPERATORS
        for prefix, kind in _OPERANDS.items()
    ),
    LibraryFunction("__builtin_prefetch", nothing, result=VOID),
    LibraryFunction(
        "__builtin_ia32_pause __builtin_ia32_lfence __builtin_ia32_mfence __builtin_ia32_sfence", nothing, result=VOID
    ),
    LibraryFunction("__duet_va_end", nothing, reads=Reads.NOTHING, takes_places=True, result=VOID),
    LibraryFunction("__duet_va_start", start_arguments, reads=Reads.NOTHING, takes_places=True, result=VOID),
    LibraryFunction("__duet_va_copy", copy_arguments, reads=Reads.NOTHING, takes_places=True, result=VOID),
    LibraryFunction("__builtin_frame_address __builtin_return_address __builtin_extract_return_addr", outside),
    *(
        LibraryFunction(_each(end, "nan nans inf huge_val fabs copysign sqrt"), bounded(kind))
        for end, kind in _FLOATS.items()
    ),
    LibraryFunction(
        _each("", "isnan isinf isinf_sign isfinite isnormal signbit signbitf signbitl"), bounded(INT), result=INT
    ),
    LibraryFunction(_each("", "isgreater isgreaterequal isless islessequal islessgreater"), bounded(INT), result=INT),
    LibraryFunction(_each("", "isunordered fpclassify"), bounded(INT), result=INT),
    LibraryFunction("__errno_location __h_errno_location", error_number, result=PointerType(INT)),
)
"""Other functions of the library behind `__builtin_` are modelled as those without it."""
