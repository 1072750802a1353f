"""What is checked where nobody says what: in a program with threads or handlers that asserts nothing, what they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pycparser import c_ast

from duet.frontend.ctypes.library import Control, Description, When
from duet.frontend.models.table import describe
from duet.frontend.source.nodes import names
from duet.frontend.source.parse import ParsedUnit
from duet.options import THREAD_PROPERTIES, FrontendOptions

_ERROR_LABEL = "ERROR"


def with_defaults(options: FrontendOptions, units: Sequence[ParsedUnit]) -> FrontendOptions:
    """The options with the properties that are checked in some units, where none were asked for."""
    if not options.has_default_properties:
        return options
    if options.model is None and _is_concurrent(units) and not _asserts(units):
        return replace(options, properties=THREAD_PROPERTIES)
    return options


def starts_threads(units: Sequence[ParsedUnit]) -> bool:
    """Whether some function names one that creates threads."""
    return any(found.control is Control.STARTS_THREAD for found in _called(units))


def _is_concurrent(units: Sequence[ParsedUnit]) -> bool:
    """Whether some function names one that creates threads, or that has handlers called at any time."""
    at_any_time = (When.ANY_TIME, When.INTERRUPTING)
    return starts_threads(units) or any(
        callback.when in at_any_time for found in _called(units) for callback in found.callbacks
    )


def _asserts(units: Sequence[ParsedUnit]) -> bool:
    """Whether some function asserts something, also one that is not understood."""
    lost = (describe(name) for unit in units for refused in unit.refused for name in sorted(refused.calls))
    if any(found is not None and found.checks is not None for found in lost):
        return True
    return any(found.checks is not None for found in _called(units)) or any(map(_has_error_label, _bodies(units)))


def _called(units: Sequence[ParsedUnit]) -> Iterator[Description]:
    """The library functions that are named in the bodies of functions."""
    named = frozenset[str]().union(*map(names, _bodies(units)))
    return (found for name in sorted(named) if (found := describe(name)) is not None)


def _bodies(units: Sequence[ParsedUnit]) -> list[c_ast.Node]:
    return [item.body for unit in units for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]


def _has_error_label(node: c_ast.Node) -> bool:
    if isinstance(node, c_ast.Label) and node.name == _ERROR_LABEL:
        return True
    return any(_has_error_label(child) for _, child in node.children())
