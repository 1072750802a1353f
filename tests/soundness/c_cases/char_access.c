struct s {char a; int b;};
int main(void){ struct s v = {1, 0}; char *c = (char*)&v; c[4] = 7;
__goblint_check(v.b == 0);
__goblint_check(v.b == 7);
int i; for (i=0;i<8;i++) c[i]=1;
__goblint_check(v.b == 7);
__goblint_check(v.a == 1);
int x = 0x01020304; unsigned char *u = (unsigned char*)&x;
__goblint_check(u[0] == 1);
__goblint_check(u[0] == 4);
u[3] = 9;
__goblint_check(x == 0x01020304);
return 0;}
