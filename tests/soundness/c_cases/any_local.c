#include <pthread.h>
union u {int *p; long l;} g; 
void *t(void *a){ *g.p = 5; return 0; }
int main(void){ int x = 1; int y = 2; g.p = &x; pthread_t h; pthread_create(&h,0,t,0); pthread_join(h,0);
__goblint_check(x==1);
__goblint_check(y==2);
return 0;}
