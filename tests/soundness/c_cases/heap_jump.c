#include <stdlib.h>
int *keep[3]; int n;
int main(void) { again: keep[n] = malloc(4); if (!keep[n]) return 0; *keep[n] = n; n++; if (n < 3) goto again;
__goblint_check(*keep[0] == 0);
__goblint_check(*keep[0] == 2);
__goblint_check(*keep[2] == 2);
__goblint_check(*keep[1] == 0);
 return 0; }
