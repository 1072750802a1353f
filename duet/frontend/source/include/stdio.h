/* <stdio.h>: input and output */
#ifndef DUET_STDIO_H
#define DUET_STDIO_H

#include <features.h>
#include <bits/stddef_types.h>
#include <bits/va_list.h>
#include <bits/types.h>
#include <bits/null.h>
#include <bits/seek.h>
#include <bits/stdio_lim.h>
#if defined __USE_GNU
#include <bits/seek_data.h>
#endif

typedef struct __duet_file {
	long __words[sizeof(long) == 8 ? 27 : 37];
} FILE;
typedef struct {
	long __words[sizeof(long) == 8 ? 2 : 3];
} fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int dprintf(int descriptor, const char *format, ...);
int vdprintf(int descriptor, const char *format, va_list list);
int sprintf(char *buffer, const char *format, ...);
int snprintf(char *buffer, size_t size, const char *format, ...);
int asprintf(char **result, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vsprintf(char *buffer, const char *format, va_list list);
int vsnprintf(char *buffer, size_t size, const char *format, va_list list);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
int ungetc(int c, FILE *file);
char *fgets(char *buffer, int size, FILE *file);
ssize_t getline(char **line, size_t *size, FILE *file);
FILE *fopen(const char *path, const char *mode);
FILE *fdopen(int descriptor, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
int fclose(FILE *file);
int fflush(FILE *file);
int fileno(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
size_t fread(void *buffer, size_t size, size_t count, FILE *file);
size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file);
int fseek(FILE *file, long offset, int whence);
int fseeko(FILE *file, off_t offset, int whence);
long ftell(FILE *file);
off_t ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *file, fpos_t *position);
int fsetpos(FILE *file, const fpos_t *position);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
int remove(const char *path);
int rename(const char *old, const char *path);
FILE *tmpfile(void);
char *tmpnam(char *buffer);
void perror(const char *text);
void flockfile(FILE *file);
void funlockfile(FILE *file);

#endif
