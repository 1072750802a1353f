int main(void){ int a=1,b=2; int c=1; *(c?&a:&b)=9; int *p = c-1 ? &a : &b; *p=7;
__goblint_check(a==1);
__goblint_check(b==2);
__goblint_check(a==9);
int z = (c ? a : b) + (c ? 1 : 2);
__goblint_check(z==10);
__goblint_check(z==9);
return 0;}
