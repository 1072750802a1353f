#include <pthread.h>
int cell; void f(void){ cell=4; pthread_exit((void*)7); cell=9; }
void *w(void *a){ f(); cell=5; return 0; }
int main(void){ pthread_t t; void *r; pthread_create(&t,0,w,0); pthread_join(t,&r);
__goblint_check(cell==5);
__goblint_check(cell==4);
__goblint_check((long)r==0);
return 0;}
