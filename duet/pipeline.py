"""The stages put together: from a job to a finished run."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from duet import __version__, lazy, limits
from duet.clock import Clock, Milestones
from duet.coarsen.analysis import analyse
from duet.coarsen.deadlock_evidence import deadlock_assertions, deadlock_checks
from duet.coarsen.early import NAME as DIRECT
from duet.coarsen.early import Early, look
from duet.coarsen.evidence import assertions
from duet.coarsen.never import places, told_apart
from duet.coarsen.race_evidence import free_assertions, race_assertions, race_checks
from duet.coarsen.resources import libraries
from duet.coarsen.results import Analysis
from duet.deadline import Deadline
from duet.errors import UsageError
from duet.frontend.source.kernel import described
from duet.garbage import HARDLY, collected_rarely
from duet.options import UNDEFINED, AnalysisOptions, FrontendOptions
from duet.plip.returns import without_returns
from duet.plip.syntax import Assert, Program
from duet.reading import Input, lowered_again, read, read_text
from duet.report import files
from duet.result import CONFLICTS, HALF, TOTAL, Assertion, Check, Run, RunStatus, Status
from duet.verify.any_number import AnyNumber, any_number

if TYPE_CHECKING:
    from duet.certificate import check as checker
    from duet.certificate import cubes, document, emit, folding, reduced
    from duet.replay import confirm
    from duet.verify import conflict_verdicts, decide
    from duet.verify.search import Proof
else:
    checker = lazy.module("duet.certificate.check")
    cubes = lazy.module("duet.certificate.cubes")
    document = lazy.module("duet.certificate.document")
    emit = lazy.module("duet.certificate.emit")
    folding = lazy.module("duet.certificate.folding")
    reduced = lazy.module("duet.certificate.reduced")
    confirm = lazy.module("duet.replay.confirm")
    conflict_verdicts = lazy.module("duet.verify.conflict_verdicts")
    decide = lazy.module("duet.verify.decide")

Pair: TypeAlias = tuple[tuple[Assertion, ...], tuple[Assertion, ...]]
"""Verdicts on checks, and on conflicts: races and deadlocks."""
GRAPHS_SHARE = 0.4
"""Of the time of a run, what data flow graphs may take where other ways to decide come after them."""
ALONE_SHARE = 0.8
"""The same where only evidence and conflicts come after them."""
FOLDED_SHARE = 0.3
"""Of that time, what the program with any number of equal threads may take."""
BRIEF_MEMORY = 1_000
"""MiB for what nobody asked for."""
LARGEST = 3_000
"""Commands of a program of which a few seconds may tell something; the kernel model is larger."""
FIRST_LOOKS = 5_000
"""Open checks times commands for which those seconds suffice: less than 0.8 ms a command decides nothing."""
UNFINISHED = "the run did not finish"
READING = "while the program was read"


@dataclass(frozen=True, slots=True)
class Job:
    """What one run is asked to do."""

    files: tuple[str, ...]
    frontend: FrontendOptions
    analysis: AnalysisOptions
    certificate: str | None = None  # where to write one
    is_thorough: bool = False  # what is open is worth as much time as the rest
    run: bool = False  # and is decided by running the program
    has_derivations: bool = True  # whether reports show why data flows between threads are feasible
    is_watched: bool = False  # somebody sees what is known meanwhile, and may end the run

    @property
    def may_be_cut_off(self) -> bool:
        """Whether what is known early may be all that there will be."""
        return self.is_watched or self.analysis.timeout is not None or self.analysis.memory is not None


@dataclass(frozen=True, slots=True)
class Ending:
    """A run, which is there in every case, and why it failed, if it did."""

    run: Run
    failure: limits.Failed | None = None

    @property
    def exit_code(self) -> int:
        return self.failure.exit_code if self.failure else self.run.exit_code


def run(job: Job, is_interruptible: bool = False, heard: Callable[[Run], None] | None = None) -> Ending:
    """The run of a job under its limits, whatever happens; at a limit, what was proved until then stands.

    `heard` is told of what is known meanwhile. With `is_interruptible` Ctrl-C and a request to end are limits, too.
    *Raises*: nothing but KeyboardInterrupt and SystemExit.
    """
    outcome, announced = limits.run(
        lambda announce: perform(job, announce), job.analysis.timeout, job.analysis.memory, is_interruptible, heard
    )
    partial = announced or replace(_empty(job), message=READING)
    match outcome:
        case limits.Finished(value):
            return Ending(value)
        case limits.Exceeded(status, message):
            return Ending(replace(partial, status=RunStatus(status), message=f"{message} {partial.message}".strip()))
        case limits.Failed():
            return Ending(replace(partial, status=RunStatus.ERROR, message=outcome.message), outcome)


def perform(job: Job, announced: Callable[[Run], None]) -> Run:
    """The finished run; what is known of it is announced as soon as the checks are. *Raises*: DuetError."""
    clock, limit, milestones = Clock(), Deadline.after(job.analysis.timeout), Milestones()

    def announce(so_far: Run) -> None:
        milestones.note(_safe(so_far.assertions))
        announced(replace(so_far, timing={**clock.seconds, HALF: milestones.half()}))

    is_default = job.frontend.has_default_properties
    with clock.stage(TOTAL):
        engine, numeric = libraries(job.analysis)
        reading = _Reading(job, announce)
        alone = reading.found_by_itself if job.may_be_cut_off else None
        found = read(job.files, job.frontend, clock, reading.found, alone)
        kept = reading.known
        if job.certificate is not None:  # whoever reads it sees commands only
            found = replace(found, program=without_returns(found.program))
        job = replace(job, frontend=_settled(job.frontend, found))
        started = replace(
            _empty(job),
            has_default_properties=is_default,
            engine=engine,
            numeric=numeric,
            mode=found.mode,
            entries=found.entries,
            assertions=tuple(Assertion(check, Status.UNKNOWN, reason=UNFINISHED) for check in _asked(job, found)),
            assumptions=found.assumptions,
            warnings=found.warnings,
            sources=found.sources,
            understood=found.understood,
        )
        announce(replace(_partial(started, kept), message="in the first look"))
        with clock.stage("direct"):
            # a certificate has to show the invariants of all checks
            nothing = Early((), found.program, places(found.program))
            early = nothing if job.certificate else look(found.program, job.analysis, Deadline())
        kept.update(_by_check(early.decided))
        announce(_partial(started, kept))
        share = GRAPHS_SHARE if job.is_thorough else ALONE_SHARE
        with clock.stage("any number"):
            many = None if early.is_all else _for_any_number(job, found, early.rest, limit.share(share))
            if many is not None:
                early = early.with_more(many.verdicts, is_kept=job.certificate is not None)
                early = _with_refuted(job, found, early, many, limit.share(share))
        kept.update(_by_check(early.decided))
        announce(_partial(started, kept))

        def heard(so_far: Analysis) -> None:
            kept.update(_proved_of(so_far))
            announce(_partial(started, kept))
            if len(so_far.fixpoints) == 1:  # later ones say more of conflicts, at the end
                excluded = _conflicts(job, so_far, free_assertions)
                kept.update(_by_check(verdict for verdict in excluded if verdict.status.is_safe))
                announce(_partial(started, kept))

        timeout = None if job.analysis.timeout is None else max(0.0, limit.left) * share
        options = replace(job.analysis, timeout=timeout)
        is_shown = job.certificate is None or many is not None
        if early.is_all and not _wants_conflicts(job) and is_shown:
            analysis = Analysis(early.rest, (), {})
        else:
            with collected_rarely(HARDLY):
                analysis = analyse(early.rest, options, announce=heard, is_shown=job.certificate is not None)
        announce(replace(_partial(started, kept), message="when evidence was collected"))
        with clock.stage("evidence"):
            decided = {assertion.check for assertion in early.decided}
            more = assertions(analysis, {*found.checks} - decided, found.pointers, job.has_derivations)
            left = (assertion for assertion in more if assertion.check not in decided)
            told = told_apart((*early.decided, *left), analysis, early.executed)
            verdicts = sorted_assertions(told, found.unknown)
        with clock.stage("conflicts"):
            more = _conflicts(job, analysis, race_assertions)
        from_graphs = in_order((*verdicts, *more))
        announce(replace(started, assertions=from_graphs, message="when schedules were looked for"))
        if _is_looked_into(job, found, _open(from_graphs)):
            with clock.stage("verify"):
                verdicts, more = _looked_into(job, found, analysis, (verdicts, more), limit)
        verdicts = in_order((*verdicts, *more))
        if job.certificate is not None:
            with clock.stage("certificate"):
                subject = emit.Subject(_contents(job.files), job.frontend, found.program)
                proof = cubes.certificate_of(subject, analysis, (verdicts, from_graphs), many, limit.share(0.9))
                files.write(job.certificate, document.render(proof))
        if job.run and found.is_c:
            with clock.stage("run"):
                verdicts = confirm.confirmed(replace(started, assertions=verdicts), job.frontend, limit)
    fixpoints = (*(many.analysis.fixpoints if many is not None else ()), *analysis.fixpoints)
    milestones.note(_safe(verdicts))
    total = clock.seconds.pop(TOTAL)
    return replace(
        started,
        domain="+".join(dict.fromkeys(fixpoint.name for fixpoint in fixpoints)) or DIRECT,
        status=RunStatus.COMPLETE,
        assertions=verdicts,
        stats={**analysis.stats, "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024},
        timing={**clock.seconds, **analysis.seconds, HALF: milestones.half(), TOTAL: total},
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is announced while a program is read: the checks that have been found, and what is `known` of them.

    Races and deadlocks are not among them yet.
    """

    job: Job
    announce: Callable[[Run], None]
    known: dict[Check, Assertion] = field(default_factory=dict)

    def found(self, properties: tuple[str, ...], checks: Iterable[Check]) -> None:
        """Announces that all checks found so far are open, but those that are known."""
        open_ = (Assertion(check, Status.UNKNOWN, reason=UNFINISHED) for check in checks)
        started = replace(_empty(self.job), properties=properties, assertions=tuple(open_))
        self.announce(replace(_partial(started, self.known), message=READING))

    def found_by_itself(self, properties: tuple[str, ...], program: Program) -> None:
        """Announces what holds in each function by itself: what the whole program shows of that is told at the end."""
        self.known.update(_by_check(look(program, self.job.analysis, Deadline()).decided))
        asked = (command.instruction for command in program.commands)
        self.found(properties, sorted({one.check for one in asked if isinstance(one, Assert)}))


