/* <linux/kernel.h>: basics */
#ifndef DUET_LINUX_KERNEL_H
#define DUET_LINUX_KERNEL_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/errno.h>
#include <linux/bits.h>
#include <linux/string.h>
#include <linux/printk.h>
#include <linux/bug.h>
#include <duet/library.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d)-1) / (d))
/* Each argument is evaluated once. */
#define __duet_choose(kind_a, a, kind_b, b, operator)                     \
	({                                                                \
		kind_a __duet_a = (a);                                    \
		kind_b __duet_b = (b);                                    \
		__duet_a operator __duet_b ? __duet_a : __duet_b;         \
	})
#define min(a, b) __duet_choose(__typeof__(a), a, __typeof__(b), b, <)
#define max(a, b) __duet_choose(__typeof__(a), a, __typeof__(b), b, >)
#define min_t(type, a, b) __duet_choose(type, a, type, b, <)
#define max_t(type, a, b) __duet_choose(type, a, type, b, >)
#define min3(a, b, c) min(min(a, b), c)
#define max3(a, b, c) max(max(a, b), c)
#define clamp(value, low, high) min(max(value, low), high)
#define clamp_t(type, value, low, high) min_t(type, max_t(type, value, low), high)
#define clamp_val(value, low, high) clamp_t(__typeof__(value), value, low, high)
#include <duet/abs.h>
#define swap(a, b)                              \
	do {                                    \
		__typeof__(a) __duet_a = (a);   \
		(a) = (b);                      \
		(b) = __duet_a;                 \
	} while (0)
#include <linux/container_of.h>
#define might_sleep() do { } while (0)
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define U8_MAX 255
#define U16_MAX 65535
#define U32_MAX 4294967295U
#define __stringify_1(...) #__VA_ARGS__
#define __stringify(...) __stringify_1(__VA_ARGS__)

/* The machine stops: so does the thread. */
#define panic(...) (printk(__VA_ARGS__), __duet_noreturn())

extern int kstrtoint(const char *text, unsigned int base, int *result);
extern int kstrtouint(const char *text, unsigned int base, unsigned int *result);
extern int kstrtoul(const char *text, unsigned int base, unsigned long *result);
extern int hex2bin(u8 *to, const char *text, size_t count);
extern unsigned long simple_strtoul(const char *text, char **end, unsigned int base);

#endif
