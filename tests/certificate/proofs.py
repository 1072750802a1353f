"""Certificates of programs given as text or at random, and what is really true of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from duet.certificate.check import Outcome, check
from duet.certificate.document import Certificate, CubeLayer, Phrase, read, render
from duet.certificate.emit import Subject, certificate
from duet.certificate.established import Established
from duet.certificate.inductive import Inductive
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.layers import LayerCheck
from duet.certificate.meeting import Meeting
from duet.certificate.reading import Reader
from duet.certificate.reduced import Refusal, reduced
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.execute import Value
from duet.plip.parser import parse_program, read_program
from duet.plip.semantics import Exploration
from duet.plip.syntax import Assert, Program
from duet.plip.terms import formula_cells, satisfies
from duet.result import Check

KEPT = Path(__file__).parents[1] / "soundness" / "kept"
LOCKED = """
global m = 0  global x = 0
thread main { while (*) { spawn w } }
thread w { acquire m  x := 1  x := 0  assert x == 0  release m }
"""
EXACT = "global x = 0 thread main { local r  x := 1  r := x  assert r == 1  check r == 2 }"


def checks_of(program: Program) -> tuple[Check, ...]:
    found = {c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)}
    return tuple(sorted(found))


def made(program: Program, options: AnalysisOptions, everywhere: bool = False, is_whole: bool = False) -> Certificate:
    """The certificate of a program, through its text form."""
    analysis = analyse(program, options, everywhere, is_shown=True)
    verdicts = assertions(analysis, checks_of(program))
    subject = Subject((), FrontendOptions(), program)
    return read(render(certificate(subject, analysis, verdicts, is_whole)))


def checked(proof: Certificate, program: Program) -> Outcome:
    return check(proof, program, checks_of(program))


def nothing_known(program: Program) -> Established:
    knowledge = Knowledge(program, Prover(program))
    return Established(program, knowledge, Meeting(program, knowledge))


def known_of(program: Program) -> Established:
    """What the layers of an analysis say."""
    options = AnalysisOptions(domain="interval", engine="bitset")
    proof = made(program, options, everywhere=True, is_whole=True)
    knowledge = Knowledge(program, Prover(program))
    step: LayerCheck | None = None
    for layer in proof.layers:
        step = LayerCheck(program, layer, knowledge, step)
        assert not step.run()
    return Established(program, knowledge, step.meeting if step else Meeting(program, knowledge))


def is_accepted(program: Program, layer: CubeLayer, known: Established) -> bool:
    """Whether cubes hold, given what is known."""
    try:
        return not Inductive(reduced(program, layer, known), layer, known).run()
    except Refusal:
        return False


def program_of(text: str) -> Program:
    return parse_program(text)


def kept(name: str) -> Program:
    return read_program(KEPT / f"{name}.plip")


def untrue(proof: Certificate, exploration: Exploration) -> Iterator[str]:
    """What a certificate says and some execution refutes."""
    program = exploration.program
    reader = Reader(program)
    for layer in proof.layers:
        for location in sorted(layer.unreached & exploration.stores.keys()):
            yield f"{layer.name}: location {location} is reached"
        for location, phrases in layer.facts.items():
            for store in exploration.thread_stores(location):
                yield from (
                    f"{location}: {phrase} in {store}" for phrase in phrases if not _holds(reader, phrase, store)
                )
        for location, phrases in layer.counts.bounds.items() if layer.counts is not None else ():
            for store in exploration.thread_stores(location):
                yield from (f"{location}: {it} in {store}" for it in phrases if not _holds(reader, it, store))
        for record in layer.records:
            for location, phrase in record.at.items():
                for store in exploration.thread_stores(location):
                    if not _holds(reader, phrase, store):
                        yield f"{layer.name}: at {location} it is claimed that {phrase}, but {store}"
        for command in layer.proved:
            instruction = program.commands[command].instruction
            assert isinstance(instruction, Assert)
            if instruction.check in exploration.failures and len(_copies(program, instruction.check)) == 1:
                yield f"{layer.name}: {instruction} fails"


def _copies(program: Program, check: Check) -> list[int]:
    commands = enumerate(program.commands)
    return [i for i, c in commands if isinstance(c.instruction, Assert) and c.instruction.check == check]


def _holds(reader: Reader, phrase: Phrase, store: Mapping[str, Value]) -> bool:
    """Whether a phrase holds of a store; of a summary cell, of each of its values."""
    if phrase.otherwise:
        return any(_holds(reader, case, store) for case in phrase.cases)
    formula = reader.formula(phrase)
    cells = formula_cells(formula) | {cell for cell, _, _ in phrase.residues}
    several = [cell for cell in cells if isinstance(store[cell], frozenset)]
    single = {cell: value for cell, value in store.items() if isinstance(value, int)}
    if several:
        (cell,) = several
        values = store[cell]
        assert isinstance(values, frozenset)
        return all(_holds(reader, phrase, {**single, cell: value}) for value in values)
    return satisfies(formula, single) and all(
        single[cell] % modulus == residue for cell, modulus, residue in phrase.residues
    )
