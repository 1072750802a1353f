/* <linux/printk.h>: messages: their arguments are evaluated */
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
#define pr_debug(...) __duet_printk(__VA_ARGS__)
#define pr_info_once(...) __duet_printk(__VA_ARGS__)
#define pr_warn_once(...) __duet_printk(__VA_ARGS__)

#endif
