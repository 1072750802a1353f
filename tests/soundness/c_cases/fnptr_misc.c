int a1(int x){return x+1;} int a2(int x){return x+2;} typedef int (*fp)(int);
fp sel(int k){ return k? a1:a2; } struct ops {fp f; int z;} o={a1,3}; void call(void (*f)(int*), int *p){ f(p); } void setit(int*p){*p=4;}
int main(void){ int r=sel(1)(1)+ (*sel(0))(1); fp t[2]={a1,a2}; fp *q=t; q++; int u=(*q)(5);
__goblint_check(r==5);
__goblint_check(r==4);
__goblint_check(u==6);
__goblint_check(u==7);
o.f=a2; 
__goblint_check(o.f(1)==2);
int z=0; call(setit,&z);
__goblint_check(z==0);
__goblint_check(sel(1)==a1);
__goblint_check(sel(0)==a1);
void *v=(void*)a1; int w=((fp)v)(3);
__goblint_check(w==0);
__goblint_check(!a1);
return 0;}
