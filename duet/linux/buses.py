"""The part of a harness that stands for the buses of a Linux driver: devices that come, go, sleep and wake up."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.roles import Driver, Roles

FAIL = (
    "\tif (__duet_nondet_bool()) {\n\t\tint error = __duet_nondet_int();\n\n"
    "\t\t__duet_assume(error < 0);\n\t\treturn error;\n\t}"
)
_ISA_ID = (
    "static unsigned int __duet_isa_id;\n\nstatic unsigned int __duet_any_isa_id(void)\n{\n"
    "\tunsigned int id = __duet_nondet_uint();\n\n\t__duet_assume(id < __duet_isa_count);\n\treturn id;\n}"
)
_OBJECTS = {"platform": "platform_device", "pci": "pci_dev", "pnp": "pnp_dev", "isa": "device"}


def devices(unit: ParsedUnit, roles: Roles) -> Iterator[str]:
    """The devices of each bus driver, its shutdown thread, what happens when it is bound and unbound."""
    kinds = dict.fromkeys(driver.kind for driver in roles.drivers)
    for kind in kinds:
        tag = _OBJECTS[kind]
        yield f"static struct {tag} __duet_{kind}_device;"
        lines = _arbitrary_fields(unit, tag, f"__duet_{kind}_device")
        known = f"\t__duet_expose(&__duet_{kind}_device);"
        yield f"static void __duet_any_{kind}(void)\n{{\n{known}\n{lines}\n}}"
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
        yield _thread(driver, roles)


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
            message = ", __duet_state" if field == "suspend" else ""
            calls.append(f"\t\t(void){driver.functions[field]}({_device_arguments(driver, field)}{message});")
    if not calls or state is None:
        return ""
    body = "\n".join(["\twhile (__duet_nondet_bool()) {", *calls, "\t}"])
    return f"static void __duet_run_power_{driver.name}(void)\n{{\n\t{state} __duet_state;\n\n{body}\n}}"


def _is_single(driver: Driver, roles: Roles) -> bool:
    """Whether there is only one device: of a platform driver that registers it itself."""
    return driver.kind == "platform" and "platform_device_register_simple" in roles.mentioned


def _bind(driver: Driver, roles: Roles) -> str:
    """What follows when a probe function has succeeded (tested by the caller: that keeps what each return knows)."""
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


def _is_beside(driver: Driver, roles: Roles) -> bool:
    """Whether devices come and go in a thread: nothing runs beside them where registering is all that a module does."""
    return driver is not roles.module_driver and driver.functions.get("probe") in roles.functions


def _life(driver: Driver, roles: Roles) -> str:
    """Devices come and go: any number of probes and removals, also of devices that were refused before."""
    probe, match = driver.functions.get("probe"), driver.functions.get("match")
    if probe not in roles.functions:
        return ""
    arguments = _device_arguments(driver, "probe")
    success = ">= 0" if driver.kind in ("pci", "pnp") else "== 0"
    bind = f"if ({probe}({arguments}) {success})\n\t\t\t__duet_bind_{driver.name}();"
    if driver.kind == "isa":
        first = "\t\t__duet_isa_id = __duet_any_isa_id();"
        if match in roles.functions:
            bind = f"if ({match}({arguments}) && {probe}({arguments}) == 0)\n\t\t\t__duet_bind_{driver.name}();"
    else:
        first = f"\t\t__duet_any_{driver.kind}();"
    test = f"__duet_bound_{driver.name} == 0 && " if _is_single(driver, roles) else ""
    body = (
        f"\tif ({test}__duet_nondet_bool()) {{\n{first}\n\t\t{bind}\n"
        f"\t}} else {{\n\t\t__duet_unbind_{driver.name}();\n\t}}"
    )
    step = f"static void __duet_step_{driver.name}(void)\n{{\n{body}\n}}"
    if _is_beside(driver, roles):
        return step
    loop = f"\twhile (__duet_nondet_bool())\n\t\t__duet_step_{driver.name}();"
    return f"{step}\n\nstatic void __duet_live_{driver.name}(void)\n{{\n{loop}\n}}"


def _thread(driver: Driver, roles: Roles) -> str:
    """The thread in which devices come and go while the driver is registered, and the lock that each step takes."""
    if not _is_beside(driver, roles):
        return ""
    step = f"if (__duet_registered_{driver.name} != 0)\n\t\t\t__duet_step_{driver.name}();"
    body = f"\twhile (__duet_nondet_bool()) {{\n{_locked(driver, step, 2)}\n\t}}"
    thread = f"static void __duet_run_driver_{driver.name}(void)\n{{\n{body}\n}}"
    return f"static int __duet_lock_{driver.name};\n\n{thread}"


def _locked(driver: Driver, text: str, indent: int) -> str:
    """Statements between taking and releasing the lock of a driver."""
    lock, tabs = f"&__duet_lock_{driver.name}", "\t" * indent
    return f"{tabs}__duet_acquire({lock});\n{tabs}{text}\n{tabs}__duet_release({lock});"


def _alone(driver: Driver, roles: Roles, text: str, indent: int) -> str:
    """Statements that wait until no step of the driver runs; none where a step itself may come to run them."""
    if not _is_beside(driver, roles):
        return "\t" * indent + text
    steps = tuple(driver.functions[field] for field in ("probe", "remove") if field in driver.functions)
    ending = frozenset({"platform_device_unregister", f"{driver.kind}_{registering(driver.kind, 'un')}"})
    return "" if roles.reaches(steps, ending) else _locked(driver, text, indent)


def _arbitrary_fields(unit: ParsedUnit, tag: str, target: str) -> str:
    """Assignments that give every field of a structure an arbitrary value."""
    structures = {n.name: n for n in _structures(unit.ast)}
    lines = []
    for field in structures[tag].decls if tag in structures else ():
        kind = field.type
        if isinstance(kind, c_ast.PtrDecl):
            lines.append(f"\t__duet_expose({target}.{field.name});\n\t{target}.{field.name} = __duet_nondet_ptr();")
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


def bus_registrations(roles: Roles) -> Iterator[str]:
    """Definitions of the functions that register bus drivers and devices."""
    for kind in ("platform", "pci", "pnp"):
        drivers = [driver for driver in roles.drivers if driver.kind == kind]
        if not drivers:
            continue
        probing = [driver for driver in drivers if driver.functions.get("probe") in roles.functions]
        if kind == "platform":
            yield from _platform(drivers, probing, roles)
        registered = "\n".join(f"\tif (__duet_driver == &{d.name}) {{\n{_started(d, roles)}\n\t}}" for d in drivers)
        parameter = f"struct {kind}_driver *__duet_driver"
        known = "\t__duet_expose(__duet_driver->id_table);"
        yield f"int {kind}_{registering(kind)}({parameter})\n{{\n{FAIL}\n{known}\n{registered}\n\treturn 0;\n}}"
        removed = "\n".join(f"\tif (__duet_driver == &{d.name}) {{\n{_ended(d, roles)}\n\t}}" for d in drivers)
        yield f"void {kind}_{registering(kind, 'un')}({parameter})\n{{\n{removed}\n}}"


def _started(driver: Driver, roles: Roles) -> str:
    """What registering a driver does."""
    flag = f"__duet_registered_{driver.name} = 1;"
    if _is_beside(driver, roles):
        return f"{_locked(driver, flag, 2)}\n\t\t__duet_spawn(__duet_run_driver_{driver.name});"
    is_probing = driver.functions.get("probe") in roles.functions
    return f"\t\t{flag}" + (f"\n\t\t__duet_live_{driver.name}();" if is_probing else "")


def _ended(driver: Driver, roles: Roles) -> str:
    """What unregistering a driver does: of its devices any number, or the only one, goes."""
    loop = "" if _is_single(driver, roles) else "while (__duet_nondet_bool())\n\t\t\t"
    text = f"{loop}__duet_unbind_{driver.name}();\n\t\t__duet_registered_{driver.name} = 0;"
    return _alone(driver, roles, text, 2)


def registering(kind: str, prefix: str = "") -> str:
    """`driver_register` for platform drivers, `register_driver` for the others."""
    return f"driver_{prefix}register" if kind == "platform" else f"{prefix}register_driver"


def _platform(drivers: list[Driver], probing: list[Driver], roles: Roles) -> Iterator[str]:
    """What only platform drivers have: devices registered by the driver itself, and probing at once."""
    if "__duet_platform_bound" in roles.mentioned:
        bound = "\n".join(f"\t__duet_bind_{d.name}();" for d in drivers if d not in probing)
        yield f"int __duet_platform_bound(void)\n{{\n{bound}\n\treturn 0;\n}}"
    nested = [d for d in probing if not _is_beside(d, roles)]
    probes = "\n".join(f"\tif (__duet_registered_{d.name} != 0)\n\t\t__duet_live_{d.name}();" for d in nested)
    yield (
        "struct platform_device *platform_device_register_simple(const char *name, int id,\n"
        "\t\tconst struct resource *resources, unsigned int count)\n"
        f"{{\n{probes}\n\treturn (struct platform_device *)__duet_nondet_ptr();\n}}"
    )
    unbound = "\n".join(_alone(d, roles, f"__duet_unbind_{d.name}();", 1) for d in drivers)
    yield f"void platform_device_unregister(struct platform_device *device)\n{{\n{unbound}\n}}"
