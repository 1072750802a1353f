// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,array-bounds,overflow
/*
 * A made-up watchdog that keeps all it knows in one structure, with its lock and its timer. The timer counts down to a
 * reset as long as nobody writes. It drives no real hardware.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <linux/timer.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>
#include <linux/bitops.h>

#define PORT 0x443
#define MAX_LEFT 600
#define HISTORY 8

static int timeout = 60;
module_param(timeout, int, 0);
MODULE_PARM_DESC(timeout, "Seconds until reset, 1 to 600");

static bool nowayout = WATCHDOG_NOWAYOUT;
module_param(nowayout, bool, 0);

static struct {
	char name[12];
	unsigned long in_use;
	spinlock_t lock;
	struct timer_list timer;
	int left;
	int resets;
	int rounds;
	struct {
		int at;
		int seconds[HISTORY];
	} history;
} wdt;

static void on_timer(struct timer_list *unused)
{
	int left;

	spin_lock(&wdt.lock);
	if (wdt.left > 0)
		wdt.left--; // SAFE
	left = wdt.left;
	BUG_ON(wdt.left < 0 || wdt.left > MAX_LEFT); // SAFE
	spin_unlock(&wdt.lock);
	wdt.rounds++; // UNSAFE!
	outb(left & 0xff, PORT);
	if (left)
		mod_timer(&wdt.timer, jiffies + HZ);
}

static void remember(int seconds)
{
	spin_lock(&wdt.lock);
	wdt.history.at = (wdt.history.at + 1) & (HISTORY - 1); // SAFE
	wdt.history.seconds[wdt.history.at] = seconds; // SAFE
	spin_unlock(&wdt.lock);
}

static void reload(int seconds)
{
	spin_lock(&wdt.lock);
	wdt.left = seconds;
	spin_unlock(&wdt.lock);
	remember(seconds * 1000); // SAFE
	mod_timer(&wdt.timer, jiffies + HZ);
}

static int set_timeout(int seconds)
{
	if (seconds < 1 || seconds > MAX_LEFT)
		return -EINVAL;
	timeout = seconds;
	return 0;
}

static int private_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &wdt.in_use))
		return -EBUSY;
	reload(timeout);
	return stream_open(inode, file);
}

static int private_release(struct inode *inode, struct file *file)
{
	if (!nowayout)
		del_timer(&wdt.timer);
	clear_bit(0, &wdt.in_use);
	return 0;
}

static ssize_t private_write(struct file *file, const char __user *data, size_t count, loff_t *position)
{
	reload(timeout);
	return count;
}

static long private_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int value;
	int __user *user = (int __user *)argument;

	switch (command) {
	case WDIOC_SETTIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		if (set_timeout(value))
			return -EINVAL;
		reload(timeout);
		fallthrough;
	case WDIOC_GETTIMEOUT:
		return put_user(timeout * HZ, user); // SAFE
	case WDIOC_GETTIMELEFT:
		/* Nobody holds the lock: the value is stale, but in range. */
		return put_user(wdt.left * 1000, user); // SAFE
	case WDIOC_GETSTATUS:
		if (get_user(value, user))
			return -EFAULT;
		if (value < 0 || value > HISTORY)
			return -EINVAL;
		return put_user(wdt.history.seconds[value], user); // UNSAFE!
	case WDIOC_GETBOOTSTATUS:
		return put_user(10 / wdt.resets, user); // UNSAFE!
	default:
		return -ENOTTY;
	}
}

static const struct file_operations private_fops = {
	.owner = THIS_MODULE,
	.write = private_write,
	.unlocked_ioctl = private_ioctl,
	.open = private_open,
	.release = private_release,
};

static struct miscdevice private_device = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &private_fops,
};

static int __init private_init(void)
{
	sprintf(wdt.name, "wdt%d", 1);
	spin_lock_init(&wdt.lock);
	timer_setup(&wdt.timer, on_timer, 0);
	wdt.left = 0;
	if (set_timeout(timeout))
		set_timeout(60);
	wdt.resets = inb(PORT) & 3;
	return misc_register(&private_device);
}

static void __exit private_exit(void)
{
	misc_deregister(&private_device);
	del_timer_sync(&wdt.timer);
}

module_init(private_init);
module_exit(private_exit);

MODULE_DESCRIPTION("Watchdog with a private structure and a timer, for tests of analyzers");
MODULE_LICENSE("Apache-2.0");
