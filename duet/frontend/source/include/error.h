/* <error.h>: messages on errors */
#ifndef DUET_ERROR_H
#define DUET_ERROR_H

void error(int status, int number, const char *format, ...);

#endif
