/* <math.h>: mathematics; results are arbitrary */
#ifndef DUET_MATH_H
#define DUET_MATH_H

#define HUGE_VAL 1e10000
#define INFINITY 1e10000f
#define NAN (0.0f / 0.0f)
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880

double acos(double x);
double asin(double x);
double atan(double x);
double atan2(double y, double x);
double cos(double x);
double sin(double x);
double tan(double x);
double cosh(double x);
double sinh(double x);
double tanh(double x);
double exp(double x);
double exp2(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
double sqrt(double x);
double cbrt(double x);
double hypot(double x, double y);
double ceil(double x);
double floor(double x);
double trunc(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
long lround(double x);
long lrint(double x);
double fabs(double x);
double fmod(double x, double y);
double fmax(double x, double y);
double fmin(double x, double y);
double ldexp(double x, int exponent);
double frexp(double x, int *exponent);
double modf(double x, double *whole);
double copysign(double x, double y);
float sqrtf(float x);
float fabsf(float x);
float powf(float x, float y);
float sinf(float x);
float cosf(float x);
float expf(float x);
float logf(float x);
float floorf(float x);
float ceilf(float x);
float roundf(float x);
long double sqrtl(long double x);
long double fabsl(long double x);
extern int isnan(double x);
extern int isinf(double x);
extern int isfinite(double x);
extern int signbit(double x);

#endif