def _for_any_number(job: Job, found: Input, program: Program, limit: Deadline) -> AnyNumber | None:
    """What holds of a program for any number of equal threads, if it has some."""
    until = limit.share(FOLDED_SHARE)
    options = replace(job.analysis, timeout=None if job.analysis.timeout is None else max(0.0, until.left))
    prover = partial(_proofs, job, until) if _is_looked_into(job, found) else None
    many = any_number(program, options, found.pointers, prover, is_shown=job.certificate is not None)
    return many if many is not None and simulates(program, many) else None


def simulates(program: Program, many: AnyNumber) -> bool:
    """Whether the checker of certificates, too, says that the folded program can do whatever the program can."""
    try:
        folding.unfolded(program, emit.fold_of(many.folded, Analysis(program, (), {}), ()))
    except reduced.Refusal:
        return False
    return True


def _with_refuted(job: Job, found: Input, early: Early, many: AnyNumber, limit: Deadline) -> Early:
    """With the checks that schedules of the program refute, if that is all that is left for data flow graphs."""
    if not many.left or not _is_looked_into(job, found):
        return early
    subject = subject_of(job, found, many.analysis)
    until = decide.brief(len(many.left), limit.share(FOLDED_SHARE))
    outcome, _ = limits.run(
        lambda _: decide.refuted(subject, many.left, until),
        1.5 * until.left + 2,
        None if job.is_thorough else BRIEF_MEMORY,
    )
    refuted = outcome.value if isinstance(outcome, limits.Finished) else ()
    is_kept = job.certificate is not None
    return early.with_more(refuted, is_kept) if len(refuted) == len(many.left) else early


