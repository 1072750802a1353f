struct p {int x;}; struct p g={1}; int chg(void){ g.x=5; return 0; } int f(struct p a,int z){ return a.x; } 
int main(void){ struct p l={1}; int r = f(l, (l.x, 0));
__goblint_check(r==0);
__goblint_check(r==1);
return 0;}
