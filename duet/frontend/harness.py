"""C text that runs a Linux driver the way the kernel may run it: module loading, clients, timers, interrupts.

The harness is an over-approximation of the kernel:

- Module parameters take any value of their type, then the driver is brought up as the module macros say.
- What a registration brings to life is started *by* the registration, when it succeeds, so it runs concurrently with
  the rest of the bring-up: the clients of a misc device, a notifier, an interrupt handler. Registrations may also fail.
- A timer may fire at any time once something could have armed it: from the first registration on, or from the very
  start if the bring-up itself can reach `mod_timer`. It fires again and again, armed or not.
- Each registered device has any number of clients. With `private` descriptors each one opens the device, operates on
  it, releases it. With `shared` ones any number of threads operate between an open and long after its release.
- Tear-down runs with everything else alive, also clients: the kernel keeps clients out by a count of users.

A device is probed only while its driver is registered, and may be unbound and probed again at any time (sysfs does
that). There are any number of devices, but only one where the driver itself registers it. User space passes arbitrary
arguments, except that the kernel itself limits the size of reads and writes to `MAX_COUNT`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from duet.errors import UsageError
from duet.frontend.parse import ParsedUnit
from duet.frontend.roles import Callback, Device, Driver, Roles, find_roles
from duet.options import FrontendOptions

MAX_COUNT = "0x7ffff000ul"
ARMING = frozenset({"mod_timer", "add_timer"})
_FAIL = (
    "\tif (__duet_nondet_bool()) {\n\t\tint error = __duet_nondet_int();\n\n"
    "\t\t__duet_assume(error < 0);\n\t\treturn error;\n\t}"
)
_ARGUMENTS = {
    "read": "&file, (char *)__duet_nondet_ptr(), count, &position",
    "write": "&file, (const char *)__duet_nondet_ptr(), count, &position",
    "unlocked_ioctl": "&file, __duet_nondet_uint(), __duet_nondet_ulong()",
    "compat_ioctl": "&file, __duet_nondet_uint(), __duet_nondet_ulong()",
    "llseek": "&file, __duet_nondet_longlong(), __duet_nondet_int()",
    "poll": "&file, (struct poll_table_struct *)__duet_nondet_ptr()",
    "flush": "&file, __duet_nondet_ptr()",
    "fsync": "&file, __duet_nondet_longlong(), __duet_nondet_longlong(), __duet_nondet_int()",
}
_ISA_ID = (
    "static unsigned int __duet_isa_id;\n\nstatic unsigned int __duet_any_isa_id(void)\n{\n"
    "\tunsigned int id = __duet_nondet_uint();\n\n\t__duet_assume(id < __duet_isa_count);\n\treturn id;\n}"
)
_OBJECTS = {"platform": "platform_device", "pci": "pci_dev", "pnp": "pnp_dev", "isa": "device"}


@dataclass(frozen=True, slots=True)
class Harness:
    """The C text of a harness (no preprocessor lines in it) and the roles that it was made from."""

    text: str
    roles: Roles


def derive(unit: ParsedUnit, options: FrontendOptions) -> Harness:
    """Returns the harness of a driver.

    *Raises*: UsageError if there is no module entry point; Unsupported for callbacks that nobody is known to call.
    """
    roles = find_roles(unit)
    if not roles.init and not roles.module_driver:
        raise UsageError(f"{unit.path}: no module_init and no module_*_driver: not a driver module")
    early = _arms_in_bring_up(roles)
    parts = [
        f"/* Harness of {unit.path}, descriptors: {options.descriptors}. Save, edit and pass it back as you need. */",
        *(_client(device, roles, options.descriptors) for device in roles.devices),
        *(_looping(f"timer_{i}", f"{c.function}({c.argument})") for i, c in enumerate(roles.timers)),
        *(_looping(f"notifier_{i}", _notified(c)) for i, c in enumerate(roles.notifiers)),
        *(
            _looping(f"interrupt_{i}", f"{name}(__duet_nondet_int(), __duet_nondet_ptr())")
            for i, name in enumerate(roles.interrupts)
        ),
        *_drivers(unit, roles),
        _start_timers(roles, early),
        *_registrations(roles),
        _main(roles, early),
    ]
    return Harness("\n\n".join(part for part in parts if part) + "\n", roles)


def combine(preprocessed: str, harness: str, name: str) -> str:
    """Returns the preprocessed text of a driver followed by a harness; its lines are those of the file `name`."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'{preprocessed}\n# 1 "{escaped}"\n{harness}'


