struct t {int v; struct t *l,*r;};
int total(struct t *t){ if(!t) return 0; int a=total(t->l); int b=total(t->r); return a+b+t->v; }
void bump(struct t *t){ if(t){ t->v++; bump(t->l); bump(t->r);} }
int ack(int m,int n){ if(m==0) return n+1; if(n==0) return ack(m-1,1); return ack(m-1,ack(m,n-1)); }
int main(void){ struct t a={1,0,0},b={2,0,0},c={3,&a,&b}; bump(&c);
__goblint_check(a.v==1);
__goblint_check(c.v==3);
__goblint_check(total(&c)==6);
__goblint_check(total(&c)==9);
__goblint_check(ack(1,2)==1);
__goblint_check(ack(1,2)==4);
int arr[3]={1,2,3};
__goblint_check(arr[1]==2);
return 0;}
