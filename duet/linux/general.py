"""The harness of a module by the general rule of who calls what, for every subsystem there is.

A function whose address reaches the kernel is called at any time from then on, by any number of threads, with any
arguments: that is what a function of the kernel does here that has no model (`duet.frontend.models.unknown`), whatever
its name. So the harness only loads the module, calls its exit function, and hands over what the kernel finds without
being given it: parameters, exported symbols, whatever else has external linkage, and tables that only the linker sees.

*Approximates*: over. Nothing ends what was registered, and no call of a callback excludes another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pycparser import c_ast

from duet.errors import UsageError
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.words import MODULE_ENTRY, MODULE_EXIT
from duet.linux.arguments import never_null
from duet.linux.buses import MARKER
from duet.linux.cores import find_cores
from duet.linux.cycles import Life, find_lives, threads_of
from duet.linux.entries import Entry, find_entries
from duet.linux.handed import PAGE, Caller, find_callers
from duet.linux.kept import find_kept
from duet.linux.maps import own_widths
from duet.linux.mentions import Mentions, find_mentions
from duet.linux.operations import Operation, find_operations
from duet.linux.parameters import Parameter, find_parameters, marked
from duet.linux.refusals import EXPORTED
from duet.linux.results import relaying, words_of
from duet.linux.tables import Tables
from duet.linux.templating import rendered
from duet.linux.tree import declarations, name_of, nodes, structure_of

BY_NAME = frozenset(("init_module", "cleanup_module"))
"""What the kernel calls by its name."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The part of a harness for one of some `files`, which is the `number`-th of them from 1.

    `init` and `exit` load and unload the module, empty if the file has none; `imported` is what the kernel finds in
    it. `lives` are those of the devices of its drivers, `standing` the threads that run where the kernel finds a
    function of theirs, `given` the parameters of functions that are never null, `operations` run from calls of the
    functions on that register what they are for, what is `kept` is not called by the kernel. `callers` call
    functions with what the core has in hand. `own_widths` are about register maps: all that it uses are its own.
    Functions of the kernel that are `relaying` may return what functions of the driver do. `cores` are operations with
    the structures whose cores wait for them. `entries` tell of all of that, for who reads the harness.
    `loaded` are the numbers of the files that load a module.
    """

    path: str
    number: int
    files: int
    init: str
    exit: str
    parameters: tuple[Parameter, ...]
    imported: tuple[str, ...]
    lives: tuple[Life, ...] = ()
    standing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    operations: Mapping[str, Operation] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    callers: tuple[Caller, ...] = ()
    own_widths: tuple[str, ...] = ()
    relaying: tuple[str, ...] = ()
    cores: tuple[tuple[str, str], ...] = ()
    loaded: tuple[int, ...] = ()
    entries: tuple[Entry, ...] = ()

    @property
    def is_loaded(self) -> bool:
        return bool(self.init or self.exit)


def derive(units: Sequence[ParsedUnit], is_whole: bool = False) -> list[str]:
    """The C texts that follow the files of a module, which were read with the kernel's own headers, as its harness.

    The last one has the `main` of all. Files that load a module each are several modules. If they are all of a module
    that `is_whole`, other modules use what it exports, and nothing else.
    *Raises*: UsageError where the kernel finds nothing of the files.
    """
    mentions = [find_mentions(unit, _declared(unit)) for unit in units]
    words = frozenset[str]().union(*(words_of(unit, own, is_whole) for unit, own in zip(units, mentions, strict=True)))
    plans = [
        replace(_plan(unit, number, len(units), is_whole, own), relaying=relaying(unit, own, words))
        for number, (unit, own) in enumerate(zip(units, mentions, strict=True), 1)
    ]
    if not any(plan.is_loaded or plan.imported for plan in plans):
        told = ", ".join(unit.path for unit in units)
        raise UsageError(f"{told}: no module_init, and nothing that the kernel could find: not a driver module")
    loaded = tuple(plan.number for plan in plans if plan.is_loaded)
    return [rendered("general.c.jinja", plan=replace(plan, loaded=loaded), page=PAGE) for plan in plans]


def _plan(unit: ParsedUnit, number: int, files: int, is_whole: bool, every: Mentions) -> Plan:
    found = _tables(unit)
    handed = tuple(dict.fromkeys((*_further(unit), *_handed(unit, found, is_whole))))
    entry, leave = _entry(found, MODULE_ENTRY), _entry(found, MODULE_EXIT)
    mentions = every.of(_own(unit))
    lives = find_lives(unit, mentions)
    standing = {name: threads for name in mentions.sites if (threads := threads_of(name, lives, mentions))}
    given = {name: positions for name in mentions.sites if (positions := never_null(mentions, name))}
    given |= {life.thread: (0, 1) if life.cycle.match else (0,) for life in lives}
    callers = tuple(find_callers(unit, mentions, given))
    operations = find_operations(unit, mentions, lives, {caller.function for caller in callers})
    kept = tuple(find_kept(unit, mentions))
    given |= {caller.name: caller.given for caller in callers if caller.given}
    return Plan(
        path=unit.path,
        number=number,
        files=files,
        init=entry,
        exit=leave,
        parameters=find_parameters(found),
        imported=handed,
        lives=lives,
        standing=standing,
        given=given,
        operations=operations,
        kept=kept,
        callers=callers,
        own_widths=own_widths(unit),
        cores=tuple(find_cores(mentions)),
        entries=tuple(find_entries(unit, mentions, lives, standing, operations, kept)),
    )


def _own(unit: ParsedUnit) -> frozenset[str]:
    """The functions and variables at file scope that nothing outside of the unit can name."""
    return frozenset(str(item.name) for item in _at_file_scope(unit) if "static" in (item.storage or ()))


def _declared(unit: ParsedUnit) -> frozenset[str]:
    """All functions and variables at file scope."""
    return frozenset(str(item.name) for item in _at_file_scope(unit))


def _at_file_scope(unit: ParsedUnit) -> Iterator[c_ast.Decl]:
    every = (item.decl if isinstance(item, c_ast.FuncDef) else item for item in unit.ast.ext)
    return (item for item in every if isinstance(item, c_ast.Decl) and item.name)


def _tables(unit: ParsedUnit) -> Tables:
    """The variables of the unit, without a look into them."""
    objects = {decl.name: decl for decl in declarations(unit.ast) if decl.init is not None}
    kinds = {decl.name: structure_of(decl) for decl in declarations(unit.ast)}
    functions = frozenset(node.decl.name for node in unit.ast.ext if isinstance(node, c_ast.FuncDef))
    return Tables(objects, kinds, {}, functions | {lost.name for lost in unit.refused}, frozenset(), frozenset())


def _entry(tables: Tables, marker: str) -> str:
    return name_of(tables.objects[marker].init) if marker in tables.objects else ""


def _further(unit: ParsedUnit) -> list[str]:
    """The entry points but for the last one: text that is built in may have several, in an order of their own."""
    entries = [
        name_of(decl.init) for decl in declarations(unit.ast) if decl.name == MODULE_ENTRY and decl.init is not None
    ]
    return entries[:-1]


def _handed(unit: ParsedUnit, tables: Tables, is_whole: bool) -> Iterator[str]:
    """What the kernel, or a part of the module that is not there, has without being given it, as arguments."""
    for name in marked(tables, EXPORTED):
        yield name if name in tables.functions else f"&{name}"
    mentioned = {node.name for item in unit.ast.ext for node in _named(item)}
    mentioned |= {name for lost in unit.refused for name, _ in lost.mentions}
    for item in unit.ast.ext:
        decl = item.decl if isinstance(item, c_ast.FuncDef) else item
        if not (isinstance(decl, c_ast.Decl) and decl.name) or not unit.is_users(decl.coord):
            continue
        is_static = "static" in (decl.storage or ()) or "inline" in (decl.funcspec or ())
        is_function = isinstance(decl.type, c_ast.FuncDecl)
        is_defined = decl.name in tables.functions if is_function else "extern" not in (decl.storage or ())
        is_found = not is_function and decl.init is not None and decl.name not in mentioned
        is_hidden = is_static or (is_whole and decl.name not in BY_NAME)
        is_marker = decl.name.startswith(MARKER) and not decl.name.startswith(f"{MARKER}used_")
        if is_defined and not is_marker and (not is_hidden or is_found):
            yield decl.name if is_function else f"&{decl.name}"


def _named(item: c_ast.Node) -> Iterator[c_ast.ID]:
    """The names that an item mentions, but for the markers of the overlay."""
    name = str(getattr(item, "name", "") or "")
    if not name.startswith(f"{MARKER}used_"):
        yield from (node for node in nodes(item) if isinstance(node, c_ast.ID))
