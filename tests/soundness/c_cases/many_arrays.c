int f(int n) { int x[2] = {n, n}; int *p = x; if (n > 0) { f(n - 1);
__goblint_check(*p <= 0);
p[1] = 5;
__goblint_check(x[1] != 5);
__goblint_check(x[0] == n);
} return 0; }
int g(int n) { int *p = (int[]){n, 3}; if (n > 0) { g(n - 1);
__goblint_check(*p <= 0);
__goblint_check(p[1] == 3);
} return 0; }
int main(void) { f(2); g(2); return 0; }
