/* <bits/strdupa.h>: copies on the stack (glibc 2.36) */
#ifndef DUET_BITS_STRDUPA_H
#define DUET_BITS_STRDUPA_H

#if defined __USE_GNU
#define strdupa strdupa
#define strndupa strndupa
#endif

#endif
