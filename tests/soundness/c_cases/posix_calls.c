#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void){ char *arguments[] = {"p", "-x", "7", "rest", 0}; optind = 1; int c = getopt(4, arguments, "x:");
__goblint_check(c == -1);
__goblint_check(optind == 1);
__goblint_check(optarg == 0);
__goblint_check(c == 'x');
struct tm t; memset(&t, 0, sizeof t); t.tm_mday = 40; mktime(&t);
__goblint_check(t.tm_mday == 40);
__goblint_check(t.tm_mon == 0);
int status = 5; int child = waitpid(-1, &status, WNOHANG);
__goblint_check(child == -1);
__goblint_check(child >= 0);
int pair[2] = {9, 9}; int failed = pipe2(pair, O_CLOEXEC);
__goblint_check(failed == 0);
__goblint_check(pair[0] == 9);
struct pollfd wanted = {pair[0], POLLIN, 77}; int ready = poll(&wanted, 1, 0);
__goblint_check(ready == 1);
__goblint_check(wanted.revents == 77);
int *kept = &status; int *got = 0; write(pair[1], &kept, sizeof kept); read(pair[0], &got, sizeof got);
*got = 31;
__goblint_check(status != 31);
__goblint_check(htonl(1) == 1);
__goblint_check(ntohs(htons(258)) == 258);
struct stat about; about.st_mode = 1; stat("/", &about);
__goblint_check(about.st_mode == 1);
char here[64] = "?"; char *found = getcwd(here, sizeof here);
__goblint_check(found == 0);
__goblint_check(here[0] == '?');
__goblint_check(abs(-3) == 3);
int number = -4; __goblint_check(abs(number) < 0);
struct tm local; local.tm_year = -1; time_t now = 1000000000; struct tm *same = gmtime_r(&now, &local);
__goblint_check(same == &local);
__goblint_check(local.tm_year == -1);
return 0; }
