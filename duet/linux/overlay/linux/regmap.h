/* <linux/regmap.h> over the kernel's own: how many bytes the values of registers have */
#ifndef DUET_OVERLAY_REGMAP_H
#define DUET_OVERLAY_REGMAP_H

#include_next <linux/regmap.h>
#include <duet/intrinsics.h>

/* The bytes that a value of some map has. The harness of a driver that makes all of its maps begins with 0. */
static unsigned long __duet_value_bytes = 8;
/* The most that regmap_read() gives for some map. A bus or a function of the driver may say anything, and so may a cache
 * that keeps what was written as it was; that of the kind RBTREE keeps as many bytes as values have. */
static unsigned int __duet_value_most = 0xffffffffu;

/* regmap_init() takes no values of more than 64 bits. That of an earlier map stays one that may be meant. */
static inline void __duet_note_map(const struct regmap_config *config, bool is_plain)
{
	unsigned int bits = (unsigned int)config->val_bits;

	if (bits >= 1 && bits <= 64 && __duet_nondet_bool()) {
		__duet_value_bytes = (bits + 7) / 8;
		if (is_plain && bits <= 16 && !config->reg_read &&
		    (config->cache_type == REGCACHE_NONE || config->cache_type == REGCACHE_RBTREE))
			__duet_value_most = bits > 8 ? 0xffffu : 0xffu;
		else
			__duet_value_most = 0xffffffffu;
	}
}
static inline int __duet_regmap_read(struct regmap *map, unsigned int reg, unsigned int *value)
{
	unsigned int most = __duet_read_once(__duet_value_most);
	int status = regmap_read(map, reg, value);

	if (status)
		return status;
	__duet_assume(*value <= most);
	return 0;
}
static inline size_t __duet_value_size(size_t count)
{
	unsigned long bytes = __duet_read_once(__duet_value_bytes);

	if (bytes <= 1)
		return count;
	if (bytes == 2)
		return __duet_size_product(count, 2);
	return bytes <= 4 ? __duet_size_product(count, 4) : __duet_size_product(count, 8);
}

#define __duet_make_map(is_plain, maker, config, ...)                   \
	({                                                              \
		const struct regmap_config *__duet_config = (config);   \
                                                                        \
		__duet_note_map(__duet_config, is_plain);               \
		struct regmap *__duet_made = maker(__VA_ARGS__, __duet_config, 0, 0); \
		__duet_made;                                            \
	})
#undef regmap_init
#undef regmap_init_i2c
#undef regmap_init_spi
#undef regmap_init_mmio_clk
#undef regmap_init_mmio
#undef devm_regmap_init
#undef devm_regmap_init_i2c
#undef devm_regmap_init_spi
#undef devm_regmap_init_mmio_clk
#undef devm_regmap_init_mmio
#define regmap_init(dev, bus, context, config) __duet_make_map(0, __regmap_init, config, dev, bus, context)
#define regmap_init_i2c(client, config) __duet_make_map(1, __regmap_init_i2c, config, client)
#define regmap_init_spi(device, config) __duet_make_map(1, __regmap_init_spi, config, device)
#define regmap_init_mmio_clk(dev, clock, regs, config) __duet_make_map(1, __regmap_init_mmio_clk, config, dev, clock, regs)
#define regmap_init_mmio(dev, regs, config) regmap_init_mmio_clk(dev, 0, regs, config)
#define devm_regmap_init(dev, bus, context, config) __duet_make_map(0, __devm_regmap_init, config, dev, bus, context)
#define devm_regmap_init_i2c(client, config) __duet_make_map(1, __devm_regmap_init_i2c, config, client)
#define devm_regmap_init_spi(device, config) __duet_make_map(1, __devm_regmap_init_spi, config, device)
#define devm_regmap_init_mmio_clk(dev, clock, regs, config) \
	__duet_make_map(1, __devm_regmap_init_mmio_clk, config, dev, clock, regs)
#define devm_regmap_init_mmio(dev, regs, config) devm_regmap_init_mmio_clk(dev, 0, regs, config)

#define regmap_reinit_cache(map, config) (__duet_note_map(config, 0), regmap_reinit_cache(map, config))
#define regmap_read(map, reg, value) __duet_regmap_read(map, reg, value)
#define regmap_bulk_read(map, reg, values, count) __duet_regmap_bulk_read(map, reg, values, __duet_value_size(count))
#define regmap_bulk_write(map, reg, values, count) __duet_regmap_bulk_write(map, reg, values, __duet_value_size(count))

#endif
