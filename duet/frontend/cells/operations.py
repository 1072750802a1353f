"""Operations: functions that a core of the kernel calls for what a driver has registered with it, one record each.

They are called from the registration on, not before, and find the private data of what was registered by their first
argument. So each runs as threads of its own that start there, and have the private data of that moment. That nothing
changes it later is found out, not assumed (`duet.frontend.cells.private`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Given:
    """The private data is an argument of the registration, by its position from 0."""

    position: int


@dataclass(frozen=True, slots=True)
class OfLife:
    """The private data is that of the device whose life registers, which is given at a position if it is given.

    The core forgets the data when the life ends. What is registered ends before that, or else, if there is a function
    `end`, when that is given the same device and the same next argument.
    """

    position: int | None = None
    end: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """The private data is a member of what is registered, which is an argument, by its position from 0."""

    position: int


Source: TypeAlias = Given | OfLife | Stored


@dataclass(frozen=True, slots=True)
class Operations:
    """What a core calls for what is registered: functions that a `table`, a structure, names in its `members`.

    `around` are structures with such a table in them, each with the member that it is. If it `is_initial`, only tables
    count that initialisers make: others of the kernel's structures lead there, too, which code may fill.
    `slot` is the structure and the member that functions find private data in, at their first argument; `getter` is the
    function that gives it instead. Tables come to the core by registrations or in `carriers`, structures with members.
    Whoever is given one of the `objects`, by their tags, may register it: by `registers` with private data from where
    they say, not by those that are `harmless`, in any way by others. `makers` make an object for the device that they
    are given at a position.
    """

    table: str
    members: frozenset[str]
    registers: Mapping[str, Source]
    objects: frozenset[str]
    slot: tuple[str, str] | None = None
    getter: str = ""
    carriers: frozenset[tuple[str, str]] = frozenset()
    makers: Mapping[str, int] | None = None
    around: Mapping[str, str] | None = None
    is_initial: bool = False
    harmless: frozenset[str] = frozenset()

    def names(self, structure: str, member: str) -> bool:
        """Whether a member of a structure names an operation."""
        outer = f"{(self.around or {})[structure]}." if structure in (self.around or {}) else ""
        is_table = structure == self.table or bool(outer)
        return is_table and member.startswith(outer) and member[len(outer) :] in self.members

    @property
    def functions(self) -> frozenset[str]:
        """The functions of the core that may be given objects and tables."""
        return self.harmless.union(self.registers, self.makers or ())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DEVICE = ("device", "driver_data")
WATCHDOG = ("watchdog_device", "driver_data")
OPERATIONS = (
    Operations(  # Documentation/driver-api/gpio, gpiochip_add_data(): "data: driver-private data"
        "gpio_chip",
        _words(
            "request free get_direction direction_input direction_output get set get_multiple set_multiple set_config"
            " to_irq dbg_show add_pin_ranges"
        ),
        {"gpiochip_add_data_with_key": Given(1), "devm_gpiochip_add_data_with_key": Given(2)},
        frozenset(("gpio_chip",)),
        getter="gpiochip_get_data",
        harmless=_words(
            "gpiochip_remove gpiochip_get_data gpiochip_lock_as_irq gpiochip_unlock_as_irq gpiochip_reqres_irq"
            " gpiochip_relres_irq gpiochip_disable_irq gpiochip_enable_irq gpiochip_line_is_irq gpiochip_line_is_valid"
            " gpiochip_is_requested gpiochip_generic_request gpiochip_generic_free gpiochip_generic_config"
            " gpiochip_add_pin_range gpiochip_remove_pin_ranges bgpio_init"
        ),
    ),
    Operations(  # struct hwmon_ops: "dev: Pointer to hardware monitoring device", whose driver_data is drvdata
        "hwmon_ops",
        _words("read read_string write"),
        {"hwmon_device_register_with_info": Given(2), "devm_hwmon_device_register_with_info": Given(2)},
        frozenset(("hwmon_ops", "hwmon_chip_info")),
        slot=DEVICE,
        carriers=frozenset((("hwmon_chip_info", "ops"),)),
    ),
    Operations(  # struct rtc_class_ops: "the device is the physical device", rtc->dev.parent
        "rtc_class_ops",
        _words("read_time set_time read_alarm set_alarm alarm_irq_enable proc read_offset set_offset ioctl")
        | _words("param_get param_set"),
        {"__devm_rtc_register_device": OfLife(), "devm_rtc_device_register": OfLife(0)},
        frozenset(("rtc_class_ops", "rtc_device")),
        slot=DEVICE,
        carriers=frozenset((("rtc_device", "ops"),)),
        makers={"devm_rtc_allocate_device": 0},
        harmless=_words(
            "rtc_update_irq rtc_read_time rtc_set_time rtc_read_alarm rtc_set_alarm rtc_initialize_alarm"
            " rtc_alarm_irq_enable rtc_update_irq_enable rtc_handle_legacy_irq rtc_aie_update_irq rtc_uie_update_irq"
            " rtc_class_close devm_rtc_nvmem_register rtc_add_group rtc_add_groups"
        ),
    ),
    Operations(  # Documentation/driver-api/driver-model/device.rst: attributes are called with the device they are of
        "device_attribute",
        _words("show store"),
        {
            "devm_hwmon_device_register_with_groups": Given(2),
            "hwmon_device_register_with_groups": Given(2),
            "device_create_file": OfLife(0, "device_remove_file"),
            "devm_device_add_group": OfLife(0),
            "devm_device_add_groups": OfLife(0),
            "device_add_groups": OfLife(0, "device_remove_groups"),
            "sysfs_create_group": OfLife(0, "sysfs_remove_group"),
            "sysfs_create_groups": OfLife(0, "sysfs_remove_groups"),
        },
        frozenset(("device_attribute", "sensor_device_attribute", "sensor_device_attribute_2", "attribute"))
        | {"attribute_group"},
        slot=DEVICE,
        carriers=frozenset((("[]", "[]"), ("attribute_group", "attrs"))),
        harmless=_words("device_remove_file device_remove_groups sysfs_remove_group sysfs_remove_groups sysfs_notify"),
        around={"sensor_device_attribute": "dev_attr", "sensor_device_attribute_2": "dev_attr"},
        is_initial=True,
    ),
    Operations(  # Documentation/watchdog/watchdog-kernel-api.rst: "driver_data: a pointer to the drivers private data"
        "watchdog_ops",
        _words("start stop ping status set_timeout set_pretimeout get_timeleft restart ioctl"),
        {"watchdog_register_device": Stored(0), "devm_watchdog_register_device": Stored(1)},
        frozenset(("watchdog_ops", "watchdog_device")),
        slot=WATCHDOG,
        carriers=frozenset((("watchdog_device", "ops"),)),
        harmless=_words(
            "watchdog_unregister_device watchdog_init_timeout watchdog_set_restart_priority watchdog_notify_pretimeout"
            " watchdog_set_last_hw_keepalive watchdog_dev_suspend watchdog_dev_resume"
        ),
    ),
)


def registered_by(name: str) -> Operations | None:
    """The operations that a function registers."""
    return next((found for found in OPERATIONS if name in found.registers), None)
