/* <signal.h>: signals */
#ifndef DUET_SIGNAL_H
#define DUET_SIGNAL_H

#include <sys/types.h>

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
typedef struct {
	unsigned long bits[16];
} sigset_t;
union sigval {
	int sival_int;
	void *sival_ptr;
};
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
struct sigevent {
	union sigval sigev_value;
	int sigev_signo;
	int sigev_notify;
	void (*sigev_notify_function)(union sigval);
	void *sigev_notify_attributes;
	long __gap[4];
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
struct sigaction {
	void (*sa_handler)(int);
	sigset_t sa_mask;
	int sa_flags;
	void (*sa_sigaction)(int, siginfo_t *, void *);
};

#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_ERR ((sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_SIGINFO 4
#define SA_RESTART 0x10000000

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

#endif
