"""A small kernel of our own: headers as a distribution packs them, with what a module needs and a made-up subsystem."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

RELEASE = "6.1.7-test"
# The end of a driver of the made-up subsystem; @LOADING@ is what is done before `start` and `set_level` may run.
GADGET = """
static const struct gadget_ops ops = { .start = start, .level = set_level };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { @LOADING@ return gadget_register(&gadget); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
USUAL = Budgets()
_COMMON = {
    "include/linux/kconfig.h": "#include <generated/autoconf.h>\n",
    "include/linux/compiler_types.h": "#define __user\n#define __must_check __attribute__((warn_unused_result))\n",
    "include/linux/types.h": """
typedef _Bool bool;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long size_t;
typedef struct { int counter; } atomic_t;
struct list_head { struct list_head *next, *prev; };
""",
    "include/linux/init.h": """
#define __init __attribute__((__section__(".init.text")))
#define __exit __attribute__((__section__(".exit.text")))
""",
    "include/linux/export.h": "extern struct module __this_module;\n#define EXPORT_SYMBOL(name) extern int exported\n",
    "include/linux/moduleparam.h": """
struct kernel_param;
struct kernel_param_ops {
	int (*set)(const char *value, const struct kernel_param *param);
	int (*get)(char *buffer, const struct kernel_param *param);
};
struct kernel_param { const char *name; const struct kernel_param_ops *ops; void *arg; };
""",
    "include/linux/module.h": """
#include <linux/types.h>
#include <linux/init.h>
#include <linux/export.h>
#include <linux/moduleparam.h>
#define module_init(function) int init_module(void) __attribute__((alias(#function)))
#define module_exit(function) void cleanup_module(void) __attribute__((alias(#function)))
#define MODULE_LICENSE(text) MODULE_INFO(license, text)
extern int printk(const char *format, ...);
""",
    "include/linux/spinlock.h": """
#include <linux/types.h>
typedef struct raw_spinlock { atomic_t raw; } raw_spinlock_t;
typedef struct spinlock { union { struct raw_spinlock rlock; }; } spinlock_t;
struct watched { spinlock_t lock; int guarded; };
#define __RAW_SPIN_LOCK_UNLOCKED(name) (raw_spinlock_t) { .raw = { 0 } }
#define DEFINE_SPINLOCK(name) spinlock_t name = { { .rlock = { .raw = { 0 } } } }
extern void _raw_spin_lock(raw_spinlock_t *lock);
extern void _raw_spin_unlock(raw_spinlock_t *lock);
static inline raw_spinlock_t *spinlock_check(spinlock_t *lock) { return &lock->rlock; }
static inline void spin_lock(spinlock_t *lock) { _raw_spin_lock(&lock->rlock); }
static inline void spin_unlock(spinlock_t *lock) { _raw_spin_unlock(&lock->rlock); }
""",
    "include/linux/rwlock.h": "",
    "include/linux/bug.h": "",
    "include/linux/compiler.h": "",
    "include/asm/bitops.h": """
static inline int fls(unsigned int word)
{
	int found;

	asm("bsrl %1, %0" : "=r" (found) : "r" (word));
	return found + 1;
}
""",
    "include/linux/mutex.h": """
#include <linux/spinlock.h>
typedef struct { long long counter; } atomic_long_t;
struct mutex { atomic_long_t owner; raw_spinlock_t wait_lock; struct list_head wait_list; };
#define DEFINE_MUTEX(name) \\
	struct mutex name = { .wait_lock = __RAW_SPIN_LOCK_UNLOCKED(name), .wait_list = { &name.wait_list } }
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
""",
    "include/linux/slab.h": """
#include <linux/types.h>
typedef unsigned int gfp_t;
#define GFP_KERNEL 1u
extern void *__real_allocator(size_t size);
static inline void *kmalloc(size_t size, gfp_t flags) { return __real_allocator(size); }
static inline void *kzalloc(size_t size, gfp_t flags) { return kmalloc(size, flags | 256u); }
extern void kfree_const(const void *memory);
""",
    "include/linux/kernel.h": "",
    "include/linux/err.h": """
static inline void *ERR_PTR(long error) { return (void *)error; }
static inline long PTR_ERR(const void *pointer) { return (long)pointer; }
static inline _Bool IS_ERR(const void *pointer) { return (unsigned long)pointer > -4096UL; }
""",
    "include/linux/bcd.h": """
#define bcd2bin(x) (__builtin_constant_p((u8)(x)) ? const_bcd2bin(x) : _bcd2bin(x))
#define bin2bcd(x) (__builtin_constant_p((u8)(x)) ? const_bin2bcd(x) : _bin2bcd(x))
#define const_bcd2bin(x) (((x) & 0x0f) + ((x) >> 4) * 10)
#define const_bin2bcd(x) ((((x) / 10) << 4) + (x) % 10)
extern unsigned int _bcd2bin(unsigned char value);
extern unsigned char _bin2bcd(unsigned int value);
""",
    "include/linux/math.h": "#define abs(x) __builtin_choose_expr(sizeof(x) == 4, (x) < 0 ? -(x) : (x), (x))\n",
    "include/linux/overflow.h": """
#include <linux/types.h>
static inline size_t size_mul(size_t a, size_t b)
{
	size_t bytes;

	return __builtin_mul_overflow(a, b, &bytes) ? (size_t)-1 : bytes;
}
""",
    "include/linux/kstrtox.h": """
extern int kstrtoull(const char *text, unsigned int base, unsigned long long *result);
static inline int kstrtoul(const char *text, unsigned int base, unsigned long *result)
{
	return kstrtoull(text, base, (unsigned long long *)result);
}
""",
    "include/linux/string.h": """
#include <linux/types.h>
extern void *memcpy(void *target, const void *source, size_t count);
""",
    "include/linux/stub.h": """
extern int stub(int number);
asm(".globl stub\\nstub:\\tjmp stubbed\\n\\t.quad stub_data, stub_type, 5f\\n");
""",
    "include/linux/device.h": """
#include <linux/types.h>
struct kobject { const char *name; };
struct device { struct device *parent; void *driver_data; struct kobject kobj; const char *init_name; };
static inline const char *dev_name(const struct device *device) { return device->init_name; }
struct dev_pm_ops {
	int (*suspend)(struct device *device);
	int (*resume)(struct device *device);
	int (*runtime_suspend)(struct device *device);
};
struct device_driver { const char *name; const struct dev_pm_ops *pm; };
static inline void dev_set_drvdata(struct device *device, void *data) { device->driver_data = data; }
static inline void *dev_get_drvdata(const struct device *device) { return device->driver_data; }
extern int device_register(struct device *device);
extern int pm_runtime_get_sync(struct device *device);
extern void devm_kfree(struct device *device, const void *memory);
extern int devm_add_action(struct device *device, void (*action)(void *), void *data);
extern void devm_remove_action(struct device *device, void (*action)(void *), void *data);
static inline int devm_add_action_or_reset(struct device *device, void (*action)(void *), void *data)
{
	int status = devm_add_action(device, action, data);

	if (status)
		action(data);
	return status;
}
""",
    "include/linux/platform_device.h": """
#include <linux/device.h>
struct platform_device { int id; struct device dev; };
typedef struct pm_message { int event; } pm_message_t;
struct platform_driver {
	int (*probe)(struct platform_device *device);
	int (*remove)(struct platform_device *device);
	void (*shutdown)(struct platform_device *device);
	int (*suspend)(struct platform_device *device, pm_message_t state);
	struct device_driver driver;
};
#define to_platform_device(device) container_of((device), struct platform_device, dev)
static inline void platform_set_drvdata(struct platform_device *device, void *data)
{
	dev_set_drvdata(&device->dev, data);
}
static inline void *platform_get_drvdata(const struct platform_device *device)
{
	return dev_get_drvdata(&device->dev);
}
extern int platform_driver_register(struct platform_driver *driver);
extern int platform_device_register(struct platform_device *device);
extern int __platform_driver_probe(struct platform_driver *driver, int (*probe)(struct platform_device *device));
""",
    "include/linux/interrupt.h": """
#include <linux/types.h>
typedef enum irqreturn { IRQ_NONE, IRQ_HANDLED, IRQ_WAKE_THREAD } irqreturn_t;
typedef irqreturn_t (*irq_handler_t)(int irq, void *data);
extern int request_threaded_irq(unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags,
				const char *name, void *data);
static inline int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name,
				void *data)
{
	return request_threaded_irq(irq, handler, 0, flags, name, data);
}
""",
    "include/linux/rcupdate.h": """
static inline void rcu_read_lock(void) { asm("" : : : "memory"); }
static inline void rcu_read_unlock(void) { asm("" : : : "memory"); }
extern void synchronize_rcu(void);
struct rcu_head { void *next; };
extern void kvfree_call_rcu(struct rcu_head *head);
#define kfree_rcu(pointer, member) kvfree_call_rcu(&(pointer)->member)
""",
    "include/linux/callbacks.h": """
#include <linux/types.h>
struct timer_list { void (*function)(struct timer_list *timer); };
struct work_struct { void (*func)(struct work_struct *work); };
struct completion { int done; };
struct kobject;
struct device;
struct device_attribute {
	long (*show)(struct device *device, struct device_attribute *attribute, char *page);
};
extern int add_timer(struct timer_list *timer);
extern int del_timer_sync(struct timer_list *timer);
extern int schedule_work(struct work_struct *work);
extern int cancel_work_sync(struct work_struct *work);
extern void free_irq(unsigned int irq, void *data);
extern int device_create_file(struct device *device, struct device_attribute *attribute);
extern void device_remove_file(struct device *device, struct device_attribute *attribute);
extern void *kthread_run(int (*function)(void *data), void *data);
extern int kthread_stop(void *thread);
extern void complete(struct completion *completion);
extern void wait_for_completion(struct completion *completion);
extern unsigned long wait_for_completion_timeout(struct completion *completion, unsigned long ticks);
""",
    "include/linux/timer.h": """
#include <linux/types.h>
struct timer_list { unsigned long expires; void (*function)(struct timer_list *timer); u32 flags; };
extern void init_timer_key(struct timer_list *timer, void (*function)(struct timer_list *), u32 flags);
#define __init_timer(timer, function, flags) init_timer_key((timer), (function), (flags))
#define timer_setup(timer, callback, flags) __init_timer((timer), (callback), (flags))
#define DEFINE_TIMER(name, callback) struct timer_list name = { .function = (callback) }
extern int mod_timer(struct timer_list *timer, unsigned long expires);
extern int del_timer_sync(struct timer_list *timer);
""",
    "include/linux/kthread.h": """
#include <linux/err.h>
struct task_struct;
extern struct task_struct *kthread_create_on_node(int (*function)(void *), void *data, int node, const char *name, ...);
extern int wake_up_process(struct task_struct *task);
#define kthread_run(function, data, name) ({ struct task_struct *__made = \
	kthread_create_on_node(function, data, -1, name); if (!IS_ERR(__made)) wake_up_process(__made); __made; })
""",
    "include/linux/hw_random.h": """
struct hwrng {
	const char *name;
	int (*init)(struct hwrng *rng);
	int (*read)(struct hwrng *rng, void *data, unsigned long most);
	unsigned long priv;
};
extern int hwrng_register(struct hwrng *rng);
extern int devm_hwrng_register(struct device *device, struct hwrng *rng);
""",
    "include/linux/fs.h": """
#include <linux/types.h>
struct file; struct inode;
struct file_operations {
	int (*open)(struct inode *inode, struct file *file);
	long (*read)(struct file *file, char *buffer, size_t size, long long *position);
	long (*unlocked_ioctl)(struct file *file, unsigned int command, unsigned long argument);
	int (*release)(struct inode *inode, struct file *file);
};
struct file { const struct file_operations *f_op; void *private_data; };
struct inode { void *i_private; };
extern int nonseekable_open(struct inode *inode, struct file *file);
extern int single_open(struct file *file, int (*show)(void *, void *), void *data);
extern int __register_chrdev(unsigned int major, unsigned int first, unsigned int count, const char *name,
				const struct file_operations *operations);
static inline int register_chrdev(unsigned int major, const char *name, const struct file_operations *operations)
{
	return __register_chrdev(major, 0, 256, name, operations);
}
extern int anon_inode_getfd(const char *name, const struct file_operations *operations, void *data, int flags);
""",
    "include/linux/workqueue.h": """
#include <linux/timer.h>
struct work_struct { long data; void (*func)(struct work_struct *work); };
struct delayed_work { int urgency; struct work_struct work; struct timer_list timer; };
#define INIT_WORK(work, function) do { (work)->data = 0; (work)->func = (function); } while (0)
#define INIT_DELAYED_WORK(later, function) INIT_WORK(&(later)->work, (function))
#define DECLARE_WORK(name, function) struct work_struct name = { .data = 0, .func = (function) }
struct workqueue_struct;
extern struct workqueue_struct *system_wq;
extern bool queue_work_on(int cpu, struct workqueue_struct *queue, struct work_struct *work);
extern bool queue_delayed_work_on(int cpu, struct workqueue_struct *queue, struct delayed_work *later, long ticks);
static inline bool schedule_work(struct work_struct *work) { return queue_work_on(64, system_wq, work); }
static inline bool schedule_delayed_work(struct delayed_work *later, long ticks)
{
	return queue_delayed_work_on(64, system_wq, later, ticks);
}
extern bool cancel_work_sync(struct work_struct *work);
""",
    "include/linux/leds.h": """
#include <linux/device.h>
struct led_classdev {
	const char *name;
	void (*brightness_set)(struct led_classdev *led, int level);
	int (*brightness_get)(struct led_classdev *led);
};
struct led_classdev_flash { int settings; struct led_classdev led_cdev; };
extern int led_classdev_register_ext(struct device *parent, struct led_classdev *led, void *init);
extern int led_classdev_flash_register_ext(struct device *parent, struct led_classdev_flash *flash, void *init);
static inline int led_classdev_register(struct device *parent, struct led_classdev *led)
{
	return led_classdev_register_ext(parent, led, 0);
}
extern void led_classdev_unregister(struct led_classdev *led);
""",
    "include/linux/input.h": """
#include <linux/device.h>
#include <linux/timer.h>
struct input_dev_poller;
struct input_dev {
	const char *name;
	int (*open)(struct input_dev *input);
	void (*close)(struct input_dev *input);
	struct input_dev_poller *poller;
	struct timer_list timer;
	struct device dev;
};
extern struct input_dev *input_allocate_device(void);
extern struct input_dev *devm_input_allocate_device(struct device *device);
static inline void *input_get_drvdata(struct input_dev *input) { return dev_get_drvdata(&input->dev); }
static inline void input_set_drvdata(struct input_dev *input, void *data) { dev_set_drvdata(&input->dev, data); }
extern int input_setup_polling(struct input_dev *input, void (*poll)(struct input_dev *input));
extern int input_register_device(struct input_dev *input);
extern void input_event(struct input_dev *input, unsigned int type, unsigned int code, int value);
""",
    "include/linux/watchdog.h": """
#include <linux/device.h>
struct watchdog_device;
struct watchdog_ops {
	int (*start)(struct watchdog_device *watchdog);
	int (*stop)(struct watchdog_device *watchdog);
};
struct watchdog_device {
	int id;
	struct device *parent;
	const struct watchdog_ops *ops;
	unsigned int timeout;
	void *driver_data;
};
static inline void watchdog_set_drvdata(struct watchdog_device *watchdog, void *data) { watchdog->driver_data = data; }
static inline void *watchdog_get_drvdata(struct watchdog_device *watchdog) { return watchdog->driver_data; }
extern int watchdog_init_timeout(struct watchdog_device *watchdog, unsigned int timeout, struct device *device);
extern int watchdog_register_device(struct watchdog_device *watchdog);
extern int devm_watchdog_register_device(struct device *device, struct watchdog_device *watchdog);
extern void watchdog_unregister_device(struct watchdog_device *watchdog);
""",
    "include/linux/rtc.h": """
#include <linux/device.h>
struct module;
typedef long long time64_t;
struct rtc_time { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
extern int rtc_valid_tm(struct rtc_time *time);
extern time64_t rtc_tm_to_time64(struct rtc_time *time);
extern void rtc_time64_to_tm(time64_t time, struct rtc_time *tm);
struct rtc_class_ops {
	int (*read_time)(struct device *device, struct rtc_time *time);
	int (*set_time)(struct device *device, struct rtc_time *time);
};
struct rtc_device { struct device dev; const struct rtc_class_ops *ops; };
extern struct rtc_device *devm_rtc_allocate_device(struct device *device);
extern int __devm_rtc_register_device(struct module *owner, struct rtc_device *rtc);
#define devm_rtc_register_device(rtc) __devm_rtc_register_device(&__this_module, rtc)
extern int rtc_read_time(struct rtc_device *rtc, struct rtc_time *time);
extern void rtc_update_irq(struct rtc_device *rtc, unsigned long number, unsigned long events);
extern void rtc_aie_update_irq(struct rtc_device *rtc);
extern struct rtc_device *devm_rtc_device_register(struct device *device, const char *name,
	const struct rtc_class_ops *ops, struct module *owner);
""",
    "include/linux/hwmon.h": """
#include <linux/device.h>
struct attribute { const char *name; };
struct device_attribute {
	struct attribute attr;
	long (*show)(struct device *device, struct device_attribute *attribute, char *page);
	long (*store)(struct device *device, struct device_attribute *attribute, const char *page, size_t count);
};
struct sensor_device_attribute { struct device_attribute dev_attr; int index; };
struct attribute_group { const char *name; struct attribute **attrs; };
extern int device_create_file(struct device *device, const struct device_attribute *attribute);
extern void device_remove_file(struct device *device, const struct device_attribute *attribute);
extern int sysfs_create_group(struct kobject *object, const struct attribute_group *group);
extern void sysfs_remove_group(struct kobject *object, const struct attribute_group *group);
extern int devm_device_add_group(struct device *device, const struct attribute_group *group);
extern struct device *devm_hwmon_device_register_with_groups(struct device *device, const char *name, void *data,
	const struct attribute_group **groups);
struct hwmon_ops {
	int (*read)(struct device *device, int kind, unsigned int attribute, int channel, long *value);
	int (*write)(struct device *device, int kind, unsigned int attribute, int channel, long value);
};
struct hwmon_chip_info { const struct hwmon_ops *ops; const void *info; };
extern struct device *devm_hwmon_device_register_with_info(struct device *device, const char *name, void *data,
	const struct hwmon_chip_info *info, const void *groups);
""",
    "include/linux/gpio/driver.h": """
#include <linux/device.h>
struct gpio_chip {
	const char *label;
	int (*get)(struct gpio_chip *chip, unsigned int offset);
	int (*set_config)(struct gpio_chip *chip, unsigned int offset, unsigned long config);
	int base;
};
extern int gpiochip_add_data_with_key(struct gpio_chip *chip, void *data, void *lock, void *request);
#define gpiochip_add_data(chip, data) gpiochip_add_data_with_key(chip, data, 0, 0)
extern void *gpiochip_get_data(struct gpio_chip *chip);
""",
    "include/linux/transfers.h": """
#include <linux/types.h>
typedef int s32;
typedef unsigned short u16;
typedef long ssize_t;
typedef long long loff_t;
struct regmap; struct i2c_client; struct device; struct usb_device; struct spi_device;
extern int regmap_reinit_cache(struct regmap *map, const struct regmap_config *config);
extern int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value);
extern int regmap_raw_read(struct regmap *map, unsigned int reg, void *values, size_t bytes);
extern s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command);
extern s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command);
extern s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 count, u8 *values);
extern void memcpy_fromio(void *to, const volatile void *from, size_t count);
extern void memcpy_toio(volatile void *to, const void *from, size_t count);
#include <linux/rtc.h>
extern void *memchr_inv(const void *from, int byte, size_t count);
extern int hex2bin(u8 *to, const char *digits, size_t count);
extern int i2c_master_recv(const struct i2c_client *client, char *buffer, int count);
extern int spi_write_then_read(struct spi_device *spi, const void *out, unsigned m, void *in, unsigned n);
extern int usb_control_msg(struct usb_device *device, unsigned int pipe, u8 request, u8 type, u16 value,
	u16 at, void *data, u16 size, int timeout);
extern int device_property_read_u32_array(struct device *device, const char *name, u32 *values, size_t count);
extern int scnprintf(char *buffer, size_t size, const char *format, ...);
extern ssize_t strscpy(char *target, const char *source, size_t size);
extern ssize_t simple_read_from_buffer(void *to, size_t count, loff_t *position, const void *from, size_t available);
""",
    "include/linux/atomic.h": "#include <linux/types.h>\n",
    "include/asm/barrier.h": "",
    "include/linux/refcount.h": """
#include <linux/atomic.h>
typedef struct refcount_struct { atomic_t refs; } refcount_t;
enum refcount_saturation_type {
	REFCOUNT_ADD_NOT_ZERO_OVF, REFCOUNT_ADD_UAF, REFCOUNT_ADD_OVF, REFCOUNT_SUB_UAF
};
#define REFCOUNT_SATURATED (-1073741824)
extern void refcount_warn_saturate(refcount_t *count, enum refcount_saturation_type kind);
static inline int refcount_read(const refcount_t *count) { return atomic_read(&count->refs); }
static inline void refcount_set(refcount_t *count, int number) { atomic_set(&count->refs, number); }
static inline void __refcount_add(int i, refcount_t *r, int *old)
{
	*old = atomic_fetch_add_relaxed(i, &r->refs);
	if (*old < 0 || *old + i < 0)
		refcount_warn_saturate(r, REFCOUNT_ADD_OVF);
}
static inline bool __refcount_add_not_zero(int i, refcount_t *r, int *oldp)
{
	int old = refcount_read(r);

	if (!old || !atomic_try_cmpxchg_relaxed(&r->refs, &old, old + i))
		return 0;
	if (old < 0 || old + i < 0)
		refcount_warn_saturate(r, REFCOUNT_ADD_NOT_ZERO_OVF);
	return old;
}
static inline bool refcount_inc_not_zero(refcount_t *r) { return __refcount_add_not_zero(1, r, 0); }
static inline void refcount_inc(refcount_t *count)
{
	if (atomic_fetch_add_relaxed(1, &count->refs) <= 0)
		refcount_warn_saturate(count, REFCOUNT_ADD_UAF);
}
""",
    "include/linux/list.h": """
#include <linux/types.h>
#define LIST_HEAD_INIT(name) { &(name), &(name) }
extern bool __list_add_valid(struct list_head *new, struct list_head *prev, struct list_head *next);
static inline void list_add(struct list_head *new, struct list_head *head)
{
	if (!__list_add_valid(new, head, head->next))
		return;
	new->next = head->next;
	new->prev = head;
	head->next->prev = new;
	head->next = new;
}
static inline int list_empty(const struct list_head *head) { return head->next == head; }
""",
    "include/linux/xarray.h": """
#include <linux/spinlock.h>
#include <linux/slab.h>
typedef unsigned int xa_mark_t;
struct xa_limit { u32 max; u32 min; };
struct xarray { spinlock_t xa_lock; gfp_t xa_flags; void *xa_head; };
#define DEFINE_XARRAY(name) struct xarray name = { .xa_head = (void *)0 }
static inline bool xa_empty(const struct xarray *xa) { return xa->xa_head == (void *)0; }
extern void *xa_load(struct xarray *xa, unsigned long index);
extern void *xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t flags);
extern void *xa_erase(struct xarray *xa, unsigned long index);
extern int __xa_alloc(struct xarray *xa, u32 *number, void *entry, struct xa_limit limit, gfp_t flags);
static inline int xa_alloc(struct xarray *xa, u32 *number, void *entry, struct xa_limit limit, gfp_t flags)
{
	return __xa_alloc(xa, number, entry, limit, flags);
}
""",
    "include/linux/idr.h": """
#include <linux/xarray.h>
#define radix_tree_root xarray
struct idr { struct radix_tree_root idr_rt; unsigned int idr_base; unsigned int idr_next; };
struct ida { struct xarray xa; };
#define DEFINE_IDR(name) struct idr name = { .idr_next = 0 }
#define DEFINE_IDA(name) struct ida name = { .xa = { .xa_head = (void *)0 } }
extern int idr_alloc(struct idr *idr, void *pointer, int start, int end, gfp_t flags);
extern void *idr_find(const struct idr *idr, unsigned long id);
extern void *idr_remove(struct idr *idr, unsigned long id);
extern void *idr_get_next(struct idr *idr, int *next);
extern int idr_for_each(const struct idr *idr, int (*function)(int id, void *pointer, void *data), void *data);
static inline bool idr_is_empty(const struct idr *idr) { return idr->idr_rt.xa_head == (void *)0; }
extern int ida_alloc_range(struct ida *ida, unsigned int min, unsigned int max, gfp_t flags);
extern void ida_free(struct ida *ida, unsigned int id);
static inline int ida_alloc_max(struct ida *ida, unsigned int max, gfp_t flags)
{
	return ida_alloc_range(ida, 0, max, flags);
}
#define ida_simple_get(ida, start, end, flags) ida_alloc_range(ida, start, (end) - 1, flags)
""",
    "include/linux/find.h": """
extern unsigned long find_first_zero_bit(const unsigned long *map, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *map, unsigned long size, unsigned long from);
""",
    "include/linux/thread_info.h": """
struct thread_info { unsigned long flags; };
static inline int test_ti_thread_flag(struct thread_info *ti, int flag)
{
	return (((unsigned long *)&ti->flags)[flag / 64] >> (flag & 63)) & 1;
}
static inline void clear_ti_thread_flag(struct thread_info *ti, int flag)
{
	((unsigned long *)&ti->flags)[flag / 64] &= ~(1ul << (flag & 63));
}
extern struct thread_info *current_thread_info(void);
""",
    "include/linux/sched.h": """
extern long schedule_timeout(long ticks);
extern void schedule(void);
""",
    "include/linux/wait.h": """
#include <linux/sched.h>
typedef struct wait_queue_head { int lock; } wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = { 0 }
#define ___wait_is_interruptible(state) ((state) & 1)
extern void __wake_up(struct wait_queue_head *queue, unsigned int mode, int number, void *key);
#define wake_up(queue) __wake_up(queue, 3, 1, (void *)0)
extern long sleeping(struct wait_queue_head *queue, int state);
#define ___wait_event(queue, condition, state, exclusive, ret, cmd) ({ long __ret = ret; \
	while (!(condition) && !(__ret = sleeping(&(queue), state))) cmd; __ret; })
#define wait_event(queue, condition) ___wait_event(queue, condition, 2, 0, 0, schedule())
#define wait_event_exclusive(queue, condition) ___wait_event(queue, condition, 1, 1, 0, schedule())
""",
    "include/linux/kfifo.h": """
struct __kfifo { unsigned int in; unsigned int out; unsigned int mask; unsigned int esize; void *data; };
#define DECLARE_KFIFO(name, kind, size) struct { \
	union { struct __kfifo kfifo; kind *type; const kind *const_type; \
	char (*rectype)[0]; kind *ptr; kind const *ptr_const; }; \
	kind buf[size]; } name
#define DEFINE_KFIFO(name, kind, size) DECLARE_KFIFO(name, kind, size) = (typeof(name)) { { { \
	.mask = sizeof(struct { typeof(*(&(name))->type) const *a; }) == 8 ? (size) - 1 : 0, .data = (name).buf } } }
extern unsigned int __kfifo_in(struct __kfifo *fifo, const void *buffer, unsigned int count);
extern unsigned int __kfifo_out(struct __kfifo *fifo, void *buffer, unsigned int count);
extern unsigned int __kfifo_in_r(struct __kfifo *fifo, const void *buffer, unsigned int count, size_t record);
extern unsigned int __kfifo_out_r(struct __kfifo *fifo, void *buffer, unsigned int count, size_t record);
extern unsigned int __kfifo_out_peek(struct __kfifo *fifo, void *buffer, unsigned int count);
extern unsigned int __kfifo_out_peek_r(struct __kfifo *fifo, void *buffer, unsigned int count, size_t record);
#define __is_kfifo_ptr(fifo) (sizeof((fifo)->buf) == 0)
#define kfifo_is_empty(fifo) ((fifo)->kfifo.in == (fifo)->kfifo.out)
#define kfifo_is_full(fifo) ((fifo)->kfifo.in - (fifo)->kfifo.out > (fifo)->kfifo.mask)
#define kfifo_in(fifo, buffer, count) __kfifo_in(&(fifo)->kfifo, buffer, count)
#define kfifo_out(fifo, buffer, count) __kfifo_out(&(fifo)->kfifo, buffer, count)
""",
    "include/linux/ioport.h": """
#include <linux/device.h>
typedef unsigned long long resource_size_t;
struct resource { resource_size_t start, end; const char *name; struct resource *parent; };
extern struct resource ioport_resource;
#define IORESOURCE_MUXED 4
#define request_region(start, n, name) __request_region(&ioport_resource, (start), (n), (name), 0)
#define request_muxed_region(start, n, name) __request_region(&ioport_resource, (start), (n), (name), IORESOURCE_MUXED)
#define devm_request_region(dev, start, n, name) __devm_request_region(dev, &ioport_resource, (start), (n), (name))
#define release_region(start, n) __release_region(&ioport_resource, (start), (n))
extern struct resource *__request_region(struct resource *parent, resource_size_t start, resource_size_t n,
	const char *name, int flags);
extern struct resource *__devm_request_region(struct device *device, struct resource *parent, resource_size_t start,
	resource_size_t n, const char *name);
extern void __release_region(struct resource *parent, resource_size_t start, resource_size_t n);
""",
    "include/linux/regmap.h": """
#include <linux/device.h>
struct regmap;
enum regcache_type { REGCACHE_NONE, REGCACHE_RBTREE, REGCACHE_COMPRESSED, REGCACHE_FLAT, REGCACHE_MAPLE };
struct regmap_config {
	const char *name;
	int reg_bits;
	int val_bits;
	int (*reg_read)(void *context, unsigned int reg, unsigned int *value);
	enum regcache_type cache_type;
};
struct i2c_client { struct device dev; };
struct regulator_dev { struct regmap *regmap; void *priv; };
struct nvmem_config {
	const char *name;
	int (*reg_read)(void *priv, unsigned int offset, void *values, size_t bytes);
	void *priv;
};
extern int nvmem_register(const struct nvmem_config *config);
struct regmap_bus { int (*reg_read)(void *context, unsigned int reg, unsigned int *value); };
extern struct regmap *regmap_by(const struct regmap_bus *bus);
extern struct regmap *dev_get_regmap(struct device *device, const char *name);
extern struct regmap *__devm_regmap_init_i2c(struct i2c_client *client, const struct regmap_config *config, void *key,
	const char *name);
#define devm_regmap_init_i2c(client, config) __devm_regmap_init_i2c(client, config, 0, 0)
extern int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value);
extern struct regmap *__devm_regmap_init(struct device *device, const struct regmap_bus *bus, void *context,
	const struct regmap_config *config, void *key, const char *name);
#define devm_regmap_init(device, bus, context, config) __devm_regmap_init(device, bus, context, config, 0, 0)
extern int regmap_bulk_read(struct regmap *map, unsigned int reg, void *values, size_t count);
extern int regmap_bulk_write(struct regmap *map, unsigned int reg, const void *values, size_t count);
""",
    "include/linux/chip.h": """
#include <linux/regmap.h>
struct chip { struct regmap *map; };
static inline int chip_read(struct chip *chip, unsigned int reg, unsigned int *value)
{
	return regmap_read(chip->map, reg, value);
}
static inline int chip_transfer(struct chip *chip, void *values, size_t count)
{
	return regmap_bulk_read(chip->map, 0, values, count);
}
static inline int regmap_look(struct regmap *map, unsigned int reg, unsigned int *value)
{
	return regmap_read(map, reg, value);
}
""",
    "include/linux/clk.h": """
struct clk;
struct clk_ops { int (*enable)(void *hardware); };
extern int clk_enable(struct clk *clock);
extern void clock_register(const struct clk_ops *operations);
""",
    "include/linux/seq_file.h": """
#include <linux/types.h>
struct file;
struct seq_file { char *buf; size_t count; long long index; void *private; };
struct seq_operations {
	void *(*start)(struct seq_file *m, long long *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, long long *pos);
	int (*show)(struct seq_file *m, void *v);
};
extern int seq_open(struct file *file, const struct seq_operations *ops);
extern int seq_read(struct file *file, const struct seq_operations *ops);
""",
    "include/net/rtnetlink.h": """
#include <linux/netdevice.h>
struct rtnl_link_ops {
	size_t priv_size;
	void (*setup)(struct net_device *dev);
	int (*newlink)(struct net_device *dev);
};
extern int rtnl_link_register(struct rtnl_link_ops *ops);
extern int __rtnl_link_register(struct rtnl_link_ops *ops);
""",
    "include/linux/netdevice.h": """
#include <linux/types.h>
#include <linux/slab.h>
#include <linux/device.h>
#define ALIGN(x, a) (((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define NETDEV_ALIGN 32
#define NAPI_POLL_WEIGHT 64
struct sk_buff { unsigned int len; };
struct net_device;
struct net_device_ops {
	int (*ndo_open)(struct net_device *dev);
	int (*ndo_stop)(struct net_device *dev);
	int (*ndo_start_xmit)(struct sk_buff *skb, struct net_device *dev);
	void (*ndo_tx_timeout)(struct net_device *dev, unsigned int txqueue);
	int (*ndo_bpf)(struct net_device *dev);
};
struct ethtool_ops { int (*get_regs_len)(struct net_device *dev); };
struct net_device {
	char name[16];
	enum { NETREG_UNINITIALIZED = 0, NETREG_REGISTERED } reg_state;
	const struct net_device_ops *netdev_ops;
	const struct ethtool_ops *ethtool_ops;
	int mtu;
	struct device dev;
};
struct napi_struct {
	unsigned long state;
	int weight;
	int (*poll)(struct napi_struct *napi, int budget);
	struct net_device *dev;
};
extern void netif_napi_add_weight(struct net_device *dev, struct napi_struct *napi,
	int (*poll)(struct napi_struct *, int), int weight);
extern void napi_enable(struct napi_struct *napi);
extern void napi_disable(struct napi_struct *napi);
extern struct net_device *alloc_netdev_mqs(int size, const char *name, unsigned char origin,
	void (*setup)(struct net_device *), unsigned int senders, unsigned int receivers);
extern struct net_device *alloc_etherdev_mqs(int size, unsigned int senders, unsigned int receivers);
extern struct net_device *devm_alloc_etherdev_mqs(struct device *dev, int size, unsigned int senders,
	unsigned int receivers);
#define alloc_netdev(size, name, origin, setup) alloc_netdev_mqs(size, name, origin, setup, 1, 1)
#define alloc_etherdev(size) alloc_etherdev_mqs(size, 1, 1)
static inline void *netdev_priv(const struct net_device *dev)
{
	return (char *)dev + ALIGN(sizeof(struct net_device), NETDEV_ALIGN);
}
extern int register_netdev(struct net_device *dev);
extern void unregister_netdev(struct net_device *dev);
extern void free_netdev(struct net_device *dev);
extern void hand_over(struct net_device *dev);
#include <net/rtnetlink.h>
""",
    "include/linux/blkdev.h": """
#include <linux/types.h>
#include <linux/slab.h>
#include <linux/err.h>
#define ENOMEM 12
struct bio;
struct gendisk;
struct block_device { struct gendisk *bd_disk; };
struct block_device_operations {
	void (*submit_bio)(struct bio *bio);
	int (*open)(struct block_device *device, unsigned int mode);
	void (*release)(struct gendisk *disk, unsigned int mode);
	int (*ioctl)(struct block_device *device, unsigned int mode, unsigned int command, unsigned long argument);
};
struct request_queue { void *queuedata; struct gendisk *disk; };
struct gendisk {
	const struct block_device_operations *fops;
	struct request_queue *queue;
	void *private_data;
};
struct lock_class_key { int key; };
extern struct gendisk *__blk_alloc_disk(int node, struct lock_class_key *key);
#define blk_alloc_disk(node) ({ static struct lock_class_key __key; __blk_alloc_disk(node, &__key); })
extern int device_add_disk(void *parent, struct gendisk *disk, void *groups);
static inline int add_disk(struct gendisk *disk) { return device_add_disk(0, disk, 0); }
extern void del_gendisk(struct gendisk *disk);
extern void put_disk(struct gendisk *disk);
""",
    "include/linux/blk-mq.h": """
#include <linux/blkdev.h>
#include <linux/string.h>
struct request { struct request_queue *q; unsigned int tag; };
struct blk_mq_hw_ctx { struct request_queue *queue; };
struct blk_mq_queue_data { struct request *rq; bool last; };
struct blk_mq_tag_set;
struct blk_mq_ops {
	unsigned char (*queue_rq)(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *data);
	void (*complete)(struct request *rq);
	int (*init_request)(struct blk_mq_tag_set *set, struct request *rq, unsigned int index, unsigned int node);
	int (*map_queues)(struct blk_mq_tag_set *set);
};
struct blk_mq_tag_set {
	unsigned int nr_maps;
	const struct blk_mq_ops *ops;
	unsigned int cmd_size;
	void *driver_data;
};
extern int blk_mq_alloc_tag_set(struct blk_mq_tag_set *set);
extern void blk_mq_free_tag_set(struct blk_mq_tag_set *set);
extern struct request_queue *blk_mq_init_queue(struct blk_mq_tag_set *set);
extern struct gendisk *__blk_mq_alloc_disk(struct blk_mq_tag_set *set, void *data, struct lock_class_key *key);
#define blk_mq_alloc_disk(set, data) ({ static struct lock_class_key __key; __blk_mq_alloc_disk(set, data, &__key); })
static inline void *blk_mq_rq_to_pdu(struct request *rq) { return rq + 1; }
static inline struct request *blk_mq_rq_from_pdu(void *data) { return data - sizeof(struct request); }
extern int hand_over_tags(struct blk_mq_tag_set *set);
extern void hand_over_disk(struct gendisk *disk);
""",
    "include/linux/gadget.h": """
#include <linux/types.h>
struct unrelated { int a; int b; };
struct holder { struct unrelated *held; };
struct gadget_ops {
	int (*start)(struct gadget *gadget);
	void (*level)(struct gadget *gadget, unsigned int level);
};
struct gadget { const char *name; const struct gadget_ops *ops; void *data; struct holder *holder; int count; };
static inline void gadget_set_data(struct gadget *gadget, void *data)
{
	gadget->data = data;
}
static inline int gadget_twice(int number)
{
	return number + number;
}
register unsigned long stack_pointer asm("rsp");
extern int gadget_register(struct gadget *gadget);
extern int gadget_fill(void **place);
extern void *gadget_memory(void);
extern int request_irq(unsigned int irq, int (*handler)(int, void *), unsigned long flags, void *name, void *data);
extern void gadget_unregister(struct gadget *gadget);
""",
}


def make(directory: Path, release: str = RELEASE, config: str = "#define CONFIG_GADGET 1\n") -> Path:
    """Writes the headers of a kernel, below `directory`; the package that a user names."""
    common, configured = directory / f"linux-headers-{release}-common", directory / f"linux-headers-{release}-amd64"
    files = {common / name: text for name, text in _COMMON.items()}
    files |= {
        configured / "Makefile": f"include /usr/src/{common.name}/Makefile\n",
        configured / "include/generated/utsrelease.h": f'#define UTS_RELEASE "{release}-amd64"\n',
        configured / "include/generated/autoconf.h": config,
        configured / "arch/x86/include/generated/asm/nothing.h": "",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return configured


@cache
def _shared(config: str) -> tuple[Path, TemporaryDirectory[str]]:
    directory = TemporaryDirectory()
    return make(Path(directory.name), config=config), directory


def found(directory: Path, config: str = "#define CONFIG_GADGET 1\n") -> Path:
    """The headers of a kernel: in `directory` if the test has put some of its own there, else those that all share."""
    return make(directory, config=config) if any(directory.glob("linux-headers-*")) else _shared(config)[0]


def safe(
    directory: Path,
    text: str,
    properties: tuple[str, ...] = ("assertion",),
    config: str = "#define CONFIG_GADGET 1\n",
    budgets: Budgets = USUAL,
    assumed: tuple[str, ...] = (),
) -> list[bool]:
    """Which checks of a driver are proved or unreachable with these headers, in the order of the source."""
    kernel = found(directory, config)
    source = directory / "driver.c"
    source.write_text(text)
    options = FrontendOptions(
        model="linux", kernel=str(kernel), properties=properties, budgets=budgets, assumed=assumed
    )
    driver = read((str(source),), options, Clock())
    analysis = analyse(driver.program, AnalysisOptions(domain="interval"))
    opened = {check for check in analysis.fixpoints[0].verdicts if not analysis.status_of(check).is_safe}
    checks = sorted({*driver.checks, *driver.unknown})
    return [check not in opened and check not in driver.unknown for check in checks]
