"""Which cores of the kernel have a lock while they call an operation of a driver, or wait for its end at removal.

One record for each table of operations whose parameters do not tell, with the structure that functions of the core are
given. Those of other tables are given what the core waits with (`led_classdev`, `watchdog_device`, `iio_dev`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duet.linux.mentions import Mentions

CORES: Mapping[str, str] = {
    "rtc_class_ops": "rtc_device",  # rtc_read_time(), rtc_alarm_irq_enable(): rtc->ops_lock around rtc->ops
    "nvmem_config": "nvmem_device",  # bin_attr_nvmem_read(), which device_unregister() in nvmem_release() waits for
    "hwmon_ops": "device_attribute",  # hwmon_attr_show(), which hwmon_device_unregister() waits for
}


def find_cores(mentions: Mentions) -> Iterator[tuple[str, str]]:
    """The operations of a unit, and the structures of their cores."""
    for name, sites in mentions.sites.items():
        yield from ((name, tag) for tag in sorted({CORES[at.structure] for at in sites if at.structure in CORES}))
