int main(void){ int x=-1; unsigned char uc=200; char sc=-3;
__goblint_check(*(unsigned*)&x > 5);
__goblint_check(*(unsigned*)&x < 5);
__goblint_check(*(signed char*)&uc < 0);
__goblint_check(*(unsigned char*)&sc > 100);
int *p=&x; unsigned *q=(unsigned*)p; 
__goblint_check(*q > 5);
__goblint_check(*q < 5);
*q = 4000000000u;
__goblint_check(x < 0);
__goblint_check(x > 0);
return 0;}
