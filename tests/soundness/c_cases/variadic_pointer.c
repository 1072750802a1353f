#include <stdarg.h>
int g;
int f(int n, ...) { g = 5; return n; }
int main(void){ int (*p)(int, ...) = f; int r = p(2, 1, 1);
__goblint_check(g == 0);
__goblint_check(r == 2);
return 0;}
