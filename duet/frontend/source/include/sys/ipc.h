/* <sys/ipc.h>: System V communication */
#ifndef DUET_SYS_IPC_H
#define DUET_SYS_IPC_H

#include <features.h>
#include <bits/types.h>
#include <bits/ipc.h>

key_t ftok(const char *path, int project);

#endif
