"""Random Boolean programs: what is proved never fails and what is refuted does, by an interpreter of their text."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from duet.boolean import formulas
from duet.boolean.body import Body
from duet.boolean.reader import parse
from duet.clock import Clock
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import TRUE
from duet.reading import read
from duet.result import Status
from tests.boolean.interpreter import Interpreter

PROGRAMS = 60
FLAT = (
    "decl g;\nvoid main() begin\ng := F;\nstart_thread goto 9;\natomic_begin;\ng := T;\ng := F;\natomic_end;\n"
    "end_thread;\n9: assert(!g);\nend",
    "decl g;\nvoid main() begin\ng := F;\ng := (g | F) ^ T;\nassert(g);\ng := (g & T) ^ T;\nassert(g);\nend",
)
_SHARED, _OWN = ("g", "h"), ("x", "y")


def expression(rng: Random, depth: int = 2, names: tuple[str, ...] = (*_SHARED, *_OWN)) -> str:
    if depth == 0 or rng.random() < 0.35:
        return rng.choice((*names, *names, "*", "T", "F"))
    match rng.randrange(4):
        case 0:
            return f"!{expression(rng, depth - 1, names)}"
        case 1:
            return f"schoose[{expression(rng, depth - 1, names)}, {expression(rng, depth - 1, names)}]"
        case _:
            operator = rng.choice(("&", "|", "^", "=", "!=", "=>"))
            return f"({expression(rng, depth - 1, names)} {operator} {expression(rng, depth - 1, names)})"


def assignment(rng: Random) -> str:
    targets = rng.sample((*_SHARED, *_OWN), rng.choice((1, 1, 2)))
    text = f"{', '.join(targets)} := {', '.join(expression(rng) for _ in targets)}"
    if rng.random() < 0.3:
        names = (*_SHARED, *_OWN, *(f"'{target}" for target in targets))
        text += f" constrain {expression(rng, 1, names)}"
    return text


def random_program(seed: int) -> str:
    """Two parts of statements with labels: those of main, and those that threads start at."""
    rng = Random(seed)
    lines = [f"decl {', '.join(_SHARED)};", "void main() begin", f"decl {', '.join(_OWN)};", "h, x := F, T;"]
    lines += ["start_thread goto 9;"] * rng.choice((1, 1, 1, 2))
    length, is_inside = 4, False
    for number in range(1, length + 6):
        if number == length:
            lines += ["atomic_end;"] * is_inside + ["8: end_thread;", "9: skip;"]
            is_inside = False
        first = "" if is_inside else f"{100 + number}: "
        kind = rng.random()
        if kind < 0.45:
            lines.append(f"{first}{assignment(rng)};")
        elif kind < 0.6:
            lines.append(f"{first}assume({expression(rng)});")
        elif kind < 0.75:
            lines.append(f"{first}assert({expression(rng)});")
        elif kind < 0.85 and not is_inside:
            lines.append(f"{first}if {expression(rng)} then goto 8, {100 + number}; fi;")
        elif not is_inside:
            lines.append(f"{first}atomic_begin;")
            is_inside = True
        else:
            lines.append("atomic_end;")
            is_inside = False
    lines += ["atomic_end;"] * is_inside
    return "\n".join((*lines, "end"))


@cache
def failing(text: str) -> frozenset[int]:
    """The lines of the assertions of a text that fail."""
    return Interpreter(parse(text, "p.bp")).run()


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_the_program_does_what_the_text_says(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert _agrees(random_program(seed), tmp_path_factory)


@pytest.mark.parametrize("text", FLAT)
def test_flat_programs(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert _agrees(text, tmp_path_factory)


@pytest.mark.parametrize("seed", range(PROGRAMS // 4))
@pytest.mark.parametrize("is_parameterized", [False, True])
def test_verdicts(seed: int, is_parameterized: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = random_program(seed)
    path = tmp_path_factory.mktemp("bp") / "p.bp"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(parameterized=is_parameterized)
    job = Job((str(path),), options, AnalysisOptions(timeout=6.0, verify=True), is_thorough=True)
    run = perform(job, lambda _: None)
    proved = {a.check.line for a in run.assertions if a.status in (Status.PROVED, Status.UNREACHABLE)}
    refuted = {a.check.line for a in run.assertions if a.status is Status.REFUTED}
    found = failing(text)
    assert not proved & found
    if not is_parameterized:
        assert refuted <= found


def _agrees(text: str, factory: pytest.TempPathFactory) -> bool:
    """Whether what was made of a text fails where the text does; no more than that where a limit was met."""
    path = factory.mktemp("bp") / "p.bp"
    path.write_text(text, encoding="utf-8")
    program = read((str(path),), FrontendOptions(), Clock()).program
    found = explore(program, Limits(threads=4, states=20_000))
    lines = {check.line for check in found.failures}
    return lines <= failing(text) and (found.truncated or lines == failing(text))


@pytest.mark.parametrize("defect", ["choice", "constraint", "atomic", "at once"])
def test_a_defect_is_noticed(
    defect: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if defect == "choice":
        monkeypatch.setattr(formulas, "conjunction", lambda _: TRUE)
    elif defect == "constraint":
        right = Body._assign
        monkeypatch.setattr(Body, "_assign", lambda self, cells, values, _=None: right(self, cells, values))
    elif defect == "atomic":
        monkeypatch.setattr("duet.boolean.body.inside", lambda *_: frozenset())
    else:
        monkeypatch.setattr("duet.boolean.body.names_in", lambda _: ())
    assert not all(_agrees(text, tmp_path_factory) for text in (*FLAT, *map(random_program, range(PROGRAMS))))
