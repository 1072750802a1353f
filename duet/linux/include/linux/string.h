/* <linux/string.h>: strings */
#ifndef DUET_LINUX_STRING_H
#define DUET_LINUX_STRING_H

#include <linux/types.h>

extern int sprintf(char *buffer, const char *format, ...);
extern int snprintf(char *buffer, size_t size, const char *format, ...);
extern int scnprintf(char *buffer, size_t size, const char *format, ...);
extern int sscanf(const char *text, const char *format, ...);
extern char *strcpy(char *target, const char *source);
extern char *strncpy(char *target, const char *source, size_t count);
extern size_t strlcpy(char *target, const char *source, size_t size);
extern ssize_t strscpy(char *target, const char *source, size_t size);
extern char *strcat(char *target, const char *source);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t count);
extern int strcasecmp(const char *left, const char *right);
extern size_t strlen(const char *text);
extern char *strchr(const char *text, int c);
extern char *strstr(const char *text, const char *part);
extern void *memset(void *memory, int value, size_t count);
extern void *memcpy(void *target, const void *source, size_t count);
extern void *memmove(void *target, const void *source, size_t count);
extern int memcmp(const void *left, const void *right, size_t count);

#endif
