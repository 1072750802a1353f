"""The checks of a run by what they have in common."""

from __future__ import annotations

from collections import Counter, defaultdict

from duet.report.groups import agenda
from duet.result import Run


def by_property(run: Run) -> dict[str, tuple[int, int]]:
    """How many checks of a run are safe, and how many there are, by property."""
    found: dict[str, list[bool]] = defaultdict(list)
    for assertion in run.assertions:
        found[assertion.check.property_name].append(assertion.status.is_safe)
    return {name: (sum(are_safe), len(are_safe)) for name, are_safe in sorted(found.items())}


def by_cause(run: Run) -> dict[str, int]:
    """The open checks of a run by what they hang on, whatever its place; the most first."""
    found: Counter[str] = Counter()
    for group in agenda(run).groups:
        found[group.cause.text or group.level.words] += len(group.members)
    return dict(found.most_common())
