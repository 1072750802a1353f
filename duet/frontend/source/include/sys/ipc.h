/* <sys/ipc.h>: System V communication */
#ifndef DUET_SYS_IPC_H
#define DUET_SYS_IPC_H

#include <sys/types.h>

#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_RMID 0
#define IPC_PRIVATE ((key_t)0)

key_t ftok(const char *path, int project);

#endif
