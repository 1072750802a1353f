/* <sys/wait.h>: waiting for processes */
#ifndef DUET_SYS_WAIT_H
#define DUET_SYS_WAIT_H

#include <features.h>
#include <bits/types.h>
#include <bits/waitflags.h>
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN_EXTENDED
#include <bits/endian.h>
#include <bits/sigevent_t.h>
#include <signal.h>
#endif
#if defined __USE_GNU
#include <bits/access.h>
#include <bits/null.h>
#include <bits/posix_opt.h>
#include <bits/seek.h>
#include <bits/seek_data.h>
#include <bits/seek_old.h>
#endif

#if defined __USE_MISC
#define WCOREFLAG 0x80
#define WCOREDUMP WCOREDUMP
#define W_EXITCODE W_EXITCODE
#define W_STOPCODE W_STOPCODE
#define WAIT_ANY (-1)
#define WAIT_MYPGRP 0
#endif

pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);

#endif
