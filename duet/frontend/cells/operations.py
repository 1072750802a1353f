"""Operations: functions that a core of the kernel calls for what a driver has registered with it, one record each.

They are called from the registration on, not before, and find the private data of what was registered by their first
argument, which is often what was registered itself. So each runs as threads of its own that start there, with that
argument, and have the private data of that moment. That nothing changes it later is found out, not assumed
(`duet.frontend.cells.private`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from duet.frontend.source.words import INSTALLED, OPENED


@dataclass(frozen=True, slots=True)
class Given:
    """The private data is an argument of the registration, by its position from 0, and perhaps what is registered."""

    position: int
    registered: int | None = None


@dataclass(frozen=True, slots=True)
class OfLife:
    """The private data is that of the device whose life registers, which is given at a position if it is given.

    The core forgets the data when the life ends. What is registered ends before that, or else, if there is a function
    `end`, when that is given the same device and the same next argument.
    """

    position: int | None = None
    end: str = ""

    @property
    def registered(self) -> None:
        """Operations are called with the device of the life, or with one that the core makes."""
        return None


@dataclass(frozen=True, slots=True)
class Stored:
    """The private data is a member of what is registered, which is an argument, by its position from 0."""

    position: int

    @property
    def registered(self) -> int:
        """The position of what is registered."""
        return self.position


@dataclass(frozen=True, slots=True)
class Itself:
    """There is no private data: operations find what is registered, a `member` of the argument at a position."""

    registered: int
    member: str = ""


@dataclass(frozen=True, slots=True)
class Apart:
    """Operations are called with objects that the kernel makes for what is registered, and find no private data."""

    @property
    def registered(self) -> None:
        """What is registered is no argument of theirs."""
        return None


Source: TypeAlias = Given | OfLife | Stored | Itself | Apart


@dataclass(frozen=True, slots=True)
class Operations:
    """What a core calls for what is registered: functions that a `table`, a structure, names in its `members`.

    Functions in the tables `beside` it come to the core with it. `around` are structures with such a table in them,
    each with the member that it is. If it `is_initial`, only tables count that initialisers make: others of the
    kernel's structures lead there, too, which code may fill.
    `slot` is the structure and the member that functions find private data in, at their first argument; `getter` is the
    function that gives it instead. Tables come to the core by registrations or in `carriers`, structures with members.
    Whoever is given one of the `objects`, by their tags, may register it: by `registers` with private data from where
    they say, not by those that are `harmless`, in any way by others. `makers` make an object for the device that they
    are given at a position. If it `is_own`, only tables in structures count that the driver declares: what is in those
    of the kernel may be registered by the core that they belong to. If it `is_made`, a table must not be put into a
    carrier that the driver has not made itself: whoever made that may register it.
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
    beside: frozenset[str] = frozenset()
    is_initial: bool = False
    is_own: bool = False
    is_made: bool = False
    harmless: frozenset[str] = frozenset()

    @property
    def tables(self) -> frozenset[str]:
        """The tables that name the functions."""
        return self.beside | {self.table}

    def names(self, structure: str, member: str) -> bool:
        """Whether a member of a structure names an operation."""
        outer = f"{(self.around or {})[structure]}." if structure in (self.around or {}) else ""
        is_table = structure in self.tables or bool(outer)
        return is_table and member.startswith(outer) and member[len(outer) :] in self.members

    @property
    def is_passed(self) -> bool:
        """Whether the first argument of the functions is what was registered."""
        return all(source.registered is not None for source in self.registers.values())

    @property
    def has_data(self) -> bool:
        """Whether the functions find private data."""
        return self.slot is not None or bool(self.getter)

    @property
    def functions(self) -> frozenset[str]:
        """The functions of the core that may be given objects and tables."""
        return self.harmless.union(self.registers, self.makers or ())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FILE_OPERATIONS, TERMINAL_OPERATIONS = "file_operations", "tty_operations"
