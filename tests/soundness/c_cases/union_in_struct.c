struct t {int tag; union {int i; char *s; struct {short lo,hi;} w;} u; int after;};
int main(void){ struct t v={1,{5},9}; struct t w=v; w.u.w.lo=7; w.after=3;
__goblint_check(v.u.i==5);
__goblint_check(v.u.i==0);
__goblint_check(w.after==9);
__goblint_check(v.after==3);
__goblint_check(w.u.i==5);
struct t *p=&v; p->u.i=8; int *q=&p->u.i; *q=9;
__goblint_check(v.u.i==8);
__goblint_check(v.tag==0);
union {unsigned long l; struct {int a,b;} s;} z={.s={1,2}}; 
__goblint_check(z.l==1);
__goblint_check(z.s.b==1);
return 0;}
