// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,array-bounds,overflow
/*
 * A made-up watchdog on a platform device that the module registers itself: probed at once, or again after it was
 * unbound. Its ports are a module parameter, good only once the region was granted. It drives no real hardware.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <linux/platform_device.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/fs.h>
#include <linux/ioport.h>
#include <linux/io.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>

#define PORTS 8
#define CONTROL 2
#define COUNTER 4

static int base = 0x300;
module_param_hw(base, int, ioport, 0);
MODULE_PARM_DESC(base, "First of eight ports");

static int seconds = 30;
module_param(seconds, int, 0);
MODULE_PARM_DESC(seconds, "Seconds until reset, 0 to 30");

static const unsigned char codes[] = {0xff, 0xf0, 0xc3, 0xa5};

static DEFINE_SPINLOCK(port_lock);
static unsigned long is_open;
static struct platform_device *device;
static int level;

static void load(void)
{
	spin_lock(&port_lock);
	outb(15 - ((seconds + 1) / 2), base + COUNTER); // SAFE
	outb(codes[level], base + CONTROL); // SAFE
	spin_unlock(&port_lock);
}

static int set_seconds(int value)
{
	if (value < 0 || value > 30)
		return -EINVAL;
	seconds = value;
	return 0;
}

static int plat_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_open))
		return -EBUSY;
	load();
	return stream_open(inode, file);
}

static int plat_release(struct inode *inode, struct file *file)
{
	clear_bit(0, &is_open);
	return 0;
}

static ssize_t plat_write(struct file *file, const char __user *data, size_t count, loff_t *position)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char c;

		if (get_user(c, data + i))
			return -EFAULT;
		if (c >= '0' && c <= '3')
			level = c - '0'; // SAFE
	}
	load();
	return count;
}

static long plat_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int value;
	int __user *user = (int __user *)argument;

	switch (command) {
	case WDIOC_SETTIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		if (set_seconds(value))
			return -EINVAL;
		load();
		fallthrough;
	case WDIOC_GETTIMEOUT:
		return put_user(seconds, user);
	case WDIOC_GETSTATUS:
		value = inb(base + CONTROL); // SAFE
		return put_user(value << 24, user); // UNSAFE!
	case WDIOC_GETBOOTSTATUS:
		value = inb(base + CONTROL) << 8; // SAFE
		return put_user(value, user);
	case WDIOC_GETPRETIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		return put_user(1 << value, user); // UNSAFE!
	default:
		return -ENOTTY;
	}
}

static const struct file_operations plat_fops = {
	.owner = THIS_MODULE,
	.write = plat_write,
	.unlocked_ioctl = plat_ioctl,
	.open = plat_open,
	.release = plat_release,
};

static struct miscdevice plat_device = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &plat_fops,
};

static int plat_probe(struct platform_device *found)
{
	int status;

	pr_info("looking at ports up to %d\n", base + (PORTS - 1)); // UNSAFE!
	if (!request_region(base, PORTS, "platform_wdt"))
		return -EIO;
	if (set_seconds(seconds))
		set_seconds(30);
	status = misc_register(&plat_device);
	if (status)
		release_region(base, PORTS);
	return status;
}

static int plat_remove(struct platform_device *found)
{
	misc_deregister(&plat_device);
	release_region(base, PORTS);
	return 0;
}

static void plat_shutdown(struct platform_device *found)
{
	outb(0, base + (PORTS - 1)); // SAFE
}

static struct platform_driver plat_driver = {
	.probe = plat_probe,
	.remove = plat_remove,
	.shutdown = plat_shutdown,
	.driver = {
		.name = "platform_wdt",
	},
};

static int __init plat_init(void)
{
	int status = platform_driver_register(&plat_driver);

	if (status)
		return status;
	device = platform_device_register_simple("platform_wdt", -1, NULL, 0);
	if (IS_ERR(device)) {
		platform_driver_unregister(&plat_driver);
		return PTR_ERR(device);
	}
	return 0;
}

static void __exit plat_exit(void)
{
	platform_device_unregister(device);
	platform_driver_unregister(&plat_driver);
}

module_init(plat_init);
module_exit(plat_exit);

MODULE_DESCRIPTION("Watchdog on a platform device, for tests of analyzers");
MODULE_LICENSE("Apache-2.0");
