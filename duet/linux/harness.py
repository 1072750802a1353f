"""C text that runs a Linux driver the way the kernel may run it: module loading, clients, timers, interrupts.

The harness is an over-approximation of the kernel:

- Module parameters take any value of their type, those that sysfs may write at any time; then the driver is brought up
  as the module macros say.
- What a registration brings to life is started *by* the registration, when it succeeds, so it runs concurrently with
  the rest of the bring-up: the clients of a misc device, a notifier, an interrupt handler. Registrations may also fail.
- A timer may fire at any time once something could have armed it: from the first registration on, or from the very
  start if the bring-up itself can reach `mod_timer`. It fires again and again, armed or not.
- Each registered device has any number of clients. With `private` descriptors each one opens the device, operates on
  it, releases it. With `shared` ones any number of threads operate between an open and long after its release.
- What the module exports may be used by others from the start: that is so where it is built into the kernel.
- Tear-down runs with everything else alive, also clients: the kernel keeps clients out by a count of users.

A device is probed only while its driver is registered, by a thread that runs beside the rest of the bring-up, and may
be unbound and probed again at any time (sysfs does that). There are any number of devices, but only one where the
driver itself registers it. User space passes arbitrary arguments, except that the kernel itself limits the size of
reads and writes to `MAX_COUNT`. No name in the harness is one that the driver may use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from duet.errors import UsageError
from duet.frontend.source.parse import ParsedUnit
from duet.linux.buses import FAIL, bus_registrations, devices, registering
from duet.linux.roles import Callback, Device, Roles, find_roles
from duet.options import FrontendOptions

MAX_COUNT = "0x7ffff000ul"
ARMING = frozenset({"mod_timer", "add_timer"})
_PRIVATE = {"file": "private_data", "inode": "i_private"}
"""What a driver may keep in them."""
_TIMER_FLAGS = "\t__atomic_store_n(&timer->flags, __duet_nondet_uint(), 5);"
_MINOR = "\tif (__duet_device->minor == 255)\n\t\t__duet_device->minor = __duet_nondet_int();\n"
_ARGUMENTS = {
    "read": "&__duet_file, (char *)__duet_nondet_ptr(), __duet_count, &__duet_position",
    "write": "&__duet_file, (const char *)__duet_nondet_ptr(), __duet_count, &__duet_position",
    "unlocked_ioctl": "&__duet_file, __duet_nondet_uint(), __duet_nondet_ulong()",
    "compat_ioctl": "&__duet_file, __duet_nondet_uint(), __duet_nondet_ulong()",
    "llseek": "&__duet_file, __duet_nondet_longlong(), __duet_nondet_int()",
    "poll": "&__duet_file, (struct poll_table_struct *)__duet_nondet_ptr()",
    "flush": "&__duet_file, __duet_nondet_ptr()",
    "fsync": "&__duet_file, __duet_nondet_longlong(), __duet_nondet_longlong(), __duet_nondet_int()",
}


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
            _looping(f"interrupt_{i}", f"{name}(__duet_nondet_int(), __duet_data)", "void *__duet_data")
            for i, name in enumerate(roles.interrupts)
        ),
        *devices(unit, roles),
        _sysfs(roles),
        _importer(roles),
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
    of_drivers = (function for driver in roles.drivers for function in driver.functions.values())
    starts = tuple(filter(None, (roles.init, roles.exit, *of_drivers, *roles.exported)))
    return bool(roles.timers) and roles.reaches(starts, ARMING)


def _looping(name: str, call: str, parameters: str = "void") -> str:
    """A thread that makes a call again and again."""
    return f"static void __duet_run_{name}({parameters})\n{{\n\twhile (__duet_nondet_bool())\n\t\t(void){call};\n}}"


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
                f"{indent}\t__duet_count = __duet_nondet_ulong();\n"
                f"{indent}\t__duet_assume(__duet_count <= {MAX_COUNT});\n"
                f"{indent}\t__duet_position = __duet_nondet_longlong();\n{call}"
            )
        branches.append(f"{indent}if (__duet_nondet_bool()) {{\n{call}\n{indent}}}")
    moved = [
        f"{indent}__duet_havoc(__duet_file.{field});" for field in ("f_flags", "f_pos") if field in roles.mentioned
    ]
    return "\n".join([*moved, *branches])


def _taken(roles: Roles, of: str, indent: str) -> list[str]:
    """Lines that give a file or an inode of the harness anything that the driver has ever left in one."""
    field = _PRIVATE[of]
    return [f"{indent}__duet_{of}.{field} = __duet_nondet_ptr();"] if field in roles.mentioned else []


def _left(roles: Roles, of: str, indent: str) -> list[str]:
    """Lines that make known what the driver has left in a file or an inode of the harness."""
    field = _PRIVATE[of]
    return [f"{indent}__duet_expose(__duet_{of}.{field});"] if field in roles.mentioned else []


def _client(device: Device, roles: Roles, descriptors: str) -> str:
    """The threads of the clients of one device."""
    shared = descriptors == "shared"
    locals_ = "\tstruct file __duet_file;\n\tunsigned long __duet_count;\n\tlong long __duet_position;\n"
    body = [*_taken(roles, "file", "\t"), _operations(device, roles, "\t"), *_left(roles, "file", "\t")]
    operation = "\n".join(
        [f"static void __duet_run_operation_{device.name}(void)\n{{\n{locals_}", *filter(None, body), "}"]
    )
    opening = device.operations.get("open")
    releasing = device.operations.get("release")
    lines = [f"static void __duet_run_client_{device.name}(void)", "{", "\tstruct inode __duet_inode;"]
    lines.append("\tstruct file __duet_file;" if shared else locals_.rstrip("\n"))
    lines += ["", *_taken(roles, "inode", "\t")]
    left = [*_left(roles, "inode", "\t"), *(_left(roles, "file", "\t") if shared else ())]
    if opening in roles.functions and left:
        lines += [
            f"\tint __duet_result = {opening}(&__duet_inode, &__duet_file);",
            "",
            *left,
            "\tif (__duet_result != 0)",
            "\t\treturn;",
        ]
    elif opening in roles.functions:
        lines += [f"\tif ({opening}(&__duet_inode, &__duet_file) != 0)", "\t\treturn;"]
    if shared:
        lines += ["\twhile (__duet_nondet_bool())", f"\t\t__duet_spawn(__duet_run_operation_{device.name});"]
        lines += _taken(roles, "file", "\t") if releasing in roles.functions else []
    else:
        lines += ["\twhile (__duet_nondet_bool()) {", _operations(device, roles, "\t\t"), "\t}"]
    if releasing in roles.functions:
        lines += [f"\t(void){releasing}(&__duet_inode, &__duet_file);", *left]
    client = "\n".join([*lines, "}"])
    return f"{operation}\n\n{client}" if shared else client


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
        (
            f"__duet_device == &{d.name}",
            f"\t\twhile (__duet_nondet_bool())\n\t\t\t__duet_spawn(__duet_run_client_{d.name});",
        )
        for d in roles.devices
    ]
    notifiers = [
        (f"__duet_block == {c.argument}", f"\t\t__duet_spawn(__duet_run_notifier_{i});")
        for i, c in enumerate(roles.notifiers)
    ]
    interrupts = [
        (f"__duet_handler == {name}", f"\t\t__duet_spawn(__duet_run_interrupt_{i}, __duet_data);")
        for i, name in enumerate(roles.interrupts)
    ]
    bodies: Mapping[str, tuple[str, list[tuple[str, str]]]] = {
        "misc_register": ("struct miscdevice *__duet_device", clients),
        "register_reboot_notifier": ("struct notifier_block *__duet_block", notifiers),
        "request_irq": (
            "unsigned int __duet_irq, irq_handler_t __duet_handler, unsigned long __duet_flags,\n"
            "\t\tconst char *__duet_name, void *__duet_data",
            interrupts,
        ),
    }
    for name, (parameters, starts) in bodies.items():
        if name in used:
            branches = "\n".join(f"\tif ({test}) {{\n{body}\n\t}}" for test, body in starts)
            changed = _MINOR if name == "misc_register" else ""
            yield f"int {name}({parameters})\n{{\n{FAIL}\n{changed}{timers}{branches}\n\treturn 0;\n}}"
    if "timer_setup" in used:
        parameters = "struct timer_list *timer, void (*callback)(struct timer_list *), unsigned int flags"
        yield (
            f"void timer_setup({parameters})\n{{\n\ttimer->function = callback;\n{_TIMER_FLAGS}\n"
            "\t__duet_expose(timer);\n}"
        )
    if "mod_timer" in used:
        yield (
            "int mod_timer(struct timer_list *timer, unsigned long time)\n{\n\tif (timer->function)\n"
            f"\t\t__atomic_store_n(&timer->expires, time, 5);\n{_TIMER_FLAGS}\n\treturn __duet_nondet_bool();\n}}"
        )
    if "add_timer" in used:
        yield f"void add_timer(struct timer_list *timer)\n{{\n{_TIMER_FLAGS}\n}}"
    yield from bus_registrations(roles)


def _any_elements(name: str) -> list[str]:
    """Gives any elements of an array any value."""
    return [
        "\twhile (__duet_nondet_bool()) {",
        "\t\tunsigned long __duet_index = __duet_nondet_ulong();",
        f"\n\t\t__duet_assume(__duet_index < sizeof({name}) / sizeof({name}[0]));",
        f"\t\t__duet_havoc({name}[__duet_index]);",
        "\t}",
    ]


def _sysfs(roles: Roles) -> str:
    """The thread that writes parameters while the module is loaded, if their permissions allow that."""
    plain = [name for name in roles.parameters if name in roles.writable_parameters]
    arrays = [name for name in roles.array_parameters if name in roles.writable_parameters]
    lines = [f"\tif (__duet_nondet_bool())\n\t\t__duet_havoc({name});" for name in plain]
    lines += [line for name in arrays for line in _any_elements(name)]
    if not lines:
        return ""
    body = "\n".join(lines)
    return f"static void __duet_run_sysfs(void)\n{{\n\twhile (__duet_nondet_bool()) {{\n{body}\n\t}}\n}}"


def _importer(roles: Roles) -> str:
    """The thread of the modules that use what this one exports."""
    if not roles.exported:
        return ""
    given = ", ".join(name if name in roles.functions else f"&{name}" for name in roles.exported)
    body = f"\twhile (__duet_nondet_bool())\n\t\t__duet_import({given});"
    return f"static void __duet_run_importer(void)\n{{\n{body}\n}}"


def _main(roles: Roles, early: bool) -> str:
    """The bring-up and the tear-down of the module."""
    lines = [f"\t__duet_havoc({name});" for name in (*roles.parameters, *roles.counts)]
    lines += [line for name in roles.array_parameters for line in _any_elements(name)]
    lines += ["\t__duet_spawn(__duet_run_sysfs);"] if roles.writable_parameters else []
    lines += ["\t__duet_spawn(__duet_run_importer);"] if roles.exported else []
    lines += [f"\t__duet_any_{kind}();" for kind in dict.fromkeys(driver.kind for driver in roles.drivers)]
    if early:
        lines += [f"\t__duet_spawn(__duet_run_timer_{i});" for i in range(len(roles.timers))]
    driver = roles.module_driver
    if driver and driver.kind == "isa":
        lines += [f"\t__duet_live_{driver.name}();"] if driver.functions.get("probe") in roles.functions else []
    elif driver:
        kind = driver.kind
        lines += [f"\tif ({kind}_{registering(kind)}(&{driver.name}) != 0)", "\t\treturn 0;"]
        lines += ["\tif (__duet_nondet_bool())", f"\t\t{kind}_{registering(kind, 'un')}(&{driver.name});"]
    else:
        lines += [f"\tif ({roles.init}() < 0)", "\t\treturn 0;"]
        if roles.exit:
            lines += ["\tif (__duet_nondet_bool())", f"\t\t{roles.exit}();"]
    return "\n".join(["int main(void)", "{", *lines, "\treturn 0;", "}"])
