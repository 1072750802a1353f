/* <duet/library.h>: functions of the kernel that are known by name, and that are in no header here */
#ifndef DUET_DUET_LIBRARY_H
#define DUET_DUET_LIBRARY_H

#include <linux/types.h>

struct regmap;
struct regmap_field;
struct i2c_client;
struct spi_device;
struct usb_device;
struct device;
struct fwnode_handle;

extern int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value);
extern int regmap_fields_read(struct regmap_field *field, unsigned int id, unsigned int *value);
extern int regmap_field_read(struct regmap_field *field, unsigned int *value);
struct rtc_time;
extern int rtc_valid_tm(struct rtc_time *time);
extern long long rtc_tm_to_time64(struct rtc_time *time);
extern long long rtc_tm_to_ktime(struct rtc_time time);
extern int rtc_month_days(unsigned int month, unsigned int year);
extern int rtc_year_days(unsigned int day, unsigned int month, unsigned int year);
extern void *memchr_inv(const void *from, int byte, size_t count);
extern int regmap_raw_read(struct regmap *map, unsigned int reg, void *values, size_t bytes);
extern int regmap_noinc_read(struct regmap *map, unsigned int reg, void *values, size_t bytes);
extern int regmap_bulk_read(struct regmap *map, unsigned int reg, void *values, size_t count);
extern int __duet_regmap_bulk_read(struct regmap *map, unsigned int reg, void *values, size_t bytes);
extern int __duet_regmap_bulk_write(struct regmap *map, unsigned int reg, const void *values, size_t bytes);
extern int regmap_raw_write(struct regmap *map, unsigned int reg, const void *values, size_t bytes);
extern int regmap_noinc_write(struct regmap *map, unsigned int reg, const void *values, size_t bytes);
extern int regmap_update_bits_base(struct regmap *map, unsigned int reg, unsigned int mask, unsigned int value,
				   bool *change, bool async, bool force);
extern int regmap_fields_update_bits_base(struct regmap_field *field, unsigned int id, unsigned int mask,
					  unsigned int value, bool *change, bool async, bool force);
extern int regmap_field_update_bits_base(struct regmap_field *field, unsigned int mask, unsigned int value,
					 bool *change, bool async, bool force);
extern int regmap_write(struct regmap *map, unsigned int reg, unsigned int value);
extern int regmap_test_bits(struct regmap *map, unsigned int reg, unsigned int bits);
extern int regmap_field_test_bits(struct regmap_field *field, unsigned int bits);
extern int regmap_get_val_bytes(struct regmap *map);
extern int regcache_sync(struct regmap *map);
extern void regcache_cache_only(struct regmap *map, bool enable);
extern void regcache_mark_dirty(struct regmap *map);

extern s32 i2c_smbus_read_byte(const struct i2c_client *client);
extern s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command);
extern s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command);
extern s32 i2c_smbus_read_block_data(const struct i2c_client *client, u8 command, u8 *values);
extern s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 count, u8 *values);
extern s32 i2c_smbus_read_i2c_block_data_or_emulated(const struct i2c_client *client, u8 command, u8 count,
						     u8 *values);
extern s32 i2c_smbus_write_block_data(const struct i2c_client *client, u8 command, u8 count, const u8 *values);
extern s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 count, const u8 *values);
extern s32 i2c_smbus_write_byte(const struct i2c_client *client, u8 value);
extern s32 i2c_smbus_write_byte_data(const struct i2c_client *client, u8 command, u8 value);
extern s32 i2c_smbus_write_word_data(const struct i2c_client *client, u8 command, u16 value);
extern int i2c_master_recv(const struct i2c_client *client, char *buffer, int count);
extern int i2c_master_send(const struct i2c_client *client, const char *buffer, int count);
extern int spi_write_then_read(struct spi_device *spi, const void *out, unsigned int out_count, void *in,
			       unsigned int in_count);
extern int spi_read(struct spi_device *spi, void *buffer, size_t count);
extern int spi_write(struct spi_device *spi, const void *buffer, size_t count);
extern int usb_control_msg(struct usb_device *device, unsigned int pipe, u8 request, u8 type, u16 value, u16 index,
			   void *data, u16 size, int timeout);
extern int usb_control_msg_recv(struct usb_device *device, u8 endpoint, u8 request, u8 type, u16 value, u16 index,
				void *data, u16 size, int timeout, gfp_t flags);
extern int usb_control_msg_send(struct usb_device *device, u8 endpoint, u8 request, u8 type, u16 value, u16 index,
				const void *data, u16 size, int timeout, gfp_t flags);
extern int usb_bulk_msg(struct usb_device *device, unsigned int pipe, void *data, int count, int *actual, int timeout);
extern int usb_interrupt_msg(struct usb_device *device, unsigned int pipe, void *data, int count, int *actual,
			     int timeout);

