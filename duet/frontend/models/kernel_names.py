"""The records of functions of the kernel that move data and have no other effect: buses, properties, numbers, time.

What a bus transfers is arbitrary, and so is what it says of that. Functions of the driver may run below such a call:
they were given to the kernel before, and run at any time already.
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.ctypes.library import Reads
from duet.frontend.models import heap, strings
from duet.frontend.models.effects import ANY, POINTED, UNKNOWN_SIZE, AnyValue, Bytes, Codes, Effect, codes, effect
from duet.frontend.models.record import LibraryFunction

_LOWEST = -(1 << 31)
_BLOCK = 32
"""The most bytes that a block of the system management bus has."""


def _up_to(most: int, *writes: tuple[int, int | Bytes]) -> Effect:
    """That of a function that writes behind some arguments and returns any `int` up to a number."""
    return Effect(writes, Codes((range(_LOWEST, most + 1),)))


def _status(*writes: tuple[int, int | Bytes], reads: tuple[tuple[int, int], ...] = ()) -> Effect:
    """That of a function that returns 0, or an error number, negated."""
    return Effect(writes, Codes((range(_LOWEST, 1),)), reads=reads)


_REGISTERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("regmap_read regmap_fields_read", _status((2, POINTED))),
    LibraryFunction("regmap_field_read", _status((1, POINTED))),
    LibraryFunction("regmap_raw_read regmap_noinc_read __duet_regmap_bulk_read", _status((2, 3))),
    LibraryFunction("regmap_bulk_read", _status((2, UNKNOWN_SIZE))),
    LibraryFunction("regmap_raw_write regmap_noinc_write __duet_regmap_bulk_write", _status(reads=((2, 3),))),
    LibraryFunction("regmap_update_bits_base regmap_fields_update_bits_base", _status((4, POINTED))),
    LibraryFunction("regmap_field_update_bits_base", _status((3, POINTED))),
    LibraryFunction("regmap_write regcache_sync", _status()),
    LibraryFunction("regmap_test_bits regmap_field_test_bits regmap_get_val_bytes", ANY),
    LibraryFunction("regcache_cache_only regcache_mark_dirty", ANY),
)

_BUSES: tuple[LibraryFunction, ...] = (
    LibraryFunction("i2c_smbus_read_byte i2c_smbus_read_byte_data", _up_to(255)),
    LibraryFunction("i2c_smbus_read_word_data", _up_to(65535)),
    LibraryFunction("i2c_smbus_read_block_data", _up_to(_BLOCK, (2, Bytes(_BLOCK)))),
    LibraryFunction("i2c_smbus_read_i2c_block_data i2c_smbus_read_i2c_block_data_or_emulated", _up_to(_BLOCK, (3, 2))),
    LibraryFunction("i2c_smbus_write_block_data i2c_smbus_write_i2c_block_data", _status(reads=((3, 2),))),
    LibraryFunction("i2c_smbus_write_byte i2c_smbus_write_byte_data i2c_smbus_write_word_data", _status()),
    LibraryFunction("i2c_master_recv", effect((1, 2), at_most=2)),
    LibraryFunction("i2c_master_send", effect(reads=((1, 2),), at_most=2)),
    LibraryFunction("spi_write_then_read", _status((3, 4), reads=((1, 2),))),
    LibraryFunction("spi_read", _status((1, 2))),
    LibraryFunction("spi_write", _status(reads=((1, 2),))),
    LibraryFunction("usb_control_msg", effect((6, 7), at_most=7)),
    LibraryFunction("usb_control_msg_recv", effect((6, 7))),
    LibraryFunction("usb_control_msg_send", effect(reads=((6, 7),))),
    LibraryFunction("usb_bulk_msg usb_interrupt_msg", effect((2, 3), (4, POINTED))),
)

_PROPERTIES: tuple[LibraryFunction, ...] = (
    *(
        LibraryFunction(
            f"device_property_read_u{8 * size}_array fwnode_property_read_u{8 * size}_array",
            effect((2, Bytes(size, (3,)))),
            texts=(1,),
        )
        for size in (1, 2, 4, 8)
    ),
    LibraryFunction("device_property_read_string fwnode_property_read_string", effect((2, POINTED)), texts=(1,)),
    LibraryFunction("device_property_present fwnode_property_present", ANY, texts=(1,)),
)

_EINVAL, _EFAULT, _ERANGE = -22, -14, -34
_INTEGERS = "u8 s8 u16 s16 int uint l ul ll ull"
_NUMBERS: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        " ".join(f"kstrto{kind}" for kind in _INTEGERS.split()),
        Effect(((2, POINTED),), codes(0, _EINVAL, _ERANGE).returns),
        texts=(0,),
    ),
    LibraryFunction("kstrtobool", Effect(((1, POINTED),), codes(0, _EINVAL).returns), texts=(0,)),
    LibraryFunction(
        " ".join(f"kstrto{kind}_from_user" for kind in _INTEGERS.split()),
        Effect(((3, POINTED),), codes(0, _EINVAL, _ERANGE, _EFAULT).returns),
    ),
    LibraryFunction("kstrtobool_from_user", Effect(((2, POINTED),), codes(0, _EINVAL, _EFAULT).returns)),
    LibraryFunction("get_random_bytes", effect((0, 1))),
    LibraryFunction("get_random_u32 get_random_u64", ANY),
)

_TIME: tuple[LibraryFunction, ...] = (
    LibraryFunction("__msecs_to_jiffies __usecs_to_jiffies nsecs_to_jiffies jiffies_to_msecs jiffies_to_usecs", ANY),
    LibraryFunction("jiffies_to_clock_t clock_t_to_jiffies ktime_get ktime_get_real_seconds ktime_get_seconds", ANY),
    LibraryFunction("ktime_get_mono_fast_ns ktime_get_with_offset", ANY),
)

# mktime64() adds days of 32 bits without a sign, twice, then hours, minutes and seconds of 32 bits: less than 2**50.
_CLOCKS: tuple[LibraryFunction, ...] = (
    LibraryFunction("rtc_valid_tm", _status()),
    LibraryFunction("rtc_tm_to_time64", Effect((), Codes((range(-719499 * 86400, 1 << 50),)))),
    LibraryFunction("rtc_tm_to_ktime rtc_month_days rtc_year_days", ANY),
)

_TEXTS: tuple[LibraryFunction, ...] = (
    LibraryFunction("scnprintf vscnprintf", strings.formatted(2, is_clipped=True)),
    LibraryFunction("strscpy strscpy_pad", effect((0, 2), at_most=2)),
    LibraryFunction("memchr_inv", strings.found_among, reads=Reads.BYTES),
    LibraryFunction("sysfs_streq", ANY, texts=(0, 1)),
    LibraryFunction("simple_read_from_buffer", Effect(((2, POINTED),), AnyValue(at_most=1), reads=((3, 4),))),
    LibraryFunction("simple_write_to_buffer", Effect(((0, 1), (2, POINTED)), AnyValue(at_most=4))),
)

_MEMORY: tuple[LibraryFunction, ...] = (
    LibraryFunction("kmalloc_node kvmalloc kvmalloc_node", heap.allocate(0)),
    LibraryFunction("kzalloc_node kvzalloc kvzalloc_node", heap.allocate(0, is_zeroed=True)),
    LibraryFunction("kmalloc_array kmalloc_array_node kvmalloc_array", heap.allocate(0, 1)),
    LibraryFunction("kcalloc_node kvcalloc", heap.allocate(0, 1, is_zeroed=True)),
    LibraryFunction("kstrdup", heap.copied, texts=(0,)),
    LibraryFunction("memcpy_fromio", effect((0, 2))),
    LibraryFunction("memcpy_toio", effect(reads=((1, 2),))),
    LibraryFunction("hex2bin", effect((0, 2))),
    LibraryFunction("kfree_sensitive kfree_const", heap.release),
)

KERNEL: tuple[LibraryFunction, ...] = tuple(
    replace(record, is_of_kernel=True)
    for record in (*_REGISTERS, *_BUSES, *_PROPERTIES, *_NUMBERS, *_TIME, *_CLOCKS, *_TEXTS, *_MEMORY)
)
TRANSFERS = frozenset(name for record in (*_REGISTERS, *_BUSES) for name in record.names)
"""Those that hand on what functions of a bus say, which the driver itself may have registered."""
