/* <linux/printk.h>: messages: the arguments of those that are written are evaluated */
#ifndef DUET_LINUX_PRINTK_H
#define DUET_LINUX_PRINTK_H

#include <duet/intrinsics.h>

#define KERN_EMERG ""
#define KERN_ALERT ""
#define KERN_CRIT ""
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_NOTICE ""
#define KERN_INFO ""
#define KERN_DEBUG ""
#define KERN_CONT ""
#define printk(...) __duet_printk(__VA_ARGS__)
#define pr_emerg(...) __duet_printk(__VA_ARGS__)
#define pr_alert(...) __duet_printk(__VA_ARGS__)
#define pr_crit(...) __duet_printk(__VA_ARGS__)
#define pr_err(...) __duet_printk(__VA_ARGS__)
#define pr_warn(...) __duet_printk(__VA_ARGS__)
#define pr_warning(...) __duet_printk(__VA_ARGS__)
#define pr_notice(...) __duet_printk(__VA_ARGS__)
#define pr_info(...) __duet_printk(__VA_ARGS__)
#define pr_cont(...) __duet_printk(__VA_ARGS__)
/* Some are left out by the configuration, or after the first of them. */
#define __duet_maybe_printk(...) (__duet_nondet_bool() ? __duet_printk(__VA_ARGS__) : 0)
#define pr_debug(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_devel(...) __duet_maybe_printk(__VA_ARGS__)
#define printk_once(...) __duet_maybe_printk(__VA_ARGS__)
#define printk_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_emerg_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_alert_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_crit_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_err_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_warn_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_notice_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_info_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_debug_once(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_emerg_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_alert_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_crit_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_err_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_warn_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_notice_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_info_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)
#define pr_debug_ratelimited(...) __duet_maybe_printk(__VA_ARGS__)

#endif
