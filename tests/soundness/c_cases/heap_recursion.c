#include <stdlib.h>
int *mk(int n) { if (n == 0) return malloc(4); return mk(n - 1); }
int main(void) { int *p = mk(2), *q = mk(1); if (!p || !q) return 0; *p = 1; *q = 2;
__goblint_check(*p == 1);
__goblint_check(*p == 2);
__goblint_check(*q == 2);
 return 0; }
