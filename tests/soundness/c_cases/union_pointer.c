int x = 1, y = 2;
union u {int *p; long l;};
int main(void){ union u u; u.p = &x; *u.p = 5;
__goblint_check(x == 1);
union {int i; unsigned char c[4]; float f;} v; v.i = 0x01020304;
__goblint_check(v.c[0] == 1);
__goblint_check(v.c[0] == 4);
v.c[1] = 9;
__goblint_check(v.i == 0x01020304);
return 0;}
