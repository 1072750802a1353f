/* <ctype.h>: kinds of characters */
#ifndef DUET_CTYPE_H
#define DUET_CTYPE_H

#include <features.h>
#include <bits/endian.h>

#define _ISbit(bit) ((bit) < 8 ? ((1 << (bit)) << 8) : ((1 << (bit)) >> 8))
#define isalnum isalnum
#define isalpha isalpha
#define iscntrl iscntrl
#define isdigit isdigit
#define islower islower
#define isgraph isgraph
#define isprint isprint
#define ispunct ispunct
#define isspace isspace
#define isupper isupper
#define isxdigit isxdigit
#if defined __USE_ISOC99
#define isblank isblank
#endif
#if defined __USE_MISC || defined __USE_XOPEN
#define isascii isascii
#define toascii toascii
#define _tolower _tolower
#define _toupper _toupper
#endif
#if defined __USE_XOPEN2K8
#define isalnum_l isalnum_l
#define isalpha_l isalpha_l
#define iscntrl_l iscntrl_l
#define isdigit_l isdigit_l
#define islower_l islower_l
#define isgraph_l isgraph_l
#define isprint_l isprint_l
#define ispunct_l ispunct_l
#define isspace_l isspace_l
#define isupper_l isupper_l
#define isxdigit_l isxdigit_l
#define isblank_l isblank_l
#endif
#if defined __USE_MISC
#define isascii_l isascii_l
#define toascii_l toascii_l
#endif

int isalnum(int c);
int isalpha(int c);
int isascii(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int tolower(int c);
int toupper(int c);
int toascii(int c);

#endif