def _arms_in_bring_up(roles: Roles) -> bool:
    """Whether bringing the driver up can arm a timer before anything is registered."""
    starts = tuple(filter(None, (roles.init, roles.exit, *(f for d in roles.drivers for f in d.functions.values()))))
    return bool(roles.timers) and roles.reaches(starts, ARMING)


def _looping(name: str, call: str) -> str:
    """A thread that makes a call again and again."""
    return f"static void __duet_run_{name}(void)\n{{\n\twhile (__duet_nondet_bool())\n\t\t(void){call};\n}}"


def _notified(callback: Callback) -> str:
    return f"{callback.function}({callback.argument}, __duet_nondet_ulong(), __duet_nondet_ptr())"


def _operations(device: Device, roles: Roles, indent: str) -> str:
    """One arbitrary operation on a device."""
    names = [f for f in _ARGUMENTS if device.operations.get(f) in roles.functions]
    branches = []
    for field in names:
        call = f"{indent}\t(void){device.operations[field]}({_ARGUMENTS[field]});"
        if field in ("read", "write"):
            call = (
                f"{indent}\tcount = __duet_nondet_ulong();\n{indent}\t__duet_assume(count <= {MAX_COUNT});\n"
                f"{indent}\tposition = __duet_nondet_longlong();\n{call}"
            )
        branches.append(f"{indent}if (__duet_nondet_bool()) {{\n{call}\n{indent}}}")
    return "\n".join(branches)


def _client(device: Device, roles: Roles, descriptors: str) -> str:
    """The threads of the clients of one device."""
    shared = descriptors == "shared"
    locals_ = "\tstruct file file;\n\tunsigned long count;\n\tlong long position;\n"
    operation = (
        f"static void __duet_run_operation_{device.name}(void)\n{{\n{locals_}\n{_operations(device, roles, chr(9))}\n}}"
    )
    opening = device.operations.get("open")
    releasing = device.operations.get("release")
    lines = [f"static void __duet_run_client_{device.name}(void)", "{", "\tstruct inode inode;"]
    lines.append("\tstruct file file;" if shared else locals_.rstrip("\n"))
    lines.append("")
    if opening in roles.functions:
        lines += [f"\tif ({opening}(&inode, &file) != 0)", "\t\treturn;"]
    if shared:
        lines += ["\twhile (__duet_nondet_bool())", f"\t\t__duet_spawn(__duet_run_operation_{device.name});"]
    else:
        lines += ["\twhile (__duet_nondet_bool()) {", _operations(device, roles, "\t\t"), "\t}"]
    if releasing in roles.functions:
        lines.append(f"\t(void){releasing}(&inode, &file);")
    client = "\n".join([*lines, "}"])
    return f"{operation}\n\n{client}" if shared else client


def _drivers(unit: ParsedUnit, roles: Roles) -> Iterator[str]:
    """The devices of each bus driver, its shutdown thread, what happens when it is bound and unbound."""
    kinds = dict.fromkeys(driver.kind for driver in roles.drivers)
    for kind in kinds:
        tag = _OBJECTS[kind]
        yield f"static struct {tag} __duet_{kind}_device;"
        lines = _arbitrary_fields(unit, tag, f"__duet_{kind}_device")
        yield f"static void __duet_any_{kind}(void)\n{{\n{lines}\n}}"
    if "isa" in kinds:
        yield _ISA_ID
    for driver in roles.drivers:
        yield f"static unsigned int __duet_bound_{driver.name};\nstatic int __duet_registered_{driver.name};"
        if driver.functions.get("shutdown") in roles.functions:
            arguments = _device_arguments(driver, "shutdown")
            call = f"{driver.functions['shutdown']}({arguments})"
            yield f"static void __duet_run_shutdown_{driver.name}(void)\n{{\n\t(void){call};\n}}"
        yield _power(driver, roles)
        yield _bind(driver, roles)
        yield _unbind(driver, roles)
        yield _life(driver, roles)


