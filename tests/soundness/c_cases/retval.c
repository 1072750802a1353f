#include <pthread.h>
int g;
void *t(void *a){ g=5; return a; }
int main(void){ pthread_t h; void *r=0; pthread_create(&h,0,t,(void*)3L); pthread_join(h,&r);
__goblint_check(r==0);
__goblint_check((long)r==3);
__goblint_check(g==0);
return 0;}
