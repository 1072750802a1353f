#include <string.h>
struct s {int a; short b; char c[4];};
int main(void){ struct s v={1,2,{3}}; memset(&v,0,sizeof v);
__goblint_check(v.a==1);
__goblint_check(v.b==2);
__goblint_check(v.c[0]==3);
struct s w={5,6,{7}}; memcpy(&v,&w,sizeof v);
__goblint_check(v.a==0);
memset(&v.b,1,2);
__goblint_check(v.a==5);
__goblint_check(v.b==6);
int arr[3]={1,2,3}; memmove(arr,arr+1,8);
__goblint_check(arr[0]==1);
struct s *pp=&v; memset(pp,0,sizeof *pp);
__goblint_check(v.c[0]==7);
return 0;}
