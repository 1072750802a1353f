"""Modules that are loaded when something of them is used first, so that `duet --help` starts at once."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType


def module(name: str) -> ModuleType:
    """The module of a name, which is executed at the first use of an attribute. *Requires*: there is such a module."""
    if name in sys.modules:
        return sys.modules[name]
    spec = find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    loader = LazyLoader(spec.loader)
    spec.loader = loader
    found = module_from_spec(spec)
    sys.modules[name] = found
    loader.exec_module(found)
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, found)  # as an import does
    return found
