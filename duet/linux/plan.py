"""What a harness does, as records that the templates write out as C."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.buses import Bus
from duet.linux.callbacks import FILE_OPERATIONS, NOTIFIER, POSITIONED, Phase
from duet.linux.parameters import Parameter
from duet.linux.roles import Device, Driver, Roles
from duet.linux.timers import ARMING
from duet.linux.tree import members, structures


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of a file operation; with a count and a position if it `transfers`."""

    call: str
    transfers: bool


@dataclass(frozen=True, slots=True)
class Client:
    """The clients of a misc device; calls that are not made are empty."""

    name: str
    open: str
    operations: tuple[Operation, ...]
    release: str


@dataclass(frozen=True, slots=True)
class Started:
    """A thread of the harness that makes a call again and again, and the object that it is registered by.

    There is any number of these threads if it `is_many`.
    """

    thread: str
    call: str
    object: str = ""
    is_many: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a device that the kernel gives any value."""

    path: str
    is_pointer: bool


@dataclass(frozen=True, slots=True)
class Devices:
    """The variable that stands for all devices of a bus."""

    bus: Bus
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A driver of a bus; calls that are not made are empty.

    The bus has devices come and go if it `is_live`: without a `probe` they are bound all the same. They do so in a
    thread of its own if it `is_beside` the rest of the bring-up, not where registering is all that the module does. It
    `is_single` where it makes its only device itself. Its end takes the lock that each step takes if it `is_locked`:
    not where a step may come to run it.
    """

    name: str
    bus: Bus
    match: str
    probe: str
    remove: str
    shutdown: str
    suspend: str
    resume: str
    is_live: bool
    is_beside: bool
    is_single: bool
    is_locked: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """A harness. `starting` are the calls that bring the module up and tear it down, where no driver does it.

    Timers run from the start if they are `early`, else from the first registration on. `mentioned` are the names that
    the driver mentions anywhere.
    """

    path: str
    descriptors: str
    init: str
    exit: str
    module_driver: Binding | None
    clients: tuple[Client, ...]
    timers: tuple[Started, ...]
    is_early: bool
    notifiers: tuple[Started, ...]
    interrupts: tuple[Started, ...]
    devices: tuple[Devices, ...]
    drivers: tuple[Binding, ...]
    parameters: tuple[Parameter, ...]
    imported: tuple[str, ...]
    mentioned: frozenset[str]

    @property
    def buses(self) -> tuple[Bus, ...]:
        """The buses that functions register drivers on."""
        return tuple(found.bus for found in self.devices if found.bus.register)

    def of(self, bus: Bus) -> tuple[Binding, ...]:
        """The drivers of a bus."""
        return tuple(driver for driver in self.drivers if driver.bus is bus)


def plan(unit: ParsedUnit, roles: Roles, descriptors: str) -> Plan:
    """What the harness of a driver does."""
    drivers = tuple(_binding(driver, roles) for driver in roles.drivers)
    module = roles.module_driver.name if roles.module_driver else ""
    (notified,) = NOTIFIER.callbacks
    return Plan(
        path=unit.path,
        descriptors=descriptors,
        init=roles.init or "",
        exit=roles.exit or "",
        module_driver=next((driver for driver in drivers if driver.name == module), None),
        clients=tuple(_client(device, roles) for device in roles.devices),
        timers=tuple(
            Started(f"__duet_run_timer_{i}", f"{timer.function}({timer.argument})", is_many=timer.is_many)
            for i, timer in enumerate(roles.timers)
        ),
        is_early=_arms_in_bring_up(roles),
        notifiers=tuple(
            Started(
                f"__duet_run_notifier_{i}",
                f"{found.function}({notified.arguments.format(object=f'&{found.name}')})",
                found.name,
                is_many=True,
            )
            for i, found in enumerate(roles.notifiers)
        ),
        interrupts=tuple(
            Started(f"__duet_run_interrupt_{i}", f"{name}(__duet_nondet_int(), __duet_data)", name)
            for i, name in enumerate(roles.interrupts)
        ),
        devices=tuple(
            Devices(bus, tuple(_fields(unit, bus.device, bus.object)))
            for bus in dict.fromkeys(driver.bus for driver in roles.drivers)
        ),
        drivers=drivers,
        parameters=roles.parameters,
        imported=tuple(name if name in roles.functions else f"&{name}" for name in roles.exported),
        mentioned=roles.mentioned,
    )


def _arms_in_bring_up(roles: Roles) -> bool:
    """Whether bringing the driver up can arm a timer before anything is registered."""
    of_drivers = (function for driver in roles.drivers for function in driver.functions.values())
    starts = tuple(filter(None, (roles.init, roles.exit, *of_drivers, *roles.exported)))
    return bool(roles.timers) and roles.reaches(starts, ARMING)


def _client(device: Device, roles: Roles) -> Client:
    """The clients of a device. A function that changes the mode of a file may take its position away."""
    operations = tuple(device.operations[member] for member in FILE_OPERATIONS.bound & device.operations.keys())
    is_stream = roles.reaches(operations, roles.unknown | {"f_mode"}, POSITIONED)
    position = "__duet_nondet_bool() ? &__duet_position : (loff_t *)0" if is_stream else "&__duet_position"
    found: dict[Phase, list[Operation]] = {phase: [] for phase in Phase}
    for callback in FILE_OPERATIONS.callbacks:
        if function := device.operations.get(callback.member):
            call = f"{function}({callback.arguments.format(position=position)})"
            found[callback.phase].append(Operation(call, callback.transfers))
    opening, releasing = ("".join(item.call for item in found[phase]) for phase in (Phase.OPEN, Phase.RELEASE))
    return Client(device.name, opening, tuple(found[Phase.OPERATION]), releasing)


def _binding(driver: Driver, roles: Roles) -> Binding:
    """What happens to the devices of a driver."""
    probe = _call(driver, Phase.PROBE)
    is_module = driver is roles.module_driver
    is_live = is_module or bool(probe) or driver.bus.register in roles.mentioned
    is_beside = is_live and not is_module
    steps = tuple(filter(None, (_function(driver, phase) for phase in (Phase.PROBE, Phase.REMOVE))))
    return Binding(
        name=driver.name,
        bus=driver.bus,
        match=_call(driver, Phase.MATCH),
        probe=probe,
        remove=_call(driver, Phase.REMOVE),
        shutdown=_call(driver, Phase.SHUTDOWN),
        suspend=_call(driver, Phase.SUSPEND),
        resume=_call(driver, Phase.RESUME),
        is_live=is_live,
        is_beside=is_beside,
        is_single=driver.bus.add != "" and driver.bus.add in roles.mentioned,
        is_locked=is_beside and not roles.reaches(steps, driver.bus.ending),
    )


def _call(driver: Driver, phase: Phase) -> str:
    """The call of a function of a driver."""
    callback, function = driver.bus.callback(phase), _function(driver, phase)
    return f"{function}({callback.arguments})" if callback and function else ""


def _function(driver: Driver, phase: Phase) -> str:
    """The function of a driver that is called in a phase."""
    callback = driver.bus.callback(phase)
    return driver.functions.get(callback.member, "") if callback else ""


def _fields(unit: ParsedUnit, tag: str, target: str) -> Iterator[Field]:
    """The fields of a structure, with those of structures in it."""
    found = structures(unit.ast)
    for field in members(found.get(tag)):
        kind = field.type
        if isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.Struct):
            yield from _fields(unit, kind.type.name, f"{target}.{field.name}")
        else:
            yield Field(f"{target}.{field.name}", isinstance(kind, c_ast.PtrDecl))
