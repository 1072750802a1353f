/* <bits/ipc.h>: keys and flags of System V (glibc 2.36) */
#ifndef DUET_BITS_IPC_H
#define DUET_BITS_IPC_H

#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_NOWAIT 04000
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2
#define IPC_PRIVATE ((key_t) 0)
#if defined __USE_GNU
#define IPC_INFO 3
#endif

#endif
