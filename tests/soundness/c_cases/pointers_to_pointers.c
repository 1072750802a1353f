int x = 1, y = 2, z; int *p = &x; int **pp = &p; struct { int *q; int n; } s, r; int *arr[2] = { &x, &y };
void set(int **d, int *v) { *d = v; }
volatile int c;
int main(void) { set(&s.q, &y); set(pp, &z); *p = 4; *s.q = 5; r = s; *r.q = 6; *arr[c] = 7;
__goblint_check(x == 1);
__goblint_check(x == 7);
__goblint_check(z == 4);
__goblint_check(z == 0);
__goblint_check(y == 6);
__goblint_check(y == 5);
 int *loc = 0; for (int i = 0; i < 2; i++) { if (loc) *loc = 8; loc = &z; }
__goblint_check(z == 8);
__goblint_check(z == 4);
 int a[3] = {1,2,3}; int *w = a; w[0] = 9; w = w + 1; *w = 10; w++; *w = 11;
__goblint_check(a[0] == 9);
__goblint_check(a[1] == 10);
__goblint_check(a[1] == 2);
__goblint_check(a[2] == 11);
__goblint_check(a[2] == 3);
return 0; }