DEVICE = ("device", "driver_data")
WATCHDOG = ("watchdog_device", "driver_data")
INPUT = ("input_dev", "dev.driver_data")
RANDOM = ("hwrng", "priv")
FILE = ("file", "private_data")
REQUEST = ("blk_mq_tag_set", "cmd_size")
"""No private data, but how much of it each request has, which the core only reads, too."""
TAG_SETS = "blk_mq_alloc_tag_set"
"""The function of the core that makes requests for a set of tags; where it is given others, they ask for no bytes."""
_TAGS = frozenset(("blk_mq_tag_set", "blk_mq_ops"))
_TAGGED = dict.fromkeys((TAG_SETS, "blk_mq_alloc_sq_tag_set"), Itself(0))
_QUEUES = dict.fromkeys(
    _words("blk_mq_init_queue blk_mq_alloc_queue blk_mq_init_allocated_queue __blk_mq_alloc_disk"), Apart()
)
_OF_TAGS = _words("blk_mq_free_tag_set blk_mq_update_nr_hw_queues blk_mq_tagset_busy_iter")
OPERATIONS = (
    Operations(  # Documentation/driver-api/gpio, gpiochip_add_data(): "data: driver-private data"
        "gpio_chip",
        _words(
            "request free get_direction direction_input direction_output get set get_multiple set_multiple set_config"
            " to_irq dbg_show add_pin_ranges"
        ),
        {"gpiochip_add_data_with_key": Given(1, 0), "devm_gpiochip_add_data_with_key": Given(2, 1)},
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
            "rtc_handle_legacy_irq rtc_aie_update_irq rtc_uie_update_irq rtc_class_close devm_rtc_nvmem_register"
            " rtc_add_group rtc_add_groups"
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
    Operations(  # input_open_device(): "dev->open(dev)"; input_dev_poller_work(): "poller->poll(poller->input)"
        "input_dev",
        _words("open close poller"),
        {"input_register_device": Stored(0)},
        frozenset(("input_dev",)),
        slot=INPUT,
        harmless=_words(
            "input_unregister_device input_free_device input_reset_device input_event input_inject_event"
            " input_alloc_absinfo input_set_abs_params input_copy_abs input_set_capability input_set_timestamp"
            " input_get_timestamp input_enable_softrepeat input_device_enabled input_set_poll_interval"
            " input_set_min_poll_interval input_set_max_poll_interval input_get_poll_interval input_scancode_to_scalar"
            " input_mt_init_slots input_mt_destroy_slots input_mt_report_slot_state input_mt_report_finger_count"
            " input_mt_report_pointer_emulation input_mt_drop_unused input_mt_sync_frame input_mt_assign_slots"
            " input_mt_get_slot_by_key touchscreen_parse_properties touchscreen_report_pos input_ff_create"
            " input_ff_create_memless input_ff_destroy sparse_keymap_setup sparse_keymap_report_event"
            " sparse_keymap_report_entry matrix_keypad_build_keymap"
        ),
    ),
    Operations(  # led_set_brightness_nopm() and the like: "led_cdev->brightness_set(led_cdev, value)"
        "led_classdev",
        _words("brightness_set brightness_set_blocking brightness_get blink_set pattern_set pattern_clear"),
        {
            "led_classdev_register": Itself(1),
            "devm_led_classdev_register": Itself(1),
            "led_classdev_register_ext": Itself(1),
            "devm_led_classdev_register_ext": Itself(1),
            "led_classdev_flash_register_ext": Itself(1, "led_cdev"),
            "devm_led_classdev_flash_register_ext": Itself(1, "led_cdev"),
            "led_classdev_multicolor_register_ext": Itself(1, "led_cdev"),
            "devm_led_classdev_multicolor_register_ext": Itself(1, "led_cdev"),
            "led_set_brightness": Itself(0),
            "led_set_brightness_sync": Itself(0),
            "led_set_brightness_nosleep": Itself(0),
            "led_set_brightness_nopm": Itself(0),
            "led_update_brightness": Itself(0),
            "led_blink_set": Itself(0),
            "led_blink_set_oneshot": Itself(0),
        },
        frozenset(("led_classdev", "led_classdev_flash", "led_classdev_mc")),
        harmless=_words(
            "led_classdev_unregister devm_led_classdev_unregister led_classdev_flash_unregister"
            " devm_led_classdev_flash_unregister led_classdev_multicolor_unregister"
            " devm_led_classdev_multicolor_unregister led_mc_calc_color_components led_get_default_pattern"
            " led_sysfs_disable led_sysfs_enable led_sysfs_is_disabled led_classdev_notify_brightness_hw_changed"
        ),
        around={"led_classdev_flash": "led_cdev", "led_classdev_mc": "led_cdev"},
    ),
    Operations(  # call_timer_fn(): "fn(timer)", of what was armed
        "timer_list",
        _words("function"),
        dict.fromkeys(
            ("mod_timer", "mod_timer_pending", "timer_reduce", "add_timer", "add_timer_on", "add_timer_local"),
            Itself(0),
        ),
        frozenset(("timer_list",)),
        harmless=_words(
            "del_timer del_timer_sync timer_delete timer_delete_sync timer_shutdown timer_shutdown_sync"
            " try_to_del_timer_sync timer_pending del_singleshot_timer_sync"
        ),
        is_own=True,
    ),
    Operations(  # __run_hrtimer(): "fn(timer)", of what was started
        "hrtimer",
        _words("function"),
        dict.fromkeys(("hrtimer_start_range_ns", "hrtimer_start", "hrtimer_restart"), Itself(0)),
        frozenset(("hrtimer",)),
        harmless=_words(
            "hrtimer_init hrtimer_cancel hrtimer_try_to_cancel hrtimer_active"
            " hrtimer_forward hrtimer_forward_now hrtimer_get_remaining __hrtimer_get_remaining"
        ),
        is_own=True,
    ),
    Operations(  # process_one_work(): "worker->current_func(work)", of what was queued
        "work_struct",
        _words("func"),
        {
            "queue_work_on": Itself(2),
            "queue_work_node": Itself(2),
            "queue_delayed_work_on": Itself(2, "work"),
            "mod_delayed_work_on": Itself(2, "work"),
            "queue_rcu_work": Itself(1, "work"),
            "queue_work": Itself(1),
            "schedule_work": Itself(0),
            "schedule_work_on": Itself(1),
            "queue_delayed_work": Itself(1, "work"),
            "mod_delayed_work": Itself(1, "work"),
            "schedule_delayed_work": Itself(0, "work"),
            "schedule_delayed_work_on": Itself(1, "work"),
        },
        frozenset(("work_struct", "delayed_work", "rcu_work")),
        harmless=_words(
            "cancel_work cancel_work_sync cancel_delayed_work cancel_delayed_work_sync"
            " flush_work flush_delayed_work flush_rcu_work work_busy"
        ),
        around={"delayed_work": "work", "rcu_work": "work"},
        is_own=True,
    ),
    Operations(  # struct hwrng: "priv: Private data, for use by the RNG driver"; hwrng_init(): "rng->init(rng)"
        "hwrng",
        _words("init cleanup data_present data_read read"),
        {"hwrng_register": Stored(0), "devm_hwrng_register": Stored(1)},
        frozenset(("hwrng",)),
        slot=RANDOM,
        harmless=_words("hwrng_unregister devm_hwrng_unregister hwrng_msleep"),
    ),
    Operations(  # struct net_device_ops: "The management hooks for network devices", called with the device
        "net_device_ops",
        _words(
            "ndo_init ndo_uninit ndo_open ndo_stop ndo_start_xmit ndo_change_rx_flags ndo_set_rx_mode"
            " ndo_set_mac_address ndo_validate_addr ndo_do_ioctl ndo_eth_ioctl ndo_siocdevprivate ndo_change_mtu"
            " ndo_tx_timeout ndo_get_stats64 ndo_get_stats ndo_vlan_rx_add_vid ndo_vlan_rx_kill_vid"
            " ndo_poll_controller ndo_fix_features ndo_set_features"
        )
        | _words(  # dev_ethtool() looks the device up among those that are registered
            "get_drvinfo get_regs_len get_regs get_wol set_wol get_msglevel set_msglevel nway_reset get_link"
            " get_eeprom_len get_eeprom set_eeprom get_coalesce set_coalesce get_ringparam set_ringparam"
            " get_pauseparam set_pauseparam self_test get_strings set_phys_id get_ethtool_stats begin complete"
            " get_sset_count get_link_ksettings set_link_ksettings"
        ),
        {"register_netdev": Itself(0), "register_netdevice": Itself(0), "devm_register_netdev": Itself(1)},
        frozenset(("net_device", "net_device_ops", "ethtool_ops")),
        carriers=frozenset((("net_device", "netdev_ops"), ("net_device", "ethtool_ops"))),
        beside=frozenset(("ethtool_ops",)),
        is_made=True,
        harmless=_words(
            "free_netdev unregister_netdev unregister_netdevice_queue eth_type_trans eth_validate_addr eth_mac_addr"
            " eth_prepare_mac_addr_change eth_commit_mac_addr_change netif_carrier_on netif_carrier_off"
            " netif_device_attach netif_device_detach netif_set_real_num_tx_queues netif_set_real_num_rx_queues"
            " netif_set_tso_max_size netif_set_tso_max_segs __netdev_alloc_skb dev_addr_mod platform_get_ethdev_address"
            " of_get_ethdev_address device_get_ethdev_address ethtool_op_get_link ethtool_op_get_ts_info phy_do_ioctl"
            " phy_do_ioctl_running phy_connect phy_connect_direct of_phy_connect of_phy_get_and_connect phy_attach"
            " phy_attach_direct netdev_printk netdev_emerg netdev_alert netdev_crit netdev_err netdev_warn"
            " netdev_notice netdev_info dev_fetch_sw_netstats dev_lstats_read free_irq devm_free_irq"
        ),
    ),
    Operations(  # __napi_poll(): "n->poll(n, weight)"; netif_napi_add_weight() leaves it disabled
        "napi_struct",
        _words("poll"),
        dict.fromkeys(("napi_enable", "__napi_schedule", "__napi_schedule_irqoff"), Itself(0)),
        frozenset(("napi_struct",)),
        harmless=_words(
            "napi_disable napi_schedule_prep napi_complete_done __netif_napi_del napi_gro_receive napi_gro_flush"
            " napi_gro_frags napi_get_frags __napi_alloc_skb"
        ),
        is_own=True,
    ),
    Operations(  # blk_mq_alloc_tag_set(): "set->ops->init_request(set, rq, hctx_idx, node)", before there is a queue
        "blk_mq_ops",
        _words("init_request exit_request map_queues"),
        _TAGGED,
        _TAGS,
        carriers=frozenset((("blk_mq_tag_set", "ops"),)),
        is_made=True,
        harmless=_OF_TAGS.union(_QUEUES),
    ),
    Operations(  # blk_mq_init_allocated_queue(): "q->mq_ops = set->ops"; all others are called for a queue
        "blk_mq_ops",
        _words(
            "queue_rq commit_rqs queue_rqs get_budget put_budget set_rq_budget_token get_rq_budget_token timeout poll"
            " complete init_hctx exit_hctx cleanup_rq busy show_rq"
        ),
        _QUEUES,
        _TAGS,
        carriers=frozenset((("blk_mq_tag_set", "ops"),)),
        is_made=True,
        harmless=_OF_TAGS.union(_TAGGED),
    ),
    Operations(  # device_add_disk(): nobody finds a disk before, but who hands on what is to be read or written
        "block_device_operations",
        _words(
            "submit_bio poll_bio open release rw_page ioctl compat_ioctl check_events unlock_native_capacity getgeo"
            " set_read_only free_disk swap_slot_free_notify report_zones devnode get_unique_id alternative_gpt_sector"
        ),
        dict.fromkeys(
            ("device_add_disk", "blk_revalidate_disk_zones", "submit_bio", "submit_bio_noacct", "submit_bio_wait"),
            Apart(),
        ),
        frozenset(("gendisk", "block_device_operations")),
        carriers=frozenset((("gendisk", "fops"),)),
        harmless=_words("del_gendisk put_disk set_capacity set_capacity_and_notify set_disk_ro"),
    ),
    Operations(  # Documentation/filesystems/vfs.rst: "open: called by the VFS when an inode should be opened", first
        FILE_OPERATIONS,
        _words("read write unlocked_ioctl compat_ioctl poll llseek mmap fsync flush"),
        {OPENED: OfLife(0)},
        frozenset(),
        slot=FILE,
    ),
    Operations(  # serio_open() makes a driver that of the port, serio_interrupt() and the like ask for it; a port that
        # `connect` has left open when it failed has the driver still, but no private data any more
        "serio_driver",
        _words("interrupt write_wakeup reconnect fast_reconnect cleanup"),
        {"serio_open": Itself(0)},
        frozenset(("serio_driver",)),
        harmless=_words("__serio_register_driver serio_unregister_driver"),
    ),
    Operations(  # tty_init_dev(): nobody finds a terminal that was not installed
        TERMINAL_OPERATIONS,
        _words(
            "open close write put_char flush_chars write_room chars_in_buffer ioctl compat_ioctl set_termios throttle"
            " unthrottle stop start hangup break_ctl flush_buffer set_ldisc wait_until_sent send_xchar tiocmget"
            " tiocmset resize get_icount get_serial set_serial shutdown"
        ),
        {INSTALLED: Itself(0)},
        frozenset(),
    ),
)


def registered_by(name: str) -> Operations | None:
    """The operations that a function registers."""
    return next((found for found in OPERATIONS if name in found.registers), None)
