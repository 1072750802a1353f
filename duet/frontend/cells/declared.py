"""What the files of a program declare: functions, names of symbols, objects with linkage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from duet.frontend.ctypes.scope import Definition, Local, Scope
from duet.frontend.ctypes.types import FunctionType
from duet.frontend.ctypes.values import Object
from duet.frontend.source.nodes import Node


@dataclass
class Declared:
    """Functions and objects by their keys.

    - `files`: the file scopes; `functions`: what is defined; `signatures`: the types of what is defined; `again`: what
      is defined in another file with the same text;
    - `prototypes`: the types of functions that are declared, also inside of bodies;
    - `library`: functions and objects that headers of the system declare; `read_only`: by such a function, which of
      its parameters are pointers to numbers that are const; `read_bytes`: which are pointers to const void; `single`:
      which are written as pointers, not as arrays;
    - `elsewhere`: objects that are declared and not defined; `linked`: objects with external linkage;
    - `weak`: by name, the numbers of the files in which it may be of a weak symbol; `ending`: names that may be of
      functions that do not return; `defining`: by variable, the number
      of the file that defines it, with its initialiser; `statics`: objects that functions keep;
    - `aliases`: other names of functions, with the keys of these; `labels`: names in assembler, with those in C;
    - `weights`: by function, the size of its text with what it calls; `mentioned`: by function, the names in it.
    """

    files: list[Scope] = field(default_factory=list)
    functions: dict[str, Definition] = field(default_factory=dict)
    signatures: dict[str, FunctionType] = field(default_factory=dict)
    again: list[Definition] = field(default_factory=list)
    prototypes: dict[str, FunctionType] = field(default_factory=dict)
    library: set[str] = field(default_factory=set)
    read_only: dict[str, frozenset[int]] = field(default_factory=dict)
    read_bytes: dict[str, frozenset[int]] = field(default_factory=dict)
    single: dict[str, frozenset[int]] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    linked: set[str] = field(default_factory=set)
    weak: Mapping[str, frozenset[int]] = field(default_factory=dict)
    ending: frozenset[str] = frozenset()
    defining: dict[str, tuple[int, Node | None]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    statics: dict[Local, Object] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)
    mentioned: dict[str, frozenset[str]] = field(default_factory=dict)
