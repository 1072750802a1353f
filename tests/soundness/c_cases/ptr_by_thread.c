#include <pthread.h>
int x=1,y=2; int *p=&x;
void *t(void *a){ p=&y; return 0; }
int main(void){ pthread_t h; pthread_create(&h,0,t,0); pthread_join(h,0); *p=9;
__goblint_check(x==9);
__goblint_check(y==2);
__goblint_check(y==9);
return 0;}
