#define SWAP(a,b) do { int t_=a; a=b; b=t_; } while(0)
#define MAX(a,b) ((a)>(b)?(a):(b))
int main(void){ int x=1,y=2; if (x) SWAP(x,y); else x=9; 
__goblint_check(x==1);
__goblint_check(y==1);
int m=MAX(x,MAX(y,7)); 
__goblint_check(m==2);
__goblint_check(MAX(-1,0u)==0);
for(;;){ if(x-- == 0) break; if(y) continue; }
__goblint_check(x==0);
__goblint_check(x==-1);
do x++; while(x<3 && x!=2);
__goblint_check(x==3);
return 0;}
