/* <sys/file.h>: locks on files */
#ifndef DUET_SYS_FILE_H
#define DUET_SYS_FILE_H

#include <features.h>
#include <fcntl.h>
#include <bits/fcntl_flags.h>
#include <bits/seek_old.h>
#if defined __USE_XOPEN2K8
#include <bits/endian.h>
#endif
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN
#include <bits/seek.h>
#include <bits/struct_stat.h>
#endif
#if defined __USE_MISC
#include <bits/access.h>
#endif

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN
#include <bits/file_types.h>
#endif
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN_EXTENDED
#define S_IFSOCK 0140000
#endif

int flock(int descriptor, int operation);

#endif
