/* <sys/shm.h>: System V shared memory */
#ifndef DUET_SYS_SHM_H
#define DUET_SYS_SHM_H

#include <features.h>
#include <sys/ipc.h>
#include <bits/ipc.h>

#define SHMLBA (getpagesize())
#define SHM_R 0400
#define SHM_W 0200
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_REMAP 040000
#define SHM_EXEC 0100000
#define SHM_LOCK 11
#define SHM_UNLOCK 12
#if defined __USE_MISC
#define SHM_STAT 13
#define SHM_INFO 14
#define SHM_STAT_ANY 15
#define SHM_DEST 01000
#define SHM_LOCKED 02000
#define SHM_HUGETLB 04000
#define SHM_NORESERVE 010000
#endif

struct shmid_ds {
#if defined __LP64__
	long __permissions[6];
	size_t shm_segsz;
	long shm_atime, shm_dtime, shm_ctime;
#else
	long __permissions[9];
	size_t shm_segsz;
	long shm_atime, __atime_high, shm_dtime, __dtime_high, shm_ctime, __ctime_high;
#endif
	int shm_cpid, shm_lpid;
	unsigned long shm_nattch, __rest[2];
};

int shmget(key_t key, size_t size, int flags);
void *shmat(int identifier, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int identifier, int command, struct shmid_ds *buffer);

int getpagesize(void);

#endif
