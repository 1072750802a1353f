/* <stdatomic.h>: atomic types. The operations are calls with fixed names; they have no prototype, as they are generic. */
#ifndef DUET_STDATOMIC_H
#define DUET_STDATOMIC_H

#include <bits/stddef_types.h>
#include <bits/stdint_types.h>

#define ATOMIC_VAR_INIT(value) (value)
#define atomic_init atomic_init
#define kill_dependency(value) (value)
#define atomic_thread_fence atomic_thread_fence
#define atomic_signal_fence atomic_signal_fence
#define atomic_is_lock_free atomic_is_lock_free
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define atomic_store_explicit atomic_store_explicit
#define atomic_store atomic_store
#define atomic_load_explicit atomic_load_explicit
#define atomic_load atomic_load
#define atomic_exchange_explicit atomic_exchange_explicit
#define atomic_exchange atomic_exchange
#define atomic_compare_exchange_strong_explicit atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_strong atomic_compare_exchange_strong
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_weak_explicit
#define atomic_compare_exchange_weak atomic_compare_exchange_weak
#define atomic_fetch_add atomic_fetch_add
#define atomic_fetch_add_explicit atomic_fetch_add_explicit
#define atomic_fetch_sub atomic_fetch_sub
#define atomic_fetch_sub_explicit atomic_fetch_sub_explicit
#define atomic_fetch_or atomic_fetch_or
#define atomic_fetch_or_explicit atomic_fetch_or_explicit
#define atomic_fetch_xor atomic_fetch_xor
#define atomic_fetch_xor_explicit atomic_fetch_xor_explicit
#define atomic_fetch_and atomic_fetch_and
#define atomic_fetch_and_explicit atomic_fetch_and_explicit
#define ATOMIC_FLAG_INIT 0
#define atomic_flag_test_and_set atomic_flag_test_and_set
#define atomic_flag_test_and_set_explicit atomic_flag_test_and_set_explicit
#define atomic_flag_clear atomic_flag_clear
#define atomic_flag_clear_explicit atomic_flag_clear_explicit

typedef enum {
	memory_order_relaxed,
	memory_order_consume,
	memory_order_acquire,
	memory_order_release,
	memory_order_acq_rel,
	memory_order_seq_cst
} memory_order;

typedef _Atomic _Bool atomic_bool;
typedef _Atomic char atomic_char;
typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar;
typedef _Atomic short atomic_short;
typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int;
typedef _Atomic unsigned int atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong;
typedef _Atomic long long atomic_llong;
typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic int atomic_wchar_t;
#if __STDC_VERSION__ > 201710L
typedef _Atomic unsigned char atomic_char8_t;
#endif
typedef _Atomic unsigned short atomic_char16_t;
typedef _Atomic unsigned int atomic_char32_t;
typedef _Atomic signed char atomic_int_least8_t;
typedef _Atomic unsigned char atomic_uint_least8_t;
typedef _Atomic short atomic_int_least16_t;
typedef _Atomic unsigned short atomic_uint_least16_t;
typedef _Atomic int atomic_int_least32_t;
typedef _Atomic unsigned int atomic_uint_least32_t;
typedef _Atomic __INT_LEAST64_TYPE__ atomic_int_least64_t;
typedef _Atomic __UINT_LEAST64_TYPE__ atomic_uint_least64_t;
typedef _Atomic signed char atomic_int_fast8_t;
typedef _Atomic unsigned char atomic_uint_fast8_t;
typedef _Atomic __INT_FAST16_TYPE__ atomic_int_fast16_t;
typedef _Atomic __UINT_FAST16_TYPE__ atomic_uint_fast16_t;
typedef _Atomic __INT_FAST32_TYPE__ atomic_int_fast32_t;
typedef _Atomic __UINT_FAST32_TYPE__ atomic_uint_fast32_t;
typedef _Atomic __INT_FAST64_TYPE__ atomic_int_fast64_t;
typedef _Atomic __UINT_FAST64_TYPE__ atomic_uint_fast64_t;
typedef _Atomic __INTPTR_TYPE__ atomic_intptr_t;
typedef _Atomic __UINTPTR_TYPE__ atomic_uintptr_t;
typedef _Atomic __SIZE_TYPE__ atomic_size_t;
typedef _Atomic __PTRDIFF_TYPE__ atomic_ptrdiff_t;
typedef _Atomic __INTMAX_TYPE__ atomic_intmax_t;
typedef _Atomic __UINTMAX_TYPE__ atomic_uintmax_t;
typedef _Atomic _Bool atomic_flag;

extern void atomic_thread_fence(memory_order order);
extern void atomic_signal_fence(memory_order order);
extern _Bool atomic_flag_test_and_set(volatile atomic_flag *flag);
extern _Bool atomic_flag_test_and_set_explicit(volatile atomic_flag *flag, memory_order order);
extern void atomic_flag_clear(volatile atomic_flag *flag);
extern void atomic_flag_clear_explicit(volatile atomic_flag *flag, memory_order order);

#endif
