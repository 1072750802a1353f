/* <sys/prctl.h>: control of a process */
#ifndef DUET_SYS_PRCTL_H
#define DUET_SYS_PRCTL_H

int prctl(int option, ...);

#endif
