#include <pthread.h>
void *t(void *a){ int *p=a; *p=*p+1; return 0; }
void go(int k){ int l=k; pthread_t h; pthread_create(&h,0,t,&l); pthread_join(h,0);
__goblint_check(l==k);
__goblint_check(l==k+1);
}
int main(void){ go(1); go(5); for(int i=0;i<2;i++) go(i); return 0;}
