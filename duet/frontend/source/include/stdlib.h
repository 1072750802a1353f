/* <stdlib.h>: the standard library */
#ifndef DUET_STDLIB_H
#define DUET_STDLIB_H

#include <features.h>
#include <bits/stddef_types.h>
#include <bits/null.h>
#if defined __USE_MISC
#include <alloca.h>
#include <sys/types.h>
#endif
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN
#include <bits/waitflags.h>
#endif

#define RAND_MAX 2147483647
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define MB_CUR_MAX (__ctype_get_mb_cur_max())

typedef struct {
	int quot, rem;
} div_t;
typedef struct {
	long quot, rem;
} ldiv_t;
typedef struct {
	long long quot, rem;
} lldiv_t;
#if defined __USE_MISC
struct random_data {
	int32_t *fptr, *rptr, *state;
	int rand_type, rand_deg, rand_sep;
	int32_t *end_ptr;
};
struct drand48_data {
	unsigned short __x[3], __old_x[3], __c, __init;
	unsigned long long __a;
};
#endif

size_t __ctype_get_mb_cur_max(void);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *reallocarray(void *memory, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **result, size_t alignment, size_t size);
void free(void *memory);
_Noreturn void abort(void);
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
_Noreturn void quick_exit(int status);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int left, int right);
ldiv_t ldiv(long left, long right);
lldiv_t lldiv(long long left, long long right);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
long double strtold(const char *text, char **end);
int rand(void);
int rand_r(unsigned int *seed);
void srand(unsigned int seed);
long random(void);
void srandom(unsigned int seed);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
	      int (*compare)(const void *, const void *));
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);
int system(const char *command);
int mkstemp(char *pattern);
char *mkdtemp(char *pattern);
char *realpath(const char *path, char *result);
int mblen(const char *text, size_t count);
int mbtowc(wchar_t *result, const char *text, size_t count);
int wctomb(char *result, wchar_t c);
size_t mbstowcs(wchar_t *target, const char *source, size_t count);
size_t wcstombs(char *target, const wchar_t *source, size_t count);
int getloadavg(double loads[], int count);

#endif
