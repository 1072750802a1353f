/* Kinds of files in a mode, for <sys/stat.h>, <fcntl.h> and <sys/file.h> */
#ifndef DUET_BITS_FILE_TYPES_H
#define DUET_BITS_FILE_TYPES_H

#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_IFLNK 0120000

#endif
