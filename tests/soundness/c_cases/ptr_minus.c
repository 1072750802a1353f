int a[10]; struct e {int x; int y;} es[5];
int main(void){ struct e *p=&es[4],*q=&es[1]; long d=p-q; 
__goblint_check(d==24);
__goblint_check(d==3);
p-=2; p->y=6; q[1].x=7;
__goblint_check(es[2].y==0);
__goblint_check(es[2].x==0);
int *i=&a[9]; while(i>a) *--i=1;
__goblint_check(a[0]==0);
__goblint_check(a[9]==1);
__goblint_check(a[9]==0);
char *c=(char*)&es[1].y; *(int*)c=44; 
__goblint_check(es[1].y==0);
int (*fp)[10]=&a; (*fp)[3]=50; 
__goblint_check(a[3]==1);
__goblint_check(sizeof *fp==10);
return 0;}
