"""What the functions of a Linux driver are for, read off its tree: who calls them, and from when on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pycparser import c_ast, c_generator

from duet.errors import Unsupported
from duet.frontend.graph.reach import reaches
from duet.frontend.source.parse import ParsedUnit

MARKER = "__duet_"
EXPORTED = f"{MARKER}exported_"
DRIVER_KINDS = {"platform_driver": "platform", "pci_driver": "pci", "pnp_driver": "pnp", "isa_driver": "isa"}
HOLDERS = frozenset({"file_operations", "miscdevice", "notifier_block", "timer_list", *DRIVER_KINDS})
"""The structures of the kernel whose function pointers the harness calls."""
CALLED = frozenset({"file_operations", "notifier_block"})
"""Those of them that functions without a model may be given: who mentions one may come to call what is in it."""
REGISTERING = {
    "misc_register": "miscdevice",
    "register_reboot_notifier": "notifier_block",
    "platform_driver_register": "platform_driver",
    "pci_register_driver": "pci_driver",
    "pnp_register_driver": "pnp_driver",
}
"""What these functions get: variables that are initialised where they are declared, so that functions are known."""
COPYING = frozenset({"memcpy", "memmove", "memset", "swap"})
CALLBACK_TAKERS = frozenset({"timer_setup", "request_irq"})
TAKERS = CALLBACK_TAKERS | REGISTERING.keys() | {"mod_timer", "add_timer"}
"""The functions whose arguments are understood by their names."""
BOUND_FIELDS = frozenset(
    {"compat_ioctl", "flush", "fops", "fsync", "function", "llseek", "match", "notifier_call", "open", "poll", "probe"}
    | {"read", "release", "remove", "resume", "shutdown", "suspend", "unlocked_ioctl", "write"}
)


@dataclass(frozen=True, slots=True)
class Device:
    """A `miscdevice` variable and its file operations: field name to function."""

    name: str
    operations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Driver:
    """A bus driver variable; `kind` is platform, pci, pnp or isa; `functions` maps its fields to functions."""

    name: str
    kind: str
    functions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Callback:
    """`function` is called with `argument`, the address of its object as C text."""

    function: str
    argument: str


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of a driver. `functions` are those with a body; `calls` maps each, and variables, to names.

    `writable_parameters` may be written while the module is loaded, `counts` are variables that get numbers of
    elements. `exported` are the functions and variables that other modules may use.
    """

    init: str | None
    exit: str | None
    module_driver: Driver | None
    devices: tuple[Device, ...]
    drivers: tuple[Driver, ...]
    timers: tuple[Callback, ...]
    notifiers: tuple[Callback, ...]
    interrupts: tuple[str, ...]
    parameters: tuple[str, ...]
    array_parameters: tuple[str, ...]
    writable_parameters: frozenset[str]
    counts: tuple[str, ...]
    exported: tuple[str, ...]
    functions: frozenset[str]
    calls: Mapping[str, frozenset[str]]

    def reaches(self, starts: tuple[str, ...], targets: frozenset[str]) -> bool:
        """Whether a function in `starts` may come to call one in `targets`, through whatever it mentions."""
        return reaches(starts, targets, lambda name: self.calls.get(name, frozenset()))

    @property
    def mentioned(self) -> frozenset[str]:
        """Every name that any function mentions."""
        return frozenset().union(*self.calls.values())


