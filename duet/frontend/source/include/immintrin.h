/* <immintrin.h>: instructions of x86 processors, but those on vectors */
#ifndef DUET_IMMINTRIN_H
#define DUET_IMMINTRIN_H

#include <bits/x86.h>

#endif
