/* <assert.h>: checks; a check stays a call, so that its place and text survive. May be included again with another NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern void assert(_Bool condition);
#endif
#undef static_assert
#if __STDC_VERSION__ <= 201710L
#define static_assert _Static_assert
#endif
