/* <linux/device.h>: devices */
#ifndef DUET_LINUX_DEVICE_H
#define DUET_LINUX_DEVICE_H

#include <linux/types.h>
#include <linux/kernel.h>

#ifndef __DUET_OVERLAY
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
#endif

#define dev_emerg(device, ...) ((void)(device), printk(__VA_ARGS__))
#define dev_crit(device, ...) ((void)(device), printk(__VA_ARGS__))
#define dev_err(device, ...) ((void)(device), printk(__VA_ARGS__))
#define dev_warn(device, ...) ((void)(device), printk(__VA_ARGS__))
#define dev_notice(device, ...) ((void)(device), printk(__VA_ARGS__))
#define dev_info(device, ...) ((void)(device), printk(__VA_ARGS__))
#define dev_dbg(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_vdbg(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_emerg_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_crit_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_err_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_warn_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_notice_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_info_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_dbg_once(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_emerg_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_crit_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_err_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_warn_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_notice_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_info_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define dev_dbg_ratelimited(device, ...) __duet_maybe_device(device, __VA_ARGS__)
#define __duet_maybe_device(device, ...) (__duet_nondet_bool() ? ((void)(device), printk(__VA_ARGS__)) : 0)
#ifndef __DUET_OVERLAY
/* One device stands for many: each has what some device was given. */
#define dev_get_drvdata(device) ((void)(device), __duet_nondet_ptr())
#define dev_set_drvdata(device, data) (__duet_expose((device)->driver_data = (data)))
#endif

#endif
