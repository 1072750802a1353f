/* <linux/spi/spi.h> over the kernel's own: transfers that are known by name */
#ifndef DUET_OVERLAY_SPI_SPI_H
#define DUET_OVERLAY_SPI_SPI_H

#include_next <linux/spi/spi.h>

extern int spi_read(struct spi_device *spi, void *buffer, size_t count);
extern int spi_write(struct spi_device *spi, const void *buffer, size_t count);

#endif