def _proofs(job: Job, limit: Deadline, subject: decide.Subject, checks: Sequence[Check]) -> Mapping[Check, Proof]:
    """Proofs with cubes; apart where nobody asked."""
    if job.is_thorough:
        return decide.proofs(subject, checks, decide.limited(len(checks), limit))
    until = decide.brief(len(checks), limit)
    outcome, _ = limits.run(lambda _: decide.proofs(subject, checks, until), 1.5 * until.left + 2, BRIEF_MEMORY)
    return outcome.value if isinstance(outcome, limits.Finished) else {}


def _settled(options: FrontendOptions, found: Input) -> FrontendOptions:
    """The options with the properties that the program has chosen."""
    return replace(options, properties=found.properties or options.properties, has_default_properties=False)


def _wants_conflicts(job: Job) -> bool:
    """Whether verdicts are asked for on what threads do to each other."""
    return not CONFLICTS.isdisjoint(job.frontend.properties)


def _partial(started: Run, known: Mapping[Check, Assertion]) -> Run:
    """What is known of a run that goes on: checks that no thread runs are told at the end only."""
    found = tuple(known.get(assertion.check, assertion) for assertion in started.assertions)
    return replace(started, assertions=found, message="in the analysis of data flow graphs")


def _proved_of(analysis: Analysis) -> Mapping[Check, Assertion]:
    """The checks that data flow graphs have proved so far."""
    statuses = {check: analysis.status_of(check) for check in analysis.fixpoints[0].verdicts}
    safe = {check: status for check, status in statuses.items() if status.is_safe}
    return {check: Assertion(check, status, proved_by=analysis.best(check).name) for check, status in safe.items()}


