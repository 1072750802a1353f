/* <libgen.h>: parts of paths */
#ifndef DUET_LIBGEN_H
#define DUET_LIBGEN_H

#include <features.h>

#define basename basename

char *basename(char *path);
char *dirname(char *path);

#endif
