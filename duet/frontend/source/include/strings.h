/* <strings.h>: old string functions */
#ifndef DUET_STRINGS_H
#define DUET_STRINGS_H

#include <features.h>
#include <bits/stddef_types.h>

int bcmp(const void *left, const void *right, size_t count);
void bcopy(const void *source, void *target, size_t count);
void bzero(void *memory, size_t count);
int ffs(int bits);
char *index(const char *text, int c);
char *rindex(const char *text, int c);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t count);

#endif
