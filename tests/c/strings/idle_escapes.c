// ARGS: --properties assertion,array-bounds --no-verify
// A backslash in front of what needs none changes nothing, as compilers have it; `\e` and `\E` are one character.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static const char path[] = "usr\/lib\ x\%d\[0\]\(\)\#\@\$\,\;\:\*\+\<\>\{\|\}\`";
static const char known[] = "\q\z\.\~\-\8";

int main(void) {
    assert(strlen("\/") == 1); // SAFE
    assert(sizeof(path) == 31); // SAFE
    assert(path[3] == '/'); // SAFE
    assert(path[7] == ' ' && path[9] == '%'); // SAFE
    assert('\%' == '%' && '\/' == 47); // SAFE
    assert("\\%"[0] == '\\' && sizeof("\\%") == 3); // SAFE
    assert("\\\%"[1] == '%'); // SAFE
    assert(known[0] == 'q' && known[1] == 'z' && known[5] == '8'); // SAFE
    assert('\e' == 27 && '\E' == 27); // SAFE
    if (__VERIFIER_nondet_int())
        assert('\E' == 'E'); // UNSAFE!
    else
        assert(sizeof("\%") == 3); // UNSAFE!
    return 0;
}
