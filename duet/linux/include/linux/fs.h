/* <linux/fs.h>: files */
#ifndef DUET_LINUX_FS_H
#define DUET_LINUX_FS_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/err.h>

struct module;
struct inode {
	dev_t i_rdev;
	void *i_private;
};
struct file {
	fmode_t f_mode;
	unsigned int f_flags;
	loff_t f_pos;
	void *private_data;
};
struct poll_table_struct;
struct file_operations {
	struct module *owner;
	loff_t (*llseek)(struct file *file, loff_t offset, int whence);
	ssize_t (*read)(struct file *file, char *buffer, size_t count, loff_t *position);
	ssize_t (*write)(struct file *file, const char *buffer, size_t count, loff_t *position);
	unsigned int (*poll)(struct file *file, struct poll_table_struct *table);
	long (*unlocked_ioctl)(struct file *file, unsigned int command, unsigned long argument);
	long (*compat_ioctl)(struct file *file, unsigned int command, unsigned long argument);
	int (*open)(struct inode *inode, struct file *file);
	int (*flush)(struct file *file, void *owner);
	int (*release)(struct inode *inode, struct file *file);
	int (*fsync)(struct file *file, loff_t start, loff_t end, int datasync);
};

#define O_NONBLOCK 04000
#define FMODE_READ 1u
#define FMODE_WRITE 2u
#define FMODE_LSEEK 4u
#define FMODE_PREAD 8u
#define FMODE_PWRITE 16u
#define FMODE_STREAM 0x200000u
#define iminor(inode) ((void)(inode), __duet_nondet_uint())
#define imajor(inode) ((void)(inode), __duet_nondet_uint())

/* What drivers put into tables, or call from their own functions. Streams have no position. */
static inline int stream_open(struct inode *inode, struct file *file)
{
	__duet_havoc(file->f_mode);
	return 0;
}
static inline int nonseekable_open(struct inode *inode, struct file *file)
{
	__duet_havoc(file->f_mode);
	return 0;
}
static inline loff_t no_llseek(struct file *file, loff_t offset, int whence)
{
	return -ESPIPE;
}
static inline loff_t noop_llseek(struct file *file, loff_t offset, int whence)
{
	return __duet_nondet_longlong();
}
/* That it calls `unlocked_ioctl` adds nothing: the harness does so at any time. */
static inline long compat_ptr_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	return __duet_nondet_long();
}

#endif
