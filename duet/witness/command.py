"""Correctness witnesses for the command line: one is written for a run that proves all, and one is checked."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from duet import pipeline
from duet.deadline import Deadline
from duet.errors import UsageError
from duet.options import Invariant
from duet.pipeline import Job
from duet.report import files
from duet.result import Run, RunStatus, Status
from duet.witness import document as yaml
from duet.witness.examine import Examined, examined, justified
from duet.witness.specification import checks, specification


def write(path: str, run: Run, job: Job, version: str | None = None) -> bool:
    """Writes a witness of a run in which all holds that was asked; whether there is one."""
    lines = specification(run.properties)
    is_proved = run.status is RunStatus.COMPLETE and all(one.status.is_safe for one in run.assertions)
    if not is_proved or not lines:
        return False
    version = version or yaml.VERSION
    files.write(path, yaml.render(run, lines, justified(job, has_ghosts=version != "2.0"), version))
    return True


_SHARE = 0.5
"""Of the time, what the property may take; the rest is for the invariants."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a witness: of each invariant whether it holds, and of the specification."""

    path: str
    specification: str
    plain: pipeline.Ending  # of the program without the invariants
    examined: Examined
    invariants: tuple[Invariant, ...]

    @property
    def refused(self) -> tuple[Invariant, ...]:
        """The invariants that are not shown to hold."""
        return tuple(item for item in self.invariants if not self.examined.holds(item))

    @property
    def is_proved(self) -> bool:
        """Whether the specification holds."""
        run = self.plain.run
        return run.status is RunStatus.COMPLETE and all(one.status.is_safe for one in run.assertions)

    @property
    def is_confirmed(self) -> bool:
        return self.is_proved and not self.refused


def judged(path: str, job: Job) -> Judged:
    """What is known of the witness in a file, of the files of a job. *Raises*: UsageError where it is none of them."""
    witness = yaml.read(path)
    said = yaml.located(path, witness, job.files)
    properties = checks(path, witness.specification)
    frontend = replace(job.frontend, properties=properties, has_default_properties=False, data_model=witness.data_model)
    if frontend.model is not None:
        raise UsageError("witnesses are about programs with a main of their own")
    job = replace(job, frontend=frontend)
    limit = Deadline.after(job.analysis.timeout)
    plain = pipeline.run(_within(job, limit.share(_SHARE)))
    return Judged(path, witness.specification, plain, examined(_within(job, limit), said), said.invariants)


def _within(job: Job, limit: Deadline) -> Job:
    """A job that has until a moment."""
    timeout = max(1.0, limit.left) if limit.is_set else None
    return replace(job, analysis=replace(job.analysis, timeout=timeout))


def text_report(found: Judged) -> str:
    """A line for each invariant that is refused, then what is confirmed and how."""
    lines = [f"{item.file}:{item.line}:{max(item.column, 1)}: refused: '{item.expression}' {_reason(found, item)}"
             for item in found.refused]  # fmt: skip
    asked, count = found.plain.run.assertions, len(found.invariants)
    shown = sum(one.check in found.examined.certified for one in asked)
    verdict = "confirmed" if found.is_confirmed else "not confirmed"
    parts = [f"{count - len(found.refused)} of {count} invariants certified"]
    parts.append(f"the property is {'proved' if found.is_proved else 'not proved'}")
    if asked:
        parts.append(f"{shown} of its {len(asked)} checks certified")
    return "\n".join([*lines, f"{found.path}: {verdict}: {'; '.join(parts)}"]) + "\n"


def _reason(found: Judged, item: Invariant) -> str:
    verdicts = found.examined.about(item)
    worst = next((one for one in verdicts if not one.status.is_safe), None)
    if not verdicts:
        return "is not known to be evaluated by any thread"
    if worst is None:
        return "is proved, but by nothing that can be certified"
    what = "" if worst.check.expression == item.expression else f": {worst.check.property_name}"
    known = f", here {worst.invariant}" if worst.invariant else ""
    return ("fails in a schedule" if worst.status is Status.REFUTED else f"is {worst.status}{what}") + known


def json_report(found: Judged) -> str:
    """The same as one JSON object (`docs/witness-check.schema.json`)."""
    asked = found.plain.run.assertions
    document = {
        "schema": "duet.witness/1",
        "witness": found.path,
        "specification": found.specification,
        "confirmed": found.is_confirmed,
        "proved": found.is_proved,
        "invariants": [
            {
                "file": item.file,
                "line": item.line,
                "column": item.column,
                "value": item.expression,
                "certified": item not in found.refused,
            }
            for item in found.invariants
        ],
        "certified": [one.check.id for one in asked if one.check in found.examined.certified],
        "not_certified": [one.check.id for one in asked if one.check not in found.examined.certified],
    }
    return json.dumps(document, indent=1) + "\n"
