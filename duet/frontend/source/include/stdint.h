/* <stdint.h>: integers of fixed width (LP64) */
#ifndef DUET_STDINT_H
#define DUET_STDINT_H

#include <features.h>
#include <bits/stdint_types.h>
#include <bits/stdint_limits.h>
#include <bits/wchar_limits.h>

#endif
