"""The timers of a driver: which function is called with which object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.source.parse import ParsedUnit
from duet.linux import callbacks
from duet.linux.tables import Tables
from duet.linux.tree import arguments, name_of, nodes, text

ARMING = frozenset(taker.function for taker in callbacks.ARMING)


@dataclass(frozen=True, slots=True)
class Timer:
    """`function` is called with `argument`, the address of its object as C text."""

    function: str
    argument: str


def find_timers(unit: ParsedUnit, calls: Iterable[c_ast.FuncCall], tables: Tables) -> tuple[Timer, ...]:
    """The timers of DEFINE_TIMER and timer_setup; one whose object is not a global one gets an arbitrary address.

    *Raises*: Unsupported where a timer is armed whose function cannot be read off.
    """
    found = [
        Timer(tables.named[name]["function"], f"&{name}")
        for name in tables.of(callbacks.TIMER)
        if "function" in tables.named[name]
    ]
    for call in calls:
        if name_of(call.name) == callbacks.TIMER_SETUP.function:
            timer, function = arguments(call)[:2]
            names = {node.name for node in nodes(timer) if isinstance(node, c_ast.ID)}
            base = next((n for n in nodes(timer) if isinstance(n, c_ast.ID)), None)
            known = base is not None and base.name in tables.kinds and "->" not in text(timer) and len(names) <= 3
            argument = text(timer) if known else "(struct timer_list *)__duet_nondet_ptr()"
            found.append(Timer(name_of(function), argument))
    timers = tuple(dict.fromkeys(found))
    for call in calls:
        _check_arming(unit, call, timers)
    return timers


def _check_arming(unit: ParsedUnit, call: c_ast.FuncCall, timers: tuple[Timer, ...]) -> None:
    """Refuses to arm a timer whose function is not known. A parameter or variable points to one that is."""
    if name_of(call.name) in ARMING:
        timer = arguments(call)[0]
        if not isinstance(timer, c_ast.ID) and text(timer) not in {known.argument for known in timers}:
            raise Unsupported(f"the function of the timer '{text(timer)}' cannot be read off", unit.span(call.coord))
