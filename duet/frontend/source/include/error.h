/* <error.h>: messages on errors */
#ifndef DUET_ERROR_H
#define DUET_ERROR_H

#include <features.h>

void error(int status, int number, const char *format, ...);

#endif
