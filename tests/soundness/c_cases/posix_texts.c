#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libgen.h>
int main(int argc, char **argv){ char text[8] = "a,b"; char *piece = strtok(text, ",");
__goblint_check(piece != 0);
__goblint_check(text[1] == ',');
piece = strtok(0, ",");
__goblint_check(piece == text);
*piece = 'z';
__goblint_check(text[2] == 'b');
char *made = 0; int length = asprintf(&made, "%d", 42);
__goblint_check(length == 2);
__goblint_check(made[0] == '4');
__goblint_check(made[0] == 'x');
int written = 0; char buffer[16]; sprintf(buffer, "abc%n", &written);
__goblint_check(written == 0);
char path[16] = "x/y/"; char *last = basename(path);
__goblint_check(path[3] == '/');
*last = 'q';
__goblint_check(path[2] == 'y');
char entry[16] = "DUETX=1"; putenv(entry); char *value = getenv("DUETX");
__goblint_check(value != 0);
*value = '5';
__goblint_check(entry[6] == '1');
char *end = stpcpy(buffer, "hello"); *end = '!';
__goblint_check(buffer[5] == 0);
return argc == 0 || argv[0] == 0; }
