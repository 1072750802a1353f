/* <linux/stat.h>: modes of files */
#ifndef DUET_LINUX_STAT_H
#define DUET_LINUX_STAT_H

#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IRUGO 0444
#define S_IWUGO 0222

#endif
