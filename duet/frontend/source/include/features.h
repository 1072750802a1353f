/* <features.h>: what of the library a program asks for, as glibc 2.36 decides it from what is defined */
#ifndef DUET_FEATURES_H
#define DUET_FEATURES_H

#ifdef _GNU_SOURCE
#undef _ISOC95_SOURCE
#undef _ISOC99_SOURCE
#undef _ISOC11_SOURCE
#undef _ISOC2X_SOURCE
#undef _POSIX_SOURCE
#undef _POSIX_C_SOURCE
#undef _XOPEN_SOURCE
#undef _XOPEN_SOURCE_EXTENDED
#undef _LARGEFILE64_SOURCE
#undef _DEFAULT_SOURCE
#undef _ATFILE_SOURCE
#undef _DYNAMIC_STACK_SIZE_SOURCE
#define _ISOC95_SOURCE 1
#define _ISOC99_SOURCE 1
#define _ISOC11_SOURCE 1
#define _ISOC2X_SOURCE 1
#define _POSIX_SOURCE 1
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#define _XOPEN_SOURCE_EXTENDED 1
#define _LARGEFILE64_SOURCE 1
#define _DEFAULT_SOURCE 1
#define _ATFILE_SOURCE 1
#define _DYNAMIC_STACK_SIZE_SOURCE 1
#define __USE_GNU 1
#define __USE_DYNAMIC_STACK_SIZE 1
#endif

#if defined _BSD_SOURCE || defined _SVID_SOURCE
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#if !defined _ISOC99_SOURCE && !defined _ISOC11_SOURCE && !defined _ISOC2X_SOURCE && !defined _POSIX_SOURCE
#if !defined __STRICT_ANSI__ && !defined _POSIX_C_SOURCE && !defined _XOPEN_SOURCE && !defined _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#endif

#if defined _ISOC11_SOURCE || defined _ISOC2X_SOURCE || __STDC_VERSION__ >= 201112L
#define __USE_ISOC11 1
#endif
#if defined _ISOC99_SOURCE || defined __USE_ISOC11 || __STDC_VERSION__ >= 199901L
#define __USE_ISOC99 1
#endif
#if defined __USE_ISOC99 || __STDC_VERSION__ >= 199409L
#define __USE_ISOC95 1
#endif

#ifdef _DEFAULT_SOURCE
#define __USE_MISC 1
#if !defined _POSIX_SOURCE && !defined _POSIX_C_SOURCE
#define __USE_POSIX_IMPLICITLY 1
#endif
#undef _POSIX_SOURCE
#undef _POSIX_C_SOURCE
#define _POSIX_SOURCE 1
#define _POSIX_C_SOURCE 200809L
#endif
#if !defined __STRICT_ANSI__ || (defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 >= 500)
#if !defined _POSIX_SOURCE && !defined _POSIX_C_SOURCE
#define __USE_POSIX_IMPLICITLY 1
#define _POSIX_SOURCE 1
#if defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 < 500
#define _POSIX_C_SOURCE 2
#elif defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 < 600
#define _POSIX_C_SOURCE 199506L
#elif defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 < 700
#define _POSIX_C_SOURCE 200112L
#else
#define _POSIX_C_SOURCE 200809L
#endif
#endif
#endif
#if (defined _REENTRANT || defined _THREAD_SAFE) && (!defined _POSIX_C_SOURCE || _POSIX_C_SOURCE - 0 < 199506L)
#undef _POSIX_SOURCE
#undef _POSIX_C_SOURCE
#define _POSIX_SOURCE 1
#define _POSIX_C_SOURCE 199506L
#endif

#if defined _POSIX_SOURCE || (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE >= 1) || defined _XOPEN_SOURCE
#define __USE_POSIX 1
#endif
#if (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE >= 2) || defined _XOPEN_SOURCE
#define __USE_POSIX2 1
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 199309L
#define __USE_POSIX199309 1
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 199506L
#define __USE_POSIX199506 1
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 200112L
#define __USE_XOPEN2K 1
#undef __USE_ISOC95
#undef __USE_ISOC99
#define __USE_ISOC95 1
#define __USE_ISOC99 1
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 200809L
#define __USE_XOPEN2K8 1
#undef _ATFILE_SOURCE
#define _ATFILE_SOURCE 1
#endif
#ifdef _XOPEN_SOURCE
#define __USE_XOPEN 1
#if _XOPEN_SOURCE - 0 >= 500
#define __USE_XOPEN_EXTENDED 1
#define __USE_UNIX98 1
#undef _LARGEFILE_SOURCE
#define _LARGEFILE_SOURCE 1
#elif defined _XOPEN_SOURCE_EXTENDED
#define __USE_XOPEN_EXTENDED 1
#endif
#if _XOPEN_SOURCE - 0 >= 600
#undef __USE_XOPEN2K
#undef __USE_ISOC95
#undef __USE_ISOC99
#define __USE_XOPEN2K 1
#define __USE_XOPEN2KXSI 1
#define __USE_ISOC95 1
#define __USE_ISOC99 1
#endif
#if _XOPEN_SOURCE - 0 >= 700
#undef __USE_XOPEN2K8
#define __USE_XOPEN2K8 1
#define __USE_XOPEN2K8XSI 1
#endif
#endif
#ifdef _LARGEFILE_SOURCE
#define __USE_LARGEFILE 1
#endif
#ifdef _LARGEFILE64_SOURCE
#define __USE_LARGEFILE64 1
#endif
#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
#define __USE_FILE_OFFSET64 1
#endif
#ifdef _ATFILE_SOURCE
#define __USE_ATFILE 1
#endif
#if !defined _FORTIFY_SOURCE || _FORTIFY_SOURCE <= 0 || !defined __OPTIMIZE__
#define __USE_FORTIFY_LEVEL 0
#elif _FORTIFY_SOURCE > 2
#define __USE_FORTIFY_LEVEL 3
#else
#define __USE_FORTIFY_LEVEL _FORTIFY_SOURCE
#endif

#undef __GNU_LIBRARY__
#define __GNU_LIBRARY__ 6
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GLIBC_PREREQ(major, minor) ((__GLIBC__ << 16) + __GLIBC_MINOR__ >= ((major) << 16) + (minor))
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC_USE(feature) 0
#if defined __LP64__
#define __WORDSIZE 64
#else
#define __WORDSIZE 32
#define __WORDSIZE32_SIZE_ULONG 0
#define __WORDSIZE32_PTRDIFF_LONG 0
#endif
#define __WORDSIZE_TIME64_COMPAT32 1
#include <sys/cdefs.h>

#endif
