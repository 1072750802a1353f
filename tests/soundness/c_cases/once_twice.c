#include <pthread.h>
int a,b; pthread_once_t o1=PTHREAD_ONCE_INIT; void f(void){a++;} void g(void){b++;} int k;
int main(void){ pthread_once(&o1, k?f:g); pthread_once(&o1,f);
__goblint_check(b==0);
__goblint_check(a==0);
__goblint_check(a==1);
return 0;}
