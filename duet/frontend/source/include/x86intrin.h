/* <x86intrin.h>: instructions of x86 processors, but those on vectors */
#ifndef DUET_X86INTRIN_H
#define DUET_X86INTRIN_H

#include <bits/x86.h>

#endif
