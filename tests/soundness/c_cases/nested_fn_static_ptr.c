int *keep; void save(int *p){ keep=p; } 
int main(void){ int x=1; save(&x); x=2; *keep=3;
__goblint_check(x==2);
int arr[3]={1,2,3}; save(arr+1); keep[0]=8; keep[1]=9;
__goblint_check(arr[1]==2);
__goblint_check(arr[2]==3);
__goblint_check(x==3);
for(int i=0;i<3;i++){ save(&arr[i]); *keep=i; }
__goblint_check(arr[2]==9);
__goblint_check(arr[0]==1);
return 0;}
