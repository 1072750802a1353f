/* <assert.h>: checks; a check stays a call, so that its place and text survive. May be included again with another NDEBUG. */
#include <features.h>

#undef assert
#undef assert_perror
#ifdef NDEBUG
#define assert(condition) ((void)0)
#ifdef __USE_GNU
#define assert_perror(number) ((void)0)
#endif
#else
extern void assert(_Bool condition);
#define assert assert
#ifdef __USE_GNU
extern void assert_perror(int number);
#define assert_perror assert_perror
#endif
#endif
#undef static_assert
#if defined __USE_ISOC11 && __STDC_VERSION__ <= 201710L
#define static_assert _Static_assert
#endif
