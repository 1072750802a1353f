int main(void){ unsigned long a=~0UL; long b=(long)a; unsigned long c=a+2; unsigned long d=a*a; __int128 e=(__int128)1<<100; long f=(long)(e>>90);
__goblint_check(b==-1);
__goblint_check(b>0);
__goblint_check(c==1);
__goblint_check(d==1);
__goblint_check(c==0);
__goblint_check(f==1024);
__goblint_check(f==0);
__goblint_check(a>b);
__goblint_check(a/2>1ul<<62);
return 0;}
