#include <pthread.h>
pthread_t m;
void *t(void *a){ 
__goblint_check(pthread_equal(m,pthread_self()));
__goblint_check(m==pthread_self());
return 0;}
int main(void){ m=pthread_self(); pthread_t h; pthread_create(&h,0,t,0); pthread_join(h,0);
__goblint_check(h < m);
return 0;}