def find_roles(unit: ParsedUnit) -> Roles:
    """Returns the roles in a unit that was preprocessed with the model headers.

    *Raises*: Unsupported where a function of the driver is handed to something whose calls are not known, or bound in
    a way that cannot be read off: a harness without them would miss executions.
    """
    _check_macros(unit)
    _check_takers(unit)
    bodies = {node.decl.name: node for node in unit.ast.ext if isinstance(node, c_ast.FuncDef)}
    functions = frozenset(bodies)
    objects = {node.name: node for node in unit.ast.ext if isinstance(node, c_ast.Decl) and node.init is not None}
    structures = (node for node in _nodes(unit.ast) if isinstance(node, c_ast.Struct) and node.decls is not None)
    defined = frozenset(str(node.name) for node in structures)
    tables = {name: _fields(unit, decl, defined) for name, decl in objects.items()}
    kinds = {node.name: _structure(node) for node in unit.ast.ext if isinstance(node, c_ast.Decl) and node.name}
    declared = {node.name for node in unit.ast.ext if isinstance(node, c_ast.Decl) and node.name} | functions
    calls = [call for body in bodies.values() for call in _nodes(body) if isinstance(call, c_ast.FuncCall)]
    timers = _timers(calls, tables, kinds, functions)
    initialised = {name: kinds[name] for name in objects}
    for call in calls:
        _check_call(unit, call, functions, kinds, declared - COPYING)
        _check_registration(unit, call, initialised)
        _check_timer(unit, call, timers)
    _check_assignments(unit, bodies, functions, kinds)
    _check_exports(unit, declared)
    _check_hidden(unit, bodies, declared)
    for name in objects:
        if kinds[name] == "miscdevice" and kinds.get(tables[name].get("fops", "")) != "file_operations":
            raise Unsupported(f"the file operations of '{name}' cannot be read off", unit.span(objects[name].coord))
    drivers = {
        name: Driver(name, DRIVER_KINDS[kinds[name]], tables[name]) for name in objects if kinds[name] in DRIVER_KINDS
    }
    module = [drivers[_name(objects[f"{MARKER}{kind}"].init)] for kind in DRIVER_KINDS if f"{MARKER}{kind}" in objects]
    return Roles(
        init=_entry(objects, "module_init"),
        exit=_entry(objects, "module_exit"),
        module_driver=module[0] if module else None,
        devices=tuple(
            Device(name, tables.get(tables[name].get("fops", ""), {}))
            for name in objects
            if kinds[name] == "miscdevice"
        ),
        drivers=tuple(drivers.values()),
        timers=timers,
        notifiers=tuple(
            Callback(tables[name]["notifier_call"], f"&{name}")
            for name in objects
            if kinds[name] == "notifier_block" and "notifier_call" in tables[name]
        ),
        interrupts=tuple(sorted({_name(_arguments(call)[1]) for call in calls if _name(call.name) == "request_irq"})),
        parameters=_marked(kinds, f"{MARKER}param_plain_"),
        array_parameters=_marked(kinds, f"{MARKER}param_array_"),
        writable_parameters=frozenset(
            name.removeprefix(f"{MARKER}mode_")
            for name, decl in objects.items()
            if name.startswith(f"{MARKER}mode_") and _mode(decl.init) & 0o222
        ),
        counts=tuple(
            _name(decl.init)
            for name, decl in objects.items()
            if name.startswith(f"{MARKER}count_") and _name(decl.init)
        ),
        exported=_marked(kinds, EXPORTED),
        functions=functions,
        calls={
            **{name: _mentioned(body.body) for name, body in bodies.items()},
            **{lost.name: frozenset(name for name, _ in lost.mentions) for lost in unit.refused},
            **{name: _mentioned(objects[name].init) for name in objects if kinds[name] not in HOLDERS - CALLED},
        },
    )


def text(node: c_ast.Node) -> str:
    """The C text of an expression."""
    return str(c_generator.CGenerator().visit(node))


