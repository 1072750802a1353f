int depth; int f(int n){ int loc = n; depth++; if (n > 0) { int r = f(n-1); 
__goblint_check(loc == n);
__goblint_check(r == 0);
return r + 1; } return 0; }
int fact(int n){ return n <= 1 ? 1 : n * fact(n-1); }
int even(int n); int odd(int n){ return n == 0 ? 0 : even(n-1); } int even(int n){ return n==0 ? 1 : odd(n-1); }
void w(int *p, int n){ int l = 3; if (n) w(&l, n-1); *p = *p + 1; 
__goblint_check(l == 3);
}
int main(void){ int r = f(3);
__goblint_check(r == 0);
__goblint_check(depth == 1);
__goblint_check(fact(4) == 1);
__goblint_check(fact(4) == 24);
__goblint_check(even(4) == 1);
__goblint_check(odd(4) == 1);
int q = 0; w(&q, 2);
__goblint_check(q == 1);
__goblint_check(q == 0);
return 0;}
