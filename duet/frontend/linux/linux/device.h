/* <linux/device.h>: devices */
#ifndef DUET_LINUX_DEVICE_H
#define DUET_LINUX_DEVICE_H

#include <linux/types.h>
#include <linux/kernel.h>

struct device {
	void *driver_data;
	void *platform_data;
};
struct device_driver {
	const char *name;
	struct module *owner;
	const void *of_match_table;
	const void *pm;
};

#define dev_emerg(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_crit(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_err(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_warn(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_notice(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_info(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_dbg(device, ...) ((void)(device), __duet_printk(__VA_ARGS__))
#define dev_get_drvdata(device) ((void)(device), __duet_nondet_ptr())
#define dev_set_drvdata(device, data) ((void)(device), (void)(data))

#endif
