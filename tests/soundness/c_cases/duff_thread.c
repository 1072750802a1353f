#include <pthread.h>
int seen; 
void *w(void *a){ static __thread int t; for (int i=0;i<2;i++) t++; seen=t; return 0; }
int main(void){ pthread_t h[2]; for(int i=0;i<2;i++) pthread_create(&h[i],0,w,0); for(int i=0;i<2;i++) pthread_join(h[i],0);
__goblint_check(seen==0);
__goblint_check(seen==2);
return 0;}