def _by_check(verdicts: Iterable[Assertion]) -> Mapping[Check, Assertion]:
    """Verdicts by what they are about."""
    return {verdict.check: verdict for verdict in verdicts}


def _safe(verdicts: Iterable[Assertion]) -> int:
    return sum(assertion.status.is_safe for assertion in verdicts)


def _open(verdicts: Iterable[Assertion]) -> int:
    return sum(assertion.status is Status.UNPROVED for assertion in verdicts)


def _is_looked_into(job: Job, found: Input, count: int = 1) -> bool:
    """Whether so many open checks are to be decided by schedules and cubes."""
    size = len(found.program.commands)
    is_small = job.frontend.model != "linux" and size <= LARGEST and count * size <= FIRST_LOOKS
    return count > 0 and job.analysis.verify and (job.is_thorough or is_small)


def _looked_into(job: Job, found: Input, analysis: Analysis, verdicts: Pair, limit: Deadline) -> Pair:
    """The verdicts with what is found out; apart where nobody asked, so that it costs no more than it may."""
    if job.is_thorough:
        return _decided(job, found, analysis, verdicts, limit, lambda _: None)
    counts = [_open(some) for some in verdicts]
    seconds = sum(decide.brief(count, limit).left for count in counts if count)
    outcome, last = limits.run(
        lambda announce: _decided(job, found, analysis, verdicts, limit, announce), 1.5 * seconds + 2, BRIEF_MEMORY
    )
    return outcome.value if isinstance(outcome, limits.Finished) else last or verdicts


def _decided(
    job: Job, found: Input, analysis: Analysis, verdicts: Pair, limit: Deadline, announce: Callable[[Pair], None]
) -> Pair:
    """The verdicts on checks and on conflicts as far as schedules and cubes decide them; the former are announced."""
    subject = subject_of(job, found, analysis)
    checks, conflicts = verdicts
    if _open(checks):
        checks = decide.decided(subject, checks, _until(job, _open(checks), limit))
        announce((checks, conflicts))
    if _open(conflicts):
        conflicts = conflict_verdicts.decided(subject, conflicts, _until(job, _open(conflicts), limit))
    return checks, conflicts


def _until(job: Job, count: int, limit: Deadline) -> Deadline:
    """Until when so many open checks may be looked into."""
    until = limit.share(0.5 if job.run else 0.9) if job.analysis.timeout is not None else Deadline()
    return until if job.is_thorough else decide.brief(count, until)


def subject_of(job: Job, found: Input, analysis: Analysis) -> decide.Subject:
    """What is to be decided of an analysed program.

    Schedules are looked for in a program in which whatever is undefined in C is a check of its own, and in which
    elements of arrays have cells as far as there is room.
    """
    strict = found.program
    if found.is_c:
        properties = tuple(dict.fromkeys((*job.frontend.properties, *UNDEFINED)))
        budgets = job.frontend.budgets.roomy(len(found.program.commands))
        options = replace(job.frontend, properties=properties, budgets=budgets)
        strict = lowered_again(found, options)
    return decide.Subject(found.program, strict, analysis, _doubt(job, found))


