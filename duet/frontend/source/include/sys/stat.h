/* <sys/stat.h>: states of files */
#ifndef DUET_SYS_STAT_H
#define DUET_SYS_STAT_H

#include <features.h>
#include <bits/types.h>
#include <bits/timespec.h>
#include <bits/struct_stat.h>
#if defined __USE_XOPEN2K8
#include <bits/endian.h>
#endif

#if defined __USE_MISC || defined __USE_XOPEN
#include <bits/file_types.h>
#endif
#if defined __USE_MISC || defined __USE_XOPEN_EXTENDED
#define S_IFSOCK 0140000
#endif
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#if defined __USE_XOPEN2K || defined __USE_XOPEN_EXTENDED
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#endif
#if defined __USE_POSIX199309
#define S_TYPEISMQ S_TYPEISMQ
#define S_TYPEISSEM S_TYPEISSEM
#define S_TYPEISSHM S_TYPEISSHM
#endif
#if defined __USE_MISC
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define ACCESSPERMS (S_IRWXU|S_IRWXG|S_IRWXO)
#define ALLPERMS (S_ISUID|S_ISGID|S_ISVTX|S_IRWXU|S_IRWXG|S_IRWXO)
#define DEFFILEMODE (S_IRUSR|S_IWUSR|S_IRGRP|S_IWGRP|S_IROTH|S_IWOTH)
#define S_BLKSIZE 512
#endif
#if defined __USE_GNU
#define STATX_TYPE 0x00000001U
#define STATX_MODE 0x00000002U
#define STATX_NLINK 0x00000004U
#define STATX_UID 0x00000008U
#define STATX_GID 0x00000010U
#define STATX_ATIME 0x00000020U
#define STATX_MTIME 0x00000040U
#define STATX_CTIME 0x00000080U
#define STATX_INO 0x00000100U
#define STATX_SIZE 0x00000200U
#define STATX_BLOCKS 0x00000400U
#define STATX_BASIC_STATS 0x000007ffU
#define STATX_BTIME 0x00000800U
#define STATX_MNT_ID 0x00001000U
#define STATX_DIOALIGN 0x00002000U
#define STATX__RESERVED 0x80000000U
#define STATX_ALL 0x00000fffU
#define STATX_ATTR_COMPRESSED 0x00000004
#define STATX_ATTR_IMMUTABLE 0x00000010
#define STATX_ATTR_APPEND 0x00000020
#define STATX_ATTR_NODUMP 0x00000040
#define STATX_ATTR_ENCRYPTED 0x00000800
#define STATX_ATTR_AUTOMOUNT 0x00001000
#define STATX_ATTR_MOUNT_ROOT 0x00002000
#define STATX_ATTR_VERITY 0x00100000
#define STATX_ATTR_DAX 0x00200000
#endif

struct stat {
	dev_t st_dev;
#if defined __LP64__
	ino_t st_ino;
	nlink_t st_nlink;
	mode_t st_mode;
#else
	unsigned short __first_gap;
	ino_t st_ino;
	mode_t st_mode;
	nlink_t st_nlink;
#endif
	uid_t st_uid;
	gid_t st_gid;
	dev_t st_rdev;
#if !defined __LP64__
	unsigned short __second_gap;
#endif
	off_t st_size;
	blksize_t st_blksize;
	blkcnt_t st_blocks;
#if defined __USE_XOPEN2K8
	struct timespec st_atim, st_mtim, st_ctim;
#else
	time_t st_atime;
	unsigned long st_atimensec;
	time_t st_mtime;
	unsigned long st_mtimensec;
	time_t st_ctime;
	unsigned long st_ctimensec;
#endif
	long __rest[sizeof(long) == 8 ? 3 : 2];
};

#if defined __USE_GNU
struct statx_timestamp {
	long long tv_sec;
	unsigned int tv_nsec;
	int __statx_timestamp_pad1[1];
};
struct statx {
	unsigned int stx_mask, stx_blksize;
	unsigned long long stx_attributes;
	unsigned int stx_nlink, stx_uid, stx_gid;
	unsigned short stx_mode, __statx_pad1[1];
	unsigned long long stx_ino, stx_size, stx_blocks, stx_attributes_mask;
	struct statx_timestamp stx_atime, stx_btime, stx_ctime, stx_mtime;
	unsigned int stx_rdev_major, stx_rdev_minor, stx_dev_major, stx_dev_minor;
	unsigned long long __statx_pad2[14];
};
int statx(int directory, const char *path, int flags, unsigned int mask, struct statx *result);
#endif

int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
int fstat(int descriptor, struct stat *result);
int chmod(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
int mkdir(const char *path, mode_t mode);
int mkfifo(const char *path, mode_t mode);
mode_t umask(mode_t mask);

#endif
