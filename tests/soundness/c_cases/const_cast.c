static const int tab[4]={1,2,3,4}; const int lim=7; int arr[4]={5,6,7,8};
int look(const int *p,int i){ return p[i]; }
int main(void){ int k=look(tab,2)+look(arr,1); 
__goblint_check(k==9);
__goblint_check(k==8);
const int *p = tab+1; p++; 
__goblint_check(*p==2);
__goblint_check(p[1]==4);
const char *names[]={"a","bb",0}; int n=0; for(const char **q=names;*q;q++) n++;
__goblint_check(n==2);
__goblint_check(n==0);
__goblint_check(names[1][1]==0);
unsigned idx=2; 
__goblint_check(tab[idx]==4);
__goblint_check((tab+1)[1]==2);
__goblint_check(2[tab]==1);
__goblint_check(lim==8);
return 0;}
