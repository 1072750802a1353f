// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,overflow
/*
 * A made-up watchdog with one user at a time: an open flag, a spinlock around the hardware, a module parameter that is
 * validated before use and another one that is not. It drives no real hardware.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/fs.h>
#include <linux/ioport.h>
#include <linux/io.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>

#define PORT 0x2e0
#define MAX_TIMEOUT 3600
#define DEFAULT_TIMEOUT 60

static int timeout = DEFAULT_TIMEOUT;
module_param(timeout, int, 0);
MODULE_PARM_DESC(timeout, "Seconds until reset, 1 to 3600");

static int margin = 5;
module_param(margin, int, 0);
MODULE_PARM_DESC(margin, "Seconds of grace; nobody checks them");

static DEFINE_SPINLOCK(port_lock);
static unsigned long in_use;
static int users;
static int holders;

static void reload(void)
{
	unsigned long flags;

	spin_lock_irqsave(&port_lock, flags);
	holders++; // SAFE
	BUG_ON(holders != 1); // SAFE
	outb((timeout * 4) & 0xff, PORT); // SAFE
	holders--; // SAFE
	spin_unlock_irqrestore(&port_lock, flags);
}

static int set_timeout(int seconds)
{
	if (seconds < 1 || seconds > MAX_TIMEOUT)
		return -EINVAL;
	timeout = seconds;
	return 0;
}

static int wdt_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &in_use))
		return -EBUSY;
	BUG_ON(users != 0); // SAFE
	users = 1;
	reload();
	return stream_open(inode, file);
}

static int wdt_release(struct inode *inode, struct file *file)
{
	users = 0;
	clear_bit(0, &in_use);
	return 0;
}

static ssize_t wdt_write(struct file *file, const char __user *data, size_t count, loff_t *position)
{
	if (count)
		reload();
	return count;
}

static long wdt_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int value;
	int __user *user = (int __user *)argument;

	switch (command) {
	case WDIOC_KEEPALIVE:
		reload();
		return 0;
	case WDIOC_SETTIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		if (set_timeout(value))
			return -EINVAL;
		reload();
		fallthrough;
	case WDIOC_GETTIMEOUT:
		return put_user(timeout, user);
	case WDIOC_GETPRETIMEOUT:
		return put_user(margin * 1000, user); // UNSAFE!
	case WDIOC_SETPRETIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		return put_user(value + 1, user); // UNSAFE!
	default:
		return -ENOTTY;
	}
}

static const struct file_operations wdt_fops = {
	.owner = THIS_MODULE,
	.llseek = no_llseek,
	.write = wdt_write,
	.unlocked_ioctl = wdt_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.open = wdt_open,
	.release = wdt_release,
};

static struct miscdevice wdt_device = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &wdt_fops,
};

static int __init wdt_init(void)
{
	int status;

	if (set_timeout(timeout)) {
		set_timeout(DEFAULT_TIMEOUT);
		pr_info("timeout must be 1 to %d, using %d\n", MAX_TIMEOUT, timeout);
	}
	if (!request_region(PORT, 1, "openflag_wdt"))
		return -EIO;
	status = misc_register(&wdt_device);
	if (status) {
		pr_err("cannot register the device: %d\n", status);
		release_region(PORT, 1);
	}
	return status;
}

static void __exit wdt_exit(void)
{
	misc_deregister(&wdt_device);
	release_region(PORT, 1);
}

module_init(wdt_init);
module_exit(wdt_exit);

MODULE_DESCRIPTION("Watchdog with an open flag, for tests of analyzers");
MODULE_LICENSE("Apache-2.0");
