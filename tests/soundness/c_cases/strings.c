#include <string.h>
int main(void){ char b[8]="abc"; char *s="xyz"; char d[]="q"; int n=strlen(b); b[n]='d'; s++;
__goblint_check(b[3]==0);
__goblint_check(b[3]=='d');
__goblint_check(*s=='x');
__goblint_check(*s=='y');
__goblint_check(sizeof d==1);
__goblint_check(n==0);
strcpy(b,"zz");
__goblint_check(b[0]=='a');
__goblint_check("abc"[1]=='a');
__goblint_check(strcmp("a","b")==0);
return 0;}
