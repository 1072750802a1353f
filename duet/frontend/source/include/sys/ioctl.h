/* <sys/ioctl.h>: device control */
#ifndef DUET_SYS_IOCTL_H
#define DUET_SYS_IOCTL_H

#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541B

struct winsize {
	unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};

int ioctl(int descriptor, unsigned long request, ...);

#endif
