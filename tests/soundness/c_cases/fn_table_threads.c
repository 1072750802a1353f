#include <pthread.h>
int x; void *a1(void *p){ x+=1; return 0; } void *a2(void *p){ x+=10; return 0; }
void *(*fs[2])(void*)={a1,a2};
int main(void){ pthread_t t[2]; for(int i=0;i<2;i++){ pthread_create(&t[i],0,fs[i],0); pthread_join(t[i],0); }
__goblint_check(x==0);
__goblint_check(x==10);
__goblint_check(x==11);
return 0;}
