"""Functions of the kernel that end what others have begun: they start no calls of functions that they are given.

What they call, as a driver's `remove`, was registered before, and has run as threads since; so has what they find in
memory that was put outside of the program. *Source*: their definitions in Linux 6.1.
"""

from __future__ import annotations

_BUSES = """
driver_unregister platform_driver_unregister pci_unregister_driver i2c_del_driver pnp_unregister_driver usb_deregister
platform_device_unregister platform_device_del device_unregister device_del device_destroy class_destroy
class_unregister put_device i2c_unregister_device i2c_del_adapter serdev_device_close
"""
_SUBSYSTEMS = """
misc_deregister watchdog_unregister_device hwmon_device_unregister input_unregister_device input_free_device
led_classdev_unregister iio_device_unregister gpiochip_remove hwrng_unregister nvmem_unregister
thermal_zone_device_unregister power_supply_unregister regulator_unregister usb_deregister_dev tty_unregister_driver
cdev_del __unregister_chrdev unregister_chrdev_region proc_remove remove_proc_entry debugfs_remove
"""
_FILES = """
device_remove_file device_remove_bin_file sysfs_remove_file_ns sysfs_remove_bin_file sysfs_remove_group
sysfs_remove_groups sysfs_remove_link
"""
_CALLS = """
unregister_reboot_notifier unregister_restart_handler atomic_notifier_chain_unregister
blocking_notifier_chain_unregister free_irq devm_free_irq del_timer del_timer_sync hrtimer_cancel hrtimer_try_to_cancel
cancel_work_sync cancel_delayed_work cancel_delayed_work_sync destroy_workqueue tasklet_kill kthread_stop
"""
_RESOURCES = """
iounmap devm_iounmap ioport_unmap pci_iounmap pci_disable_device pci_release_region pci_release_regions
pci_release_selected_regions pci_disable_msi pci_free_irq_vectors clk_disable clk_unprepare clk_put gpio_free
gpiod_put free_pages kfree
"""
UNREGISTERING = frozenset(f"{_BUSES} {_SUBSYSTEMS} {_FILES} {_CALLS} {_RESOURCES}".split())