def _doubt(job: Job, found: Input) -> str:
    """Why no schedule can be known to be one of the source, if there is a reason that holds for all of the program."""
    if job.frontend.model == "linux":
        return "the kernel is modelled, by more than it does"
    return "" if found.is_plain else "the text is understood in part only"


def sorted_assertions(decided: tuple[Assertion, ...], unknown: Mapping[Check, str]) -> tuple[Assertion, ...]:
    """The verdicts in source order, with those that cannot be given: a check that is in both is unknown."""
    known = [assertion for assertion in decided if assertion.check not in unknown]
    left_out = [Assertion(check, Status.UNKNOWN, reason=reason) for check, reason in unknown.items()]
    return in_order((*known, *left_out))


def in_order(decided: Iterable[Assertion]) -> tuple[Assertion, ...]:
    """Verdicts in source order."""
    return tuple(sorted(decided, key=lambda assertion: assertion.check))


def _conflicts(
    job: Job, analysis: Analysis, races: Callable[[Analysis, str], tuple[Assertion, ...]]
) -> tuple[Assertion, ...]:
    """The verdicts on what threads do to each other, as far as it is asked for; on races those that are given."""
    on_races = races(analysis, job.files[0]) if "data-race" in job.frontend.properties else ()
    on_deadlocks = deadlock_assertions(analysis, job.files[0]) if "deadlock" in job.frontend.properties else ()
    return on_races + on_deadlocks


def certify(path: str, paths: tuple[str, ...]) -> tuple[document.Certificate, checker.Outcome]:
    """A certificate, and what it proves of the files. *Raises*: UsageError where they are not what it is about."""
    proof = document.read(read_text(path))
    contents = _contents(paths)
    if [emit.digest(data) for _, data in contents] != [fingerprint for _, fingerprint in proof.files]:
        names = ", ".join(name for name, _ in proof.files)
        raise UsageError(f"{path} is about other files, or they have changed since: {names}")
    options = document.options_of(proof)
    found = read(paths, options, Clock())
    if emit.program_digest(found.program) != proof.program:
        raise UsageError(
            f"{path} is about another program: the files are the same, but what they include, their paths, or "
            f"the way that duet {__version__} reads them is not (it was written by duet {proof.tool})"
        )
    asked = frozenset(found.checks) - found.unknown.keys()
    return proof, checker.check(proof, found.program, asked, found.properties or options.properties)


def _contents(paths: tuple[str, ...]) -> tuple[tuple[str, bytes], ...]:
    return tuple((path, read_text(path).encode("utf-8")) for path in paths)


def _asked(job: Job, found: Input) -> tuple[Check, ...]:
    """Every check there is, in source order."""
    races = race_checks(found.program, job.files[0]) if "data-race" in job.frontend.properties else ()
    deadlocks = deadlock_checks(found.program, job.files[0]) if "deadlock" in job.frontend.properties else ()
    return tuple(sorted((*found.checks, *races, *deadlocks)))


def solve(program: Program, options: AnalysisOptions) -> Analysis:
    """The analysis of a program."""
    return analyse(program, options)


def _empty(job: Job) -> Run:
    """What is known of a run before it starts."""
    return Run(
        files=job.files,
        domain=job.analysis.domain,
        engine=job.analysis.engine,
        numeric=job.analysis.numeric,
        mode="parameterized" if job.frontend.parameterized else ("entries" if job.frontend.entries else "main"),
        entries=(),
        status=RunStatus.ERROR,
        model=job.frontend.model or "",
        data_model=job.frontend.data_model,
        properties=job.frontend.properties,
        has_default_properties=job.frontend.has_default_properties,
        headers=_headers(job.frontend),
    )


def _headers(options: FrontendOptions) -> str:
    """Which headers serve a kernel module; empty for other programs, and where there are none."""
    try:
        more = f"; {options.module}" if options.module else ""
        return described(options.kernel) + more if options.model == "linux" else ""
    except UsageError:
        return ""
