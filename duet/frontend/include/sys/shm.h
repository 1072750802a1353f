/* <sys/shm.h>: System V shared memory */
#ifndef DUET_SYS_SHM_H
#define DUET_SYS_SHM_H

#include <sys/ipc.h>

struct shmid_ds {
	size_t shm_segsz;
};

int shmget(key_t key, size_t size, int flags);
void *shmat(int identifier, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int identifier, int command, struct shmid_ds *buffer);

#endif
