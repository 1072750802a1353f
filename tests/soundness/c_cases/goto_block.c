int main(void){ int n = 0, s = 0; goto in; while (n < 3) { s += 10; in: s += 1; n++; }
__goblint_check(s == 23);
__goblint_check(s == 3);
int i = 0; back: i++; if (i < 5) goto back;
__goblint_check(i == 5);
__goblint_check(i == 1);
switch (i) { int q; case 5: q = 3; s = q; break; case 1: s = 0; }
__goblint_check(s == 3);
return 0;}
