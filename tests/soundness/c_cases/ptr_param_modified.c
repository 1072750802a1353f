void inc(int *p,int n){ while(n--) *p++ += 1; } void nul(int **p){ *p=0; } int len(const char *s){ const char *e=s; while(*e) e++; return e-s; }
int fill(int *p,int v){ p[0]=v; p=p+1; *p=v+1; return *p; }
int main(void){ int a[3]={1,2,3}; inc(a,2); int *p=&a[1]; nul(&p); 
__goblint_check(a[0]==1);
__goblint_check(a[1]==3);
__goblint_check(p!=0);
__goblint_check(p==0);
__goblint_check(len("abc")==2);
int r=fill(a,7);
__goblint_check(a[1]==7);
__goblint_check(r==8);
__goblint_check(a[2]==8);
return 0;}
