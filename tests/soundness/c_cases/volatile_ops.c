volatile int v = 3; volatile unsigned char c = 250; int main(void){ v += 2; int a = v++; c += 10; volatile int *p = &v; *p *= 2; 
__goblint_check(v==6);
__goblint_check(v==12);
__goblint_check(a==6);
__goblint_check(c==4);
__goblint_check(c==3);
return 0;}
