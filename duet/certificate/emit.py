"""The certificate of an analysis: its annotations as formulas, step by step."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

from duet import __version__
from duet.absint.joint import Joint
from duet.certificate.counts import part_of
from duet.certificate.document import Certificate, Claim, Counts, CubeLayer, Fold, Layer, Phrase, Record
from duet.certificate.excluded import Asked, excluded
from duet.certificate.given import number_of
from duet.certificate.phrases import Phrases, equal, said
from duet.certificate.races import PROPERTY as DATA_RACE
from duet.check.assertions import decide
from duet.check.forms import Form
from duet.check.turns import turns_of
from duet.coarsen.counting import Counting, added_together
from duet.coarsen.parts import Plain, Told
from duet.coarsen.results import Analysis, Fixpoint, Inductive
from duet.deadline import NO_DEADLINE, Deadline
from duet.flow.forward import certain_facts
from duet.flow.guards import known_constants
from duet.interference.stable import Stability
from duet.options import FrontendOptions
from duet.plip.folded import Folded
from duet.plip.parser import parse_program
from duet.plip.printer import print_program, show_instruction
from duet.plip.syntax import Assert, Linear, Program
from duet.plip.terms import compare, conjunction, constant, linear, variable
from duet.result import CONFLICTS, Assertion, Check


@dataclass(frozen=True, slots=True)
class Subject:
    """What a certificate is about: files with their contents, how they are read, and the program that they are."""

    files: tuple[tuple[str, bytes], ...]
    options: FrontendOptions
    program: Program


def digest(data: bytes) -> str:
    """The fingerprint of a file."""
    return hashlib.sha256(data).hexdigest()


def program_digest(program: Program) -> str:
    """The fingerprint of a program: of its text with all places."""
    return digest(print_program(program).encode("utf-8", errors="backslashreplace"))


def certificate(
    subject: Subject,
    analysis: Analysis,
    assertions: Iterable[Assertion],
    is_whole: bool = False,
    cubes: tuple[CubeLayer, ...] = (),
    fold: Fold | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> Certificate:
    """The certificate of a finished analysis for verdicts on checks: the layers that these need, or all of them.

    `cubes` prove further checks, given all of the layers; so does what is shown of a folded program. Of checks on
    conflicts those are covered of which the checker says so before the deadline, if the layers hold.
    """
    program = subject.program
    layers = tuple(layers_of(program, analysis.fixpoints))
    copies = _checks(program)
    proved = _proved(layers, cubes, copies)
    settled = _proved_folded(fold, copies) if fold is not None else frozenset[int]()
    proved |= settled
    file = subject.files[0][0] if subject.files else ""
    assertions = tuple(assertions)
    given = _given(analysis) if any(it.check.property_name == DATA_RACE for it in assertions) else {}
    asked = Asked(program, file, subject.options.properties, assertions, given, settled)
    first = len(layers if is_whole or cubes else needed(layers))
    written, shown = excluded(asked, layers, first, deadline)
    return Certificate(
        __version__,
        tuple((path, digest(data)) for path, data in subject.files),
        asdict(subject.options),
        program_digest(program),
        written,
        tuple(_claim(assertion, copies[assertion.check], proved, shown) for assertion in asked.assertions),
        cubes,
        fold,
        given,
    )


def _given(analysis: Analysis) -> Mapping[int, tuple[Phrase, ...]]:
    """What own cells of threads are by the numbers that they were given, where those of any two are apart."""
    found: dict[int, set[Phrase]] = defaultdict(set)
    for fixpoint in analysis.fixpoints:
        program = fixpoint.graph.program
        for name, template in program.templates.items():
            turns = None if template.apart is None else turns_of(program, name, fixpoint.invariants)
            for location, known in turns.known.items() if turns is not None else ():
                found[location].update(
                    _by_number(number_of(name), cell, form) for cell, form in known.items() if form.factor
                )
    return {location: tuple(sorted(phrases)) for location, phrases in sorted(found.items()) if phrases}


def _by_number(number: str, cell: str, form: Form) -> Phrase:
    """That a cell is of a form in a number, or one of the constants that it may be instead."""
    factor = math.lcm(form.factor.denominator, *(end.denominator for end in _bounds(form)))
    term = linear({cell: factor, number: -int(form.factor * factor)})
    ends = ((relation, end) for relation, end in ((">=", form.lo), ("<=", form.hi)) if not math.isinf(end))
    parts = [compare(term, relation, constant(int(end * factor))) for relation, end in ends]
    others = (
        said(compare(variable(cell), "==", constant(int(it)))) for it in sorted(form.others) if it.denominator == 1
    )
    return replace(said(conjunction(parts)), otherwise=tuple(others))


def _bounds(form: Form) -> Iterator[Fraction]:
    yield from (Fraction(end) for end in (form.lo, form.hi) if not math.isinf(end))


def needed(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """The layers up to the last one that proves a check."""
    last = max((index for index, layer in enumerate(layers) if layer.proved), default=-1)
    return tuple(layers[: last + 1])


def fold_of(folded: Folded, analysis: Analysis, cubes: tuple[CubeLayer, ...]) -> Fold:
    """What is shown of a folded program, and how the program is read as that one."""
    return Fold(
        print_program(folded.program),
        {name: other for name, other in folded.templates.items() if other != name},
        {place: other for place, other in folded.places.items() if other != place},
        {name: other for name, other in folded.cells.items() if other != name},
        {name: values for name, values in folded.values.items() if values},
        tuple(layers_of(folded.program, analysis.fixpoints)),
        cubes,
    )


def _checks(program: Program) -> Mapping[Check, set[int]]:
    """The commands that make each check."""
    copies: dict[Check, set[int]] = defaultdict(set)
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Assert):
            copies[command.instruction.check].add(index)
    return copies


def _proved(layers: Iterable[Layer], cubes: Iterable[CubeLayer], copies: Mapping[Check, set[int]]) -> frozenset[int]:
    """The commands whose checks layers and cubes prove."""
    by_layers = frozenset().union(*(layer.proved for layer in layers))
    return by_layers.union(*(copies[Check(*layer.check)] for layer in cubes))


def _proved_folded(fold: Fold, copies: Mapping[Check, set[int]]) -> frozenset[int]:
    """The commands of the program whose checks are proved in the folded program."""
    there = _checks(parse_program(fold.program))
    proved = _proved(fold.layers, fold.cubes, there)
    return frozenset().union(*(copies[check] for check, found in there.items() if proved.issuperset(found)))


def _claim(assertion: Assertion, copies: Collection[int], proved: frozenset[int], shown: Collection[Check]) -> Claim:
    """A verdict on a check with its copies, of which layers prove some; conflicts have none, and are `shown`."""
    check = assertion.check
    is_told = proved.issuperset(copies) if copies else check.property_name not in CONFLICTS or check in shown
    is_covered = assertion.status.is_safe and is_told
    found = (check.file, check.line, check.column, check.function, check.property_name, check.expression)
    return Claim(found, assertion.status.value, is_covered)


def layers_of(program: Program, fixpoints: Sequence[Fixpoint]) -> Iterator[Layer]:
    """The layers of the fixpoints that can be shown; each claims the checks that those before it do not prove."""
    fixpoints = [found for found in fixpoints if found.is_shown]
    constants = {
        location: tuple(sorted(equal(cell, constant(value)) for cell, value in known.items()))
        for location, known in known_constants(program).items()
        if known
    }
    proved: set[int] = set()
    for index, fixpoint in enumerate(fixpoints):
        facts = _copies(fixpoints[index - 1]) if index else constants
        for place, step in enumerate(fixpoint.steps):
            is_last = place == len(fixpoint.steps) - 1
            verdicts = fixpoint.verdicts if is_last else decide(step.graph.program, step.invariants)
            copies = (copy for verdict in verdicts.values() for copy in verdict.copies)
            new = {copy.command for copy in copies if copy.status.is_safe} - proved
            proved |= new
            name = f"{fixpoint.name}, refinement {place}" if step.is_refined else fixpoint.name
            counted = None if place or fixpoint.are_followed else fixpoint.counted  # what is followed is counted before
            counts = None if counted is None else _counts(counted)
            layer = _layer(name, program, step, {} if place else facts, frozenset(new))
            yield replace(layer, counts=counts, is_summed=fixpoint.are_followed)
        if fixpoint.joint:
            copies = (copy for verdict in fixpoint.verdicts.values() for copy in verdict.copies)
            new = {copy.command for copy in copies if copy.status.is_safe} - proved
            proved |= new
            yield _joint_layer(fixpoint.name, program, fixpoint.joint, facts, frozenset(new))


def _copies(base: Fixpoint) -> Mapping[int, tuple[Phrase, ...]]:
    """What is certain of copies under a fixpoint."""
    stability = Stability(base.flows, base.graph.effects)
    return {
        location: tuple(sorted(equal(local, term) for local, term in facts))
        for location, facts in certain_facts(base.graph.program, stability.is_stable).items()
        if facts
    }


def _layer(
    name: str,
    program: Program,
    step: Inductive,
    facts: Mapping[int, tuple[Phrase, ...]],
    proved: frozenset[int],
) -> Layer:
    graph, solution = step.graph, step.invariants.solution
    phrases = Phrases(step.invariants.space)
    at: dict[int, dict[int, Phrase]] = {pack: {} for pack in range(len(graph.packing.packs))}
    after: dict[int, dict[int, Phrase]] = {pack: {} for pack in at}
    owners = [program.cells[cells[0]].template for cells in graph.packing.packs]
    unreached: set[int] = set()
    stopped: set[int] = set()
    for (pack, location), slot in solution.at.entries():
        value = solution.slots[slot]
        if pack == graph.own.reachable:
            unreached.update((location,) if value is None else ())
        elif owners[pack] in (None, program.template_of[location]) and (phrase := phrases.of(pack, value)) is not None:
            at[pack][location] = phrase
    for command, pack in graph.own.defined:
        value = solution.definition(command, pack)
        if pack == graph.own.reachable:
            stopped.update((command,) if value is None else ())
        elif (phrase := phrases.of(pack, value)) is not None:
            after[pack][command] = phrase
    return Layer(
        name,
        step.is_refined,
        _rewritten(program, graph.program),
        facts,
        tuple(
            Record(cells, at[pack], after[pack])
            for pack, cells in enumerate(graph.packing.packs)
            if at[pack] or after[pack] or len(cells) > 1
        ),
        frozenset(unreached),
        frozenset(stopped),
        proved,
    )


def _joint_layer(
    name: str,
    program: Program,
    joint: Joint,
    facts: Mapping[int, tuple[Phrase, ...]],
    proved: frozenset[int],
) -> Layer:
    """What joint states say, of globals that others may write in records of their bundles; nothing names ghosts."""
    question = joint.question
    ghosts = question.meanings
    of_bundles = Phrases(question.bundles, ghosts)
    phrases = {name: Phrases(space, ghosts) for name, space in question.spaces.items()}
    at: dict[int, dict[int, Phrase]] = {bundle: {} for bundle in range(len(question.packing.bundles))}
    after: dict[int, dict[int, Phrase]] = {bundle: {} for bundle in at}
    for (bundle, location), values in joint.arriving.items():
        at[bundle].update((location, phrase) for phrase in of_bundles.any_of([{bundle: value} for value in values]))
    for (command, bundle), values in joint.definitions().items():
        after[bundle].update((command, phrase) for phrase in of_bundles.any_of([{bundle: value} for value in values]))
    told = {
        location: tuple(sorted(phrases[question.program.template_of[location]].any_of(joint.kept(location))))
        for location in joint.states
    }
    return Layer(
        name,
        False,
        _rewritten(program, question.derived.plain if question.derived else question.program),
        facts,
        tuple(
            Record(tuple(cell for cell in cells if cell not in ghosts), at[bundle], after[bundle])
            for bundle, cells in enumerate(question.packing.bundles)
        ),
        frozenset(),
        frozenset(),
        proved,
        {location: found for location, found in told.items() if found},
    )


def _counts(found: Counting) -> Counts:
    """What threads add in words of certificates, and the bounds that follow."""
    owner = found.program.template_of
    meanings, left_out = dict[str, Linear](), set[str]()
    added: dict[int, list[Phrase]] = defaultdict(list)
    for term, ghosts in found.ghosts.items():
        for template in found.program.templates:
            parts = {part_of(cell, template): k for cell, k in term.terms if template in found.ghosts[variable(cell)]}
            if template in ghosts:
                meanings[ghosts[template]] = linear(parts)
                left_out.update(() if term in found.terms else (ghosts[template],))
            elif parts and term in found.terms:  # each of its steps leaves the sum as it is
                nothing = said(compare(linear(parts), "==", constant(0)))
                for location in (place for place, name in owner.items() if name == template):
                    added[location].append(nothing)
    for location, phrase in _of_parts(found, meanings, left_out):
        added[location].append(phrase)
    return Counts(
        tuple(term.terms for term in found.terms),
        {location: tuple(sorted(set(told))) for location, told in sorted(added.items()) if told},
        {location: tuple(sorted({said(atom) for atom in atoms})) for location, atoms in found.bounds().items()},
    )


def _of_parts(
    found: Counting, meanings: Mapping[str, Linear], left_out: Collection[str]
) -> Iterator[tuple[int, Phrase]]:
    """What is known of parts, by location."""
    match found.parts:
        case Plain(ghostly):
            phrases, slots = Phrases(ghostly.space, meanings, left_out), ghostly.solution.slots
            parts = meanings.keys() - set(left_out)
            packs = set(ghostly.space.packs_of(parts | added_together(ghostly.space.program, parts)))
            for (pack, location), slot in ghostly.solution.at.entries():
                first = ghostly.space.packing.packs[pack][0] if pack in packs else ""
                if first and ghostly.space.program.cells[first].template == found.program.template_of[location]:
                    phrase = phrases.of(pack, slots[slot])
                    yield from () if phrase is None else ((location, phrase),)
        case Told(solutions):
            spaces = solutions[0].question.spaces
            of_template = {name: Phrases(space, meanings, left_out) for name, space in spaces.items()}
            for location, states in (it for solution in solutions for it in solution.states.items()):
                told = of_template[found.program.template_of[location]].any_of(states)
                yield from ((location, phrase) for phrase in told)


def _rewritten(program: Program, new: Program) -> Mapping[int, str]:
    """The commands that a layer looks at in other words."""
    commands = enumerate(zip(program.commands, new.commands, strict=True))
    return {i: show_instruction(new.instruction) for i, (old, new) in commands if old.instruction != new.instruction}
