/* <emmintrin.h>: instructions of x86 processors, but those on vectors */
#ifndef DUET_EMMINTRIN_H
#define DUET_EMMINTRIN_H

#include <bits/x86.h>

#endif
