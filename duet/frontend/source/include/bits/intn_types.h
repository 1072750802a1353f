/* <bits/intn_types.h>: signed integers of fixed width */
#ifndef DUET_BITS_INTN_TYPES_H
#define DUET_BITS_INTN_TYPES_H

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef __INT64_TYPE__ int64_t;

#endif