extern int device_property_read_u8_array(struct device *device, const char *name, u8 *values, size_t count);
extern int device_property_read_u16_array(struct device *device, const char *name, u16 *values, size_t count);
extern int device_property_read_u32_array(struct device *device, const char *name, u32 *values, size_t count);
extern int device_property_read_u64_array(struct device *device, const char *name, u64 *values, size_t count);
extern int fwnode_property_read_u8_array(const struct fwnode_handle *node, const char *name, u8 *values, size_t count);
extern int fwnode_property_read_u16_array(const struct fwnode_handle *node, const char *name, u16 *values, size_t count);
extern int fwnode_property_read_u32_array(const struct fwnode_handle *node, const char *name, u32 *values, size_t count);
extern int fwnode_property_read_u64_array(const struct fwnode_handle *node, const char *name, u64 *values, size_t count);
extern int device_property_read_string(struct device *device, const char *name, const char **value);
extern int fwnode_property_read_string(const struct fwnode_handle *node, const char *name, const char **value);
extern bool device_property_present(struct device *device, const char *name);
extern bool fwnode_property_present(const struct fwnode_handle *node, const char *name);

extern int kstrtou8(const char *text, unsigned int base, u8 *result);
extern int kstrtos8(const char *text, unsigned int base, s8 *result);
extern int kstrtou16(const char *text, unsigned int base, u16 *result);
extern int kstrtos16(const char *text, unsigned int base, s16 *result);
extern int kstrtol(const char *text, unsigned int base, long *result);
extern int kstrtoull(const char *text, unsigned int base, unsigned long long *result);
extern int kstrtoll(const char *text, unsigned int base, long long *result);
extern int kstrtobool(const char *text, bool *result);
extern int kstrtou8_from_user(const char *text, size_t count, unsigned int base, u8 *result);
extern int kstrtos8_from_user(const char *text, size_t count, unsigned int base, s8 *result);
extern int kstrtou16_from_user(const char *text, size_t count, unsigned int base, u16 *result);
extern int kstrtos16_from_user(const char *text, size_t count, unsigned int base, s16 *result);
extern int kstrtouint_from_user(const char *text, size_t count, unsigned int base, unsigned int *result);
extern int kstrtoint_from_user(const char *text, size_t count, unsigned int base, int *result);
extern int kstrtoul_from_user(const char *text, size_t count, unsigned int base, unsigned long *result);
extern int kstrtol_from_user(const char *text, size_t count, unsigned int base, long *result);
extern int kstrtoull_from_user(const char *text, size_t count, unsigned int base, unsigned long long *result);
extern int kstrtoll_from_user(const char *text, size_t count, unsigned int base, long long *result);
extern int kstrtobool_from_user(const char *text, size_t count, bool *result);
extern void get_random_bytes(void *buffer, size_t count);
extern u32 get_random_u32(void);
extern u64 get_random_u64(void);

extern unsigned long __msecs_to_jiffies(const unsigned int milliseconds);
extern unsigned long __usecs_to_jiffies(const unsigned int microseconds);
extern unsigned long nsecs_to_jiffies(u64 nanoseconds);
extern unsigned int jiffies_to_usecs(const unsigned long ticks);
extern long jiffies_to_clock_t(unsigned long ticks);
extern unsigned long clock_t_to_jiffies(unsigned long ticks);
extern s64 ktime_get(void);
extern s64 ktime_get_real_seconds(void);
extern s64 ktime_get_seconds(void);
extern u64 ktime_get_mono_fast_ns(void);
extern s64 ktime_get_with_offset(int offset);

extern int vscnprintf(char *buffer, size_t size, const char *format, __builtin_va_list arguments);
extern ssize_t strscpy_pad(char *target, const char *source, size_t size);
extern bool sysfs_streq(const char *left, const char *right);
extern ssize_t simple_read_from_buffer(void *to, size_t count, loff_t *position, const void *from, size_t available);
extern ssize_t simple_write_to_buffer(void *to, size_t available, loff_t *position, const void *from, size_t count);

extern void *kmalloc_node(size_t size, gfp_t flags, int node);
extern void *kzalloc_node(size_t size, gfp_t flags, int node);
extern void *kcalloc_node(size_t count, size_t size, gfp_t flags, int node);
extern void *kmalloc_array(size_t count, size_t size, gfp_t flags);
extern void *kmalloc_array_node(size_t count, size_t size, gfp_t flags, int node);
extern void *kvmalloc(size_t size, gfp_t flags);
extern void *kvmalloc_node(size_t size, gfp_t flags, int node);
extern void *kvzalloc(size_t size, gfp_t flags);
extern void *kvzalloc_node(size_t size, gfp_t flags, int node);
extern void *kvmalloc_array(size_t count, size_t size, gfp_t flags);
extern void *kvcalloc(size_t count, size_t size, gfp_t flags);
extern char *kstrdup(const char *text, gfp_t flags);
extern void kfree_sensitive(const void *memory);

#endif
