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
#define pr_emerg(...) printk(__VA_ARGS__)
#define pr_alert(...) printk(__VA_ARGS__)
#define pr_crit(...) printk(__VA_ARGS__)
#define pr_err(...) printk(__VA_ARGS__)
#define pr_warn(...) printk(__VA_ARGS__)
#define pr_warning(...) printk(__VA_ARGS__)
#define pr_notice(...) printk(__VA_ARGS__)
#define pr_info(...) printk(__VA_ARGS__)
#define pr_cont(...) printk(__VA_ARGS__)
/* Some are left out by the configuration, or after the first of them. */
#define __duet_maybe_printk(...) (__duet_nondet_bool() ? printk(__VA_ARGS__) : 0)
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