def _nodes(root: c_ast.Node) -> Iterator[c_ast.Node]:
    """Every node below and including `root`."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for _, child in reversed(node.children()))


def _mentioned(body: c_ast.Node) -> frozenset[str]:
    """The names that a function mentions, but for the functions that it only has called back later, as a thread."""
    later = [
        _arguments(call)[1]
        for call in _nodes(body)
        if isinstance(call, c_ast.FuncCall) and _name(call.name) in CALLBACK_TAKERS and len(_arguments(call)) > 1
    ]
    return frozenset(node.name for node in _nodes(body) if isinstance(node, c_ast.ID) and node not in later)


def _arguments(call: c_ast.FuncCall) -> list[c_ast.Node]:
    return list(call.args.exprs) if call.args else []


def _name(node: c_ast.Node | None) -> str:
    """The name that an expression like `f`, `&f` or `(T)f` is, empty for others."""
    while isinstance(node, c_ast.UnaryOp | c_ast.Cast):
        if isinstance(node, c_ast.UnaryOp) and node.op != "&":
            return ""
        node = node.expr
    return str(node.name) if isinstance(node, c_ast.ID) else ""


def _structure(decl: c_ast.Decl) -> str:
    """The tag of the structure that a variable is, or is an array of; empty for others."""
    kind = decl.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    inner = kind.type if isinstance(kind, c_ast.TypeDecl) else None
    return str(inner.name or "") if isinstance(inner, c_ast.Struct) else ""


def _fields(unit: ParsedUnit, decl: c_ast.Decl, defined: frozenset[str]) -> Mapping[str, str]:
    """The names that the fields of a structure are initialised with; `defined` are the structures that are."""
    fields: dict[str, str] = {}
    kind = _structure(decl)
    if not isinstance(decl.init, c_ast.InitList):
        return fields
    if kind and kind not in defined:
        message = f"'struct {kind}' is not defined, so who calls its functions is not known"
        raise Unsupported(message, unit.span(decl.coord))
    if kind in HOLDERS and isinstance(decl.type, c_ast.ArrayDecl):
        raise Unsupported(f"arrays of 'struct {kind}' are not supported", unit.span(decl.coord))
    for item in decl.init.exprs or ():
        if isinstance(item, c_ast.NamedInitializer) and isinstance(item.name[0], c_ast.ID):
            field = item.name[0].name
            if name := _name(item.expr):
                fields[field] = name
            elif kind in HOLDERS and field in BOUND_FIELDS and text(item.expr) not in ("0", "(void *) 0"):
                raise Unsupported(f"what '{field}' is cannot be read off", unit.span(item.coord or decl.coord))
        elif kind in HOLDERS and not (isinstance(item, c_ast.Constant) and item.value == "0"):
            raise Unsupported(f"initialise the fields of 'struct {kind}' by name", unit.span(item.coord or decl.coord))
    for field in fields if kind in HOLDERS else ():
        if field not in _members(unit, kind):
            raise Unsupported(f"'{field}' of 'struct {kind}' is not modelled", unit.span(decl.coord))
    return fields


def _members(unit: ParsedUnit, tag: str) -> frozenset[str]:
    """The members of a structure of the model headers."""
    found = (n for n in unit.ast.ext if isinstance(n, c_ast.Decl) and isinstance(n.type, c_ast.Struct))
    return frozenset(m.name for n in found if n.type.name == tag for m in n.type.decls or ())


def _check_macros(unit: ParsedUnit) -> None:
    """Refuses macros that no header here defines where they declare something: they look like functions without types.

    What `DECLARE_WORK(work, function);` mentions, or makes names of, may be called by the kernel.
    """
    for node in _nodes(unit.ast):
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        if not (isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.FuncDecl)):
            continue
        typed = {item.name for item in getattr(node, "param_decls", None) or ()}
        given = declaration.type.args.params if declaration.type.args else []
        result = declaration.type.type.type if isinstance(declaration.type.type, c_ast.TypeDecl) else None
        is_typed = str(getattr(result, "coord", "")) != str(declaration.coord)
        if not is_typed or any(isinstance(item, c_ast.ID) and item.name not in typed for item in given):
            raise Unsupported(f"'{declaration.name}' is no macro that is modelled", unit.span(declaration.coord))


def _check_takers(unit: ParsedUnit) -> None:
    """Refuses to call by a pointer what is understood by the names of its arguments."""
    nodes = list(_nodes(unit.ast))
    named = {id(node.name) for node in nodes if isinstance(node, c_ast.FuncCall)}
    named |= {id(node.field) for node in nodes if isinstance(node, c_ast.StructRef)}
    for node in nodes:
        if isinstance(node, c_ast.ID) and node.name in TAKERS and id(node) not in named:
            raise Unsupported(f"the address of '{node.name}' is not supported", unit.span(node.coord))


def _check_call(
    unit: ParsedUnit, call: c_ast.FuncCall, functions: frozenset[str], kinds: Mapping[str, str], declared: set[str]
) -> None:
    """Refuses calls that hand a function, or an object with functions, to something unknown."""
    callee = _name(call.name)
    for position, argument in enumerate(_arguments(call)):
        name = _name(argument)
        if name in functions and callee not in CALLBACK_TAKERS and callee not in functions:
            raise Unsupported(f"when '{callee}' calls '{name}' is not known", unit.span(call.coord))
        if kinds.get(name) in HOLDERS and callee not in declared:
            raise Unsupported(f"'{callee}', which gets '{name}', has no model", unit.span(call.coord))
        if callee in CALLBACK_TAKERS and position == 1 and name not in functions:
            raise Unsupported(f"the function that '{callee}' gets cannot be read off", unit.span(call.coord))


def _check_registration(unit: ParsedUnit, call: c_ast.FuncCall, initialised: Mapping[str, str]) -> None:
    """Refuses to register what is not a variable with functions that are known."""
    callee, arguments = _name(call.name), _arguments(call)
    if callee in REGISTERING and arguments and initialised.get(_name(arguments[0])) != REGISTERING[callee]:
        raise Unsupported(f"{callee} of something other than '&variable'", unit.span(call.coord))


def _check_exports(unit: ParsedUnit, declared: set[str]) -> None:
    """Refuses to export what this module does not declare."""
    for node in unit.ast.ext:
        name = str(getattr(node, "name", ""))
        if name.startswith(EXPORTED) and name.removeprefix(EXPORTED) not in declared:
            raise Unsupported(f"'{name.removeprefix(EXPORTED)}' is exported, but not declared", unit.span(node.coord))


def _check_hidden(unit: ParsedUnit, bodies: Mapping[str, c_ast.FuncDef], names: set[str]) -> None:
    """Refuses to hand over a variable of a function that hides what has its name at file scope."""
    for body in bodies.values():
        hiding = {node.name for node in _nodes(body) if isinstance(node, c_ast.Decl) and node is not body.decl} & names
        for call in _nodes(body) if hiding else ():
            if not isinstance(call, c_ast.FuncCall) or _name(call.name) not in TAKERS:
                continue
            for node in (node for argument in _arguments(call) for node in _nodes(argument)):
                if isinstance(node, c_ast.ID) and node.name in hiding:
                    raise Unsupported(f"another '{node.name}' is hidden by this one", unit.span(node.coord))


def _check_timer(unit: ParsedUnit, call: c_ast.FuncCall, timers: tuple[Callback, ...]) -> None:
    """Refuses to arm a timer whose function is not known. A parameter or variable points to one that is."""
    if _name(call.name) in ("mod_timer", "add_timer"):
        timer = _arguments(call)[0]
        if not isinstance(timer, c_ast.ID) and text(timer) not in {known.argument for known in timers}:
            raise Unsupported(f"the function of the timer '{text(timer)}' cannot be read off", unit.span(call.coord))


def _check_assignments(
    unit: ParsedUnit, bodies: Mapping[str, c_ast.FuncDef], functions: frozenset[str], kinds: Mapping[str, str]
) -> None:
    """Refuses functions that are bound to a field of the kernel by an assignment, also of a whole structure."""
    for node in (node for body in bodies.values() for node in _nodes(body) if isinstance(node, c_ast.Assignment)):
        sides = {side.name for side in (node.lvalue, node.rvalue) if isinstance(side, c_ast.ID)}
        if HOLDERS & {kinds.get(name) for name in sides}:
            raise Unsupported(f"set '{text(node.lvalue)}' where it is declared", unit.span(node.coord))
        if not isinstance(node.lvalue, c_ast.StructRef):
            continue
        if _name(node.rvalue) in functions or node.lvalue.field.name in BOUND_FIELDS:
            field = node.lvalue.field.name
            raise Unsupported(f"set '{field}' in the initialiser of its structure", unit.span(node.coord))


def _entry(objects: Mapping[str, c_ast.Decl], kind: str) -> str | None:
    decl = objects.get(f"{MARKER}{kind}")
    return _name(decl.init) if decl else None


def _timers(
    calls: list[c_ast.FuncCall],
    tables: Mapping[str, Mapping[str, str]],
    kinds: Mapping[str, str],
    functions: frozenset[str],
) -> tuple[Callback, ...]:
    """The timers of DEFINE_TIMER and timer_setup; one whose object is not a global one gets an arbitrary address."""
    found = [
        Callback(table["function"], f"&{name}")
        for name, table in tables.items()
        if kinds[name] == "timer_list" and table.get("function") in functions
    ]
    for call in calls:
        if _name(call.name) == "timer_setup":
            timer, function = _arguments(call)[:2]
            names = {node.name for node in _nodes(timer) if isinstance(node, c_ast.ID)}
            base = next((n for n in _nodes(timer) if isinstance(n, c_ast.ID)), None)
            known = base is not None and base.name in kinds and "->" not in text(timer) and len(names) <= 3
            argument = text(timer) if known else "(struct timer_list *)__duet_nondet_ptr()"
            found.append(Callback(_name(function), argument))
    return tuple(dict.fromkeys(found))


def _marked(kinds: Mapping[str, str], marker: str) -> tuple[str, ...]:
    """The names that have a marker."""
    return tuple(name.removeprefix(marker) for name in kinds if name.startswith(marker))


def _mode(node: c_ast.Node) -> int:
    """The permissions that an expression is; all of them where it is not plain."""
    match node:
        case c_ast.Constant() if re.fullmatch("0[0-7]*", node.value):
            return int(node.value, 8)
        case c_ast.BinaryOp(op="|"):
            return _mode(node.left) | _mode(node.right)
        case _:
            return 0o777
