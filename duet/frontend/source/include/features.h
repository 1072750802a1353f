/* <features.h>: features of the library: none beyond what the headers declare */
#ifndef DUET_FEATURES_H
#define DUET_FEATURES_H

#define __GLIBC_USE(feature) 0

#endif
