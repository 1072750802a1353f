/* <linux/miscdevice.h>: character devices; the harness runs their clients */
#ifndef DUET_LINUX_MISCDEVICE_H
#define DUET_LINUX_MISCDEVICE_H

#include <linux/types.h>
#include <linux/fs.h>
#include <linux/device.h>
#include <linux/init.h>

#define WATCHDOG_MINOR 130
#define TEMP_MINOR 131
#define MISC_DYNAMIC_MINOR 255

struct miscdevice {
	int minor;
	const char *name;
	const struct file_operations *fops;
	struct device *parent;
	umode_t mode;
};

extern int misc_register(struct miscdevice *device);
/* A minor that was found at registration may be given back. */
#define misc_deregister(device)                         \
	({                                              \
		struct miscdevice *__duet_misc = (device); \
		__duet_wait_for_opening();              \
		if (__duet_nondet_bool())               \
			__duet_misc->minor = MISC_DYNAMIC_MINOR; \
	})

#define module_misc_device(device)                      \
	static int __duet_misc_init(void)               \
	{                                               \
		return misc_register(&(device));        \
	}                                               \
	static void __duet_misc_exit(void)              \
	{                                               \
		misc_deregister(&(device));             \
	}                                               \
	module_init(__duet_misc_init);                  \
	module_exit(__duet_misc_exit)

#endif
