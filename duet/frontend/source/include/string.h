/* <string.h>: memory and strings */
#ifndef DUET_STRING_H
#define DUET_STRING_H

#include <features.h>
#include <bits/stddef_types.h>
#include <bits/null.h>
#if defined __USE_GNU
#include <bits/strdupa.h>
#endif

void *memcpy(void *target, const void *source, size_t count);
void *mempcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);
int memcmp(const void *left, const void *right, size_t count);
void *memchr(const void *memory, int value, size_t count);
void *memrchr(const void *memory, int value, size_t count);
void *memmem(const void *memory, size_t size, const void *part, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
char *strcpy(char *target, const char *source);
char *stpcpy(char *target, const char *source);
char *strncpy(char *target, const char *source, size_t count);
size_t strlcpy(char *target, const char *source, size_t size);
size_t strlcat(char *target, const char *source, size_t size);
char *strcat(char *target, const char *source);
char *strncat(char *target, const char *source, size_t count);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t count);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *target, const char *source, size_t count);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strchrnul(const char *text, int c);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strstr(const char *text, const char *part);
char *strcasestr(const char *text, const char *part);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **state);
char *strsep(char **text, const char *separators);
char *strdup(const char *text);
char *strndup(const char *text, size_t count);
char *strerror(int number);
int strerror_r(int number, char *buffer, size_t size);
char *strsignal(int number);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t count);
void bzero(void *memory, size_t count);
void explicit_bzero(void *memory, size_t count);

#endif
