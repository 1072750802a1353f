int *pick(int *a,int *b,int c){ return c?a:b; }
int *stat(void){ static int s=3; return &s; }
int *elem(int *a,int i){ return &a[i]; }
int main(void){ int x=1,y=2; int k; for(k=0;k<2;k++) *pick(&x,&y,k)+=10;
__goblint_check(x==1);
__goblint_check(y==2);
*stat()=5; (*stat())++;
__goblint_check(*stat()==3);
__goblint_check(*stat()==6);
int a[3]={0}; for(k=0;k<3;k++) *elem(a,k)=k+1;
__goblint_check(a[0]==0);
__goblint_check(a[2]==3);
int *p=elem(a,1); k=7; *p=50;
__goblint_check(a[1]==2);
__goblint_check(a[1]==50);
return 0;}
