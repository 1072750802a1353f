// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,array-bounds,overflow
/*
 * A made-up PCI card with a watchdog and a thermometer, each behind a device of its own; one card at most. The heartbeat
 * is a module parameter that is put right when it is out of range. It drives no real hardware.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <linux/pci.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/uaccess.h>
#include <linux/spinlock.h>

#define DEFAULT_HEARTBEAT 60

static int heartbeat = DEFAULT_HEARTBEAT;
module_param(heartbeat, int, 0);
MODULE_PARM_DESC(heartbeat, "Seconds until reset, 1 to 65535");

static int bias;
module_param(bias, int, 0);
MODULE_PARM_DESC(bias, "Added to the temperature; nobody checks it");

static const int presets[8] = {20, 40, 60, 300, 600, 1800, 3600, 7200};

static struct {
	int cards;
	unsigned short io;
	spinlock_t lock;
	int ticks;
	int users;
} card;
static unsigned long is_active;

static int set_heartbeat(int seconds)
{
	if (seconds < 1 || seconds > 0xffff)
		return -EINVAL;
	spin_lock(&card.lock);
	heartbeat = seconds;
	card.ticks = seconds * 100; // SAFE
	outb(card.ticks & 0xff, card.io + 1); // SAFE
	outb(card.ticks >> 8, card.io + 2); // SAFE
	spin_unlock(&card.lock);
	return 0;
}

static int read_temperature(int *fahrenheit)
{
	int celsius;

	spin_lock(&card.lock);
	celsius = inb(card.io + 5); // SAFE
	spin_unlock(&card.lock);
	*fahrenheit = (celsius * 9 / 5) + 32; // SAFE
	return 0;
}

static int card_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_active))
		return -EBUSY;
	BUG_ON(card.users != 0); // SAFE
	card.users = 1;
	return stream_open(inode, file);
}

static int card_release(struct inode *inode, struct file *file)
{
	card.users = 0;
	clear_bit(0, &is_active);
	return 0;
}

static ssize_t card_write(struct file *file, const char __user *data, size_t count, loff_t *position)
{
	if (count)
		set_heartbeat(heartbeat);
	return count;
}

static long card_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	int value;
	int __user *user = (int __user *)argument;

	switch (command) {
	case WDIOC_SETTIMEOUT:
		if (get_user(value, user))
			return -EFAULT;
		if (set_heartbeat(value))
			return -EINVAL;
		fallthrough;
	case WDIOC_GETTIMEOUT:
		return put_user(heartbeat * 1000, user); // SAFE
	case WDIOC_GETTIMELEFT:
		BUG_ON(card.ticks > 100 * 0xffff); // SAFE
		return put_user(card.ticks / heartbeat, user); // SAFE
	case WDIOC_GETTEMP:
		if (read_temperature(&value))
			return -EFAULT;
		return put_user(value + bias, user); // UNSAFE!
	default:
		return -ENOTTY;
	}
}

static const struct file_operations card_fops = {
	.owner = THIS_MODULE,
	.write = card_write,
	.unlocked_ioctl = card_ioctl,
	.open = card_open,
	.release = card_release,
};

static struct miscdevice card_device = {
	.minor = WATCHDOG_MINOR,
	.name = "watchdog",
	.fops = &card_fops,
};

static ssize_t temperature_read(struct file *file, char __user *data, size_t count, loff_t *position)
{
	int value;

	if (read_temperature(&value))
		return -EFAULT;
	BUG_ON(value < 32 || value > 491); // SAFE
	return copy_to_user(data, &value, 1) ? -EFAULT : 1;
}

static const struct file_operations temperature_fops = {
	.owner = THIS_MODULE,
	.read = temperature_read,
};

static struct miscdevice temperature_device = {
	.minor = TEMP_MINOR,
	.name = "temperature",
	.fops = &temperature_fops,
};

static int card_probe(struct pci_dev *device, const struct pci_device_id *id)
{
	int status = -EIO;

	card.cards++; // UNSAFE!
	if (card.cards > 1) {
		pr_err("only one card is supported\n");
		return -ENODEV;
	}
	if (pci_enable_device(device))
		return -ENODEV;
	if (pci_request_regions(device, "pci_temp_wdt"))
		goto out_disable;
	spin_lock_init(&card.lock);
	card.io = pci_resource_start(device, 0);
	if (heartbeat == 0)
		heartbeat = presets[inb(card.io) & 7]; // SAFE
	if (set_heartbeat(heartbeat)) {
		set_heartbeat(DEFAULT_HEARTBEAT);
		pr_info("heartbeat must be 1 to 65535, using %d\n", DEFAULT_HEARTBEAT);
	}
	status = misc_register(&temperature_device);
	if (status)
		goto out_regions;
	status = misc_register(&card_device);
	if (status)
		goto out_temperature;
	return 0;

out_temperature:
	misc_deregister(&temperature_device);
out_regions:
	pci_release_regions(device);
out_disable:
	pci_disable_device(device);
	return status;
}

static void card_remove(struct pci_dev *device)
{
	misc_deregister(&card_device);
	misc_deregister(&temperature_device);
	pci_release_regions(device);
	pci_disable_device(device);
	card.cards--; // UNKNOWN (needs that there are no more removals than probes)
}

static const struct pci_device_id card_ids[] = {
	{PCI_DEVICE(0x1234, 0x5678)},
	{0},
};

static struct pci_driver card_driver = {
	.name = "pci_temp_wdt",
	.id_table = card_ids,
	.probe = card_probe,
	.remove = card_remove,
};

module_pci_driver(card_driver);

MODULE_DESCRIPTION("PCI watchdog with a thermometer, for tests of analyzers");
MODULE_LICENSE("Apache-2.0");
