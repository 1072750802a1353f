/* <unistd.h>: the system interface */
#ifndef DUET_UNISTD_H
#define DUET_UNISTD_H

#include <features.h>
#include <bits/types.h>
#include <bits/access.h>
#include <bits/null.h>
#include <bits/posix_opt.h>
#include <bits/seek.h>
#if defined __USE_GNU
#include <bits/seek_data.h>
#endif
#if defined __USE_MISC
#include <bits/seek_old.h>
#endif

extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;

ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t write(int descriptor, const void *buffer, size_t count);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset);
int close(int descriptor);
off_t lseek(int descriptor, off_t offset, int whence);
int dup(int descriptor);
int dup2(int descriptor, int target);
int pipe(int descriptors[2]);
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int link(const char *old, const char *path);
int symlink(const char *target, const char *path);
ssize_t readlink(const char *path, char *buffer, size_t size);
int chdir(const char *path);
char *getcwd(char *buffer, size_t size);
int chown(const char *path, uid_t owner, gid_t group);
int ftruncate(int descriptor, off_t length);
int truncate(const char *path, off_t length);
int fsync(int descriptor);
int fdatasync(int descriptor);
void sync(void);
int isatty(int descriptor);
char *ttyname(int descriptor);
pid_t fork(void);
pid_t vfork(void);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
_Noreturn void _exit(int status);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
pid_t setsid(void);
pid_t getpgrp(void);
int setpgid(pid_t process, pid_t group);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int setgid(gid_t group);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
unsigned int alarm(unsigned int seconds);
int pause(void);
int nice(int increment);
long sysconf(int name);
long pathconf(const char *path, int name);
int gethostname(char *name, size_t size);
int getopt(int count, char *const arguments[], const char *options);
int getpagesize(void);
int brk(void *end);
void *sbrk(long increment);
long syscall(long number, ...);
int daemon(int keep_directory, int keep_output);
char *crypt(const char *key, const char *salt);

#endif
