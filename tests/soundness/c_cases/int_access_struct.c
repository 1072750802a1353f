struct s {int a; short b,c;};
int main(void){ struct s v = {1, 2, 3}; int *p = (int*)&v; p[1] = 9; int i = v.a;
__goblint_check(v.b == 2);
__goblint_check(v.c == 3);
p[i] = 65536*5+4;
__goblint_check(v.b == 2);
return 0;}
