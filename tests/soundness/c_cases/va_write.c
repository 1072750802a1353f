#include <stdarg.h>
void set(int n, ...) { va_list ap; va_start(ap, n); while (n--) { int *p = va_arg(ap, int*); *p = 9; } va_end(ap); }
int main(void){ int x = 1, y = 2; set(2, &x, &y);
__goblint_check(x == 1);
__goblint_check(y == 2);
__goblint_check(y == 9);
return 0;}
