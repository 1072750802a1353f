/* <signal.h>: signals */
#ifndef DUET_SIGNAL_H
#define DUET_SIGNAL_H

#include <features.h>
#include <bits/types.h>
#include <bits/signum.h>
#if defined __USE_POSIX199309
#include <bits/timespec.h>
#include <bits/endian.h>
#include <bits/sigevent_t.h>
#endif
#if defined __USE_GNU
#include <bits/access.h>
#include <bits/null.h>
#include <bits/posix_opt.h>
#include <bits/seek.h>
#include <bits/seek_data.h>
#include <bits/seek_old.h>
#endif

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
typedef struct {
	unsigned long __bits[128 / sizeof(long)];
} sigset_t;
union sigval {
	int sival_int;
	void *sival_ptr;
};
struct sigevent {
	union sigval sigev_value;
	int sigev_signo;
	int sigev_notify;
	void (*sigev_notify_function)(union sigval);
	void *sigev_notify_attributes;
	int __gap[sizeof(long) == 8 ? 8 : 11];
};
typedef struct {
	int si_signo, si_errno, si_code, __gap;
	union {
		struct {
			pid_t si_pid;
			uid_t si_uid;
			union {
				int si_status;
				union sigval si_value;
			};
		};
		void *si_addr;
		char __rest[112];
	};
} siginfo_t;
#if defined __USE_XOPEN_EXTENDED || defined __USE_XOPEN2K8
typedef struct {
	void *ss_sp;
	int ss_flags;
	size_t ss_size;
} stack_t;
#endif
struct sigaction {
	void (*sa_handler)(int);
	sigset_t sa_mask;
	int sa_flags;
	void (*sa_sigaction)(int, siginfo_t *, void *);
};

sighandler_t signal(int number, sighandler_t handler);
int raise(int number);
int kill(pid_t process, int number);
int sigaction(int number, const struct sigaction *action, struct sigaction *old);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_kill(pthread_t thread, int number);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigsuspend(const sigset_t *set);
int sigwait(const sigset_t *set, int *number);
int sigpending(sigset_t *set);
#if defined __USE_XOPEN_EXTENDED || defined __USE_XOPEN2K8
int sigaltstack(const stack_t *stack, stack_t *old);
#endif

#endif
