"""Names of functions that are alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ASSERTIONS = frozenset(("assert", "__VERIFIER_assert", "__goblint_check", "__goblint_assert"))
ASSUMPTIONS = frozenset(("assume", "__VERIFIER_assume", "assume_abort_if_not", "__duet_assume"))
FAILURES = frozenset(("reach_error", "__VERIFIER_error", "__assert_fail"))
CHECKS = ASSERTIONS | ASSUMPTIONS | {"BUG_ON"}
"""Checks and assumptions: calls that may be repeated on several paths, since they only look."""

_FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log"),
    *("log2", "log10", "log1p", "pow", "sqrt", "cbrt", "hypot", "floor", "ceil", "trunc", "round", "rint", "nearbyint"),
    *("fabs", "fmod", "fmin", "fmax", "fdim", "copysign", "ldexp", "scalbn", "logb", "erf", "erfc", "tgamma"),
    *("remainder", "nextafter"),
)
FLOATING: Mapping[str, str] = MappingProxyType(
    {f"{name}{end}": code for name in _FUNCTIONS for end, code in (("", "d"), ("f", "f"), ("l", "e"))}
)
"""Functions of numbers with a result of a floating type: `d`ouble, `f`loat, or an `e`xtended one."""
