/* <xmmintrin.h>: instructions of x86 processors, but those on vectors */
#ifndef DUET_XMMINTRIN_H
#define DUET_XMMINTRIN_H

#include <bits/x86.h>

#endif
