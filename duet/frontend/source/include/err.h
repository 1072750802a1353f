/* <err.h>: messages on errors */
#ifndef DUET_ERR_H
#define DUET_ERR_H

#include <features.h>

_Noreturn void err(int status, const char *format, ...);
_Noreturn void errx(int status, const char *format, ...);
void warn(const char *format, ...);
void warnx(const char *format, ...);

#endif
