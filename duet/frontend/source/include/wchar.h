/* <wchar.h>: wide characters */
#ifndef DUET_WCHAR_H
#define DUET_WCHAR_H

#include <features.h>
#include <bits/stddef_types.h>
#include <bits/null.h>
#include <bits/wchar_limits.h>
#if defined __USE_XOPEN && !defined __USE_MISC
#include <bits/endian.h>
#endif

#define _WINT_T 1
#define WEOF (0xffffffffu)
#if defined __USE_XOPEN && !defined __USE_MISC
#define _ISwbit(bit) ((bit) < 8 ? (int) ((1UL << (bit)) << 24) : ((bit) < 16 ? (int) ((1UL << (bit)) << 8) : ((bit) < 24 ? (int) ((1UL << (bit)) >> 8) : (int) ((1UL << (bit)) >> 24))))
#endif

typedef unsigned int wint_t;
typedef struct {
	int __state, __rest;
} mbstate_t;

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *target, const wchar_t *source);
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t count);
int wcscmp(const wchar_t *left, const wchar_t *right);
wchar_t *wmemset(wchar_t *target, wchar_t c, size_t count);
wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count);
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
size_t mbrtowc(wchar_t *result, const char *text, size_t count, mbstate_t *state);
size_t wcrtomb(char *result, wchar_t c, mbstate_t *state);
int wprintf(const wchar_t *format, ...);

#endif
