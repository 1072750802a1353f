struct a {int n; int v[3]; struct {char c; int *p;} in[2];};
int g=1,h=2;
struct a make(int n){ struct a r={n,{n,n+1}}; r.in[1].p=&g; return r; }
int sum(struct a x){ x.v[0]=100; *x.in[1].p+=1; return x.v[0]+x.v[1]+x.n; }
int main(void){ struct a x=make(3), y; y=x; y.v[1]=50; y.in[1].p=&h; int s=sum(x);
__goblint_check(x.v[0]==100);
__goblint_check(x.v[1]==50);
__goblint_check(s==106);
__goblint_check(g==1);
__goblint_check(h==3);
s=sum(y);
__goblint_check(h==2);
struct a arr[2]={make(1)}; arr[1]=arr[0]; arr[1].v[2]=9; struct a *p=&arr[1]; *p=*&arr[0];
__goblint_check(arr[1].v[2]==9);
__goblint_check(arr[1].n==0);
p=arr; p++; p->n=77; (*p).v[0]=78; (p-1)->n=5;
__goblint_check(arr[1].n==1);
__goblint_check(arr[0].n==1);
__goblint_check(arr[0].n==5);
return 0;}
