#include <signal.h>
int g; void h(int s){ g = 1; }
int main(void){ signal(SIGUSR1, h); int x = 0; x++; raise(SIGUSR1);
__goblint_check(g == 0);
g = 0; raise(SIGUSR1);
__goblint_check(g == 0);
return 0;}
