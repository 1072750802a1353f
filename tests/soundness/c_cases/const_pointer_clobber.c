#include <string.h>
char c1 = 'a', c2 = 'b';
const char *p = &c1; const char *q;
void *(*cp)(void*, const void*, unsigned long);
int main(void){ const char *n = &c2; memcpy(&p, &n, sizeof p);
__goblint_check(p == &c1);
__goblint_check(*p == 'a');
return 0;}
