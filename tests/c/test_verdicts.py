"""The analyzer's verdicts on the bundled programs are those written in their comments.

Soundness first: a check marked `UNSAFE!` is never proved, with any domain. Then precision: what is marked `SAFE` is
proved, what is marked `UNKNOWN` is not (else the mark is out of date).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from domains.registry import available
from duet.cli import cli
from duet.options import DOMAINS
from tests.c.annotations import AnnotatedProgram, Annotation, Expected, bundled, name
from tests.c.samples import of_each_topic

PROVED = frozenset({"proved", "unreachable"})
# What the analyzer has; a check that needs something else must be unproved, so that the day it comes is noticed.
FEATURES = frozenset({"octagon", "refinement"})
DEFAULT_DOMAIN = "auto"
HAS_POLYHEDRA = any(library.name == "ppl" and library.version for library in available())

Verdicts = Mapping[int, tuple[str, ...]]


def runs() -> Iterator[ParameterSet]:
    """Every program with every domain; without `--slow` a short one of each topic with its own domain.

    Every sixth one of these has another domain, too. The default domain unites what the others prove, so that little
    can be wrong in another one only. Polyhedra, which few have, may take minutes.
    """
    taken = of_each_topic(bundled())
    for program in bundled():
        own = program.option("domain") or DEFAULT_DOMAIN
        usable = [domain for domain in DOMAINS if domain != "polyhedra" or HAS_POLYHEDRA]
        others = [domain for domain in usable if domain not in (own, "polyhedra")]
        index = taken.index(name(program)) if name(program) in taken else None
        for domain in usable:
            in_turn = index is not None and not index % 6 and domain == others[index // 6 % len(others)]
            is_taken = index is not None and (domain == own or in_turn)
            marks = () if is_taken else (pytest.mark.slow,)
            yield pytest.param(program, domain, marks=marks, id=f"{name(program)}-{domain}")


@pytest.mark.parametrize(("program", "domain"), tuple(runs()))
def test_verdicts(program: AnnotatedProgram, domain: str) -> None:
    verdicts = analyze(program, domain)
    assert not list(unsound(program, verdicts)), "UNSOUND"
    kept = [line for line in program.lines(Expected.SAFE) if "data-race" in (program.option("properties") or "")]
    without = () if domain == (program.option("domain") or DEFAULT_DOMAIN) else kept
    assert not list(missing(program, verdicts, without)), "checks and annotations differ"
    if domain == (program.option("domain") or DEFAULT_DOMAIN):
        assert not list(imprecise(program, verdicts)), "unexpected verdicts"


def analyze(program: AnnotatedProgram, domain: str) -> Verdicts:
    """The verdicts on a program's checks by line."""
    arguments = [a for a in program.arguments if not a.startswith("--domain=")]
    command = ["analyze", str(program.path), *arguments, f"--domain={domain}", "--no-verify", "--format=json"]
    outcome = CliRunner().invoke(cli, command)
    assert outcome.exit_code in (0, 1), outcome.output
    report = json.loads(outcome.stdout)
    assert report["status"] == "complete"
    verdicts: dict[int, list[str]] = defaultdict(list)
    for assertion in report["assertions"]:
        for line in {assertion["line"], *(access["stack"][-1]["line"] for access in assertion["accesses"])}:
            verdicts[line].append(assertion["status"])
    return {line: tuple(found) for line, found in verdicts.items()}


def unsound(program: AnnotatedProgram, verdicts: Verdicts) -> Iterator[str]:
    """The checks that fail in some execution and yet are proved."""
    for line in program.lines(Expected.UNSAFE):
        if PROVED.intersection(verdicts.get(line, ())):
            yield f"{program.path}:{line}: {verdicts[line]}, but it can fail"


def missing(program: AnnotatedProgram, verdicts: Verdicts, without: Iterable[int] = ()) -> Iterator[str]:
    """Annotated lines without a check, and lines with a check of the program's own without an annotation.

    `without` may have none: that a cell has no race has a line only where it is proved, which one domain may not do.
    """
    annotated = {annotation.line for annotation in program.annotations}
    for line in sorted(annotated - verdicts.keys() - set(without)):
        yield f"{program.path}:{line}: annotated, but no check was found there"
    implicit = program.option("properties") is not None
    for line in sorted(() if implicit else verdicts.keys() - annotated):
        yield f"{program.path}:{line}: check without annotation"


def imprecise(program: AnnotatedProgram, verdicts: Verdicts) -> Iterator[str]:
    """Differences of precision between annotations and verdicts."""
    for annotation in program.annotations:
        found = set(verdicts.get(annotation.line, ()))
        is_open = annotation.expected is Expected.UNKNOWN and "unproved" in found  # if some of its checks are proved
        if not is_open and not found <= admitted(annotation):
            wanted = f"{annotation.expected} ({annotation.reason})" if annotation.reason else annotation.expected
            yield f"{program.path}:{annotation.line}: {wanted}, found {sorted(found)}"


def admitted(annotation: Annotation) -> frozenset[str]:
    """The verdicts that fit an annotation."""
    unproved = frozenset({"unproved", "refuted"})
    match annotation.expected:
        case Expected.SAFE if not annotation.needs or annotation.needs in FEATURES:
            return PROVED
        case Expected.SAFE | Expected.UNKNOWN:
            return frozenset({"unproved"})
        case Expected.UNREACHABLE:
            return frozenset({"unreachable"})
        case Expected.UNSAFE:
            return unproved


def test_each_kind_of_wrong_verdict_is_reported() -> None:
    program = next(p for p in bundled() if name(p) == "locks/static_mutex")
    truth = {10: ("proved",), 12: ("proved",), 22: ("proved",), 23: ("unproved",)}
    assert [a.line for a in program.annotations] == sorted(truth)
    assert not [*unsound(program, truth), *missing(program, truth), *imprecise(program, truth)]
    assert list(unsound(program, {**truth, 23: ("proved",)}))
    assert list(unsound(program, {**truth, 23: ("unreachable",)}))
    assert list(missing(program, {line: v for line, v in truth.items() if line != 12}))
    assert list(missing(program, {**truth, 24: ("proved",)}))
    assert list(imprecise(program, {**truth, 12: ("proved", "unproved")}))
