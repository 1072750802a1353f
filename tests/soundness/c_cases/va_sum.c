#include <stdarg.h>
int sum(int n, ...) { int s = 0; va_list ap; va_start(ap, n); while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int main(void){ int r = sum(2, 3, 4);
__goblint_check(r == 0);
__goblint_check(r == 7);
return 0;}
