"""What a certificate proves, in words and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from duet.certificate.check import Outcome
from duet.certificate.document import Certificate
from duet.result import Check

SCHEMA = "duet.check/1"


def text_report(path: str, certificate: Certificate, outcome: Outcome) -> str:
    """One line per failure, then what is certified and how."""
    lines = [f"{found.place}: refused: {found.reason} [{found.layer}]" for found in outcome.failures]
    parts = [f"{_checks(outcome.certified)} certified"]
    if outcome.open_checks:
        parts.append(f"{_checks(outcome.open_checks)} not certified, since not proved or of a kind not covered")
    verdict = "holds" if outcome.holds else "does not hold"
    options = {name: value for name, value in certificate.options.items() if value not in (None, False, [], ())}
    told = ", ".join(f"{name} {_shown(value)}" for name, value in options.items())
    return "\n".join([*lines, f"{path}: {verdict}: {'; '.join(parts)}", f"{path}: program read with {told}"]) + "\n"


def json_report(path: str, certificate: Certificate, outcome: Outcome) -> str:
    """The same as one JSON object."""
    document = {
        "schema": SCHEMA,
        "certificate": path,
        "holds": outcome.holds,
        "certified": [found.id for found in outcome.certified],
        "not_certified": [found.id for found in outcome.open_checks],
        "failures": [asdict(found) for found in outcome.failures],
        "options": dict(certificate.options),
        "queries": outcome.queries,
    }
    return json.dumps(document, indent=1) + "\n"


def _checks(found: tuple[Check, ...]) -> str:
    return f"{len(found)} check{'' if len(found) == 1 else 's'}"


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