def _device_arguments(driver: Driver, field: str) -> str:
    """The arguments of a function of a bus driver."""
    device = f"&__duet_{driver.kind}_device"
    if driver.kind == "isa":
        return f"{device}, {'__duet_isa_id' if field in ('match', 'probe') else '__duet_any_isa_id()'}"
    identity = {"pci": "pci_device_id", "pnp": "pnp_device_id"}.get(driver.kind)
    if field == "probe" and identity:
        return f"{device}, (const struct {identity} *)__duet_nondet_ptr()"
    return device


def _power(driver: Driver, roles: Roles) -> str:
    """The thread that suspends and resumes a device, if the driver wants to know."""
    state = {"platform": "pm_message_t", "isa": "__duet_pm_message"}.get(driver.kind)
    calls = []
    for field in ("suspend", "resume"):
        if driver.functions.get(field) in roles.functions:
            message = ", state" if field == "suspend" else ""
            calls.append(f"\t\t(void){driver.functions[field]}({_device_arguments(driver, field)}{message});")
    if not calls or state is None:
        return ""
    body = "\n".join(["\twhile (__duet_nondet_bool()) {", *calls, "\t}"])
    return f"static void __duet_run_power_{driver.name}(void)\n{{\n\t{state} state;\n\n{body}\n}}"


def _is_single(driver: Driver, roles: Roles) -> bool:
    """Whether there is only one device: of a platform driver that registers it itself."""
    return driver.kind == "platform" and "platform_device_register_simple" in roles.mentioned


def _bind(driver: Driver, roles: Roles) -> str:
    """What follows when a probe function has returned 0 (tested by the caller: that keeps what each return knows)."""
    bound = f"__duet_bound_{driver.name}"
    count = "1" if _is_single(driver, roles) else f"{bound} + 1"
    lines = [f"\t{bound} = {count};"]
    if driver.functions.get("shutdown") in roles.functions:
        lines.append(f"\t__duet_spawn(__duet_run_shutdown_{driver.name});")
    if _power(driver, roles):
        lines.append(f"\t__duet_spawn(__duet_run_power_{driver.name});")
    body = "\n".join(lines)
    return f"static void __duet_bind_{driver.name}(void)\n{{\n{body}\n}}"


def _unbind(driver: Driver, roles: Roles) -> str:
    """The removal of a device from its driver, if one is bound."""
    bound = f"__duet_bound_{driver.name}"
    count = "0" if _is_single(driver, roles) else f"{bound} - 1"
    remove = driver.functions.get("remove")
    call = f"\n\t\t(void){remove}({_device_arguments(driver, 'remove')});" if remove in roles.functions else ""
    body = f"\tif ({bound} != 0) {{\n\t\t{bound} = {count};{call}\n\t}}"
    return f"static void __duet_unbind_{driver.name}(void)\n{{\n{body}\n}}"


def _life(driver: Driver, roles: Roles) -> str:
    """Devices come and go: any number of probes and removals, also of devices that were refused before."""
    probe, match = driver.functions.get("probe"), driver.functions.get("match")
    if probe not in roles.functions:
        return ""
    arguments = _device_arguments(driver, "probe")
    bind = f"if ({probe}({arguments}) == 0)\n\t\t\t\t__duet_bind_{driver.name}();"
    if driver.kind == "isa":
        first = "\t\t\t__duet_isa_id = __duet_any_isa_id();"
        if match in roles.functions:
            bind = f"if ({match}({arguments}) && {probe}({arguments}) == 0)\n\t\t\t\t__duet_bind_{driver.name}();"
    else:
        first = f"\t\t\t__duet_any_{driver.kind}();"
    test = f"__duet_bound_{driver.name} == 0 && " if _is_single(driver, roles) else ""
    body = (
        f"\twhile (__duet_nondet_bool()) {{\n\t\tif ({test}__duet_nondet_bool()) {{\n{first}\n\t\t\t{bind}\n"
        f"\t\t}} else {{\n\t\t\t__duet_unbind_{driver.name}();\n\t\t}}\n\t}}"
    )
    return f"static void __duet_live_{driver.name}(void)\n{{\n{body}\n}}"


