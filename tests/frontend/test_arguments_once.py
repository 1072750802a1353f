"""Each argument of a library function is evaluated exactly once, whatever the function does with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.ctypes.types import LP64, CType, FunctionType, IntType, PointerType
from duet.frontend.lower import lower
from duet.frontend.models.effects import Effect
from duet.frontend.models.prototypes import library_prototype
from duet.frontend.models.table import TABLE, describe
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions

IN_A_PROGRAM = 10
START = "extern int __VERIFIER_nondet_int(void);\nvoid *memory[64];\n"


def _argument(kind: CType) -> str | None:
    """A value for a parameter; None for a type of which none is made up."""
    match kind:
        case PointerType(FunctionType()):
            return "0"
        case PointerType():
            return "(void *)memory"
        case IntType():
            return "1"
        case _:
            return None


def _is_told_by_data(name: str) -> bool:
    """Whether what a function does is told by data, which one model reads for all of them."""
    model = getattr(describe(name), "model", None)
    return isinstance(getattr(model, "__self__", model), Effect)


def _calls() -> list[tuple[str, list[str]]]:
    """The functions with models of their own, and arguments for each."""
    found = []
    for name in TABLE:
        known, kind = describe(name), library_prototype(name, LP64)
        if (
            known is None
            or name.startswith("__duet_")
            or known.control
            or known.role
            or known.is_of_kernel
            or kind is None
            or kind.parameters is None
        ):
            continue
        given = [_argument(parameter) for parameter in kind.parameters]
        if given and not _is_told_by_data(name) and None not in given:
            found.append((name, [one for one in given if one is not None]))
    return found


def _function(name: str, given: list[str]) -> str:
    counts = [f"c{at}" for at in range(len(given))]
    passed = ", ".join(f"({count}++, {one})" for count, one in zip(counts, given, strict=True))
    claims = "".join(f"assert({count} == 1); " for count in counts)
    return f"static void try_{name}(void) {{ int {' = 0, '.join(counts)} = 0; {name}({passed}); {claims}}}\n"


CALLS = _calls()
BATCHES = [CALLS[at : at + IN_A_PROGRAM] for at in range(0, len(CALLS), IN_A_PROGRAM)]


@pytest.mark.parametrize(
    "calls", [pytest.param(one, marks=pytest.mark.slow if at % 8 else (), id=f"{at}") for at, one in enumerate(BATCHES)]
)
def test_arguments_are_evaluated_once(calls: list[tuple[str, list[str]]], tmp_path: Path) -> None:
    functions = "".join(_function(*call) for call in calls)
    tried = "".join(f"if (__VERIFIER_nondet_int()) try_{name}();\n" for name, _ in calls)
    source, options = tmp_path / "a.c", FrontendOptions()
    source.write_text(f"{START}{functions}int main(void) {{ {tried} }}\n")
    program = lower(parse(preprocess(str(source), options).text, str(source), options), options).program
    found = analyse(program, AnalysisOptions()).statuses
    assert [one for one in found if not one.is_safe] == []
