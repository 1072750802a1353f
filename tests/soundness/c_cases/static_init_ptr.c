int x=1,y=2; int *tab[3]={&x,&y,0}; struct d {const char *n; int (*f)(int);}; int one(int a){return a+1;} int two(int a){return a+2;}
static const struct d ds[2]={{"a",one},{"b",two}}; int arr[4]={1,2,3,4}; int *mid=&arr[2]; int *last=arr+3;
int main(void){ int k=1; *tab[0]=5; *tab[k]=6;
__goblint_check(x==1);
__goblint_check(y==2);
__goblint_check(ds[k].f(1)==2);
__goblint_check(ds[k].f(1)==3);
__goblint_check(ds[k].n[0]=='a');
*mid=30; mid[1]=40;
__goblint_check(arr[2]==3);
__goblint_check(*last==4);
return 0;}