def _arbitrary_fields(unit: ParsedUnit, tag: str, target: str) -> str:
    """Assignments that give every field of a structure an arbitrary value."""
    structures = {n.name: n for n in _structures(unit.ast)}
    lines = []
    for field in structures[tag].decls if tag in structures else ():
        kind = field.type
        if isinstance(kind, c_ast.PtrDecl):
            lines.append(f"\t{target}.{field.name} = __duet_nondet_ptr();")
        elif isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.Struct):
            lines.append(_arbitrary_fields(unit, kind.type.name, f"{target}.{field.name}"))
        else:
            lines.append(f"\t__duet_havoc({target}.{field.name});")
    return "\n".join(line for line in lines if line)


def _structures(ast: c_ast.FileAST) -> Iterator[c_ast.Struct]:
    """The structures defined at file scope."""
    for node in ast.ext:
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Struct) and node.type.decls:
            yield node.type


def _start_timers(roles: Roles, early: bool) -> str:
    """The function that starts the timers, unless they all run from the start."""
    if not roles.timers or early:
        return ""
    spawns = "\n".join(f"\t__duet_spawn(__duet_run_timer_{i});" for i in range(len(roles.timers)))
    return f"static void __duet_start_timers(void)\n{{\n{spawns}\n}}"


def _registrations(roles: Roles) -> Iterator[str]:
    """Definitions of the registering functions that the driver, or the harness, calls."""
    timers = "" if not roles.timers or _arms_in_bring_up(roles) else "\t__duet_start_timers();\n"
    used = roles.mentioned
    clients = [
        (f"device == &{d.name}", f"\t\twhile (__duet_nondet_bool())\n\t\t\t__duet_spawn(__duet_run_client_{d.name});")
        for d in roles.devices
    ]
    notifiers = [
        (f"block == {c.argument}", f"\t\t__duet_spawn(__duet_run_notifier_{i});") for i, c in enumerate(roles.notifiers)
    ]
    interrupts = [
        (f"handler == {name}", f"\t\t__duet_spawn(__duet_run_interrupt_{i});")
        for i, name in enumerate(roles.interrupts)
    ]
    bodies: Mapping[str, tuple[str, list[tuple[str, str]]]] = {
        "misc_register": ("struct miscdevice *device", clients),
        "register_reboot_notifier": ("struct notifier_block *block", notifiers),
        "request_irq": (
            "unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data",
            interrupts,
        ),
    }
    for name, (parameters, starts) in bodies.items():
        if name in used:
            branches = "\n".join(f"\tif ({test}) {{\n{body}\n\t}}" for test, body in starts)
            yield f"int {name}({parameters})\n{{\n{_FAIL}\n{timers}{branches}\n\treturn 0;\n}}"
    if "timer_setup" in used:
        parameters = "struct timer_list *timer, void (*callback)(struct timer_list *), unsigned int flags"
        yield f"void timer_setup({parameters})\n{{\n}}"
    if "mod_timer" in used:
        yield "int mod_timer(struct timer_list *timer, unsigned long time)\n{\n\treturn __duet_nondet_bool();\n}"
    if "add_timer" in used:
        yield "void add_timer(struct timer_list *timer)\n{\n}"
    yield from _bus_registrations(roles, used)


