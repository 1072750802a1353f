#include <string.h>
int x = 1, y = 2; struct s { int *p; int *q; } a = { &x, &x }, b = { &y, &y };
int main(void) { memcpy(&a, &b, sizeof(int *)); *a.p = 5; 
__goblint_check(x == 1);
__goblint_check(x == 5);
__goblint_check(y == 2);
__goblint_check(y == 5);
 memmove(&a.q, &b.q, 8); *a.q = 6;
__goblint_check(x == 6);
__goblint_check(y == 6);
__goblint_check(y == 5);
 return 0; }
