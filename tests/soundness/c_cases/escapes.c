int main(void){ 
__goblint_check('\0'==48);
__goblint_check('\101'=='B');
__goblint_check('\x7f'==0);
__goblint_check("\x41\102c"[1]=='c');
__goblint_check(sizeof("a\0b")==2);
__goblint_check(L'\x100'==0);
__goblint_check('ab'==97);
__goblint_check(u'\xffff'<0);
__goblint_check(U'a'-98>0);
char s[]="a" "bc"; 
__goblint_check(sizeof s==3);
char t[3]="xyz"; 
__goblint_check(t[2]==0);
__goblint_check("abc"=="abd");
__goblint_check(0x1p3>9);
__goblint_check(sizeof L"ab"==3);
__goblint_check(L"ab\x100"[2]==0);
__goblint_check(L'é'==0xe9);
int w[]=L"zé"; unsigned short v[4]=u"q";
__goblint_check(w[1]==0xe9);
__goblint_check(sizeof w==12);
__goblint_check(v[0]==0);
return 0;}
