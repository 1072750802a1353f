struct s {int a; int b;};
int main(void){ struct s *p = 0; int r = 0; if (&p->a) r = 1; int *q = 0; if (&q[0]) r += 2; _Bool b = &p->a;
__goblint_check(r==3);
__goblint_check(r==0);
__goblint_check(b);
return 0;}
