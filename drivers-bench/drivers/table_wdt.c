// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,array-bounds,overflow
/*
 * A made-up watchdog whose hardware knows eight periods, reloaded by a timer as long as user space writes. It drives no
 * real hardware.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <linux/timer.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>

#define PORT 0x2f8
#define MAX_FIRED 1000

static const int periods[8] = {1, 2, 5, 10, 30, 60, 120, 600};

static bool nowayout = WATCHDOG_NOWAYOUT;
module_param(nowayout, bool, 0);

static DEFINE_SPINLOCK(state_lock);
static int level;
static int fired;
static unsigned long next_heartbeat;

static void on_timer(struct timer_list *unused);
static DEFINE_TIMER(timer, on_timer);

static void on_timer(struct timer_list *unused)
{
	spin_lock(&state_lock);
	if (fired < MAX_FIRED)
		fired++; // SAFE
	BUG_ON(fired > MAX_FIRED); // SAFE
	outb(periods[level] & 0xff, PORT); // SAFE
	spin_unlock(&state_lock);
	if (time_before(jiffies, next_heartbeat))
		mod_timer(&timer, jiffies + HZ);
}

static ssize_t table_write(struct file *file, const char __user *data, size_t count, loff_t *position)
{
	next_heartbeat = jiffies + 10 * HZ;
	mod_timer(&timer, jiffies + HZ);
	return count;
}

static int choose(int seconds)
{
	int index;

	for (index = 0; index < ARRAY_SIZE(periods); index++)
		if (periods[index] >= seconds) // SAFE
			break;
	if (index == ARRAY_SIZE(periods))
		return -EINVAL;
	spin_lock(&state_lock);
	level = index;
	spin_unlock(&state_lock);
	return 0;
}

static long table_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int value;
	int __user *user = (int __user *)argument;

	switch (command) {
	case WDIOC_SETTIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		return choose(value);
	case WDIOC_GETTIMEOUT:
		return put_user(periods[level], user); // SAFE
	case WDIOC_GETTIMELEFT:
		if (get_user(value, user))
			return -EFAULT;
		return put_user(periods[value & 7], user); // SAFE
	case WDIOC_GETTEMP:
		if (get_user(value, user))
			return -EFAULT;
		return put_user(periods[value], user); // UNSAFE!
	case WDIOC_GETSTATUS:
		return put_user(fired, user);
	default:
		return -ENOTTY;
	}
}

static int table_open(struct inode *inode, struct file *file)
{
	mod_timer(&timer, jiffies + HZ);
	return stream_open(inode, file);
}

static int table_release(struct inode *inode, struct file *file)
{
	if (!nowayout)
		del_timer(&timer);
	return 0;
}

static const struct file_operations table_fops = {
	.owner = THIS_MODULE,
	.write = table_write,
	.unlocked_ioctl = table_ioctl,
	.open = table_open,
	.release = table_release,
};

static struct miscdevice table_device = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &table_fops,
};

static int on_reboot(struct notifier_block *block, unsigned long code, void *data)
{
	if (code == SYS_DOWN || code == SYS_HALT)
		level = 0;
	return NOTIFY_DONE;
}

static struct notifier_block table_notifier = {
	.notifier_call = on_reboot,
};

static int __init table_init(void)
{
	int status = register_reboot_notifier(&table_notifier);

	if (status)
		return status;
	status = misc_register(&table_device);
	if (status)
		unregister_reboot_notifier(&table_notifier);
	return status;
}

static void __exit table_exit(void)
{
	misc_deregister(&table_device);
	unregister_reboot_notifier(&table_notifier);
	del_timer_sync(&timer);
}

module_init(table_init);
module_exit(table_exit);

MODULE_DESCRIPTION("Watchdog with a table of periods, for tests of analyzers");
MODULE_LICENSE("Apache-2.0");
