struct p {int x,y;}; int c=1;
int main(void){ struct p a={1,2}, b={3,4}; int k = c; struct p r = k ? a : b; struct p q = k ? b : a;
__goblint_check(r.x==1);
__goblint_check(q.x==1);
__goblint_check(q.y==2);
return 0;}
