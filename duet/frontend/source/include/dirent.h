/* <dirent.h>: directories */
#ifndef DUET_DIRENT_H
#define DUET_DIRENT_H

#include <features.h>
#include <bits/types.h>
#if defined __USE_MISC
#include <bits/posix1_lim.h>
#include <bits/pthread_stack_min.h>
#endif

#define d_fileno d_fileno
#define _DIRENT_HAVE_D_RECLEN
#define _DIRENT_HAVE_D_OFF
#define _DIRENT_HAVE_D_TYPE
#if defined __LP64__
#define _DIRENT_MATCHES_DIRENT64 1
#else
#define _DIRENT_MATCHES_DIRENT64 0
#endif
#define _D_EXACT_NAMLEN(d) (strlen ((d)->d_name))
#define _D_ALLOC_NAMLEN(d) (((char *) (d) + (d)->d_reclen) - &(d)->d_name[0])
#if defined __USE_MISC
enum { DT_UNKNOWN = 0, DT_FIFO = 1, DT_CHR = 2, DT_DIR = 4, DT_BLK = 6, DT_REG = 8, DT_LNK = 10, DT_SOCK = 12,
	DT_WHT = 14
};
#define DT_UNKNOWN DT_UNKNOWN
#define DT_FIFO DT_FIFO
#define DT_CHR DT_CHR
#define DT_DIR DT_DIR
#define DT_BLK DT_BLK
#define DT_REG DT_REG
#define DT_LNK DT_LNK
#define DT_SOCK DT_SOCK
#define DT_WHT DT_WHT
#define IFTODT(mode) (((mode) & 0170000) >> 12)
#define DTTOIF(dirtype) ((dirtype) << 12)
#define MAXNAMLEN NAME_MAX
#endif

typedef struct __duet_directory DIR;
struct dirent {
	ino_t d_ino;
	off_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[256];
};
#if defined __USE_LARGEFILE64
struct dirent64 {
	unsigned long long d_ino;
	long long d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[256];
};
struct dirent64 *readdir64(DIR *directory);
#endif

DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory);
int readdir_r(DIR *directory, struct dirent *entry, struct dirent **result);
int closedir(DIR *directory);
void rewinddir(DIR *directory);

#endif