def _bus_registrations(roles: Roles, used: frozenset[str]) -> Iterator[str]:
    """Definitions of the functions that register bus drivers and devices."""
    for kind in ("platform", "pci", "pnp"):
        drivers = [driver for driver in roles.drivers if driver.kind == kind]
        if not drivers:
            continue
        probing = [driver for driver in drivers if driver.functions.get("probe") in roles.functions]
        if kind == "platform":
            yield from _platform(drivers, probing, used)
        registered = "\n".join(
            f"\tif (driver == &{d.name}) {{\n\t\t__duet_registered_{d.name} = 1;"
            f"{f'{chr(10)}{chr(9)}{chr(9)}__duet_live_{d.name}();' if d in probing else ''}\n\t}}"
            for d in drivers
        )
        parameter = f"struct {kind}_driver *driver"
        yield f"int {kind}_{_register(kind)}({parameter})\n{{\n{_FAIL}\n{registered}\n\treturn 0;\n}}"
        removed = "\n".join(
            f"\tif (driver == &{d.name}) {{\n"
            f"{'' if _is_single(d, roles) else f'{chr(9)}{chr(9)}while (__duet_nondet_bool()){chr(10)}{chr(9)}'}"
            f"\t\t__duet_unbind_{d.name}();\n\t\t__duet_registered_{d.name} = 0;\n\t}}"
            for d in drivers
        )
        yield f"void {kind}_{_register(kind, 'un')}({parameter})\n{{\n{removed}\n}}"


def _register(kind: str, prefix: str = "") -> str:
    """`driver_register` for platform drivers, `register_driver` for the others."""
    return f"driver_{prefix}register" if kind == "platform" else f"{prefix}register_driver"


def _platform(drivers: list[Driver], probing: list[Driver], used: frozenset[str]) -> Iterator[str]:
    """What only platform drivers have: devices registered by the driver itself, and probing at once."""
    if "__duet_platform_bound" in used:
        bound = "\n".join(f"\t__duet_bind_{d.name}();" for d in drivers if d not in probing)
        yield f"int __duet_platform_bound(void)\n{{\n{bound}\n\treturn 0;\n}}"
    probes = "\n".join(f"\tif (__duet_registered_{d.name} != 0)\n\t\t__duet_live_{d.name}();" for d in probing)
    yield (
        "struct platform_device *platform_device_register_simple(const char *name, int id,\n"
        "\t\tconst struct resource *resources, unsigned int count)\n"
        f"{{\n{probes}\n\treturn (struct platform_device *)__duet_nondet_ptr();\n}}"
    )
    unbound = "\n".join(f"\t__duet_unbind_{d.name}();" for d in drivers)
    yield f"void platform_device_unregister(struct platform_device *device)\n{{\n{unbound}\n}}"


def _main(roles: Roles, early: bool) -> str:
    """The bring-up and the tear-down of the module."""
    lines = [f"\t__duet_havoc({name});" for name in roles.parameters]
    for name in roles.array_parameters:
        lines += [
            "\twhile (__duet_nondet_bool()) {",
            "\t\tunsigned long index = __duet_nondet_ulong();",
            f"\n\t\t__duet_assume(index < sizeof({name}) / sizeof({name}[0]));",
            f"\t\t__duet_havoc({name}[index]);",
            "\t}",
        ]
    lines += [f"\t__duet_any_{kind}();" for kind in dict.fromkeys(driver.kind for driver in roles.drivers)]
    if early:
        lines += [f"\t__duet_spawn(__duet_run_timer_{i});" for i in range(len(roles.timers))]
    driver = roles.module_driver
    if driver and driver.kind == "isa":
        lines += [f"\t__duet_live_{driver.name}();"] if driver.functions.get("probe") in roles.functions else []
    elif driver:
        kind = driver.kind
        lines += [f"\tif ({kind}_{_register(kind)}(&{driver.name}) != 0)", "\t\treturn 0;"]
        lines += ["\tif (__duet_nondet_bool())", f"\t\t{kind}_{_register(kind, 'un')}(&{driver.name});"]
    else:
        lines += [f"\tif ({roles.init}() != 0)", "\t\treturn 0;"]
        lines += [
            line
            for other in roles.drivers
            if other.functions.get("probe") in roles.functions
            for line in (f"\tif (__duet_registered_{other.name} != 0)", f"\t\t__duet_live_{other.name}();")
        ]
        if roles.exit:
            lines += ["\tif (__duet_nondet_bool())", f"\t\t{roles.exit}();"]
    return "\n".join(["int main(void)", "{", *lines, "\treturn 0;", "}"])
