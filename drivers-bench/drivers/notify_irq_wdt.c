// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,array-bounds,overflow
/*
 * A made-up watchdog with an interrupt that reports events and a reboot notifier that disarms it. The interrupt may
 * come as soon as it is requested, while the module is still being loaded. It drives no real hardware.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/fs.h>
#include <linux/ioport.h>
#include <linux/io.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>

#define EVENT_KINDS 4
#define MAX_EVENTS 100000
#define MAX_WEIGHT 20000

static int io = 0x240;
module_param_hw(io, int, ioport, 0);
MODULE_PARM_DESC(io, "First of four ports");

static int irq = 11;
module_param_hw(irq, int, irq, 0);
MODULE_PARM_DESC(irq, "Interrupt line");

static int weight = 10;
module_param(weight, int, 0);
MODULE_PARM_DESC(weight, "What an event counts, 1 to 20000; checked too late");

static const int severity[EVENT_KINDS] = {1, 10, 100, 1000};

static DEFINE_SPINLOCK(event_lock);
static int events;
static int last_kind;
static int lost;
static int armed;
static int inside;

static irqreturn_t on_interrupt(int line, void *data)
{
	int kind = inb(io + 1) & (EVENT_KINDS - 1); // SAFE

	spin_lock(&event_lock);
	inside++; // SAFE
	BUG_ON(inside != 1); // SAFE
	last_kind = kind;
	if (events < MAX_EVENTS)
		events++; // SAFE
	inside--; // SAFE
	spin_unlock(&event_lock);
	if (!armed)
		lost++; // UNSAFE!
	outb(severity[kind] & 0xff, io + 2); // SAFE
	return IRQ_HANDLED;
}

static void disarm(void)
{
	unsigned long flags;

	spin_lock_irqsave(&event_lock, flags);
	inside++; // SAFE
	armed = 0;
	events = 0;
	outb(0, io + 3); // SAFE
	inside--; // SAFE
	spin_unlock_irqrestore(&event_lock, flags);
}

static int on_reboot(struct notifier_block *block, unsigned long code, void *data)
{
	if (code == SYS_DOWN || code == SYS_HALT)
		disarm();
	return NOTIFY_DONE;
}

static struct notifier_block event_notifier = {
	.notifier_call = on_reboot,
};

static ssize_t event_write(struct file *file, const char __user *data, size_t count, loff_t *position)
{
	unsigned long flags;

	spin_lock_irqsave(&event_lock, flags);
	BUG_ON(events < 0 || events > MAX_EVENTS); // SAFE
	armed = 1;
	spin_unlock_irqrestore(&event_lock, flags);
	return count;
}

static long event_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int __user *user = (int __user *)argument;

	switch (command) {
	case WDIOC_GETSTATUS:
		return put_user(severity[last_kind] * 3, user); // SAFE
	case WDIOC_GETTIMELEFT:
		return put_user(events * 20000, user); // SAFE
	case WDIOC_GETTEMP:
		return put_user(events * weight, user); // UNSAFE!
	case WDIOC_SETOPTIONS:
		disarm();
		return 0;
	default:
		return -ENOTTY;
	}
}

static int event_open(struct inode *inode, struct file *file)
{
	return stream_open(inode, file);
}

static int event_release(struct inode *inode, struct file *file)
{
	disarm();
	return 0;
}

static const struct file_operations event_fops = {
	.owner = THIS_MODULE,
	.llseek = no_llseek,
	.write = event_write,
	.unlocked_ioctl = event_ioctl,
	.open = event_open,
	.release = event_release,
};

static struct miscdevice event_device = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &event_fops,
};

static int __init event_init(void)
{
	int status;

	if (!request_region(io, 4, "notify_irq_wdt"))
		return -EBUSY;
	status = request_irq(irq, on_interrupt, 0, "notify_irq_wdt", NULL);
	if (status) {
		pr_err("interrupt %d is not free\n", irq);
		goto out_region;
	}
	status = register_reboot_notifier(&event_notifier);
	if (status)
		goto out_irq;
	status = misc_register(&event_device);
	if (status)
		goto out_notifier;
	/* The device is there already: this comes too late for the first client. */
	if (weight < 1 || weight > MAX_WEIGHT)
		weight = 10;
	return 0;

out_notifier:
	unregister_reboot_notifier(&event_notifier);
out_irq:
	free_irq(irq, NULL);
out_region:
	release_region(io, 4);
	return status;
}

static void __exit event_exit(void)
{
	misc_deregister(&event_device);
	unregister_reboot_notifier(&event_notifier);
	free_irq(irq, NULL);
	release_region(io, 4);
}

module_init(event_init);
module_exit(event_exit);

MODULE_DESCRIPTION("Watchdog with an interrupt and a notifier, for tests of analyzers");
MODULE_LICENSE("Apache-2.0");
