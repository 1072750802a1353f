"""Whether results of functions of the kernel may be those of the driver's own functions, which the kernel calls below.

A bus, a clock or a chip that the driver itself registers works by functions of the driver, and what these return comes
back to whoever uses it: a register map hands on what `reg_read` says, `hwrng_register` what `init` says, also where it
is positive. So each function counts that returns a number, unless it is found only where its result goes elsewhere: to
user space, or to the core for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from pycparser import c_ast

from duet.frontend.models.kernel_names import TRANSFERS
from duet.frontend.models.statuses import RELAYING
from duet.frontend.source.parse import ParsedUnit
from duet.linux.buses import MARKER
from duet.linux.lvalues import Site, Types
from duet.linux.mentions import Mentions

_DRIVERS = """
platform_driver i2c_driver spi_driver pci_driver pnp_driver usb_driver serdev_device_driver isa_driver acpi_driver
virtio_driver hid_driver mei_cl_driver dev_pm_ops
"""
"""What binds drivers: really_probe() and the like keep the result of a probe, and so do those who put to sleep."""
_FILES = """
file_operations proc_ops seq_operations vm_operations_struct attribute_group device_attribute kobj_attribute
driver_attribute bin_attribute sensor_device_attribute sensor_device_attribute_2 kernel_param_ops
"""
"""What user space operates on: vfs_read(), dev_attr_show(), param_attr_store(), seq_read_iter() and the like."""
_CORES = """
watchdog_ops rtc_class_ops hwmon_ops led_classdev led_flash_ops led_trigger iio_info input_dev tpm_class_ops
nvmem_config notifier_block dmi_system_id agp_bridge_driver tty_operations tty_port_operations thermal_zone_device_ops
thermal_cooling_device_ops power_supply_desc backlight_ops net_device_ops block_device_operations timer_list hrtimer
work_struct
"""
"""Cores that return these results by functions of their own, of which `duet.frontend.models.statuses` has none."""
APART = frozenset(f"{_DRIVERS} {_FILES} {_CORES}".split())
"""Structures whose functions return nothing that one with a certain result hands on. *Source*: their callers in 6.1."""
BY_NAME: Mapping[str, tuple[str, ...]] = {
    "gpio_chip": ("gpio",),  # gpiod_direction_output_raw_commit(), gpiochip_init_valid_mask()
    "irq_chip": ("irq", "gpio"),  # irq_request_resources() in __setup_irq(), and below gpiochip_add_irqchip()
    "clk_ops": ("clk",),  # clk_core_enable() and the like
    "hwrng": ("hwrng",),  # hwrng_init()
    "regulator_ops": ("regulator",),  # _regulator_do_enable() and the like
    "reset_control_ops": ("reset",),  # reset_control_deassert() and the like
}
"""Those whose results come back by functions with certain words in their names."""
_GIVEN = """
request_threaded_irq devm_request_threaded_irq request_any_context_irq devm_request_any_context_irq
kthread_create_on_node device_for_each_child bus_for_each_dev driver_for_each_device device_find_child bus_find_device
class_find_device pci_walk_bus __cpuhp_setup_state sort sort_r bsearch list_sort __platform_driver_probe
__platform_create_bundle single_open single_open_size simple_attr_open debugfs_create_devm_seqfile
proc_create_single_data sparse_keymap_setup
"""
TAKERS = frozenset(_GIVEN.split())
"""Functions that keep the results of what they are given, or return these themselves."""
_NO_NUMBERS = frozenset(("void", "bool", "_Bool", "irqreturn_t"))
_ANY = ("",)


def words_of(unit: ParsedUnit, mentions: Mentions, is_whole: bool) -> frozenset[str]:
    """What is in the names of functions of the kernel that may return what functions of a unit say.

    `mentions` are those of all that the unit declares. Structures that only the driver knows lead to results by others
    of its functions: those of its C file, and of its headers if all files of it are there.
    """
    if any(lost.span.file in unit.source for lost in unit.refused):
        return frozenset(_ANY)
    types = Types(unit)
    files = frozenset(unit.source if is_whole else (unit.path,))
    own = {tag for tag, found in types.structures.items() if unit.span(found.coord).file in files}

    def by_site(site: Site) -> tuple[str, ...]:
        *path, _ = site.member.split(".")
        is_apart = types.inner(site.structure, path) in own or site.structure in APART
        return () if is_apart else BY_NAME.get(site.structure, _ANY)

    found: set[str] = set()
    for item in unit.ast.ext:
        decl = item.decl if isinstance(item, c_ast.FuncDef) else item
        if not isinstance(decl, c_ast.Decl) or not unit.is_users(decl.coord) or not _is_number(decl):
            continue
        name = str(decl.name)
        is_lost = name in mentions.lost - mentions.marked or name in mentions.copied
        is_handed = not TAKERS.issuperset(mentions.handed.get(name, ()))
        found.update(_ANY if is_lost or is_handed else ())
        found.update(word for site in mentions.sites.get(name, ()) for word in by_site(site))
    return frozenset(found)


def relaying(unit: ParsedUnit, mentions: Mentions, words: Set[str]) -> tuple[str, ...]:
    """Which functions of the kernel that a unit uses may return what functions of the driver say."""
    declared = (item.decl if isinstance(item, c_ast.FuncDef) else item for item in unit.ast.ext)
    known = {str(item.name) for item in declared if isinstance(item, c_ast.Decl)}
    known |= {name for name in TRANSFERS if name.startswith(MARKER)}  # of the overlay, which does not declare them
    used = mentions.called & known & (RELAYING | TRANSFERS)
    return tuple(sorted(name for name in used if any(word in name for word in words)))


def _is_number(function: c_ast.Decl) -> bool:
    """Whether something is a function that returns a number, which one of the kernel might hand on."""
    result = function.type.type if isinstance(function.type, c_ast.FuncDecl) else None
    inner = result.type if isinstance(result, c_ast.TypeDecl) else None
    is_named = isinstance(inner, c_ast.IdentifierType) and not _NO_NUMBERS.isdisjoint(inner.names)
    return inner is not None and not is_named
