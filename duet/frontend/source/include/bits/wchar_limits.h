/* <bits/wchar_limits.h>: the range of wide characters (glibc 2.36) */
#ifndef DUET_BITS_WCHAR_LIMITS_H
#define DUET_BITS_WCHAR_LIMITS_H

#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__

#endif
