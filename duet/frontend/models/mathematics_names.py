"""The records of <math.h>, <complex.h> and <fenv.h>. Values of floating types are not tracked.

*Source*: C11 7.3, 7.6 and 7.12, and the manual pages of glibc 2.36. What `signgam` is nobody knows at any time.
"""

from __future__ import annotations

from duet.frontend.ctypes.library import Reads
from duet.frontend.models import floating
from duet.frontend.models.effects import ANY, POINTED, effect, fills
from duet.frontend.models.record import LibraryFunction


def _each(called: str) -> str:
    """The names of functions of `double`, with those of `float` and `long double`."""
    return " ".join(f"{name}{end}" for name in called.split() for end in ("", "f", "l"))


_REAL = (
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb "
    "pow sqrt cbrt hypot floor ceil trunc round roundeven rint nearbyint fabs fmod remainder drem fmin fmax fdim fma "
    "copysign ldexp scalbn scalbln scalb significand ilogb llogb lround llround lrint llrint erf erfc tgamma lgamma "
    "gamma j0 j1 jn y0 y1 yn nextafter nexttoward nextup nextdown isinf isnan finite fmaxmag fminmag "
    "fromfp fromfpx ufromfp ufromfpx"
)
_MAXIMA = "fmaximum fmaximum_num fmaximum_mag fmaximum_mag_num fminimum fminimum_num fminimum_mag fminimum_mag_num"
_NARROWING = "fadd faddl fsub fsubl fmul fmull fdiv fdivl ffma ffmal fsqrt fsqrtl daddl dsubl dmull ddivl dfmal dsqrtl"
_COMPLEX = (
    "cabs carg creal cimag conj cproj csqrt cexp clog clog10 cpow csin ccos ctan casin cacos catan csinh ccosh ctanh "
    "casinh cacosh catanh"
)

_NUMBERS: tuple[LibraryFunction, ...] = (
    LibraryFunction(_each(f"{_REAL} {_MAXIMA}"), ANY),
    LibraryFunction(_NARROWING, ANY),
    LibraryFunction(_each(_COMPLEX), ANY),
    LibraryFunction(_each("nan"), ANY, texts=(0,)),
    LibraryFunction(f"{_each('modf frexp')} lgamma_r lgammaf_r lgammal_r", fills(1)),
    LibraryFunction(_each("sincos"), fills(1, 2)),
    LibraryFunction(_each("remquo"), fills(2)),
    LibraryFunction(_each("canonicalize"), effect((0, POINTED), reads=((1, POINTED),))),
    LibraryFunction(_each("totalorder totalordermag"), effect(reads=((0, POINTED), (1, POINTED)))),
)

_ENVIRONMENT: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "feclearexcept feraiseexcept fesetexcept fetestexcept fegetround fesetround feenableexcept fedisableexcept "
        "fegetexcept",
        ANY,
    ),
    LibraryFunction("fegetexceptflag fegetenv feholdexcept fegetmode", fills(0)),
    LibraryFunction("fesetexceptflag fetestexceptflag", effect(reads=((0, POINTED),))),
    LibraryFunction("fesetenv feupdateenv fesetmode", floating.installed, reads=Reads.NOTHING, sized=(0,)),
)

MATHEMATICS = (*_NUMBERS, *_ENVIRONMENT)
