/* <locale.h>: locales */
#ifndef DUET_LOCALE_H
#define DUET_LOCALE_H

#include <features.h>
#include <bits/null.h>

#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
#define LC_PAPER 7
#define LC_NAME 8
#define LC_ADDRESS 9
#define LC_TELEPHONE 10
#define LC_MEASUREMENT 11
#define LC_IDENTIFICATION 12
#if defined __USE_XOPEN2K8
#define LC_CTYPE_MASK (1 << 0)
#define LC_NUMERIC_MASK (1 << 1)
#define LC_TIME_MASK (1 << 2)
#define LC_COLLATE_MASK (1 << 3)
#define LC_MONETARY_MASK (1 << 4)
#define LC_MESSAGES_MASK (1 << 5)
#define LC_PAPER_MASK (1 << 7)
#define LC_NAME_MASK (1 << 8)
#define LC_ADDRESS_MASK (1 << 9)
#define LC_TELEPHONE_MASK (1 << 10)
#define LC_MEASUREMENT_MASK (1 << 11)
#define LC_IDENTIFICATION_MASK (1 << 12)
#define LC_ALL_MASK (LC_CTYPE_MASK | LC_NUMERIC_MASK | LC_TIME_MASK | LC_COLLATE_MASK | LC_MONETARY_MASK | LC_MESSAGES_MASK | LC_PAPER_MASK | LC_NAME_MASK | LC_ADDRESS_MASK | LC_TELEPHONE_MASK | LC_MEASUREMENT_MASK | LC_IDENTIFICATION_MASK )
#define LC_GLOBAL_LOCALE ((locale_t) -1L)
#endif

struct lconv {
	char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
	char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
	char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
	char p_sign_posn, n_sign_posn;
#if defined __USE_ISOC99
	char int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space;
	char int_p_sign_posn, int_n_sign_posn;
#else
	char __int_p_cs_precedes, __int_p_sep_by_space, __int_n_cs_precedes, __int_n_sep_by_space;
	char __int_p_sign_posn, __int_n_sign_posn;
#endif
};

char *setlocale(int category, const char *name);

typedef struct __locale_struct *locale_t;

#endif
