/* <bits/stdio_lim.h>: constants of streams (glibc 2.36) */
#ifndef DUET_BITS_STDIO_LIM_H
#define DUET_BITS_STDIO_LIM_H

#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define BUFSIZ 8192
#define EOF (-1)
#define L_tmpnam 20
#define TMP_MAX 238328
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define stdin stdin
#define stdout stdout
#define stderr stderr
#if defined __USE_MISC || defined __USE_XOPEN
#define P_tmpdir "/tmp"
#endif
#if defined __USE_POSIX
#define L_ctermid 9
#endif
#if defined __USE_GNU || (defined __USE_POSIX && !defined __USE_XOPEN2K)
#define L_cuserid 9
#endif
#if defined __USE_GNU
#define _PRINTF_NAN_LEN_MAX 4
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_EXCHANGE (1 << 1)
#define RENAME_WHITEOUT (1 << 2)
#endif

#endif
