int f(void){ static __thread int n; n++; return n; }
int g(void){ static _Thread_local int n = 5; return n++; }
int main(void){ f(); int r = f();
__goblint_check(r == 1);
__goblint_check(r == 2);
g(); r = g();
__goblint_check(r == 5);
return 0;}
