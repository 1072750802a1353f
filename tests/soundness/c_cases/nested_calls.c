int depth; int a(int x){ return x+1; } int b(int x){ return a(x)*2; } int c(int x){ int t=b(x); if(t>5) return a(t); return b(t); }
static int acc; void add(int v){ acc+=v; } void each(int *p,int n,void(*f)(int)){ for(int i=0;i<n;i++) f(p[i]); }
int lp(int n){ while(n>0){ if(n==3) return 33; n--; } return -1; }
int main(void){
__goblint_check(c(1)==10);
__goblint_check(c(3)==8);
__goblint_check(c(3)==9);
int arr[3]={1,2,3}; each(arr,3,add);
__goblint_check(acc==0);
__goblint_check(acc==6);
__goblint_check(lp(5)==-1);
__goblint_check(lp(2)==33);
int x=1; { int x=a(x=4); 
__goblint_check(x==4);
}
__goblint_check(a(a(a(0)))==1);
return 0;}
