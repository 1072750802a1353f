"""A schedule as a SARIF code flow: a thread flow for each thread, ordered among each other by `executionOrder`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from duet.result import Move


def code_flow(moves: Sequence[Move], place: Callable[[str, int, int], dict[str, Any]]) -> dict[str, Any]:
    """The code flow of a schedule; `place` gives the physical location of a file, a line and a column.

    *Units*: `executionOrder` counts the moves of all threads from 1.
    """
    flows: dict[str, list[dict[str, Any]]] = {}
    for order, move in enumerate(moves, 1):
        flows.setdefault(move.thread, []).append(_location(move, order, order == len(moves), place))
    return {
        "message": {"text": "an execution in which the check fails"},
        "threadFlows": [{"id": thread, "locations": locations} for thread, locations in flows.items()],
    }


def _location(
    move: Move, order: int, is_last: bool, place: Callable[[str, int, int], dict[str, Any]]
) -> dict[str, Any]:
    location: dict[str, Any] = {"message": {"text": move.text}}
    if move.function:
        location["logicalLocations"] = [{"name": move.function, "kind": "function"}]
    if move.line:
        location["physicalLocation"] = place(move.file, move.line, 0)
    result: dict[str, Any] = {
        "location": location,
        "executionOrder": order,
        "importance": "essential" if is_last or move.effect else "important",
    }
    if move.values:
        result["state"] = {name: {"text": value} for name, value in move.values}
    return result
