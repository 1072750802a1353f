/* <libgen.h>: parts of paths */
#ifndef DUET_LIBGEN_H
#define DUET_LIBGEN_H

char *basename(char *path);
char *dirname(char *path);

#endif
