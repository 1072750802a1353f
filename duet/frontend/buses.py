"""The part of a harness that stands for the buses of a Linux driver: devices that come, go, sleep and wake up."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from duet.frontend.parse import ParsedUnit
from duet.frontend.roles import Driver, Roles

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


def bus_registrations(roles: Roles, used: frozenset[str]) -> Iterator[str]:
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
        known = "\t__duet_expose(driver->id_table);"
        yield f"int {kind}_{registering(kind)}({parameter})\n{{\n{FAIL}\n{known}\n{registered}\n\treturn 0;\n}}"
        removed = "\n".join(
            f"\tif (driver == &{d.name}) {{\n"
            f"{'' if _is_single(d, roles) else f'{chr(9)}{chr(9)}while (__duet_nondet_bool()){chr(10)}{chr(9)}'}"
            f"\t\t__duet_unbind_{d.name}();\n\t\t__duet_registered_{d.name} = 0;\n\t}}"
            for d in drivers
        )
        yield f"void {kind}_{registering(kind, 'un')}({parameter})\n{{\n{removed}\n}}"


def registering(kind: str, prefix: str = "") -> str:
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
