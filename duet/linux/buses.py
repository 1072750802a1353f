"""Buses: one record each says how a driver gets onto a bus, what the bus calls, and how its devices come and go.

`templates/bus.c.jinja` writes the harness of any of them. Devices come and go one after the other, each step under a
lock of the driver, in a thread that runs beside the rest of the bring-up; where registering the driver is all that the
module does, they do so inside of the registration. A driver that makes its own device (`add`) has that one only.
"""

from __future__ import annotations

from dataclasses import dataclass

from duet.linux.callbacks import Callback, Holder, Phase, Taker
from duet.plip.syntax import MADE

MARKER = MADE
"""What the macros of the model headers put before the names of what they declare."""


@dataclass(frozen=True, slots=True)
class Bus:
    """A bus.

    `driver` is the structure of its drivers, `device` that of its devices (a variable `__duet_NAME_device` of the
    harness stands for all). `register` and `unregister` are functions; without them only the macro `module_NAME_driver`
    registers, which declares `__duet_NAME_driver` (and `__duet_NAME_count`, if devices are `numbered`: then
    `__duet_NAME_id` is the number of the device that is probed, `__duet_any_NAME_id()` that of any). A device is bound
    when the result of `probe` is as `success` says. `add` is a function by which a driver makes a device, given with
    its parameters, and `delete` the one that ends it. `state` is the type of what `suspend` gets as `__duet_state`;
    `has_table` says that registering a driver hands over its `id_table`. `binding` is a function that the model headers
    call when a driver was bound to a device by them.
    """

    name: str
    driver: Holder
    device: str
    success: str = "== 0"
    register: str = ""
    unregister: str = ""
    numbered: bool = False
    add: str = ""
    add_parameters: str = ""
    delete: str = ""
    state: str = ""
    has_table: bool = False
    binding: str = ""

    @property
    def object(self) -> str:
        """The variable that stands for its devices."""
        return f"{MARKER}{self.name}_device"

    @property
    def marker(self) -> str:
        """The variable that the macro for whole modules declares."""
        return f"{MARKER}{self.name}_driver"

    @property
    def ending(self) -> frozenset[str]:
        """The functions of the kernel that have devices go."""
        return frozenset(filter(None, (self.unregister, self.delete)))

    def callback(self, phase: Phase) -> Callback | None:
        """What is called in a phase."""
        return next((found for found in self.driver.callbacks if found.phase is phase), None)


def _driver(name: str, device: str, **arguments: str) -> Holder:
    """The structure of the drivers of a bus, whose callbacks all get the device, and further arguments if named."""
    members = {"match": Phase.MATCH, "probe": Phase.PROBE, "remove": Phase.REMOVE, "shutdown": Phase.SHUTDOWN}
    members |= {"suspend": Phase.SUSPEND, "resume": Phase.RESUME}
    return Holder(
        name,
        tuple(
            Callback(member, phase, ", ".join(filter(None, (f"&{device}", arguments[member]))))
            for member, phase in members.items()
            if member in arguments
        ),
    )


_ANY_ID = "__duet_any_isa_id()"
PLATFORM = Bus(
    name="platform",
    driver=_driver(
        "platform_driver",
        "__duet_platform_device",
        probe="",
        remove="",
        shutdown="",
        suspend="__duet_state",
        resume="",
    ),
    device="platform_device",
    register="platform_driver_register",
    unregister="platform_driver_unregister",
    add="platform_device_register_simple",
    add_parameters="const char *name, int id,\n\t\tconst struct resource *resources, unsigned int count",
    delete="platform_device_unregister",
    state="pm_message_t",
    has_table=True,
    binding="__duet_platform_bound",
)
PCI = Bus(
    name="pci",
    driver=_driver(
        "pci_driver",
        "__duet_pci_device",
        probe="(const struct pci_device_id *)__duet_nondet_ptr()",
        remove="",
        shutdown="",
    ),
    device="pci_dev",
    success=">= 0",
    register="pci_register_driver",
    unregister="pci_unregister_driver",
    has_table=True,
)
PNP = Bus(
    name="pnp",
    driver=_driver(
        "pnp_driver",
        "__duet_pnp_device",
        probe="(const struct pnp_device_id *)__duet_nondet_ptr()",
        remove="",
        shutdown="",
    ),
    device="pnp_dev",
    success=">= 0",
    register="pnp_register_driver",
    unregister="pnp_unregister_driver",
    has_table=True,
)
ISA = Bus(
    name="isa",
    driver=_driver(
        "isa_driver",
        "__duet_isa_device",
        match="__duet_isa_id",
        probe="__duet_isa_id",
        remove=_ANY_ID,
        shutdown=_ANY_ID,
        suspend=f"{_ANY_ID}, __duet_state",
        resume=_ANY_ID,
    ),
    device="device",
    numbered=True,
    state="__duet_pm_message",
)
BUSES = (PLATFORM, PCI, PNP, ISA)
REGISTERING = tuple(Taker(bus.register, bus.driver.structure) for bus in BUSES if bus.register)
"""The functions that register drivers."""
