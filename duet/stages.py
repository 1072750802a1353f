"""What `duet show` prints of files, by the stage that is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from duet import pipeline, reading, show
from duet.certificate.words import SECONDS, proofs_at
from duet.clock import Clock
from duet.coarsen.resources import libraries
from duet.deadline import Deadline
from duet.errors import UsageError
from duet.frontend.lower import formed
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux import general
from duet.linux.harness import derive
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.printer import print_program
from duet.result import Check
from duet.verify.any_number import REASON, any_number
from duet.verify.decide import Subject, proofs
from duet.verify.search import Proof


def files(what: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """The files that a stage is shown of: of a proof, the last path is FILE:LINE."""
    return (*paths[:-1], _place(paths[-1])[0]) if what == "proof" else paths


def _place(text: str) -> tuple[str, int]:
    """The file and the line of FILE:LINE. *Raises*: UsageError."""
    file, _, line = text.rpartition(":")
    if not file or not line.isdecimal():
        raise UsageError(f"'duet show proof' takes FILE:LINE, not {text}")
    return file, int(line)


def shown(
    what: str, paths: tuple[str, ...], options: FrontendOptions, configured: AnalysisOptions, dot: bool = False
) -> str:
    """A stage of files as text, or for Graphviz with `dot`. *Raises*: DuetError."""
    if dot and what not in ("cfg", "dfg", "interference"):
        raise UsageError("--dot is for cfg, dfg and interference")
    if what == "harness":
        options = replace(options, model="linux")
        if options.kernel is not None:
            units = [parse(preprocess(path, options).text, path, options) for path in paths]
            return "".join(general.derive(units, options.is_whole_module))
        if len(paths) > 1:
            raise UsageError(f"a harness is that of one driver module, not of {', '.join(paths)}")
        return derive(parse(preprocess(paths[0], options).text, paths[0], options), options).text
    if what == "tree":
        return "".join(show.tree_text(unit) for unit, _ in reading.read_units(paths, options, Clock()))
    if what == "form":
        return show.form_text(formed([unit for unit, _ in reading.read_units(paths, options, Clock())], options))
    if what == "proof":
        return _proof(paths, options, configured)
    found = reading.read(paths, options, Clock())
    program = found.program
    match what:
        case "points-to":
            return show.pointers_text(found.pointers)
        case "plip":
            return print_program(program)
        case "cfg":
            return show.cfg_dot(program) if dot else show.cfg_text(program)
        case _:
            libraries(configured)
            analysis = pipeline.solve(program, configured)
            render = show.flows_dot if dot else show.flows_text
            return render(analysis, only_inter=what == "interference")


def _proof(paths: tuple[str, ...], options: FrontendOptions, configured: AnalysisOptions) -> str:
    """Why the checks of a line are proved; the last path is FILE:LINE."""
    place = _place(paths[-1])
    program = reading.read(files("proof", paths), options, Clock()).program
    libraries(configured)
    many = any_number(program, configured, prover=_proofs)
    is_open = many is not None and any((one.check.file, one.check.line) == place for one in many.left)
    if many is not None and not is_open and pipeline.simulates(program, many):
        texts = (f"{text}\n" for text in proofs_at(many.analysis, *place))
        return f"{REASON} ({many.threads}):\n{''.join(texts)}"
    return "".join(f"{text}\n" for text in proofs_at(pipeline.solve(program, configured), *place))


def _proofs(subject: Subject, checks: Sequence[Check]) -> Mapping[Check, Proof]:
    return proofs(subject, checks, Deadline().before(SECONDS * len(checks)))
