/* <stdnoreturn.h>: functions that do not return */
#ifndef DUET_STDNORETURN_H
#define DUET_STDNORETURN_H

#define noreturn _Noreturn

#endif
