"""What the kernel gives the functions that it finds in its structures: which parameters are never null, from 0.

One record for each structure. The core of each subsystem follows these pointers itself before it calls the driver, or
calls it with the address of what it has in hand. Members that are not here, and parameters, may be given anything.
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.linux.cycles import SLEEP
from duet.linux.mentions import Mentions


def _all(positions: tuple[int, ...], members: str) -> dict[str, tuple[int, ...]]:
    return dict.fromkeys(members.split(), positions)


_ATTRIBUTE = _all((0, 1, 2), "show store")
_POWER = " ".join((*SLEEP, "runtime_suspend", "runtime_resume", "runtime_idle"))
_BUS = _all((0,), "probe probe_new remove shutdown suspend resume")
NEVER_NULL: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    # buses: really_probe() and the like have the device in hand; a table entry that matched goes with it, or not
    "platform_driver": _BUS,
    "i2c_driver": _BUS | _all((0,), "alert command"),
    "spi_driver": _BUS,
    "serdev_device_driver": _BUS,
    "isa_driver": _BUS | _all((0,), "match"),
    "pci_driver": _BUS | _all((0, 1), "probe"),
    "pnp_driver": _BUS,
    "usb_driver": _all((0,), "disconnect suspend resume reset_resume pre_reset post_reset") | _all((0, 1), "probe"),
    "virtio_driver": _all((0,), "validate probe scan remove config_changed freeze restore"),
    "acpi_driver": _all((0,), "ops.add ops.remove ops.notify"),
    "dev_pm_ops": _all((0,), _POWER),
    # files: vfs_read() and the like follow the file; poll may be asked without a table
    "file_operations": _all((0, 1), "open release mmap read_iter write_iter")
    | _all((0,), "llseek read write unlocked_ioctl compat_ioctl poll flush fsync"),
    "seq_operations": _all((0, 1), "start next show") | _all((0,), "stop"),
    # sysfs: dev_attr_show() and the like have the object, the attribute and a page in hand
    "device_attribute": _ATTRIBUTE,
    "sensor_device_attribute": {f"dev_attr.{member}": found for member, found in _ATTRIBUTE.items()},
    "sensor_device_attribute_2": {f"dev_attr.{member}": found for member, found in _ATTRIBUTE.items()},
    "kobj_attribute": _ATTRIBUTE,
    "driver_attribute": _all((0, 1), "show store"),
    "bin_attribute": _all((1, 2, 3), "read write"),
    "attribute_group": _all((0, 1), "is_visible is_bin_visible"),
    # terminals: there is no file where one is opened inside of the kernel, as serdev does
    "tty_operations": _all(
        (0,),
        "lookup remove open close shutdown cleanup write put_char flush_chars write_room chars_in_buffer ioctl"
        " compat_ioctl set_termios throttle unthrottle stop start hangup break_ctl flush_buffer set_ldisc"
        " wait_until_sent send_xchar tiocmget tiocmset",
    )
    | _all((0, 1), "install get_icount get_serial set_serial"),
    "tty_port_operations": _all((0,), "carrier_raised dtr_rts shutdown destruct") | _all((0, 1), "activate"),
    "serio_driver": _all((0,), "write_wakeup interrupt reconnect fast_reconnect disconnect cleanup")
    | _all((0, 1), "connect"),
    # cores of subsystems
    "watchdog_ops": _all((0,), "start stop ping status set_timeout set_pretimeout get_timeleft restart ioctl"),
    "rtc_class_ops": _all((0, 1), "read_time set_time read_alarm set_alarm proc read_offset param_get param_set")
    | _all((0,), "ioctl alarm_irq_enable set_offset"),
    "hwmon_ops": _all((0, 4), "read read_string") | _all((0,), "write"),
    "gpio_chip": _all(
        (0,), "request free get_direction direction_input direction_output get set set_config to_irq add_pin_ranges"
    )
    | _all((0, 1, 2), "get_multiple set_multiple")
    | _all((0, 1), "dbg_show"),
    "irq_chip": _all(
        (0,),
        "irq_startup irq_shutdown irq_enable irq_disable irq_ack irq_mask irq_mask_ack irq_unmask irq_eoi irq_set_type"
        " irq_set_wake irq_bus_lock irq_bus_sync_unlock irq_request_resources irq_release_resources",
    ),
    "led_classdev": _all((0,), "brightness_set brightness_set_blocking brightness_get") | _all((0, 1, 2), "blink_set"),
    "iio_info": _all((0, 1, 2, 3), "read_raw") | _all((0, 1), "write_raw"),
    "hwrng": _all((0, 1), "read") | _all((0,), "init cleanup"),
    "nvmem_config": _all((2,), "reg_read reg_write"),
    "thermal_zone_device_ops": _all((0, 1), "get_temp"),
    # the core has the device in hand, and what a packet, or what user space asked for, is in
    "net_device_ops": _all((0, 1), "ndo_start_xmit ndo_get_stats64 ndo_set_mac_address ndo_do_ioctl ndo_eth_ioctl")
    | _all((0,), "ndo_init ndo_uninit ndo_open ndo_stop ndo_set_rx_mode ndo_validate_addr ndo_change_mtu")
    | _all(
        (0,), "ndo_tx_timeout ndo_get_stats ndo_poll_controller ndo_fix_features ndo_set_features ndo_change_rx_flags"
    ),
    "ethtool_ops": _all((0, 1), "get_drvinfo get_regs get_wol set_wol get_coalesce set_coalesce get_ringparam")
    | _all((0, 1), "set_ringparam get_pauseparam set_pauseparam get_link_ksettings set_link_ksettings")
    | _all((0, 1, 2), "get_eeprom set_eeprom self_test get_ethtool_stats")
    | _all((0, 2), "get_strings")
    | _all((0,), "get_regs_len get_msglevel set_msglevel nway_reset get_link get_eeprom_len set_phys_id begin complete")
    | _all((0,), "get_sset_count"),
    "napi_struct": _all((0,), "poll"),
    # blkdev_get_whole() and the like have the device in hand; blk_mq_dispatch_rq_list() and the like a request
    "block_device_operations": _all((0, 1), "getgeo get_unique_id")
    | _all((0,), "submit_bio open release ioctl compat_ioctl check_events unlock_native_capacity set_read_only")
    | _all((0,), "free_disk report_zones swap_slot_free_notify"),
    "blk_mq_ops": _all((0, 1), "queue_rq init_request exit_request")
    | _all((0,), "commit_rqs timeout poll complete init_hctx exit_hctx cleanup_rq busy map_queues"),
    "notifier_block": _all((0,), "notifier_call"),
}


def never_null(mentions: Mentions, function: str) -> tuple[int, ...]:
    """The parameters of a function that are given no null pointer, wherever the kernel may find it."""
    found = [NEVER_NULL.get(site.structure, {}).get(site.member, ()) for site in mentions.known(function)]
    return tuple(sorted(frozenset(found[0]).intersection(*found[1:]))) if found else ()
