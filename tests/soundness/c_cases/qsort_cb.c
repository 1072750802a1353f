#include <stdlib.h>
int calls; int cmp(const void *a,const void *b){ calls++; return *(const int*)a-*(const int*)b; }
int main(void){ int a[3]={3,1,2}; qsort(a,3,sizeof(int),cmp);
__goblint_check(a[0]==3);
__goblint_check(calls==0);
return 0;}
