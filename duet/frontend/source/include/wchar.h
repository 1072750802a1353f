/* <wchar.h>: wide characters */
#ifndef DUET_WCHAR_H
#define DUET_WCHAR_H

#include <stddef.h>

typedef unsigned int wint_t;
typedef struct {
	int state, rest;
} mbstate_t;

#define WEOF 0xffffffffU

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *target, const wchar_t *source);
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t count);
int wcscmp(const wchar_t *left, const wchar_t *right);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
size_t mbrtowc(wchar_t *result, const char *text, size_t count, mbstate_t *state);
size_t wcrtomb(char *result, wchar_t c, mbstate_t *state);
int wprintf(const wchar_t *format, ...);

#endif
