/* <fcntl.h>: opening files */
#ifndef DUET_FCNTL_H
#define DUET_FCNTL_H

#include <features.h>
#include <bits/types.h>
#include <bits/fcntl_flags.h>
#if defined __USE_XOPEN2K8
#include <bits/timespec.h>
#include <bits/endian.h>
#endif
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN
#include <bits/seek.h>
#include <bits/struct_stat.h>
#endif
#if defined __USE_MISC
#include <bits/access.h>
#endif

#if defined __USE_MISC
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#endif
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN
#include <bits/file_types.h>
#endif
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN_EXTENDED
#define S_IFSOCK 0140000
#endif

struct flock {
	short l_type, l_whence;
	off_t l_start, l_len;
	pid_t l_pid;
};

int open(const char *path, int flags, ...);
int openat(int directory, const char *path, int flags, ...);
int creat(const char *path, mode_t mode);
int fcntl(int descriptor, int command, ...);

#endif
