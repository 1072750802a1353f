struct s {int a,b;};
struct s g=(struct s){1,2};
int x=1,y=2; struct q {int *p;}; struct q gq=(struct q){&x}; struct q *pq=&(struct q){&y};
int use(struct s v){return v.a*10+v.b;}
int main(void){ struct s v={1,2}; v=(struct s){v.b,v.a};
__goblint_check(v.a==1);
__goblint_check(v.a==2);
__goblint_check(use((struct s){.b=3})==3);
*gq.p=5; gq.p=&y;
__goblint_check(x==1);
*pq->p=9; 
__goblint_check(y==2);
int *arr=(int[]){1,2,3}; arr[1]=7;
__goblint_check(arr[1]==2);
__goblint_check(g.b==2);
for (int i=0;i<2;i++){ int *z=&(int){i};
__goblint_check(*z==0);
}
return 0;}
