"""Functions of the kernel without a model that return 0, or an error number, negated, and nothing else.

Drivers give such a result on where it is not 0, so their own results depend on that. *Source*: the comments of the
kernel at the definitions ("Returns 0 on success or a negative errno"). Functions that may return positive numbers, as
some that are much alike do (`devm_request_any_context_irq`, `pci_read_config_byte`, `pm_runtime_get_sync`), are none.
"""

from __future__ import annotations

LARGEST_ERROR = 4095
_DEVICES = """
device_add device_register platform_device_add platform_device_register platform_add_devices __platform_driver_register
i2c_register_driver __spi_register_driver __pci_register_driver pnp_register_driver usb_register_driver
device_create_file device_create_bin_file sysfs_create_group sysfs_create_groups sysfs_create_file_ns
sysfs_create_bin_file devm_device_add_group devm_device_add_groups devm_add_action kobject_init_and_add
device_init_wakeup dev_pm_set_wake_irq platform_device_add_resources platform_device_add_data __class_register
sysfs_chmod_file
"""
_RESOURCES = """
pci_request_region pci_request_regions pcim_iomap_regions dma_set_mask dma_set_coherent_mask
of_address_to_resource of_property_read_string of_property_read_u32_index acpi_check_resource_conflict
devm_regmap_field_bulk_alloc devm_rtc_nvmem_register __kfifo_alloc
"""
_SUBSYSTEMS = """
misc_register watchdog_register_device devm_watchdog_register_device __devm_rtc_register_device
led_classdev_register_ext devm_led_classdev_register_ext input_register_device __iio_device_register
__devm_iio_device_register cdev_add alloc_chrdev_region register_chrdev_region
register_reboot_notifier devm_register_reboot_notifier register_restart_handler
"""
_BELOW = """
request_threaded_irq devm_request_threaded_irq pci_enable_device pcim_enable_device spi_setup spi_sync
clk_prepare clk_enable clk_set_rate clk_set_parent clk_bulk_prepare clk_bulk_enable devm_clk_bulk_get
regulator_enable regulator_disable regulator_bulk_enable regulator_bulk_disable devm_regulator_bulk_get
reset_control_assert reset_control_deassert reset_control_reset gpiod_direction_input gpiod_direction_output
regmap_bulk_write regcache_sync_region gpio_request devm_gpio_request devm_gpio_request_one
devm_gpiochip_add_data_with_key gpiochip_add_data_with_key hwrng_register devm_hwrng_register
i2c_add_adapter i2c_add_numbered_adapter
"""
RELAYING = frozenset(_BELOW.split())
"""Those that hand on what functions of a bus, a clock or a chip say, which the driver itself may have registered."""
STATUSES = RELAYING.union(f"{_DEVICES} {_RESOURCES} {_SUBSYSTEMS}".split())
