/* <sys/shm.h>: System V shared memory */
#ifndef DUET_SYS_SHM_H
#define DUET_SYS_SHM_H

#include <sys/ipc.h>

struct shmid_ds {
	long __permissions[6];
	size_t shm_segsz;
	long shm_atime, shm_dtime, shm_ctime;
	int shm_cpid, shm_lpid;
	unsigned long shm_nattch, __rest[2];
};

int shmget(key_t key, size_t size, int flags);
void *shmat(int identifier, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int identifier, int command, struct shmid_ds *buffer);

#endif
