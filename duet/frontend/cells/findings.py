"""What a round of lowering has to report: warnings, assumptions, checks."""

from __future__ import annotations

from dataclasses import dataclass, field

from duet import result
from duet.result import Check
from duet.source import Span

_MOST = 20
"""The most places of an assumption that are told."""


@dataclass
class Findings:
    """Warnings by place and code, assumptions and checks in the order in which they came up."""

    warnings: dict[tuple[str, int, int, str], result.Warning] = field(default_factory=dict)
    assumptions: dict[str, None] = field(default_factory=dict)
    checks: dict[Check, None] = field(default_factory=dict)
    _warned: set[str] = field(default_factory=set)
    _places: dict[str, set[tuple[str, int]]] = field(default_factory=dict)

    def warn(self, span: Span, code: str, message: str) -> None:
        """Adds a warning, once for each place and code."""
        key = span.file, span.line, span.column, code
        self.warnings.setdefault(key, result.Warning(*key, message))

    def is_first(self, code: str, subject: str) -> bool:
        """Whether a subject is to be warned of for the first time; from now on it is not."""
        key = f"{code}:{subject}"
        is_new = key not in self._warned
        self._warned.add(key)
        return is_new

    def assume_at(self, span: Span, text: str) -> None:
        """Adds an assumption that is made at a place."""
        places = self._places.setdefault(text, set())
        self.assumptions.pop(_with_places(text, places), None)
        places.add((span.file, span.line))
        self.assumptions[_with_places(text, places)] = None


def _with_places(text: str, places: set[tuple[str, int]]) -> str:
    """An assumption, with the first of the places where it is made."""
    told = [f"{file}:{line}" for file, line in sorted(places)]
    more = f" and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return f"{text}: {', '.join(told[:_MOST])}{more}"
