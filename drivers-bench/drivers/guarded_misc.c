// SPDX-License-Identifier: Apache-2.0
// ARGS: --model linux --properties assertion,array-bounds,overflow
/*
 * A made-up character device that keeps what is written last. Locks are held, and memory is given back, by variables
 * that go out of scope (<linux/cleanup.h>). It drives no real hardware.
 */
#include <linux/module.h>
#include <linux/types.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/cleanup.h>

extern void __VERIFIER_assert(int condition);

#define WORDS 16

static DEFINE_MUTEX(text_lock);
static DEFINE_SPINLOCK(count_lock);
static int length;
static int pending;
static char text[WORDS];

static ssize_t misc_read(struct file *file, char __user *to, size_t size, loff_t *offset)
{
	guard(mutex)(&text_lock);
	if (length == 0)
		return -EAGAIN;
	__VERIFIER_assert(length <= WORDS); // SAFE
	if (copy_to_user(to, text, size < length ? size : length))
		return -EFAULT;
	length = 0;
	return size;
}

static ssize_t misc_write(struct file *file, const char __user *from, size_t size, loff_t *offset)
{
	char *copy __free(kfree) = kzalloc(WORDS, GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	if (size > WORDS || copy_from_user(copy, from, size))
		return -EFAULT;
	scoped_guard(spinlock_irqsave, &count_lock) {
		pending = 1;
		__VERIFIER_assert(pending == 1); // SAFE
		pending = 0;
	}
	__VERIFIER_assert(pending == 0); // UNSAFE!
	scoped_guard(mutex, &text_lock) {
		if (length != 0)
			return -EBUSY;
		text[0] = copy[WORDS - 1]; // SAFE
		length = size;
	}
	return size;
}

static long misc_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	if (command == 1) {
		guard(mutex)(&text_lock);
		length = argument & (WORDS - 1);
		return length;
	}
	return text[command & WORDS]; // UNSAFE!
}

static const struct file_operations misc_fops = {
	.owner = THIS_MODULE,
	.read = misc_read,
	.write = misc_write,
	.unlocked_ioctl = misc_ioctl,
};

static struct miscdevice guarded = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "guarded",
	.fops = &misc_fops,
};
module_misc_device(guarded);
MODULE_LICENSE("GPL");
